"""EM for a Gaussian mixture on a small table in one compiled call: the hundreds of fits a path of mixtures asks for.

Same objective as `unmix.density.GaussianMixture` from the same start, the clusters around given centres; on a thousand
rows the frame around a fit costs more than the fit. Columns lie apart (d, n) and have unit spread; beside it the least
variance is large, and second moments lose no digits that matter. Imported on first use.
"""

import numpy as np
from numba import njit

SPHERICAL, DIAG, TIED, FULL = 0, 1, 2, 3


@njit(cache=True, nogil=True)
def small_mixture(columns, centers, shape, max_iter, tol, floor):
    """Log-likelihood and responsibilities (k, n) when EM gains less than tol a row; `floor` is the least variance."""
    k, n = len(centers), columns.shape[1]
    q = nearest_centers(columns, centers)
    log_joint = np.empty((k, n))
    squares = columns * columns
    gram = np.dot(columns, columns.T)
    before = -np.inf
    for _ in range(max_iter):
        mass, means, whitening = parameters(columns, squares, gram, q, shape, floor)
        for c in range(k):
            weight = np.log(mass[c] / n)
            log_density(columns, means[c], whitening[c], weight, log_joint[c])
        total = normalise(log_joint, q)
        if total - before < tol * n:
            break
        before = total
    return total, q


@njit(cache=True, nogil=True)
def nearest_centers(columns, centers):
    """1 where a row belongs to its nearest centre, shared a little with all, so that none is empty."""
    k, (d, n) = len(centers), columns.shape
    q = np.full((k, n), 1e-9)
    for i in range(n):
        best, at = np.inf, 0
        for c in range(k):
            distance = 0.0
            for j in range(d):
                distance += (columns[j, i] - centers[c, j]) ** 2
            if distance < best:
                best, at = distance, c
        q[at, i] = 1.0
    return q


@njit(cache=True, nogil=True)
def parameters(columns, squares, gram, q, shape, floor):
    """Masses, means, and for each component the triangular matrix that whitens it."""
    k, d = len(q), len(columns)
    mass, means, whitening = np.empty(k), np.dot(q, columns.T), np.empty((k, d, d))
    for c in range(k):
        mass[c] = max(q[c].sum(), 1e-9)
        means[c] /= mass[c]
    if shape == TIED:
        within = gram.copy()
        for c in range(k):
            for i in range(d):
                for j in range(d):
                    within[i, j] -= mass[c] * means[c, i] * means[c, j]
        whitening[:] = whitener(within / columns.shape[1], floor)
    elif shape == FULL:
        for c in range(k):
            whitening[c] = whitener(scatter(columns, q[c], means[c]) / mass[c], floor)
    else:
        variance = np.dot(q, squares.T)
        for c in range(k):
            variance[c] = variance[c] / mass[c] - means[c] * means[c]
            if shape == SPHERICAL:
                variance[c] = variance[c].mean()
            whitening[c] = np.diag(1 / np.sqrt(np.maximum(variance[c], floor)))
    return mass, means, whitening


@njit(cache=True, nogil=True)
def scatter(columns, weight, mean):
    d, n = columns.shape
    centred, weighted = np.empty((d, n)), np.empty((d, n))
    for j in range(d):
        for i in range(n):
            centred[j, i] = columns[j, i] - mean[j]
            weighted[j, i] = centred[j, i] * weight[i]
    return np.dot(weighted, centred.T)


@njit(cache=True, nogil=True)
def whitener(covariance, floor):
    """L⁻¹ of the Cholesky factor, a pivot below the floor raised to it."""
    d = len(covariance)
    factor, inverse = np.zeros((d, d)), np.zeros((d, d))
    for j in range(d):
        pivot = covariance[j, j]
        for m in range(j):
            pivot -= factor[j, m] ** 2
        factor[j, j] = np.sqrt(max(pivot, floor))
        for i in range(j + 1, d):
            value = covariance[i, j]
            for m in range(j):
                value -= factor[i, m] * factor[j, m]
            factor[i, j] = value / factor[j, j]
    for j in range(d):
        inverse[j, j] = 1.0 / factor[j, j]
        for i in range(j + 1, d):
            value = 0.0
            for m in range(j, i):
                value -= factor[i, m] * inverse[m, j]
            inverse[i, j] = value / factor[i, i]
    return inverse


@njit(cache=True, nogil=True)
def log_density(columns, mean, whitening, weight, out):
    """weight + log N(x | mean, Σ) of every row; Σ⁻¹ = Wᵀ W."""
    d, n = columns.shape
    constant = weight - 0.5 * d * np.log(2 * np.pi)
    for j in range(d):
        constant += np.log(whitening[j, j])
    for i in range(n):
        out[i] = constant
    along = np.empty(n)
    for j in range(d):
        shift = 0.0
        for m in range(j + 1):
            shift += whitening[j, m] * mean[m]
        for i in range(n):
            along[i] = -shift
        for m in range(j + 1):
            factor = whitening[j, m]
            if factor != 0.0:
                column = columns[m]
                for i in range(n):
                    along[i] += factor * column[i]
        for i in range(n):
            out[i] -= 0.5 * along[i] * along[i]


@njit(cache=True, nogil=True)
def normalise(log_joint, q):
    """q = softmax over components of every row; returns the log-likelihood."""
    k, n = log_joint.shape
    total = 0.0
    for i in range(n):
        top = log_joint[0, i]
        for c in range(1, k):
            top = max(top, log_joint[c, i])
        share = 0.0
        for c in range(k):
            q[c, i] = np.exp(log_joint[c, i] - top)
            share += q[c, i]
        for c in range(k):
            q[c, i] /= share
        total += top + np.log(share)
    return total
