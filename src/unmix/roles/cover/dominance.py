"""Which entries still have to be thought of: all others are covered whenever these are.

Two ones (u, p) and (v, q) fit into one role iff (u, q) and (v, p) are ones too. If all that fits with e also fits with
f, then f joins whatever role covers e: f is dropped and remembers e. Entries that end up fitting with no other need a
role each, and no two of them can share one (a fooling set), so their number is a proven lower bound.

Reference: A. Ene, W. Horne, N. Milosavljevic, P. Rao, R. Schreiber, R. Tarjan, Fast exact and heuristic methods for
role minimization problems, SACMAT 2008.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import Bits
from unmix.roles.problem.budget import Budget


class Entries(NamedTuple):
    """The ones of a matrix in the order in which they are looked at, and what became of them."""

    matrix: sp.csr_array
    rows: Bits
    columns: Bits
    user: np.ndarray
    permission: np.ndarray
    parent: np.ndarray  # the entry it was dropped for, −1 while it is needed, −2 if it was covered from the start

    @property
    def needed(self) -> np.ndarray:
        return np.flatnonzero(self.parent == -1)


def reduce_entries(matrix: sp.csr_array, budget: Budget, covered: Bits | None = None, chunk: int = 1024) -> Entries:
    """Drops dominated entries until none is left or the time is over; entries of ``covered`` need no role."""
    from unmix.roles.cover.dominance_kernel import sweep

    rows, transposed = Bits.of(matrix), sp.csr_array(matrix.T)
    transposed.sort_indices()
    user = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    permission = matrix.indices.astype(np.int64)
    # An entry with little room around it is the likeliest to dominate others.
    room = np.diff(matrix.indptr)[user] * np.diff(transposed.indptr)[permission]
    order = np.argsort(room, kind="stable")
    number = np.empty(order.size, np.int64)
    number[order] = np.arange(order.size)
    found = Entries(matrix, rows, Bits.of(transposed), user[order], permission[order], np.full(order.size, -1))
    need = rows.words.copy()
    width = need.shape[1]
    rooms = [np.zeros(size, np.uint64) for size in (found.columns.words.shape[1], width, width)]
    if covered is not None:
        need &= ~covered.words
        found.parent[covered.dense()[found.user, found.permission]] = -2
    with budget:
        dropped = 1
        while dropped and not budget.over:
            dropped = 0
            for first in range(0, order.size, chunk):
                dropped += sweep(
                    rows.words, found.columns.words, matrix.indptr, matrix.indices, transposed.indptr,
                    transposed.indices, need, found.user, found.permission, number, found.parent, first,
                    min(first + chunk, order.size), *rooms,
                )  # fmt: skip
                if budget.over:
                    break
    return found


def components(entries: Entries) -> list[np.ndarray]:
    """Needed entries, grouped so that entries of different groups never fit into one role."""
    from unmix.roles.cover.dominance_kernel import link

    transposed = sp.csr_array(entries.matrix.T)
    left = entries.needed
    if not left.size:
        return []
    root = np.arange(left.size)
    link(
        entries.rows.words, transposed.indptr, transposed.indices, entries.user, entries.permission, left, root,
        np.full(entries.matrix.shape[0], -1),
    )  # fmt: skip
    order = np.argsort(root, kind="stable")
    return np.split(left[order], np.flatnonzero(np.diff(root[order])) + 1)


def representatives(entries: Entries) -> np.ndarray:
    """For every entry the needed one whose role covers it too."""
    found = np.where(entries.parent < 0, np.arange(entries.parent.size), entries.parent)
    while True:
        next_found = found[found]
        if (next_found == found).all():
            return found
        found = next_found
