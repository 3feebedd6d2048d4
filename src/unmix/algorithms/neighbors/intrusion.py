"""Points that one space shows among the nearest of a point and another space does not.

With M the k nearest of point i in the space that is shown, K = |M| (more than k where the last ones are equally far),
and r_j the rank of j by distance from i in the space that is true,

    share    = |{j in M: r_j > K}| / K
    excess   = Σ_{j in M} max(r_j - K, 0) / (the most it could be)

Shown a map of data that are true, the mean of 1 - excess is the map's trustworthiness; shown the data against the map,
its continuity. Equal distances get the best rank, so that the order of the rows does not matter.
Reference: Venna & Kaski, Neighborhood preservation in nonlinear projection methods, ICANN 2001.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from unmix.algorithms.neighbors.space import Space

BLOCK_ENTRIES = 1_000_000


class Intruders(NamedTuple):
    """What is shown near and is not, for some of the points."""

    rows: np.ndarray  # (m,) the points
    shown: np.ndarray  # (m,) how many are shown near them
    owner: np.ndarray  # (p,) which of the points an intruder belongs to, as a place in `rows`
    distance: np.ndarray  # (p,) how far it truly is


def intruder_share(shown: Space, true: Space, k: int, rows: np.ndarray) -> np.ndarray:
    """The share of the nearest shown that are not truly among as many nearest; one number a row, 0 to 1."""
    share = np.empty(len(rows))
    for part, found in _intruders(shown, true, k, rows):
        share[part] = np.bincount(found.owner, minlength=len(found.rows)) / found.shown
    return share


def intruder_excess(shown: Space, true: Space, k: int, rows: np.ndarray) -> np.ndarray:
    """By how many ranks those shown too near are off, as a share of the most possible; one number a row, 0 to 1."""
    excess = np.empty(len(rows))
    for part, found in _intruders(shown, true, k, rows):
        off = np.zeros(len(found.owner))
        for piece, one in _true_ranks(true, found):
            off[piece] = one - found.shown[found.owner[piece]]
        total = np.bincount(found.owner, np.maximum(off, 0.0), minlength=len(found.rows))
        excess[part] = total / largest_excess(found.shown, true.n)
    return excess


def largest_excess(shown: np.ndarray, n: int) -> np.ndarray:
    """The sum of r - K over those K points, of n - 1 others, that are furthest."""
    outside = n - 1 - shown
    most = np.minimum(shown, outside)
    return np.maximum(most * (2 * outside - most + 1) / 2, 1.0)


def _intruders(shown: Space, true: Space, k: int, rows: np.ndarray) -> Iterator[tuple[np.ndarray, Intruders]]:
    for few in _pieces(rows, shown.n, np.full(len(rows), k)):
        near = shown.near(rows[few], k)
        sizes = np.array([len(others) for others in near])
        order = np.argsort(sizes, kind="stable")  # rows with as many neighbours are looked up together
        for some in _pieces(order, true.n, sizes[order]):
            piece = order[some]
            yield few[piece], _strangers(true, rows[few[piece]], [near[i] for i in piece])


def _pieces(rows: np.ndarray, n: int, sizes: np.ndarray) -> Iterator[np.ndarray]:
    """Positions in ``rows``, so many at a time that neither (rows, n) nor (rows, size) gets large."""
    start = 0
    while start < len(rows):
        count = max(1, BLOCK_ENTRIES // max(n, 8 * int(sizes[start])))
        yield np.arange(start, min(start + count, len(rows)))
        start += count


def _strangers(true: Space, rows: np.ndarray, near: list[np.ndarray]) -> Intruders:
    """Those of the points shown near which are further than as many truly nearest."""
    sizes = np.array([len(others) for others in near])
    radius = true.nearest(rows, int(sizes.max()))[np.arange(len(rows)), sizes - 1]
    owner = np.repeat(np.arange(len(rows)), sizes)
    distance = true.between(rows[owner], np.concatenate(near))
    far = distance > true.reach(radius)[owner]
    return Intruders(rows, sizes, owner[far], distance[far])


def _true_ranks(true: Space, found: Intruders) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The ranks of a row's intruders, row by row: one more than the points that are nearer."""
    owners, first = np.unique(found.owner, return_index=True)
    last = np.append(first[1:], len(found.owner))
    limits = true.below(found.distance)
    for some in _pieces(owners, true.n, np.ones(len(owners))):
        pieces = [np.arange(first[one], last[one]) for one in some]
        yield from zip(pieces, true.ranks(found.rows[owners[some]], [limits[piece] for piece in pieces]))
