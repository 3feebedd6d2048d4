"""AIC and BIC: how well a model fits, charged for its free parameters.

AIC = -2 log L + 2 κ            BIC = -2 log L + κ log n            smaller is better (Akaike 1973, Schwarz 1978)

Some texts drop the factor 2 throughout (-log L + κ, -log L + κ/2 log n): the ranking is the same.

A mixture with k components in d dimensions has κ = k d + (k - 1) + covariances, where full covariances count
k d (d + 1) / 2, tied d (d + 1) / 2, diagonal k d, spherical k. A clustering without a likelihood of its own is read as
the mixture of round Gaussians of one common variance at its cluster means: κ = k d + (k - 1) + 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from unmix.validation.base import Evaluation, Score, best_index
from unmix.validation.refit import labels_of


class Fit(NamedTuple):
    """log p(x_i) of every row, and how many numbers were free to make it so."""

    log_likelihood: np.ndarray
    n_parameters: int


@dataclass(frozen=True)
class AIC:
    """Akaike's criterion; asks which model predicts new rows best.

    The error of a grid point is that of its difference to the best one, over rows: 2 sqrt(n) sd(ℓ_i - ℓ_i(best)).

    Parameters
    ----------
    likelihood : "mixture" or "classification"
        How to read a clustering that has no likelihood: every row drawn from the mixture, or from its own cluster.

    Examples
    --------
    >>> from sklearn.mixture import GaussianMixture
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> bool(np.isclose(AIC().evaluate(model, X).value, model.aic(X)))
    True
    """

    likelihood: str = "mixture"

    name = "AIC"
    higher_is_better = False

    def penalty(self, n: int) -> float:
        """Charge for each free parameter."""
        return 2.0

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator | None = None) -> Score:
        fit = fit_of(estimator, X, self.likelihood)
        return Score(self._value(fit))

    def evaluate_grid(self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator) -> Evaluation:
        fits = [fit_of(estimator, X, self.likelihood) for estimator in estimators]
        scores = [Score(self._value(fit)) for fit in fits]
        best = best_index(scores, self.higher_is_better)
        if best is None:
            return Evaluation(scores, None)
        errors = [2 * np.sqrt(len(X)) * np.std(fit.log_likelihood - fits[best].log_likelihood) for fit in fits]
        return Evaluation([Score(s.value, float(e)) for s, e in zip(scores, errors)], best)

    def _value(self, fit: Fit) -> float:
        n = len(fit.log_likelihood)
        return float(-2 * fit.log_likelihood.sum() + self.penalty(n) * fit.n_parameters)


@dataclass(frozen=True)
class BIC(AIC):
    """Schwarz's criterion; asks which model is most probable, and with enough rows finds the true one if it is there.

    Parameters and error as for `AIC`.

    Examples
    --------
    >>> from sklearn.mixture import GaussianMixture
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> bool(np.isclose(BIC().evaluate(model, X).value, model.bic(X)))
    True
    """

    name = "BIC"

    def penalty(self, n: int) -> float:
        return float(np.log(n))


def fit_of(estimator: Any, X: np.ndarray, likelihood: str = "mixture") -> Fit:
    """The model's own likelihood where it has one, else that of round clusters."""
    count = n_parameters(estimator, X.shape[1])
    if count is not None and hasattr(estimator, "score_samples"):
        return Fit(np.asarray(estimator.score_samples(X), dtype=np.float64), count)
    if hasattr(estimator, "labels_") or hasattr(estimator, "fit_predict"):
        return round_clusters(X, labels_of(estimator, X), likelihood)
    raise TypeError(
        f"{type(estimator).__name__} has no likelihood with a known number of parameters and labels no rows; "
        "AIC and BIC need a mixture or a clustering"
    )


def n_parameters(estimator: Any, d: int) -> int | None:
    """The model's own count, else that of a Gaussian mixture, else None."""
    own = getattr(estimator, "n_parameters_", None)
    if own is not None:
        return int(own)
    k, covariance = getattr(estimator, "n_components", None), getattr(estimator, "covariance_type", None)
    shapes = {"full": lambda: k * d * (d + 1) // 2, "tied": lambda: d * (d + 1) // 2, "diag": lambda: k * d,
              "spherical": lambda: k, "fixed": lambda: 0}  # fmt: skip
    if k is None or covariance not in shapes:
        return None
    return k * d + k - 1 + shapes[covariance]()


def round_clusters(X: np.ndarray, labels: np.ndarray, likelihood: str = "mixture") -> Fit:
    """Log-likelihood of Gaussians N(u_c, σ² I) with weights n_c / n at the means of the clusters; -1 is left out.

    σ² = Σ_i |x_i - u_c(i)|² / (n d), the maximum-likelihood value for fixed assignments.
    """
    if likelihood not in {"mixture", "classification"}:
        raise ValueError(f"likelihood={likelihood!r} is not known; give 'mixture' or 'classification'")
    scale = np.abs(X).max(initial=0.0) or 1.0  # squares of 1e300 would overflow
    X = np.asarray(X[labels != -1], dtype=np.float64) / scale
    names, labels = np.unique(labels[labels != -1], return_inverse=True)
    n, d = X.shape
    means = np.stack([X[labels == c].mean(axis=0) for c in range(len(names))])
    distance = np.stack([((X - mean) ** 2).sum(axis=1) for mean in means], axis=1)
    own = distance[np.arange(n), labels]
    variance = max(own.sum() / (n * d), np.finfo(float).eps * X.var(), np.finfo(float).tiny)
    joint = np.log(np.bincount(labels) / n) - 0.5 * d * np.log(2 * np.pi * variance) - distance / (2 * variance)
    joint -= d * np.log(scale)
    rows = joint[np.arange(n), labels] if likelihood == "classification" else logsumexp(joint, axis=1)
    return Fit(rows, len(names) * d + len(names))
