"""K-means on a small table in one compiled call: the hundreds of fits that resamples and references ask for.

k-means++ starts and Lloyd's iteration, nothing else: on a thousand rows the frame around a fit costs more than the fit.
Every start runs until it gains little, the best one on until no row changes its cluster. Same objective as
`unmix.cluster.KMeans`; imported on first use.

Rows are turned to tiles once for all sizes and scanned in registers (costs/nearest/tiles.py); sums
follow only rows that move.
"""

import numpy as np
from numba import njit

from unmix.core.simd import fill, load, minus, plus, spread, store, where_greater
from unmix.costs.nearest.tiles import GROUP, add_square, fill_packed, fill_tiles, scan_tile

STARTS = 5
LITTLE = 1e-3  # of the cost, in one iteration
LANES = 4  # float64 in a register
WIDTH = 2 * LANES  # rows in a tile
CHUNK = 16  # tiles whose sum is kept, so that a drawn row is found without adding up all of them


@njit(cache=True, nogil=True)
def small_kmeans(X, part, sizes, max_iter, uniforms, labels, centers, frame):
    """K-means with sizes[s] clusters on the rows `part` of X, for every s; `uniforms` are STARTS · max(sizes) numbers.

    labels[s] are those of the part; the centres of all sizes stand one below the other, in the frame (scale, shift).
    """
    n, d = len(part), X.shape[1]
    framed = in_frame(X, part, frame)
    tiles = fill_tiles(framed.reshape(-1), n, d, 1.0, np.zeros(d))
    rows = np.zeros((n, -(-d // LANES) * LANES))  # whole registers
    copy(framed, rows)
    first = 0
    for s in range(len(sizes)):
        last = first + sizes[s]
        best_of_starts(rows, tiles, max_iter, uniforms, labels[s], centers[first:last])
        first = last


@njit(cache=True, nogil=True)
def best_of_starts(rows, tiles, max_iter, uniforms, labels, centers):
    k = len(centers)
    best, trial = np.inf, np.empty(centers.shape)
    for start in range(STARTS):
        plus_plus(rows, tiles, uniforms[start * k : start * k + k], trial)
        cost = lloyd(rows, tiles, trial, max_iter, LITTLE, labels)
        if cost < best:
            best = cost
            copy(trial, centers)
    lloyd(rows, tiles, centers, max_iter, -1.0, labels)


@njit(cache=True, nogil=True)
def nearest_of(X, sizes, centers, frame, labels):
    """labels[s, i] is the nearest to row i of the centres of size s, which stand one below the other."""
    (n, d), lanes = X.shape, 32 // X.itemsize
    tiles = fill_tiles(in_frame(X, np.arange(n), frame).reshape(-1), n, d, 1.0, np.zeros(d))
    found, first = np.empty(3 * WIDTH), 0
    for s in range(len(sizes)):
        packed = np.empty((-(-sizes[s] // GROUP), d + 2, GROUP))
        fill_packed(centers[first : first + sizes[s]], packed)
        first += sizes[s]
        for t in range(len(tiles)):
            scan_tile(tiles[t], d, lanes, packed.reshape(-1), -np.inf, found)
            for lane in range(min(WIDTH, n - t * WIDTH)):
                labels[s, t * WIDTH + lane] = int(found[2 * WIDTH + lane])


@njit(cache=True, nogil=True)
def in_frame(X, part, frame):
    framed = np.empty((len(part), X.shape[1]))
    for i in range(len(part)):
        for j in range(X.shape[1]):
            framed[i, j] = X[part[i], j] * frame[0] - frame[1 + j]
    return framed


@njit(cache=True, nogil=True)
def copy(source, target):
    """A loop, because an assignment of arrays takes seconds to compile; `target` may have more columns."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@njit(cache=True, nogil=True)
def total(values, first, last):
    added = 0.0
    for i in range(first, last):
        added += values[i]
    return added


@njit(cache=True, nogil=True)
def plus_plus(rows, tiles, uniforms, centers):
    n, (k, d) = len(rows), centers.shape
    nearest = np.full(len(tiles) * WIDTH, np.inf)
    chunks = np.empty(-(-len(tiles) // CHUNK) * LANES)
    row = min(int(uniforms[0] * n), n - 1)
    for c in range(k):
        for j in range(d):
            centers[c, j] = rows[row, j]
        if c + 1 < k:
            come_nearer(tiles, n, centers[c], nearest, chunks)
            row = drawn_row(nearest, n, chunks, uniforms[c + 1])


@njit(cache=True, nogil=True)
def come_nearer(tiles, n, center, nearest, chunks):
    """nearest[i] = min(nearest[i], squared distance of row i to the centre), and sums of a register for each chunk."""
    flat, size, d = tiles.reshape(-1), tiles.shape[1], len(center)
    zero = fill(0.0)
    sums = zero
    for t in range(len(tiles)):
        at = t * WIDTH
        first = second = zero
        for j in range(d):
            u, place = spread(center, j), t * size + j * WIDTH
            first = add_square(load(flat, place), u, first)
            second = add_square(load(flat, place + LANES), u, second)
        known = load(nearest, at)
        first = where_greater(known, first, first, known)
        known = load(nearest, at + LANES)
        second = where_greater(known, second, second, known)
        store(nearest, at, first)
        store(nearest, at + LANES, second)
        if at + WIDTH > n:  # rows that only fill the last tile up have no chance
            for i in range(n, len(nearest)):
                nearest[i] = 0.0
            first, second = load(nearest, at), load(nearest, at + LANES)
        sums = plus(sums, plus(first, second))
        if t % CHUNK == CHUNK - 1 or t == len(tiles) - 1:
            store(chunks, t // CHUNK * LANES, sums)
            sums = zero


@njit(cache=True, nogil=True)
def drawn_row(nearest, n, chunks, uniform):
    """The row at which the running sum of `nearest` passes a share `uniform` of the whole."""
    target, reached, row = uniform * total(chunks, 0, len(chunks)), 0.0, 0
    for c in range(0, len(chunks) - LANES, LANES):
        more = total(chunks, c, c + LANES)
        if reached + more > target:
            break
        reached += more
        row += CHUNK * WIDTH
    while row < n - 1 and reached + nearest[row] <= target:
        reached += nearest[row]
        row += 1
    return row


@njit(cache=True, nogil=True)
def lloyd(rows, tiles, centers, max_iter, tol, labels):
    n, (k, d), lanes = len(rows), centers.shape, 32 // rows.itemsize
    width, flat = rows.shape[1], rows.reshape(-1)
    sums, counts = np.zeros(k * width), np.zeros(k)
    packed, found = np.empty((-(-k // GROUP), d + 2, GROUP)), np.empty(3 * WIDTH)
    flat_packed = packed.reshape(-1)
    for i in range(n):
        labels[i] = -1
    cost = np.inf
    for _ in range(max_iter):
        before, cost, changed = cost, 0.0, False
        fill_packed(centers, packed)
        for t in range(len(tiles)):
            scan_tile(tiles[t], d, lanes, flat_packed, -np.inf, found)
            for lane in range(min(WIDTH, n - t * WIDTH)):
                row, own = t * WIDTH + lane, int(found[2 * WIDTH + lane])
                cost += found[lane]
                old = labels[row]
                if own == old:
                    continue
                labels[row], changed = own, True
                counts[own] += 1.0
                if old >= 0:
                    counts[old] -= 1.0
                for j in range(0, width, LANES):
                    x = load(flat, row * width + j)
                    store(sums, own * width + j, plus(load(sums, own * width + j), x))
                    if old >= 0:
                        store(sums, old * width + j, minus(load(sums, old * width + j), x))
        if not changed or cost >= (1.0 - tol) * before:
            break
        for c in range(k):
            if counts[c] > 0:
                for j in range(d):
                    centers[c, j] = sums[c * width + j] / counts[c]
    return cost
