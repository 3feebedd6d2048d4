"""EM for a Gaussian mixture on a small table in one compiled call: the hundreds of fits a path of mixtures asks for.

Same objective as `unmix.density.GaussianMixture` from the same start, the clusters around given centres; on a thousand
rows the frame around a fit costs more than the fit. Columns lie apart (d, n) and have unit spread; beside it the least
variance is large, and second moments lose no digits that matter. Imported on first use; loops in place of array
expressions, which take the compiler many times as long.
"""

import numpy as np
from numba import njit

SPHERICAL, DIAG, TIED, FULL, TIED_DIAG = 0, 1, 2, 3, 4


@njit(cache=True, nogil=True)
def small_mixture(columns, centers, shape, max_iter, tol, floor):
    """Log-likelihood and responsibilities (k, n) when EM gains less than tol a row; `floor` is the least variance."""
    k, n = len(centers), columns.shape[1]
    q = nearest_centers(columns, centers)
    log_joint = np.empty((k, n))
    squares, gram = np.empty(columns.shape), np.dot(columns, columns.T)
    for j in range(columns.shape[0]):
        for i in range(n):
            squares[j, i] = columns[j, i] * columns[j, i]
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
    mass, means, whitening = np.zeros(k), np.dot(q, columns.T), np.zeros((k, d, d))
    for c in range(k):
        for i in range(q.shape[1]):
            mass[c] += q[c, i]
        mass[c] = max(mass[c], 1e-9)
        for j in range(d):
            means[c, j] /= mass[c]
    if shape == TIED:
        whiten(pooled(gram, mass, means, columns.shape[1]), 1.0, floor, whitening[0])
        for c in range(1, k):
            for i in range(d):
                for j in range(i + 1):
                    whitening[c, i, j] = whitening[0, i, j]
    elif shape == TIED_DIAG:
        common_axes(gram, mass, means, columns.shape[1], floor, whitening)
    elif shape == FULL:
        for c in range(k):
            whiten(scatter(columns, q[c], means[c]), mass[c], floor, whitening[c])
    else:
        along_axes(np.dot(q, squares.T), mass, means, shape == SPHERICAL, floor, whitening)
    return mass, means, whitening


@njit(cache=True, nogil=True)
def pooled(gram, mass, means, n):
    """The covariance that all components share."""
    d = len(gram)
    within = np.empty((d, d))
    for i in range(d):
        for j in range(d):
            total = gram[i, j]
            for c in range(len(mass)):
                total -= mass[c] * means[c, i] * means[c, j]
            within[i, j] = total / n
    return within


@njit(cache=True, nogil=True)
def along_axes(second, mass, means, common, floor, whitening):
    """1/σ of each axis on the diagonals, from sums of squares; one σ a component if it is common to the axes."""
    k, d = second.shape
    for c in range(k):
        mean = 0.0
        for j in range(d):
            second[c, j] = second[c, j] / mass[c] - means[c, j] * means[c, j]
            mean += second[c, j] / d
        for j in range(d):
            whitening[c, j, j] = 1.0 / np.sqrt(max(mean if common else second[c, j], floor))


@njit(cache=True, nogil=True)
def common_axes(gram, mass, means, n, floor, whitening):
    """1/σ of each axis on the diagonals, the same for all components."""
    k, d = means.shape
    for j in range(d):
        total = gram[j, j]
        for c in range(k):
            total -= mass[c] * means[c, j] * means[c, j]
        for c in range(k):
            whitening[c, j, j] = 1.0 / np.sqrt(max(total / n, floor))


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
def whiten(scatter, mass, floor, inverse):
    """L⁻¹ of the Cholesky factor of scatter / mass, a pivot below the floor raised to it; ``inverse`` starts at 0."""
    d = len(scatter)
    factor = np.zeros((d, d))
    for j in range(d):
        pivot = scatter[j, j] / mass
        for m in range(j):
            pivot -= factor[j, m] ** 2
        factor[j, j] = np.sqrt(max(pivot, floor))
        for i in range(j + 1, d):
            value = scatter[i, j] / mass
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
