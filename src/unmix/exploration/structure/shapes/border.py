"""How deep a valley runs along the border of two groups of any shape.

t_i = distance of row i to the nearest row of the other group, less that to the nearest row of its own

depth(a, b) = min over both groups of  sqrt(n) · max_t (least concave majorant of F_n - F_n)(t)

is the test of `unmix.validation.evidence.valley` with the way off the border in place of a straight line: in one mode
that was cut in two, on one side of the cut at least the rows get fewer with t, and F is concave. So it sees a ring
around a core, which no projection does.

Where rows follow something curved, straight lines cut across. The distances to the other group may be lengths of ways
instead, over rows that are near each other: along them the rows of an arc, a ring or a rolled sheet lie evenly, and
those of groups that are apart do not (Tenenbaum, de Silva and Langford, Science 290, 2000).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from unmix.exploration.structure.shapes.tree import shortest_ways

FEWEST_ROWS = 5  # on a side, to speak of a valley at all
NEAR = 10  # rows that ways lead to from each
WORK_LINES, SIDE = 4, 1  # what the kernel works with, and which line of it holds the distances


def border_depths(distances: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The depth between every two groups, symmetric, of rows whose distances to each other are given, (n, n)."""
    return _depths(_to_groups(distances, labels), labels)


def way_depths(distances: np.ndarray, ways: csr_array, labels: np.ndarray) -> np.ndarray:
    """The same by the lengths of ways to the other group; `ways` are those of `near_ways`, labels 0 … k - 1."""
    groups = range(int(labels.max()) + 1)
    to_group = np.stack([dijkstra(ways, indices=np.flatnonzero(labels == c), min_only=True) for c in groups], axis=1)
    own = np.arange(len(labels)), labels
    to_group[own] = _to_groups(distances, labels)[own]
    return _depths(to_group, labels)


def near_ways(distances: np.ndarray) -> csr_array:
    """Each row joined to the rows near it, and all of them by the shortest tree; no two rows are equal."""
    near = np.argpartition(distances, NEAR, axis=1)[:, : NEAR + 1]  # the row itself among them
    joined = np.zeros(distances.shape, dtype=bool)
    np.put_along_axis(joined, near, True, axis=1)
    joined[tuple(shortest_ways(distances, np.zeros(len(distances)))[0].T)] = True
    joined |= joined.T
    np.fill_diagonal(joined, False)
    return csr_array((distances[joined], np.nonzero(joined)), shape=distances.shape)


def _to_groups(distances: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """(n, k), of each row to the nearest other row of each group."""
    order = np.argsort(labels, kind="stable")
    apart = distances.copy()
    np.fill_diagonal(apart, np.inf)
    nearest: np.ndarray = np.minimum.reduceat(
        apart[:, order], np.flatnonzero(np.diff(labels[order], prepend=-1)), axis=1
    )
    return nearest


def _depths(to_group: np.ndarray, labels: np.ndarray) -> np.ndarray:
    k = to_group.shape[1]
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    depths = np.zeros((k, k))
    for a, b in combinations(range(k), 2):
        if min(len(members[a]), len(members[b])) >= FEWEST_ROWS:
            sides = (to_group[members[i], j] - to_group[members[i], i] for i, j in ((a, b), (b, a)))
            depths[a, b] = depths[b, a] = min(map(_convexity, sides))
    return depths


def _convexity(t: np.ndarray) -> float:
    """How far from concave the distribution of t is; below 0 counts as at the border."""
    from unmix.validation.evidence.valley_kernel import concavity_gap

    work = np.empty((WORK_LINES, len(t) + 1))
    work[SIDE, : len(t)] = np.sort(np.maximum(t, 0.0))
    return float(concavity_gap(work, 0, len(t)))
