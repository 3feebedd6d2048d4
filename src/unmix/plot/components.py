"""Gaussian components of a fitted model, whatever shape it keeps its covariances in, and their marginals.

The marginal of N(u, Σ) over some columns is N(u_c, Σ_cc): rows and columns of the others are left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Components(NamedTuple):
    weights: np.ndarray  # (k,)
    means: np.ndarray  # (k, d)
    covariances: np.ndarray  # (k, d, d)

    def marginal(self, columns: Any) -> Components:
        columns = list(columns)
        return Components(self.weights, self.means[:, columns], self.covariances[:, columns][:, :, columns])

    def score_samples(self, X: np.ndarray) -> np.ndarray:
        """log Σ_c π_c N(x; u_c, Σ_c)."""
        from scipy.special import logsumexp
        from scipy.stats import multivariate_normal

        alive = self.weights > 0
        logs = [
            np.log(weight) + np.reshape(multivariate_normal.logpdf(X, mean, covariance, allow_singular=True), -1)
            for weight, mean, covariance in zip(self.weights[alive], self.means[alive], self.covariances[alive])
        ]
        return np.asarray(logsumexp(logs, axis=0))


def components_of(estimator: Any) -> Components | None:
    """Of a Gaussian or a mixture of Gaussians, unmix's or scikit-learn's; None for any other model."""
    if hasattr(estimator, "means_") and hasattr(estimator, "covariances_"):
        means = np.asarray(estimator.means_, np.float64)
        weights = np.asarray(getattr(estimator, "weights_", np.full(len(means), 1 / len(means))), np.float64)
        kind = getattr(estimator, "covariance_type", "full")
        return Components(weights, means, _full(np.asarray(estimator.covariances_, np.float64), kind, *means.shape))
    if hasattr(estimator, "mean_") and hasattr(estimator, "covariance_"):
        return Components(
            np.ones(1),
            np.asarray(estimator.mean_, np.float64)[None],
            np.asarray(estimator.covariance_, np.float64)[None],
        )
    return None


def _full(covariances: np.ndarray, kind: str, k: int, d: int) -> np.ndarray:
    """(k, d, d) from (k, d, d) full or fixed, (d, d) tied or fixed, (k, d) diag or (k,) spherical."""
    if kind == "diag":
        return covariances[:, :, None] * np.eye(d)
    if kind == "spherical":
        return covariances[:, None, None] * np.eye(d)
    return np.broadcast_to(covariances, (k, d, d))
