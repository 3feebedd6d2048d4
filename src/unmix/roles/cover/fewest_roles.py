"""The fewest roles that give everybody exactly what they have, with a certificate.

Reduce to distinct rows and columns, drop dominated entries, split what is left into components; each entry alone in its
component needs a role of its own. Larger components become a set cover over their maximal rectangles, solved by
integer programming; where there are too many rectangles, repeated first fit, column generation for more of them and for
a bound, and a programme over those met.

Reference: A. Ene et al., Fast exact and heuristic methods for role minimization problems, SACMAT 2008.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import Bits, common, covers, from_pairs, product
from unmix.roles.access.distinct import blocks, distinct, same_rows
from unmix.roles.cover.column_generation import generate
from unmix.roles.cover.dominance import Entries, components, reduce_entries, representatives
from unmix.roles.cover.first_fit import fit_once, iterate_first_fit
from unmix.roles.cover.program import set_cover
from unmix.roles.cover.rectangle import maximal_rectangles
from unmix.roles.problem.budget import Budget


class Cover(NamedTuple):
    """Permission sets of the roles, and how many are needed at least."""

    roles: sp.csr_array
    lower_bound: int

    @property
    def proven(self) -> bool:
        return self.roles.shape[0] == self.lower_bound


def own_sets(matrix: sp.csr_array) -> Cover:
    """The trivial cover: what each distinct user has is a role."""
    group = same_rows(matrix)
    _, first = np.unique(group[group >= 0], return_index=True)
    return Cover(matrix[np.flatnonzero(group >= 0)[first]], 0)


TABLE = 1024  # rectangles between two looks at the time
MOST_ENTRIES = 20_000  # whose pairs are looked at
FEW_ENTRIES = 2_000  # the same when the time is over
# Bit-packed rows and columns of a block take at most this many bytes; a larger block is cut into groups of users.
MEMORY = 1 << 29


def minimum_cover(
    matrix: sp.csr_array,
    budget: Budget,
    *,
    keep: sp.csr_array | None = None,
    most_rectangles: int = 50_000,
    rounds: int = 60,
    seed: int = 0,
) -> Cover:
    """Roles for a whole matrix: reduced, solved block by block, and expanded to all permissions again.

    Roles of ``keep`` are there already: only what they do not cover needs roles, and only those are returned.
    """
    reduced = distinct(matrix, column_labels=None if keep is None else patterns(keep))
    small = reduced.matrix
    covered = None if keep is None else kept_part(small, keep, reduced.column)
    pieces, bound = [], 0
    for rows, columns, whole in parts(small):
        part = small[rows][:, columns]
        done = None if covered is None else Bits.of(covered[rows][:, columns])
        cover = cover_block(part, budget, done, most_rectangles, rounds, seed)
        local = sp.coo_array(cover.roles)
        pieces.append(from_pairs(local.coords[0], columns[local.coords[1]], (cover.roles.shape[0], small.shape[1])))
        # A fooling set of some of the users is one of the matrix; only whole blocks add up.
        bound = bound + cover.lower_bound if whole else max(bound, cover.lower_bound)
    roles = sp.csr_array(sp.vstack(pieces, format="csr")) if pieces else sp.csr_array((0, small.shape[1]), dtype=bool)
    if len(pieces) > 1:  # groups of users of one block find the same roles
        _, first = np.unique(same_rows(roles), return_index=True)
        roles = roles[np.sort(first)]
    return Cover(spread(roles, reduced.column), bound)


def spread(roles: sp.csr_array, column: np.ndarray) -> sp.csr_array:
    """Roles over distinct columns as roles over all of them."""
    held = np.flatnonzero(column >= 0)
    expand = from_pairs(column[held], held, (roles.shape[1], column.size))
    return sp.csr_array(roles.astype(np.int64) @ expand.astype(np.int64)).astype(bool)


def parts(matrix: sp.csr_array) -> list[tuple[np.ndarray, np.ndarray, bool]]:
    """The whole matrix if its bits fit in memory, else its components, else groups of users."""
    n, m = matrix.shape
    if not n:
        return []
    if n * m // 4 <= MEMORY:
        return [(np.arange(n), np.arange(m), True)]
    found = []
    for rows, columns in blocks(matrix):
        size = max(1, MEMORY * 4 // max(1, columns.size))
        for first in range(0, rows.size, size):
            some = rows[first : first + size]
            found.append((some, np.unique(matrix[some].indices), rows.size <= size))
    return found


def patterns(keep: sp.csr_array) -> np.ndarray:
    """Number of the pattern of kept roles each permission is in: permissions of different patterns are not merged."""
    _, pattern = np.unique(keep.toarray(), axis=1, return_inverse=True)
    return pattern.ravel()


def kept_part(matrix: sp.csr_array, keep: sp.csr_array, column: np.ndarray) -> sp.csr_array:
    """What the kept roles cover when everybody who may have them does."""
    pairs = sp.coo_array(keep)
    held = column[pairs.coords[1]]
    # A kept role with a permission nobody has fits nobody.
    possible = np.bincount(pairs.coords[0][held < 0], minlength=keep.shape[0]) == 0
    fine = possible[pairs.coords[0]]
    roles = Bits.of(from_pairs(pairs.coords[0][fine], held[fine], (keep.shape[0], matrix.shape[1])))
    fits = covers(Bits.of(matrix), roles) & possible & (roles.counts() > 0)
    return product(fits, roles).sparse()


def cover_block(
    matrix: sp.csr_array, budget: Budget, covered: Bits | None, most_rectangles: int, rounds: int, seed: int
) -> Cover:
    """Roles of one block of distinct rows."""
    entries = reduce_entries(matrix, budget.part(0.4), covered)
    group = np.full(entries.user.size, -1)
    n_groups, bound = 0, 0
    if entries.needed.size > (FEW_ENTRIES if budget.over else MOST_ENTRIES):
        bound = fooling_bound(entries, entries.needed[:50_000])
        first = fit_once(entries, entries.needed, budget)
        if first is None:
            return Cover(plain_cover(matrix), bound)
        group, n_groups, _ = iterate_first_fit(entries, entries.needed, budget, first, rounds=rounds, seed=seed)
    else:
        for part in components(entries):
            found, count, least = cover_component(entries, part, budget, most_rectangles, rounds, seed)
            group[part] = n_groups + found
            n_groups, bound = n_groups + count, bound + least
    if n_groups > min(matrix.shape):
        return Cover(plain_cover(matrix), bound)
    group = group[representatives(entries)]
    members = from_pairs(group[group >= 0], entries.user[group >= 0], (n_groups, matrix.shape[0]))
    return Cover(common(members, entries.rows).sparse(), bound)


def plain_cover(matrix: sp.csr_array) -> sp.csr_array:
    """A role for each user or for each permission, whichever are fewer."""
    n, m = matrix.shape
    return matrix if n <= m else from_pairs(np.arange(m), np.arange(m), (m, m))


def cover_component(
    entries: Entries, part: np.ndarray, budget: Budget, most_rectangles: int, rounds: int, seed: int
) -> tuple[np.ndarray, int, int]:
    """Group of each entry of ``part``, number of groups, proven least number."""
    if part.size == 1:
        return np.zeros(1, np.int64), 1, 1
    late = budget.over
    bound = fooling_bound(entries, part, 0 if late else 5000)
    first = fit_once(entries, part, None if part.size <= FEW_ENTRIES else budget)
    if first is None:
        return (*plain_groups(entries, part), bound)
    group, count, pool = iterate_first_fit(entries, part, budget, first, rounds=rounds, target=bound, seed=seed)
    group = group[part]
    if count == bound or budget.over:
        return group, count, bound
    with budget:
        holds, complete = candidates(entries, part, most_rectangles, pool, budget)
        if not complete:
            holds, bound = generate(entries, part, holds, bound, count, budget.part(0.5), seed)
            if bound == count:
                return group, count, bound
        answer = set_cover(holds, budget)
        if answer.x is not None and answer.x.sum() < count:
            chosen = holds[answer.x > 0.5]
            group, count = chosen.argmax(axis=0), chosen.shape[0]
        if complete and np.isfinite(answer.bound):
            bound = max(bound, int(np.ceil(answer.bound)))
    return group, count, min(bound, count)


def plain_groups(entries: Entries, part: np.ndarray) -> tuple[np.ndarray, int]:
    """Group of each entry, one for each user or for each permission, whichever are fewer."""
    found = [np.unique(names[part], return_inverse=True) for names in (entries.user, entries.permission)]
    names, group = min(found, key=lambda some: some[0].size)
    return group.ravel(), names.size


def candidates(
    entries: Entries, part: np.ndarray, most: int, pool: list[tuple[Bits, Bits]], budget: Budget
) -> tuple[np.ndarray, bool]:
    """Which entries of the part each rectangle holds; all maximal rectangles if they are few enough, else those met."""
    rows, columns = np.unique(entries.user[part]), np.unique(entries.permission[part])
    found = maximal_rectangles(entries.matrix[rows][:, columns], most, budget)
    user, permission = np.searchsorted(rows, entries.user[part]), np.searchsorted(columns, entries.permission[part])
    complete = found is not None
    pieces = [found] if found is not None else [maximal(entries, permissions) for _, permissions in pool]
    if not complete:
        user, permission = entries.user[part], entries.permission[part]
    tables: list[np.ndarray] = []
    for users, permissions in pieces:
        for first in range(0, users.shape[0], TABLE):
            if tables and budget.over:
                return np.vstack(tables), False
            some = slice(first, first + TABLE)
            tables.append(entries_of(users.words[some], permissions.words[some], user, permission))
    return np.vstack(tables), complete


def entries_of(users: np.ndarray, permissions: np.ndarray, user: np.ndarray, permission: np.ndarray) -> np.ndarray:
    """Which of the entries (user, permission) lie in each rectangle."""
    from unmix.roles.cover.first_fit_kernel import cover_matrix

    holds = np.zeros((users.shape[0], user.size), bool)
    cover_matrix(users, permissions, user, permission, np.arange(user.size), holds)
    return holds


def maximal(entries: Entries, permissions: Bits) -> tuple[Bits, Bits]:
    """Everybody who holds the permissions, with them: those with room in a group are not all such."""
    return Bits.of(covers(entries.rows, permissions).T), permissions


def fooling_bound(entries: Entries, part: np.ndarray, limit: int = 5000) -> int:
    """Size of a set of entries of which no two fit into one role, least connected ones first."""
    from unmix.roles.cover.first_fit_kernel import degrees, fooling

    order = part
    if part.size <= limit:
        degree = np.zeros(part.size, np.int64)
        degrees(entries.rows.words, entries.user, entries.permission, part, degree)
        order = part[np.argsort(degree, kind="stable")]
    chosen = np.zeros(part.size, np.int64)
    return int(fooling(entries.rows.words, entries.user, entries.permission, order, chosen))
