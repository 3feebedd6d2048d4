"""K-means on a small table in one compiled call: the hundreds of fits that resamples and references ask for.

k-means++ starts and Lloyd's iteration, nothing else: on a thousand rows the frame around a fit costs more than the fit.
Every start runs until it gains little, the best one on until no row changes its cluster. Same objective as
`unmix.cluster.KMeans`; imported on first use.

Columns lie apart (d, n), and distances of a tile of rows to one centre are summed feature by feature: the inner loop
runs over rows, so the processor takes several at once without changing the order of any sum.
"""

import numpy as np
from numba import njit

LITTLE = 1e-3  # of the cost, in one iteration
TILE = 128  # rows whose distances stay in the fastest memory


@njit(cache=True, nogil=True)
def small_kmeans(X, k, n_init, max_iter, uniforms, labels, centers):
    n, d = X.shape
    best = np.inf
    trial_labels, trial = np.empty(n, np.int64), np.empty((k, d))
    columns = np.empty((d, n))
    for i in range(n):
        for j in range(d):
            columns[j, i] = X[i, j]
    for start in range(n_init):
        plus_plus(X, columns, uniforms[start], trial)
        cost = lloyd(X, columns, trial, max_iter, LITTLE, trial_labels)
        if cost < best:
            best = cost
            centers[:] = trial
    return lloyd(X, columns, centers, max_iter, -1.0, labels)


@njit(cache=True, nogil=True)
def plus_plus(X, columns, uniforms, centers):
    n, d = X.shape
    nearest, distance = np.empty(n), np.empty(n)
    row = min(int(uniforms[0] * n), n - 1)
    for c in range(len(centers)):
        total = 0.0
        for j in range(d):
            centers[c, j] = X[row, j]
        for i in range(n):
            distance[i] = 0.0
        for j in range(d):
            u = centers[c, j]
            for i in range(n):
                step = columns[j, i] - u
                distance[i] += step * step
        for i in range(n):
            if c == 0 or distance[i] < nearest[i]:
                nearest[i] = distance[i]
            total += nearest[i]
        if c + 1 < len(centers):
            target, reached, row = uniforms[c + 1] * total, 0.0, 0
            while row < n - 1 and reached + nearest[row] <= target:
                reached += nearest[row]
                row += 1


@njit(cache=True, nogil=True)
def nearest_in_tile(columns, centers, first, last, distance, best, label):
    k, d = centers.shape
    m = last - first
    for i in range(m):
        best[i] = np.inf
        label[i] = 0
    for c in range(k):
        for i in range(m):
            distance[i] = 0.0
        for j in range(d):
            u = centers[c, j]
            column = columns[j, first:last]
            for i in range(m):
                step = column[i] - u
                distance[i] += step * step
        for i in range(m):
            closer = distance[i] < best[i]
            label[i] = c if closer else label[i]
            best[i] = distance[i] if closer else best[i]


@njit(cache=True, nogil=True)
def lloyd(X, columns, centers, max_iter, tol, labels):
    n, d = X.shape
    k = len(centers)
    sums, counts = np.empty((k, d)), np.empty(k)
    distance, best, label = np.empty(TILE), np.empty(TILE), np.empty(TILE, np.int64)
    labels[:] = -1
    cost = np.inf
    for _ in range(max_iter):
        before = cost
        sums[:] = 0.0
        counts[:] = 0.0
        cost, changed = 0.0, False
        for first in range(0, n, TILE):
            last = min(first + TILE, n)
            nearest_in_tile(columns, centers, first, last, distance, best, label)
            for i in range(last - first):
                row, own = first + i, label[i]
                changed |= own != labels[row]
                labels[row] = own
                cost += best[i]
                counts[own] += 1.0
                for j in range(d):
                    sums[own, j] += X[row, j]
        if not changed or cost >= (1.0 - tol) * before:
            break
        for c in range(k):
            if counts[c] > 0:
                for j in range(d):
                    centers[c, j] = sums[c, j] / counts[c]
    return cost
