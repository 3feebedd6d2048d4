"""The compiled part of valley.py: project clusters on the ways between them, merge two, cut, and measure on both sides.

Positions on the ways lie cluster by cluster: those of cluster c begin at k · starts[c], a line for each of the k
clusters it is seen from. Imported on first use; loops in place of array expressions, which compile many times as long.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def project(X, labels, starts, most_features, positions):
    """Where the rows of each cluster lie on its way to each other one; labels are 0 … k - 1, `starts` sums counts."""
    k, d = len(starts) - 1, X.shape[1]
    rows, means = np.empty(X.shape), np.zeros((k, d))
    gather(X, labels, starts, rows, means)
    ways = np.zeros((k, k, d))
    if d > most_features:
        for a in range(k):
            for b in range(a + 1, k):
                for j in range(d):
                    ways[a, b, j] = ways[b, a, j] = means[b, j] - means[a, j]
    else:
        fisher_ways(scatters(rows, starts, means), starts, means, ways)
    for c in range(k):
        first, last = starts[c], starts[c + 1]
        seen = np.dot(ways[c], rows[first:last].T)
        for b in range(k):
            for i in range(last - first):
                positions[k * first + b * (last - first) + i] = seen[b, i]


@njit(cache=True, nogil=True)
def gather(X, labels, starts, rows, means):
    """Rows of unit size around their mean, cluster by cluster: depths know no scale, but squares of 1e300 would."""
    n, d = X.shape
    largest = 1e-300  # has an inverse
    for i in range(n):
        for j in range(d):
            largest = max(largest, abs(X[i, j]))
    shift, place = np.zeros(d), np.empty(len(means), np.int64)
    for c in range(len(means)):
        place[c] = starts[c]
    for i in range(n):
        at = place[labels[i]]
        place[labels[i]] += 1
        for j in range(d):
            rows[at, j] = X[i, j] / largest
            shift[j] += rows[at, j] / n
    for c in range(len(means)):
        for i in range(starts[c], starts[c + 1]):
            for j in range(d):
                rows[i, j] -= shift[j]
                means[c, j] += rows[i, j] / (starts[c + 1] - starts[c])


@njit(cache=True, nogil=True)
def scatters(rows, starts, means):
    """Σ (x - u_c)(x - u_c)ᵀ of every cluster."""
    k, d = means.shape
    scatter = np.empty((k, d, d))
    for c in range(k):
        first, last = starts[c], starts[c + 1]
        centred = np.empty((last - first, d))
        for i in range(first, last):
            for j in range(d):
                centred[i - first, j] = rows[i, j] - means[c, j]
        product = np.dot(centred.T, centred)
        for i in range(d):
            for j in range(d):
                scatter[c, i, j] = product[i, j]
    return scatter


@njit(cache=True, nogil=True)
def fisher_ways(scatter, starts, means, ways):
    """W⁻¹ (u_b - u_a) for each pair, W shrunk towards the identity the more the fewer rows there are a feature."""
    k, d = means.shape
    within, way = np.empty((d, d)), np.empty(d)
    for a in range(k):
        for b in range(a + 1, k):
            n = starts[a + 1] - starts[a] + starts[b + 1] - starts[b]
            level = 0.0
            for j in range(d):
                level += (scatter[a, j, j] + scatter[b, j, j]) / d
                way[j] = means[b, j] - means[a, j]
            shrinkage = min(1.0, 0.1 + d / n) if level > 0 else 1.0
            weight = (1 - shrinkage) / level if level > 0 else 0.0
            for i in range(d):
                for j in range(i + 1):
                    within[i, j] = weight * (scatter[a, i, j] + scatter[b, i, j])
                within[i, i] += shrinkage
            solve(within, way)
            for j in range(d):
                ways[a, b, j] = ways[b, a, j] = way[j]


@njit(cache=True, nogil=True)
def solve(matrix, right):
    """right = matrix⁻¹ right by Cholesky's factor L, which takes the place of the lower triangle."""
    d = len(right)
    for i in range(d):
        for j in range(i + 1):
            value = matrix[i, j]
            for m in range(j):
                value -= matrix[i, m] * matrix[j, m]
            matrix[i, j] = np.sqrt(value) if i == j else value / matrix[j, j]
        for m in range(i):
            right[i] -= matrix[i, m] * right[m]
        right[i] /= matrix[i, i]
    for i in range(d - 1, -1, -1):
        for m in range(i + 1, d):
            right[i] -= matrix[m, i] * right[m]
        right[i] /= matrix[i, i]


@njit(cache=True, nogil=True)
def pair_depths(positions, starts, fewest_rows, depths):
    """depths[a, b] and depths[b, a], from positions that rise in every line."""
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
