"""AIC, BIC and ICL: how well a model fits, charged for its free parameters.

AIC = -2 log L + 2 κ                    (Akaike 1973)                     smaller is better
BIC = -2 log L + κ log n                (Schwarz 1978)
ICL = BIC - 2 Σ_i Σ_c q_ic log q_ic     (Biernacki, Celeux and Govaert 2000), q_ic the posterior of cluster c

Some texts drop the factor 2 throughout (-log L + κ, -log L + κ/2 log n): the ranking is the same. κ is counted in
`parameter_count`; a clustering without a likelihood of its own is read as the mixture of round Gaussians of one common
variance at its cluster means, κ = k d + (k - 1) + 1. Rows in no cluster (-1) come from one more Gaussian as wide as the
table, d + 2 more parameters: a model gains nothing by leaving rows out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.validation.criteria.base import Evaluation, Score, best_index
from unmix.validation.criteria.settings import one_of
from unmix.validation.evidence.held_out.likelihood import READINGS, Fit, fit_of, round_clusters
from unmix.validation.evidence.held_out.parameter_count import n_parameters

__all__ = ["AIC", "BIC", "ICL", "Fit", "fit_of", "n_parameters", "round_clusters"]


@dataclass(frozen=True)
class AIC:
    """Akaike's criterion; asks which model predicts new rows best.

    The error of a grid point is that of its difference to the best one, over rows: 2 sqrt(n) sd(ℓ_i - ℓ_i(best)). The
    best one has none.

    Parameters
    ----------
    likelihood : "mixture" or "classification"
        How to read a clustering that has no likelihood: every row drawn from the mixture, or from its own cluster.

    Notes
    -----
    Cost: one pass over the rows for each grid point, O(n k d) for clusterings; no refits.

    References
    ----------
    Akaike, Information theory and an extension of the maximum likelihood principle, 2nd Int. Symposium on Information
    Theory, 1973.

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

    def __post_init__(self) -> None:
        one_of(self, likelihood=READINGS)

    def allow_nan(self, estimator: Any) -> bool:
        """A model with a likelihood of its own has one of rows with gaps too."""
        return hasattr(estimator, "score_samples")

    def penalty(self, n: float) -> float:
        """Charge for each free parameter."""
        return 2.0

    def evaluate(
        self, estimator: Any, X: np.ndarray, rng: np.random.Generator | None = None, sample_weight: Any = None
    ) -> Score:
        return Score(self._value(self._fit(estimator, X, sample_weight)))

    def evaluate_grid(
        self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None
    ) -> Evaluation:
        fits = [self._fit(estimator, X, sample_weight) for estimator in estimators]
        scores = [Score(self._value(fit)) for fit in fits]
        best = best_index(scores, self.higher_is_better)
        if best is None:
            return Evaluation(scores, None)
        # The best does not differ from itself: its value is exact given the fit, and has no error to show.
        errors = [np.nan if i == best else self._error(fit, fits[best]) for i, fit in enumerate(fits)]
        return Evaluation([Score(s.value, e) for s, e in zip(scores, errors)], best)

    def _fit(self, estimator: Any, X: np.ndarray, sample_weight: Any) -> Fit:
        return fit_of(estimator, X, self.likelihood, sample_weight)

    def _rows(self, fit: Fit) -> np.ndarray:
        """What each row adds to the criterion."""
        return -2 * fit.log_likelihood

    def _charge(self, fit: Fit, n: float) -> float:
        return self.penalty(n) * fit.n_parameters

    def _value(self, fit: Fit) -> float:
        weight = _weight(fit)
        return float(weight @ self._rows(fit) + self._charge(fit, float(weight.sum())))

    def _error(self, fit: Fit, best: Fit) -> float:
        weight, difference = _weight(fit), self._rows(fit) - self._rows(best)
        mean = np.average(difference, weights=weight)
        return float(np.sqrt(weight @ (difference - mean) ** 2))


@dataclass(frozen=True)
class BIC(AIC):
    """Schwarz's criterion; asks which model is most probable, and with enough rows finds the true one if it is there.

    Parameters, error and cost as for `AIC`.

    References
    ----------
    Schwarz, Estimating the dimension of a model, Annals of Statistics 6, 1978.

    Examples
    --------
    >>> from sklearn.mixture import GaussianMixture
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> bool(np.isclose(BIC().evaluate(model, X).value, model.bic(X)))
    True
    """

    name = "BIC"

    def penalty(self, n: float) -> float:
        return float(np.log(n))


@dataclass(frozen=True)
class ICL(BIC):
    """BIC plus twice the entropy of the rows' posteriors; asks for clusters that rows belong to without doubt.

    Where BIC uses two Gaussians for one skewed cluster, rows between the two belong to both, and ICL prefers one. It
    therefore also merges true clusters that overlap. Parameters, error and cost as for `AIC`.

    References
    ----------
    Biernacki, Celeux and Govaert, Assessing a mixture model for clustering with the integrated completed likelihood,
    IEEE PAMI 22, 2000.

    Examples
    --------
    >>> from sklearn.mixture import GaussianMixture
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> ICL().evaluate(model, X).value > BIC().evaluate(model, X).value
    True
    """

    name = "ICL"

    def _fit(self, estimator: Any, X: np.ndarray, sample_weight: Any) -> Fit:
        fit = super()._fit(estimator, X, sample_weight)
        if fit.entropy is None:
            raise TypeError(f"{type(estimator).__name__} puts rows in no clusters; ICL needs a mixture or a clustering")
        return fit

    def _rows(self, fit: Fit) -> np.ndarray:
        return -2 * fit.log_likelihood + 2 * fit.entropy


def _weight(fit: Fit) -> np.ndarray:
    return np.ones(len(fit.log_likelihood)) if fit.weight is None else fit.weight
