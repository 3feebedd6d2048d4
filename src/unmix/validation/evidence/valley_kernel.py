"""The compiled part of valley.py: merge two clusters, cut, and measure on both sides. Imported on first use.

Plain loops over arrays that are handed in, which the compiler has done with soonest. The lines of ``work`` are to work
with, each one longer than the rows: the merged positions, the distances from the cut, and the corners of a majorant.
"""

import numpy as np

from unmix.core.compiled.kernel import kernel

POSITION, SIDE, X, Y = 0, 1, 2, 3  # lines of the array to work with
LINES = 4


@kernel
def pair_depths(positions, starts, fewest_rows, work, depths):
    """depths[a, b] and depths[b, a]; `positions` as `sorted_positions` makes them."""
    k = depths.shape[0]
    for a in range(k):
        for b in range(a + 1, k):
            n_a, n_b = starts[a + 1] - starts[a], starts[b + 1] - starts[b]
            of_a, of_b = k * starts[a] + b * n_a, k * starts[b] + a * n_b
            depths[a, b] = valley_depth(positions, of_a, n_a, of_b, n_b, fewest_rows, work)
            depths[b, a] = depths[a, b]


@kernel
def valley_depth(positions, of_a, n_a, of_b, n_b, fewest_rows, work):
    """The depth between n_a positions from of_a on and n_b from of_b on, mostly to their right; both rise."""
    n = n_a + n_b
    # Rows of b left of the cut and rows of a right of it are confused; their number is least where this walk is lowest.
    # Of equally low places the widest gap is taken, the same one seen from either side.
    walk, lowest, widest, left, in_a = 0, n + 1, 0.0, n, 0
    for i in range(n):
        from_a = in_a < n_a and (i - in_a == n_b or positions[of_a + in_a] <= positions[of_b + i - in_a])
        work[POSITION, i] = positions[of_a + in_a] if from_a else positions[of_b + i - in_a]
        if i > 0:  # the cut before this row
            gap = work[POSITION, i] - work[POSITION, i - 1]
            if walk < lowest or (walk == lowest and gap > widest):
                lowest, widest, left = walk, gap, i
        walk += -1 if from_a else 1
        in_a += 1 if from_a else 0
    if min(left, n - left) < fewest_rows:
        return 0.0
    cut = 0.5 * (work[POSITION, left - 1] + work[POSITION, left])
    for i in range(left):
        work[SIDE, i] = cut - work[POSITION, left - 1 - i]
    for i in range(left, n):
        work[SIDE, i] = work[POSITION, i] - cut
    depth = np.inf
    for side in range(2):
        first, rows = side * left, n - left if side else left
        depth = min(depth, concavity_gap(work, first, rows))
    return depth


@kernel
def concavity_gap(work, first, n):
    """sqrt(n) · max (least concave majorant of F_n - F_n) for n sorted distances ≥ 0, from the first on."""
    corners = 1
    work[X, 0] = work[Y, 0] = 0.0
    for i in range(n):
        distance, height = work[SIDE, first + i], (i + 1) / n
        if (i + 1 < n and work[SIDE, first + i + 1] == distance) or distance <= 0.0:
            continue  # of equal distances the last is the corner; rows at the cut itself count as beyond it
        while corners > 1:
            x, y = work[X, corners - 2], work[Y, corners - 2]
            if (work[Y, corners - 1] - y) * (distance - x) > (height - y) * (work[X, corners - 1] - x):
                break
            corners -= 1
        work[X, corners], work[Y, corners] = distance, height
        corners += 1
    gap, at = 0.0, 1
    for i in range(n):
        distance = work[SIDE, first + i]
        while at < corners and work[X, at] < distance:
            at += 1
        if at < corners:
            slope = (work[Y, at] - work[Y, at - 1]) / (work[X, at] - work[X, at - 1])
            gap = max(gap, work[Y, at - 1] + slope * (distance - work[X, at - 1]) - i / n)
    return np.sqrt(n) * gap
