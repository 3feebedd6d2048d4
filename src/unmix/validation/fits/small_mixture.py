"""EM for a Gaussian mixture on a small table in one compiled call: the hundreds of fits a path of mixtures asks for.

Same objective as `unmix.density.GaussianMixture` from the same start, the clusters around given centres; on a thousand
rows the frame around a fit costs more than the fit. Columns lie apart (d, n) and have unit spread; beside it the least
variance is large, and neither moments nor distances lose digits that matter.

    exp(x) = p(x / 64)⁶⁴,   p the Taylor polynomial of degree 9

is off by less than 1e-14 for x ≤ 0, without a call, so that loops over rows become registers of rows. Imported on first
use; arrays to work with are handed in, and all of it is one function to the compiler, which would else go through every
part twice.
"""

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.costs.gaussian.small_kernel import FAST

SPHERICAL, DIAG, TIED, FULL, TIED_DIAG = 0, 1, 2, 3, 4
LEAST_MASS = 1e-9
FAINTEST = -41.0  # logarithm of a share that would not change a sum in float64
LARGEST = 1e200  # a product of shares: beyond it the logarithm is taken
MASS, CONSTANT, VARIANCE = (
    0,
    1,
    2,
)  # columns of `sums`: Σ_i q_i, log weight - ½ log |2π Σ|, mean variance of the columns


def small_mixture(
    columns: np.ndarray, centers: np.ndarray, shape: int, max_iter: int, tol: float, floor: float
) -> tuple[float, np.ndarray]:
    """Log-likelihood and responsibilities (k, n) when EM gains less than tol a row; `floor` is the least variance."""
    return climb_from(columns, columns @ columns.T, nearest_centers(columns, centers), shape, max_iter, tol, floor)


def climb_from(
    columns: np.ndarray, gram: np.ndarray, shares: np.ndarray, shape: int, max_iter: int, tol: float, floor: float
) -> tuple[float, np.ndarray]:
    """The same from shares (k, n), which several shapes may start from; `gram` is that of the columns."""
    (d, n), k, q, sums = columns.shape, len(shares), shares.copy(), np.empty((len(shares), 3))
    sums[:, MASS] = q.sum(axis=1)
    means, L, z = np.empty((k, d)), np.zeros((k, d, d)), np.empty((d + 1, n))
    W = np.zeros((1 if shape in (TIED, TIED_DIAG) else k, d, d))
    return climb(columns, gram, shape, max_iter, tol, floor, q, sums, means, L, W, z), q


