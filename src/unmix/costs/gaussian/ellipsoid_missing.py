"""Gaussians with a full covariance on rows with missing entries: marginal densities and conditional moments, exact.

Put the observed columns first and factor the covariance in that order, Σ = L Lᵀ. With y_o = L_oo⁻¹ (x_o - u_o):

    -log N(x_o)          = ½ ||y_o||² + Σ_o log L_jj + ½ |o| log 2π
    E[x - u | x_o]       = L (y_o, 0)
    E[(x - u)(x - u)ᵀ | x_o] = L diag(y_o y_oᵀ, I) Lᵀ

so one factor per pattern and component serves all rows of that pattern. References: Little and Rubin (2002),
Statistical Analysis with Missing Data, chapter 11; Ghahramani and Jordan (1994), Supervised learning from incomplete
data via an EM approach.
"""

import numpy as np

from unmix.core.kernel import kernel

HALF_LOG_2_PI = 0.9189385332046727


def by_pattern(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An order of the rows that brings equal patterns of missing entries together, and where each pattern begins."""
    packed = np.packbits(np.isnan(rows), axis=1)
    _, pattern, counts = np.unique(packed, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(pattern.ravel(), kind="stable")
    return order, np.concatenate([[0], np.cumsum(counts)])


@kernel
def observed_first(row: np.ndarray, order: np.ndarray) -> int:
    """The columns of ``row`` that are there, then the missing ones; returns how many are there."""
    there = 0
    for j in range(row.size):
        if row[j] == row[j]:
            order[there] = j
            there += 1
    last = there
    for j in range(row.size):
        if row[j] != row[j]:
            order[last] = j
            last += 1
    return there


@kernel
def factor(covariance: np.ndarray, order: np.ndarray, L: np.ndarray) -> None:
    """Cholesky factor of the covariance with rows and columns in this order."""
    for i in range(order.size):
        for j in range(i + 1):
            total = covariance[order[i], order[j]]
            for m in range(j):
                total -= L[i, m] * L[j, m]
            L[i, j] = np.sqrt(total) if i == j else total / L[j, j]


@kernel
def whiten(row: np.ndarray, mean: np.ndarray, order: np.ndarray, there: int, L: np.ndarray, y: np.ndarray) -> float:
    """y = L_oo⁻¹ (x_o - u_o); returns its squared norm."""
    norm = 0.0
    for i in range(there):
        total = row[order[i]] - mean[order[i]]
        for m in range(i):
            total -= L[i, m] * y[m]
        y[i] = total / L[i, i]
        norm += y[i] * y[i]
    return norm


@kernel
def add_distances(
    X: np.ndarray, starts: np.ndarray, means: np.ndarray, covariances: np.ndarray, out: np.ndarray
) -> None:
    """out[c, i] += -log density of the observed part of row i in component c; rows sorted by pattern."""
    d = X.shape[1]
    order, L, y = np.empty(d, np.int64), np.zeros((d, d)), np.empty(d)
    for p in range(starts.size - 1):
        there = observed_first(X[starts[p]], order)
        for c in range(means.shape[0]):
            factor(covariances[c % covariances.shape[0]], order, L)
            constant = there * HALF_LOG_2_PI
            for i in range(there):
                constant += np.log(L[i, i])
            for i in range(starts[p], starts[p + 1]):
                out[c, i] += constant + 0.5 * whiten(X[i], means[c], order, there, L, y)


@kernel
def add_moments(
    X: np.ndarray,
    starts: np.ndarray,
    q: np.ndarray,
    means: np.ndarray,
    covariances: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> None:
    """first[c] += Σ q E[x - u], second[c] += Σ q E[(x - u)(x - u)ᵀ], given the observed part of each row."""
    d = X.shape[1]
    order, L, y = np.empty(d, np.int64), np.zeros((d, d)), np.zeros(d)
    inner, half, total = np.empty((d, d)), np.empty((d, d)), np.empty(d)
    for p in range(starts.size - 1):
        there = observed_first(X[starts[p]], order)
        for c in range(means.shape[0]):
            mass = 0.0
            for i in range(starts[p], starts[p + 1]):
                mass += q[c, i]
            if mass == 0.0:
                continue
            factor(covariances[c % covariances.shape[0]], order, L)
            add_whitened(X, starts[p], starts[p + 1], q[c], means[c], order, there, L, y, total, inner)
            for j in range(there, d):
                inner[j, j] = mass
            add_unwhitened(L, order, there, total, inner, half, first[c], second[c % second.shape[0]])


@kernel
def add_whitened(
    X: np.ndarray,
    start: int,
    stop: int,
    q: np.ndarray,
    mean: np.ndarray,
    order: np.ndarray,
    there: int,
    L: np.ndarray,
    y: np.ndarray,
    total: np.ndarray,
    inner: np.ndarray,
) -> None:
    """total = Σ q y, inner = Σ q y yᵀ over rows of one pattern, in whitened coordinates."""
    for j in range(total.size):
        total[j] = 0
        for m in range(total.size):
            inner[j, m] = 0
    for i in range(start, stop):
        if q[i] != 0:
            whiten(X[i], mean, order, there, L, y)
            for j in range(there):
                total[j] += q[i] * y[j]
                for m in range(j + 1):
                    inner[j, m] += q[i] * y[j] * y[m]


@kernel
def add_unwhitened(
    L: np.ndarray,
    order: np.ndarray,
    there: int,
    total: np.ndarray,
    inner: np.ndarray,
    half: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> None:
    """first += L total and second += L inner Lᵀ, columns back in their own order."""
    d = order.size
    for i in range(d):
        for j in range(d):
            half[i, j] = 0
            for m in range(i + 1):
                half[i, j] += L[i, m] * (inner[m, j] if j <= m else inner[j, m])
        for j in range(min(i + 1, there)):
            first[order[i]] += L[i, j] * total[j]
    for i in range(d):
        for j in range(d):
            for m in range(j + 1):
                second[order[i], order[j]] += half[i, m] * L[j, m]
