"""The compiled loops of K-means on a small table: Lloyd's iteration, and the best of several starts.

Rows stand in tiles (costs/nearest/small.py), sums follow only rows that move. All arrays are flat and given, the one
signature of every table: what a kernel makes or cuts itself takes longer to compile than its loops.
"""

from typing import Any

import numba

from unmix.costs.nearest.small_kernel import WIDTH, find_nearest


@numba.njit(cache=True, nogil=True)
def lloyd(
    tiles: Any, weights: Any, centers: Any, first: int, k: int, limits: Any, before: float,
    labels: Any, sums: Any, found: Any, near: Any, far: Any,
) -> tuple[int, int, float, int]:  # fmt: skip
    """Iterate in place; returns iterations, whether they are done, the cost, and how many clusters have no rows.

    `labels` (-1: none yet) and `sums` (k lines: sum, weight and number of the rows) are those of the call before,
    `found`, `near` and `far` room for a pass. `limits` are those of `Limits` in small.py, `before` the cost of the call before.
    """
    n, d = weights.size, tiles.size // found.size
    width, iteration, done, empty, cost = d + 2, 0, 0, 0, before
    while iteration < limits[0] and done == 0 and (empty == 0 or limits[5] > 0):
        find_nearest(tiles, d, centers, first, k, found, near, far)
        before, cost, way = cost, 0.0, 0.0
        moved = empty = 0
        for i in range(n):
            cost += weights[i] * near[i]
            if found[i] != labels[i]:
                moved += 1
                at, old, w = int(found[i]) * width, int(labels[i]) * width, weights[i]
                labels[i], place = found[i], i // WIDTH * WIDTH * d + i % WIDTH
                for j in range(d):
                    x = w * tiles[place + j * WIDTH]
                    sums[at + j] += x
                    if old >= 0:
                        sums[old + j] -= x
                sums[at + d] += w
                sums[at + d + 1] += 1.0
                if old >= 0:
                    sums[old + d] -= w
                    sums[old + d + 1] -= 1.0
        for c in range(k):
            at, target, square = c * width, first + c * d, 0.0
            if sums[at + d + 1] <= 0:  # what is empty is exactly zero, whatever rounding left
                empty += 1
                for j in range(d + 1):
                    sums[at + j] = 0.0
            if sums[at + d] > 0:
                for j in range(d):
                    mean = sums[at + j] / sums[at + d]
                    square += (mean - centers[target + j]) ** 2
                    centers[target + j] = mean
            way += square
            cost -= sums[at + d] * square  # Σ w ||x - u||² at the mean, of what it was at the centre before
        iteration, cost = iteration + 1, max(cost, 0.0)
        if moved == 0 or way <= min(limits[1], limits[2] * cost):
            done = 1
        if cost - limits[3] * (before - cost) > limits[4] or before - cost < limits[6] * before:
            break
    return iteration, done, cost, empty
