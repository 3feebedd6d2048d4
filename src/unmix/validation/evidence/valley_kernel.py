"""The compiled part of valley.py: merge two clusters, cut, and measure on both sides. Imported on first use."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def pair_depths(positions, starts, fewest_rows, depths):
    """depths[a, b] and depths[b, a]; `positions` as `sorted_positions` makes them."""
    k = len(depths)
    for a in range(k):
        for b in range(a + 1, k):
            n_a, n_b = starts[a + 1] - starts[a], starts[b + 1] - starts[b]
            of_a, of_b = k * starts[a] + b * n_a, k * starts[b] + a * n_b
            depth = valley_depth(positions[of_a : of_a + n_a], positions[of_b : of_b + n_b], fewest_rows)
            depths[a, b] = depths[b, a] = depth


@njit(cache=True, nogil=True)
def spanning_tree(depths, tree):
    """Prim's way: of all clusters not yet joined, the one behind the shallowest valley is next."""
    k = len(depths)
    depth, joined_to, joined = np.empty(k), np.zeros(k, np.int64), np.zeros(k, np.bool_)
    for c in range(k):
        depth[c] = depths[0, c]
    joined[0] = True
    for line in range(k - 1):
        nearest = -1
        for c in range(k):
            if not joined[c] and (nearest < 0 or depth[c] < depth[nearest]):
                nearest = c
        joined[nearest] = True
        tree[line, 0], tree[line, 1], tree[line, 2] = depth[nearest], joined_to[nearest], nearest
        for c in range(k):
            if depths[nearest, c] < depth[c]:
                depth[c], joined_to[c] = depths[nearest, c], nearest


@njit(cache=True, nogil=True)
def valley_depth(a, b, fewest_rows):
    """The depth between positions a and positions b, which lie mostly to their right; both rise."""
    n = len(a) + len(b)
    position = np.empty(n)
    # Rows of b left of the cut and rows of a right of it are confused; their number is least where this walk is lowest.
    # Of equally low places the widest gap is taken, the same one seen from either side.
    walk, lowest, widest, left, in_a = 0, n + 1, 0.0, 0, 0
    for i in range(n):
        from_a = in_a < len(a) and (i - in_a == len(b) or a[in_a] <= b[i - in_a])
        position[i] = a[in_a] if from_a else b[i - in_a]
        if i > 0:  # the cut before this row
            gap = position[i] - position[i - 1]
            if walk < lowest or (walk == lowest and gap > widest):
                lowest, widest, left = walk, gap, i
        walk += -1 if from_a else 1
        in_a += 1 if from_a else 0
    if min(left, n - left) < fewest_rows:
        return 0.0
    cut = 0.5 * (position[left - 1] + position[left])
    sides = np.empty(n)
    for i in range(left):
        sides[i] = cut - position[left - 1 - i]
    for i in range(left, n):
        sides[i] = position[i] - cut
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