def nearest_centers(columns: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """(k, n): 1 where a row belongs to its nearest centre, shared a little with all, so that none is empty."""
    # ||x - u||² = ||x||² - 2 (u·x - ½ ||u||²)
    nearness = centers @ columns - 0.5 * np.einsum("cj,cj->c", centers, centers)[:, None]
    q = np.full(nearness.shape, LEAST_MASS)
    q[nearness.argmax(axis=0), np.arange(columns.shape[1])] = 1.0
    return q


@kernel(fastmath=FAST)
def climb(columns, gram, shape, max_iter, tol, floor, q, sums, means, L, W, z):
    """The log-likelihood that EM reaches from shares q and their masses; the arrays after them are to work with."""
    n, total, before = columns.shape[1], -np.inf, -np.inf
    for _ in range(max_iter):
        estimate(columns, q, shape, sums, means, L, z)
        whiten(gram, n, shape, floor, sums, means, L, W)
        find_costs(columns, means, W, shape not in (TIED, FULL), sums, q, z)
        total = share_rows(q, sums, z)
        if total - before < tol * n:
            break
        before = total
    return total


@kernel(inline="always")
def estimate(columns, q, shape, sums, means, L, z):
    """Means, and in L the lower triangles of the covariances or their diagonals."""
    (k, d), n = means.shape, q.shape[1]
    for c in range(k):
        sums[c, VARIANCE] = 0.0
        for j in range(d):
            total, square = 0.0, 0.0
            for i in range(n):
                share = q[c, i] * columns[j, i]
                z[0, i] = share
                total += share
                square += share * columns[j, i]
            mean = total / sums[c, MASS]
            means[c, j], L[c, j, j] = mean, square / sums[c, MASS] - mean * mean
            sums[c, VARIANCE] += L[c, j, j] / d
            for m in range(j if shape == FULL else 0):
                total = 0.0
                for i in range(n):
                    total += z[0, i] * columns[m, i]
                L[c, j, m] = total / sums[c, MASS] - mean * means[c, m]


@kernel(inline="always")
def whiten(gram, n, shape, floor, sums, means, L, W):
    """W = L⁻ᵀ, upper triangular, of Cholesky factors L in place of the covariances; a pivot is at least the floor."""
    (k, d), common, diagonal = means.shape, shape in (TIED, TIED_DIAG), shape not in (TIED, FULL)
    for c in range(k):
        constant, s = np.log(sums[c, MASS] / n) - 0.5 * d * np.log(2 * np.pi), c % W.shape[0]
        for i in range(d):
            for j in range(i if diagonal else 0, i + 1 if s == c else 0):
                value = sums[c, VARIANCE] if shape == SPHERICAL else gram[i, j] / n if common else L[c, i, j]
                for b in range(k if common else 0):
                    value -= sums[b, MASS] / n * means[b, i] * means[b, j]
                for m in range(j):
                    value -= L[s, i, m] * L[s, j, m]
                L[s, i, j] = np.sqrt(max(value, floor)) if i == j else value / L[s, j, j]
            W[s, i, i] = 1.0 / L[s, i, i]
            constant += np.log(W[s, i, i])
            for j in range(0 if diagonal else i):  # row i of L⁻¹, from those above it
                value = 0.0
                for m in range(j, i):
                    value -= L[s, i, m] * W[s, j, m]
                W[s, j, i] = value / L[s, i, i]
        sums[c, CONSTANT] = constant


@kernel(inline="always")
def find_costs(columns, means, W, diagonal, sums, out, z):
    """out[c, i] = ½ ||Wᵀx - Wᵀu||² - constant; the rows are turned by W into z, once if it is common."""
    (d, n), k = columns.shape, means.shape[0]
    rows = columns if diagonal else z
    for c in range(k):
        s = c % W.shape[0]
        for j in range(d):
            u = 0.0
            for m in range(j + 1):
                w = W[s, m, j]
                u += w * means[c, m]
                for i in range(0 if diagonal or s < c else n):
                    z[j, i] = (z[j, i] if m > 0 else 0.0) + w * columns[m, i]
            w = W[s, j, j] if diagonal else 1.0
            for i in range(n):
                away = w * rows[j, i] - u
                out[c, i] = (out[c, i] if j > 0 else -sums[c, CONSTANT]) + 0.5 * away * away


@kernel(inline="always")
def share_rows(q, sums, z):
    """q = softmax over components of every row, in place of the costs, and masses; returns the log-likelihood."""
    (k, n), total, product = q.shape, 0.0, 1.0
    for c in range(k):
        for i in range(n):
            z[0, i] = min(z[0, i], q[c, i]) if c > 0 else q[c, i]
    for c in range(k):
        for i in range(n):
            x = z[0, i] - q[c, i]
            f = max(x, FAINTEST) * (1 / 64)
            p = (((f * (1 / 362880) + 1 / 40320) * f + 1 / 5040) * f + 1 / 720) * f + 1 / 120
            p = ((((p * f + 1 / 24) * f + 1 / 6) * f + 0.5) * f + 1.0) * f + 1.0
            for _ in range(6):
                p *= p
            q[c, i] = p if x > FAINTEST else 0.0
            z[1, i] = (z[1, i] if c > 0 else 0.0) + q[c, i]
    for i in range(n):
        total -= z[0, i]
        product *= z[1, i]
        if product > LARGEST:
            total += np.log(product)
            product = 1.0
        z[1, i] = 1.0 / z[1, i]
    for c in range(k):
        mass = 0.0
        for i in range(n):
            q[c, i] *= z[1, i]
            mass += q[c, i]
        sums[c, MASS] = max(mass, LEAST_MASS)
    return total + np.log(product)
