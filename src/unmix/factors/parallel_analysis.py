"""Parallel analysis: which principal variances exceed what unrelated columns would show by chance.

Every column is shuffled by itself, which keeps its distribution and removes all relations; the first variance is real
if it exceeds the given quantile of the first variances of shuffled tables. Then its component is taken out and the
rest is asked the same, for strong components would hide weak ones behind them. What is left after k components has d
- k directions of n - k rows where shuffled it fills d of n: variances of shuffled tables are raised by d/(d - k) ·
n/(n - k). Horn, Psychometrika 30, 1965; Buja & Eyuboglu, Multivariate Behavioral Research 27, 1992; Dobriban & Owen,
JRSS B 81, 2019.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Parallel(NamedTuple):
    """Variances of the table, the limits of those that were asked (NaN for the others), and how many are real."""

    variances: np.ndarray
    limits: np.ndarray
    n_real: int


def parallel_analysis(X: np.ndarray, n_shuffles: int, quantile: float, rng: np.random.Generator) -> Parallel:
    centred = X - X.mean(axis=0)
    left, values, right = np.linalg.svd(centred, full_matrices=False)
    n, d = len(X) - 1, X.shape[1]
    variances = values**2 / max(n, 1)
    limits = np.full(len(variances), np.nan)
    # singular values, not their squares, are known to this share of the largest
    rounding = np.finfo(np.float64).eps * max(X.shape) * float(np.sqrt(variances[0]))
    rest, most = centred, min(n, d)
    for k in range(most):
        raised = d / (d - k) * (n / (n - k))
        shuffled = [first_variance(rng.permuted(rest, axis=0)) for _ in range(n_shuffles)]
        limits[k] = raised * float(np.quantile(shuffled, quantile))
        if not np.sqrt(variances[k]) > np.sqrt(limits[k]) + rounding:
            return Parallel(variances, limits, k)
        rest = rest - values[k] * np.outer(left[:, k], right[k])
    return Parallel(variances, limits, most)


def first_variance(table: np.ndarray) -> float:
    """The largest principal variance, from the inner products of the shorter side."""
    from scipy.linalg import eigh

    centred = table - table.mean(axis=0)
    n, d = table.shape
    gram = centred.T @ centred if d <= n else centred @ centred.T
    last = len(gram) - 1
    return max(float(eigh(gram, eigvals_only=True, subset_by_index=[last, last])[0]), 0.0) / max(n - 1, 1)
