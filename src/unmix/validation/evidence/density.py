"""Densities that models without one stand for: learned from rows, asked about the same or others.

RoundGaussians    labels: p(x) = Σ_c π_c N(x; u_c, σ² I), one variance for all;
                  rows outside every cluster (-1) are drawn from N(u, s² I), mean and variance of the whole table
Multinomials      rows of counts: p(x) = Σ_c π_c (Σ_j x_j)! Π_j u_cj^x_j / x_j!
LowRankGaussian   a factorization: codes from a Gaussian, round noise off the subspace; probabilistic PCA at that place
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln, logsumexp

_eps, _tiny = np.finfo(float).eps, np.finfo(float).tiny


class RoundGaussians(NamedTuple):
    """Means are in units of `scale`, because squares of 1e300 would overflow; rows outside clusters come last."""

    sizes: np.ndarray
    means: np.ndarray
    variances: np.ndarray
    scale: float
    labels: np.ndarray  # of the rows it was learned from, 0 … k - 1, and k for those outside
    outside: bool

    def log_joint(self, X: np.ndarray) -> np.ndarray:
        """log p(x, c), (n, k)."""
        X, d = np.asarray(X, dtype=np.float64) / self.scale, X.shape[1]
        distance = np.stack([((X - mean) ** 2).sum(axis=1) for mean in self.means], axis=1)
        normal = -distance / (2 * self.variances) - 0.5 * d * np.log(2 * np.pi * self.variances)
        return _log_shares(self.sizes) + normal - d * np.log(self.scale)

    def log_density(self, X: np.ndarray) -> np.ndarray:
        return logsumexp(self.log_joint(X), axis=1)


def round_gaussians(X: np.ndarray, labels: np.ndarray, weight: np.ndarray) -> RoundGaussians:
    """Means and sizes of the clusters, and σ² = Σ_i |x_i - u_c(i)|² / (n d), best for fixed labels."""
    scale, inside = float(np.abs(X).max(initial=0.0)) or 1.0, labels != -1
    X, names = np.asarray(X, dtype=np.float64) / scale, np.unique(labels[inside])
    k, everywhere = len(names), _mean(X, weight)
    labels = np.where(inside, np.searchsorted(names, labels), k)
    means = np.array([*(_mean(X[labels == c], weight[labels == c]) for c in range(k)), everywhere])
    least = _eps**2  # rounding, of numbers up to 1; that of the whole table may be made by one far row
    within = _spread(X[inside], means[labels[inside]], weight[inside], least)
    variances = np.append(np.full(k, within), _spread(X, everywhere, weight, least))
    kept = slice(None) if not inside.all() else slice(k)
    sizes = np.bincount(labels, weight, k + 1)
    return RoundGaussians(sizes[kept], means[kept], variances[kept], scale, labels, not inside.all())


def _spread(X: np.ndarray, mean: np.ndarray, weight: np.ndarray, least: float) -> float:
    """Variance in every direction alike, never below `least`, which rounding leaves."""
    return max(weight @ ((X - mean) ** 2).sum(axis=1) / (max(weight.sum(), _tiny) * X.shape[1]), least)


class Multinomials(NamedTuple):
    """`counts` is the sum of all entries in each cluster."""

    sizes: np.ndarray
    counts: np.ndarray
    distributions: np.ndarray

    def log_joint(self, X: np.ndarray) -> np.ndarray:
        X = np.asarray(X, dtype=np.float64)
        ways = gammaln(X.sum(axis=1) + 1) - gammaln(X + 1).sum(axis=1)
        return _log_shares(self.sizes) + ways[:, None] + X @ np.log(np.maximum(self.distributions, _tiny)).T

    def log_density(self, X: np.ndarray) -> np.ndarray:
        return logsumexp(self.log_joint(X), axis=1)


def multinomials(distributions: np.ndarray, X: np.ndarray, labels: np.ndarray, weight: np.ndarray) -> Multinomials:
    totals, k = np.asarray(X, dtype=np.float64).sum(axis=1), len(distributions)
    sizes, counts = (np.bincount(labels, values, k) for values in (weight, weight * totals))
    return Multinomials(sizes, counts, np.asarray(distributions, dtype=np.float64))


class LowRankGaussian(NamedTuple):
    """`basis` (d, k) are orthonormal axes of the subspace, turned so that the codes along them are uncorrelated."""

    shift: np.ndarray
    basis: np.ndarray
    centre: np.ndarray
    variances: np.ndarray
    noise: float
    linear: bool  # nothing was subtracted: the mean lies in the subspace
    scale: float  # the unit of all of them, because squares of 1e300 would overflow

    def log_density(self, X: np.ndarray) -> np.ndarray:
        d, k = self.basis.shape
        X = np.asarray(X, dtype=np.float64) / self.scale - self.shift
        along = X @ self.basis
        rest = np.maximum((X**2).sum(axis=1) - (along**2).sum(axis=1), 0.0)
        rows = ((along - self.centre) ** 2 / self.variances).sum(axis=1) + np.log(2 * np.pi * self.variances).sum()
        return -0.5 * (rows + rest / self.noise + (d - k) * np.log(2 * np.pi * self.noise)) - d * np.log(self.scale)


def low_rank_gaussian(estimator: Any, X: np.ndarray, weight: np.ndarray) -> LowRankGaussian:
    """The subspace that inverse_transform reaches, and the mean, variances and noise best for it."""
    X = np.asarray(X, dtype=np.float64)
    codes = np.asarray(estimator.transform(X))
    d, k = X.shape[1], codes.shape[1]
    linear = not np.any(turned_back(estimator, np.zeros((1, k), dtype=codes.dtype)))
    scale = float(np.abs(X).max(initial=0.0)) or 1.0
    rebuilt = turned_back(estimator, codes) / scale
    X = X / scale
    shift = np.zeros(d) if linear else _mean(X, weight)
    rebuilt = rebuilt - (shift if linear else _mean(rebuilt, weight))
    basis = np.linalg.svd(np.sqrt(weight)[:, None] * rebuilt, full_matrices=False)[2][:k].T
    along = (X - shift) @ basis
    centre = _mean(along, weight)
    variances, axes = np.linalg.eigh(((along - centre).T * weight) @ (along - centre) / weight.sum())
    rest = weight @ ((X - shift) ** 2).sum(axis=1) - weight @ (along**2).sum(axis=1)
    floor = max(_eps * X.var(), _tiny)
    noise = max(rest / (weight.sum() * max(d - basis.shape[1], 1)), floor)
    return LowRankGaussian(shift, basis @ axes, centre @ axes, np.maximum(variances, floor), noise, linear, scale)


def turned_back(estimator: Any, codes: np.ndarray) -> np.ndarray:
    """Rows from codes; some steps of a pipeline, such as imputers, have no way back."""
    try:
        return np.asarray(estimator.inverse_transform(codes), dtype=np.float64)
    except (AttributeError, NotImplementedError, ValueError) as error:
        raise TypeError(
            f"codes of {type(estimator).__name__} cannot be turned back into rows ({error}); leave out the step that "
            "cannot, an imputer by filling gaps beforehand"
        ) from error


def _log_shares(sizes: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):  # a cluster of rows without weight has probability 0
        return np.log(sizes / sizes.sum())


def _mean(X: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Rows that all have weight 0 still have a mean, which nothing depends on."""
    return np.average(X, axis=0, weights=weight if weight.sum() > 0 else None)
