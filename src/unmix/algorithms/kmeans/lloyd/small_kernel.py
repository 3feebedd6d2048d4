"""The compiled loops of K-means on a small table: Lloyd's iteration, and the best of several starts.

Rows stand in tiles (costs/nearest/small.py), sums follow only rows that move. All arrays are flat and given, the one
signature of every table: what a kernel makes or cuts itself takes longer to compile than its loops.
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.core.compiled.simd import fill, load, multiply_add, store
from unmix.costs.nearest.small_kernel import LANES, WIDTH, find_nearest


@kernel
def lloyd(
    tiles: Any, weights: Any, n: int, centers: Any, first: int, k: int, limits: Any, before: float,
    labels: Any, sums: Any, found: Any, near: Any, far: Any,
) -> tuple[int, int, float, int]:  # fmt: skip
    """Iterate the k centres from `first` on, in place.

    Returns iterations, whether they are done, the cost, and how many clusters have no rows.

    `labels` (-1: none yet) and `sums` (k lines: sum, weight and number of the rows) are those of the call before,
    `found`, `near` and `far` room for a pass, `limits` those of small.py, and `before` the cost of the call before.
    """
    d = tiles.size // found.size
    width, iteration, done, empty, cost = d + 2, 0, 0, 0, before
    while iteration < limits[0] and done == 0 and (empty == 0 or limits[5] > 0):
        find_nearest(tiles, d, centers, first, first + k, found, near, far)
        before, way, total = cost, 0.0, fill(0.0)
        for i in range(0, weights.size, LANES):
            total = multiply_add(load(weights, i), load(near, i), total)
        store(far, 0, total)
        cost, moved, empty = far[0] + far[1] + far[2] + far[3], 0, 0
        for i in range(n):
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
            at, target, square = c * width, (first + c) * d, 0.0
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


@kernel
def draw_starts(
    tiles: Any, n: int, d: int, uniforms: Any, count: int, k: int, starts: Any,
    closest: Any, found: Any, near: Any, far: Any,
) -> None:  # fmt: skip
    """`count` times k rows by k-means++, one start behind the other; the first of each are a start for fewer clusters.

    Of the c-th rows, the one of start s is drawn by uniforms[c count + s].
    """
    for s in range(count):
        row = min(int(uniforms[s] * n), n - 1)
        for i in range(n):
            closest[i] = np.inf
        for c in range(k):
            at, place = s * k + c, row // WIDTH * WIDTH * d + row % WIDTH
            for j in range(d):
                starts[at * d + j] = tiles[place + j * WIDTH]
            if c + 1 == k:
                break
            find_nearest(tiles, d, starts, at, at + 1, found, near, far)
            total = 0.0
            for i in range(n):
                closest[i] = min(closest[i], near[i])
                total += closest[i]
            target, row, reached = uniforms[(c + 1) * count + s] * total, 0, closest[0]
            while row < n - 1 and reached <= target:
                row += 1
                reached += closest[row]


@kernel
def best_of_starts(
    tiles: Any, weights: Any, n: int, sizes: Any, most: int, uniforms: Any, count: int, limits: Any, last_limits: Any,
    starts: Any, centers: Any, out: Any, sums: Any, labels: Any, found: Any, near: Any, far: Any,
) -> None:  # fmt: skip
    """For every number of clusters the centres of the best of `count` starts, iterated on, and labels, a line each.

    `most` is the largest number; as many centres at the end of `centers` are room for a start.
    """
    d, first = tiles.size // found.size, 0
    draw_starts(tiles, n, d, uniforms, count, most, starts, labels, found, near, far)
    for which in range(sizes.size):
        k, best = sizes[which], np.inf
        for turn in range(count + 1):  # the last goes on from the best
            own, at = (limits, centers.size // d - most) if turn < count else (last_limits, first)
            for i in range(n):
                labels[i] = -1.0
            for j in range(k * (d + 2)):
                sums[j] = 0.0
            if turn < count:
                for j in range(k * d):
                    centers[at * d + j] = starts[turn * most * d + j]
            cost = lloyd(tiles, weights, n, centers, at, k, own, np.inf, labels, sums, found, near, far)[2]
            if cost < best and turn < count:
                best = cost
                for j in range(k * d):
                    centers[first * d + j] = centers[at * d + j]
        for i in range(n):
            out[which * n + i] = labels[i]
        first += k
