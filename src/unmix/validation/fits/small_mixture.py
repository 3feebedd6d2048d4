"""EM for a Gaussian mixture on a small table in one compiled call: the hundreds of fits a path of mixtures asks for.

Same objective as `unmix.density.GaussianMixture` from the same start, the clusters around given centres, and the same
kernels for distances and moments; on a thousand rows the frame around a fit costs more than the fit. Columns lie apart
(d, n) and have unit spread; beside it the least variance is large, and second moments lose no digits that matter.
Imported on first use; plain loops over arrays that are handed in, and all of it one function to the compiler, which
would else go through every part twice.
"""

import numpy as np

from unmix.core.kernel import kernel
from unmix.costs.gaussian.small_kernel import FAST, find_half_norms, find_moments

SPHERICAL, DIAG, TIED, FULL, TIED_DIAG = 0, 1, 2, 3, 4
LEAST_MASS = 1e-9
FAINTEST = -41.0  # logarithm of a share that would not change a sum in float64


def small_mixture(
    columns: np.ndarray, centers: np.ndarray, shape: int, max_iter: int, tol: float, floor: float
) -> tuple[float, np.ndarray]:
    """Log-likelihood and responsibilities (k, n) when EM gains less than tol a row; `floor` is the least variance."""
    (d, n), k = columns.shape, len(centers)
    means, q = np.array(centers, dtype=np.float64), nearest_centers(columns, centers)
    second, W = np.empty((k, d, d)), np.zeros((1 if shape in (TIED, TIED_DIAG) else k, d, d))
    sums, z, half_norms = np.empty((k, d + 2)), np.empty((d + 1, n)), np.empty((k, n))
    gram = columns @ columns.T
    total = climb(columns, gram, shape, max_iter, tol, floor, q, means, second, W, sums, z, half_norms)
    return total, q


def nearest_centers(columns: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """(k, n): 1 where a row belongs to its nearest centre, shared a little with all, so that none is empty."""
    # ||x - u||² = ||x||² - 2 (u·x - ½ ||u||²)
    nearness = centers @ columns - 0.5 * np.einsum("cj,cj->c", centers, centers)[:, None]
    q = np.full(nearness.shape, LEAST_MASS)
    q[nearness.argmax(axis=0), np.arange(columns.shape[1])] = 1.0
    return q


@kernel(fastmath=FAST)
def climb(columns, gram, shape, max_iter, tol, floor, q, means, second, W, sums, z, half_norms):
    """The log-likelihood that EM reaches from shares q and any means; the arrays after them are to work with."""
    common, diagonal = shape in (TIED, TIED_DIAG), shape not in (TIED, FULL)
    n, total, before = columns.shape[1], -np.inf, -np.inf
    for _ in range(max_iter):
        find_moments(columns, q, means, diagonal or common, z, sums, second)
        estimate(gram, q, shape, means, sums, second)
        whiten(second, floor, n, W, sums)
        find_half_norms(columns, means, W, diagonal, z, half_norms)
        total = share_rows(half_norms, sums, q)
        if total - before < tol * n:
            break
        before = total
    return total


@kernel(inline="always")
def estimate(gram, q, shape, means, sums, second):
    """Means, masses in sums[:, d], and lower triangles of covariances, in place of moments about the means before."""
    (k, d), n = means.shape, q.shape[1]
    common, diagonal = shape in (TIED, TIED_DIAG), shape not in (TIED, FULL)
    for c in range(k):
        mass = 0.0
        for i in range(n):
            mass += q[c, i]
        sums[c, d] = max(mass, LEAST_MASS)
        for j in range(d):
            sums[c, j] /= sums[c, d]
            means[c, j] += sums[c, j]
    for c in range(1 if common else k):
        trace = 0.0
        for i in range(d):
            for j in range(i + 1):
                value = gram[i, j] / n if common else second[c, i, j] / sums[c, d] - sums[c, i] * sums[c, j]
                for b in range(k if common else 0):
                    value -= sums[b, d] / n * means[b, i] * means[b, j]
                second[c, i, j] = value if i == j or not diagonal else 0.0
            trace += second[c, i, i]
        for i in range(d if shape == SPHERICAL else 0):
            second[c, i, i] = trace / d


@kernel(inline="always")
def whiten(L, floor, n, W, sums):
    """W = L⁻ᵀ, upper triangular, of Cholesky factors L in place of the covariances; constants in sums[:, d + 1].

    A pivot below the floor is raised to it.
    """
    d = L.shape[1]
    for c in range(sums.shape[0]):
        constant, s = np.log(sums[c, d] / n) - 0.5 * d * np.log(2 * np.pi), c % W.shape[0]
        for i in range(d):
            for j in range(i + 1 if s == c else 0):
                value = L[s, i, j]
                for m in range(j):
                    value -= L[s, i, m] * L[s, j, m]
                L[s, i, j] = np.sqrt(max(value, floor)) if i == j else value / L[s, j, j]
            W[s, i, i] = 1.0 / L[s, i, i]
            constant += np.log(W[s, i, i])
            for j in range(i):  # row i of L⁻¹, from those above it
                value = 0.0
                for m in range(j, i):
                    value -= L[s, i, m] * W[s, j, m]
                W[s, j, i] = value / L[s, i, i]
        sums[c, d + 1] = constant


@kernel(inline="always")
def share_rows(half_norms, sums, q):
    """q = softmax over components of every row; returns the log-likelihood."""
    k, n = half_norms.shape
    constant, total = sums.shape[1] - 1, 0.0
    for i in range(n):
        top = -np.inf
        for c in range(k):
            half_norms[c, i] = sums[c, constant] - half_norms[c, i]
            top = max(top, half_norms[c, i])
        share = 0.0
        for c in range(k):
            below = half_norms[c, i] - top
            q[c, i] = np.exp(below) if below > FAINTEST else 0.0
            share += q[c, i]
        part = 1.0 / share
        for c in range(k):
            q[c, i] *= part
        total += top + np.log(share)
    return total
