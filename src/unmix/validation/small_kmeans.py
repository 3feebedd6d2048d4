"""K-means on a small table in one compiled call: the hundreds of fits that resamples and references ask for.

k-means++ starts and Lloyd's iteration, best of a few starts, nothing else: on a thousand rows the frame around a fit
costs more than the fit. Same objective as `unmix.cluster.KMeans`; imported on first use.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def small_kmeans(X, k, n_init, max_iter, uniforms, labels, centers):
    """Write the best labels and centres; `uniforms` (n_init, k) are the random numbers of the starts."""
    n, d = X.shape
    best = np.inf
    trial_labels, trial = np.empty(n, np.int64), np.empty((k, d))
    for start in range(n_init):
        plus_plus(X, uniforms[start], trial)
        cost = lloyd(X, trial, max_iter, trial_labels)
        if cost < best:
            best = cost
            labels[:] = trial_labels
            centers[:] = trial
    return best


@njit(cache=True, nogil=True)
def plus_plus(X, uniforms, centers):
    """Each centre a row drawn with probability proportional to its squared distance from the centres so far."""
    n, d = X.shape
    nearest = np.empty(n)
    row = min(int(uniforms[0] * n), n - 1)
    for c in range(len(centers)):
        total = 0.0
        for j in range(d):
            centers[c, j] = X[row, j]
        for i in range(n):
            distance = 0.0
            for j in range(d):
                distance += (X[i, j] - centers[c, j]) ** 2
            if c == 0 or distance < nearest[i]:
                nearest[i] = distance
            total += nearest[i]
        if c + 1 < len(centers):
            target, reached, row = uniforms[c + 1] * total, 0.0, 0
            while row < n - 1 and reached + nearest[row] <= target:
                reached += nearest[row]
                row += 1


@njit(cache=True, nogil=True)
def lloyd(X, centers, max_iter, labels):
    """Rows to the nearest centre, centres to the mean of their rows, until no label changes; an empty one stays."""
    n, d = X.shape
    k = len(centers)
    sums, counts = np.empty((k, d)), np.empty(k)
    labels[:] = -1
    cost = 0.0
    for _ in range(max_iter):
        sums[:] = 0.0
        counts[:] = 0.0
        cost, changed = 0.0, False
        for i in range(n):
            best, label = np.inf, 0
            for c in range(k):
                distance = 0.0
                for j in range(d):
                    distance += (X[i, j] - centers[c, j]) ** 2
                if distance < best:
                    best, label = distance, c
            changed |= label != labels[i]
            labels[i] = label
            cost += best
            counts[label] += 1.0
            for j in range(d):
                sums[label, j] += X[i, j]
        if not changed:
            break
        for c in range(k):
            if counts[c] > 0:
                for j in range(d):
                    centers[c, j] = sums[c, j] / counts[c]
    return cost
