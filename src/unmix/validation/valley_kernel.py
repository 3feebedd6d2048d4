"""The compiled part of valley.py: project two clusters, sort, cut, and measure on both sides. Imported on first use."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def pair_depths(X, starts, pairs, directions, fewest_rows, depths):
    """depths[p] between clusters pairs[p]; the rows of cluster c are X[starts[c]:starts[c + 1]]."""
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        n_a, n_b = starts[a + 1] - starts[a], starts[b + 1] - starts[b]
        position = np.empty(n_a + n_b)
        for i in range(n_a + n_b):
            row = starts[a] + i if i < n_a else starts[b] + i - n_a
            total = 0.0
            for j in range(X.shape[1]):
                total += X[row, j] * directions[p, j]
            position[i] = total
        depths[p] = valley_depth(position, n_a, fewest_rows)


@njit(cache=True, nogil=True)
def valley_depth(position, n_a, fewest_rows):
    """The depth between the first n_a positions and the others, which lie mostly to their right."""
    n = len(position)
    order = np.argsort(position)
    # Rows of b left of the cut and rows of a right of it are confused; their number is least where this walk is lowest.
    # Of equally low places the widest gap is taken, the same one seen from either side.
    walk, lowest, widest, left = 0, n + 1, 0.0, 0
    for i in range(n - 1):
        walk += -1 if order[i] < n_a else 1
        gap = position[order[i + 1]] - position[order[i]]
        if walk < lowest or (walk == lowest and gap > widest):
            lowest, widest, left = walk, gap, i + 1
    if min(left, n - left) < fewest_rows:
        return 0.0
    cut = 0.5 * (position[order[left - 1]] + position[order[left]])
    sides = np.empty(n)
    for i in range(left):
        sides[i] = cut - position[order[left - 1 - i]]
    for i in range(left, n):
        sides[i] = position[order[i]] - cut
    return min(concavity_gap(sides[:left]), concavity_gap(sides[left:]))


@njit(cache=True, nogil=True)
def concavity_gap(distance):
    """sqrt(n) · max (least concave majorant of F_n - F_n) for sorted distances ≥ 0."""
    n = len(distance)
    x, y = np.empty(n + 1), np.empty(n + 1)  # corners of the majorant
    x[0], y[0], corners = 0.0, 0.0, 1
    for i in range(n):
        if (i + 1 < n and distance[i + 1] == distance[i]) or distance[i] <= 0.0:
            continue  # of equal distances the last is the corner; rows at the cut itself count as beyond it
        height = (i + 1) / n
        while corners > 1 and (y[corners - 1] - y[corners - 2]) * (distance[i] - x[corners - 2]) <= (
            height - y[corners - 2]
        ) * (x[corners - 1] - x[corners - 2]):
            corners -= 1
        x[corners], y[corners] = distance[i], height
        corners += 1
    gap, at = 0.0, 1
    for i in range(n):
        while at < corners and x[at] < distance[i]:
            at += 1
        if at < corners:
            slope = (y[at] - y[at - 1]) / (x[at] - x[at - 1])
            gap = max(gap, y[at - 1] + slope * (distance[i] - x[at - 1]) - i / n)
    return np.sqrt(n) * gap
