"""How deep a valley runs along the border of two groups of any shape.

t_i = distance of row i to the nearest row of the other group, less that to the nearest row of its own

depth(a, b) = min over both groups of  sqrt(n) · max_t (least concave majorant of F_n - F_n)(t)

is the test of `unmix.validation.evidence.valley` with the way off the border in place of a straight line: in one mode
that was cut in two, on one side of the cut at least the rows get fewer with t, and F is concave. So it sees a ring
around a core, which no projection does.
"""

from __future__ import annotations

import numpy as np

FEWEST_ROWS = 5  # on a side, to speak of a valley at all
WORK_LINES, SIDE = 4, 1  # what the kernel works with, and which line of it holds the distances


def border_depths(distances: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The depth between every two groups, symmetric, of rows whose distances to each other are given, (n, n)."""
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    k = len(starts)
    apart = distances.copy()
    np.fill_diagonal(apart, np.inf)
    to_group = np.minimum.reduceat(apart[:, order], starts, axis=1)  # (n, k), of a row to the others of each group
    members = np.split(order, starts[1:])
    depths = np.zeros((k, k))
    for a in range(k):
        for b in range(a + 1, k):
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
