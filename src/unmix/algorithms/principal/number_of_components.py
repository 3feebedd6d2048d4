"""How many principal components: a number, a share of the variance, or the evidence for each number.

Evidence (Minka, NeurIPS 2000), Laplace's approximation to p(X | k) for probabilistic PCA with eigenvalues λ of the
covariance, noise v = mean of λ_{k+1..d}, and λ̂ = (λ_1 … λ_k, v … v):

    log p(X | k) = log p(U) - n/2 (Σ_{i≤k} log λ_i + (d-k) log v) + (m+k)/2 log 2π - ½ log |A| - k/2 log n,
    m = dk - k(k+1)/2,   log p(U) = -k log 2 + Σ_{i≤k} [log Γ((d-i+1)/2) - (d-i+1)/2 log π],
    log |A| = Σ_{i≤k} Σ_{i<j≤d} [log(1/λ̂_j - 1/λ̂_i) + log(λ_i - λ_j) + log n].
"""

from __future__ import annotations

import numpy as np


def count_components(rule: int | float | str | None, variances: np.ndarray, weight: float, d: int) -> int:
    """The number that ``rule`` asks for, given all variances, falling."""
    if rule is None:
        return len(variances)
    if rule == "mle":
        return most_evident(variances, weight, d)
    if isinstance(rule, float) and rule < 1:
        return reaching_share(variances, rule)
    return int(rule)


def reaching_share(variances: np.ndarray, share: float) -> int:
    """The fewest components that explain more than ``share`` of the variance."""
    total = variances.sum()
    if not total > 0:
        return 1
    return min(int(np.searchsorted(np.cumsum(variances) / total, share, side="right")) + 1, len(variances))


def most_evident(variances: np.ndarray, weight: float, d: int) -> int:
    """The number of components with the most evidence; directions without variance are no candidates."""
    largest = max(float(variances[0]), np.finfo(float).tiny)
    rank = int((variances > 1e-14 * largest).sum())
    if rank <= 1:
        return 1
    scores = [log_evidence(variances[:d] / largest, k, weight) for k in range(1, min(rank, d - 1) + 1)]
    return int(np.argmax(scores)) + 1


def log_evidence(values: np.ndarray, k: int, n: float) -> float:
    from scipy.special import gammaln

    d = len(values)
    values = np.maximum(values, 1e-15)
    noise = float(np.mean(values[k:]))
    dimensions = (d - np.arange(k)) / 2
    prior = -k * np.log(2.0) + float((gammaln(dimensions) - dimensions * np.log(np.pi)).sum())
    fit = -n / 2 * (float(np.log(values[:k]).sum()) + (d - k) * np.log(noise))
    smoothed = np.concatenate([values[:k], np.full(d - k, noise)])
    i, j = np.nonzero(np.arange(k)[:, None] < np.arange(d)[None, :])
    with np.errstate(divide="ignore"):  # equal eigenvalues leave their directions open: no evidence
        curvature = np.log(1 / smoothed[j] - 1 / smoothed[i]) + np.log(values[i] - values[j]) + np.log(n)
    if not np.isfinite(curvature).all():
        return -np.inf
    m = d * k - k * (k + 1) / 2
    return prior + fit + (m + k) / 2 * np.log(2 * np.pi) - float(curvature.sum()) / 2 - k / 2 * np.log(n)
