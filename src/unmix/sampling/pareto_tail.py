"""How heavy the tail of importance weights is: the shape k of a generalised Pareto law fitted to the largest.

    P(w - u > x | w > u) = (1 + k x / σ)^(-1/k);   moments of the weights exist below order 1/k

With k < 1/2 the variance is finite and the usual error holds; above 0.7 no practical number of draws is enough.

References: Vehtari, Simpson, Gelman, Yao & Gabry, Pareto smoothed importance sampling, JMLR 25 (2024); Zhang &
Stephens, A new and efficient estimation method for the generalized Pareto distribution, Technometrics 51 (2009).
"""

from __future__ import annotations

from typing import Any

import numpy as np

LEAST_TAIL = 5  # a tail of fewer points has no shape
PRIOR_POINTS, PRIOR_SHAPE = 10, 0.5  # the fitted shape is drawn to ½ as if by ten more points


def pareto_k(log_weights: Any) -> float:
    """Shape of the tail of weights given by their logarithms; NaN below 25 weights, -inf if the largest are all equal.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.sampling import pareto_k
    >>> uniform = (np.arange(10_000) + 0.5) / 10_000
    >>> round(pareto_k(-0.4 * np.log(uniform)), 1)  # weights u^-0.4 have a tail of shape 0.4
    0.4
    """
    log_weights = np.asarray(log_weights, dtype=np.float64).ravel()
    n = len(log_weights)
    if n < 5 * LEAST_TAIL:
        return float("nan")
    return shape_of_largest(np.partition(log_weights, n - tail_length(n) - 1)[n - tail_length(n) - 1 :])


def tail_length(n: int) -> int:
    return int(np.ceil(min(0.2 * n, 3 * np.sqrt(n))))


def shape_of_largest(log_weights: np.ndarray) -> float:
    """From the largest weights alone; the smallest of them is where the tail begins."""
    top = log_weights.max()
    if log_weights.min() == top:
        return -np.inf
    weights = np.exp(log_weights - top)
    excess = np.sort(weights - weights.min())
    excess = excess[excess > 0]
    if len(excess) < LEAST_TAIL:  # a few points outweigh all others
        return np.inf
    m = len(excess)
    return float((m * generalized_pareto_shape(excess) + PRIOR_POINTS * PRIOR_SHAPE) / (m + PRIOR_POINTS))


def generalized_pareto_shape(excess: np.ndarray) -> float:
    """Shape k by the mean of θ = -k/σ over its profile likelihood on a grid of quantiles of a prior (Zhang & Stephens).

    Given θ the likelihood is greatest at k = mean log(1 - θ x), where its logarithm is m (log(-θ/k) - k - 1).
    """
    m = len(excess)
    size = 30 + int(np.sqrt(m))
    quartile = excess[int(m / 4 + 0.5) - 1]
    grid = 1 / excess[-1] + (1 - np.sqrt(size / (np.arange(size) + 0.5))) / (3 * quartile)
    shape = np.log1p(-np.multiply.outer(grid, excess)).mean(axis=1)
    profile = m * (np.log(-grid / shape) - shape - 1)
    belief = np.exp(profile - profile.max())
    theta = belief @ grid / belief.sum()
    return float(np.log1p(-theta * excess).mean())


def highest_trusted(n: float) -> float:
    """The shape above which n draws are too few to trust the estimate."""
    return min(1 - 1 / np.log10(max(n, 11)), 0.7)
