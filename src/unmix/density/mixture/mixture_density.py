"""What a fitted Gaussian mixture says of rows: densities, probabilities of components, draws, criteria."""

from __future__ import annotations

import numpy as np
from sklearn.base import DensityMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from unmix.core.arguments import is_whole
from unmix.core.blocks import RowBlocks
from unmix.core.scaling.standardize import StandardizedBlocks, Units
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Fixed
from unmix.density.mixture.parameters import FAMILIES, engine
from unmix.inference.expectation import marginals
from unmix.shell.estimator import Estimator
from unmix.shell.missing import ignores_missing


def _has_probabilities(model) -> bool:
    """A single component has them, all 1, only once it is fitted on dense rows.

    scikit-learn's check of sparse input takes whatever has the method for a classifier of at least two classes.
    """
    return model.n_components > 1 or not getattr(model, "_fit_sparse", True)


class MixtureDensity(DensityMixin, Estimator):
    """Answers from ``weights_``, ``means_`` and ``precisions_cholesky_``, however they were found."""

    def _query(self, X, f) -> np.ndarray:
        """``f`` on every row of new data, in the units of the fit."""
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False, allow_nan=ignores_missing(self))
        attributes = self.weights_, self.means_, self.precisions_cholesky_
        mixture, units = engine(self.covariance_type, *attributes, blocks.dtype)
        kind = FAMILIES[self.covariance_type]
        family = Fixed(mixture.covariances) if kind is Fixed else kind()
        entered = units_for(blocks, units, family)
        mixture = mixture._replace(means=entered.enter(np.asarray(self.means_, np.float64)))
        cost = Gaussian(family, np.ones(len(units.scale)), missing=True)
        return in_units(blocks, entered, family).map(f, cost, mixture, np.log(units.scale))

    def score_samples(self, X):
        """Log-density of every row; of its observed part where values are missing.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        array of shape (n,)
        """
        check_is_fitted(self)
        return self._log_densities(X).astype(self.means_.dtype, copy=False)

    def _log_densities(self, X) -> np.ndarray:
        """The same in float64, for sums."""
        return self._query(X, _log_density)

    def score(self, X, y=None, sample_weight=None):
        """Mean log-density of the rows, weighted by ``sample_weight``."""
        with np.errstate(over="ignore"):  # the density of a row very far out is 0
            return float(np.average(self._log_densities(X), weights=sample_weight))

    @available_if(_has_probabilities)
    def predict_proba(self, X):
        """Probability of every component for every row, of shape (n, k)."""
        return self._query(X, _posterior)

    def predict(self, X):
        """The most probable component of every row."""
        return self._query(X, _most_probable)

    def fit_predict(self, X, y=None, sample_weight=None):
        """Fit, and return the most probable component of every row."""
        return self.fit(X, y, sample_weight=sample_weight).predict(X)

    def sample(self, n_samples=1):
        """Draw rows from the mixture.

        Returns
        -------
        X : array of shape (n_samples, d)
        labels : array of shape (n_samples,)
            The component of each row, in order.
        """
        check_is_fitted(self)
        if not is_whole(n_samples, 1):
            raise ValueError(f"Invalid value for 'n_samples': {n_samples!r}; give a whole number from 1 up")
        rng = np.random.default_rng(self._seed())
        weights = np.asarray(self.weights_, np.float64)
        labels = np.repeat(np.arange(len(weights)), rng.multinomial(int(n_samples), weights / weights.sum()))
        mixture, units = engine(
            self.covariance_type, weights, self.means_, self.precisions_cholesky_, np.dtype(np.float64)
        )
        noise = rng.standard_normal((n_samples, len(units.scale)))
        if mixture.covariances.ndim == 2:
            rows = noise * np.sqrt(mixture.covariances)[labels]
        else:
            inverse = np.linalg.inv(mixture.whitening)
            rows = np.einsum("ij,ijl->il", noise, inverse[labels % len(inverse)])
        return units.leave(mixture.means[labels] + rows).astype(self.means_.dtype), labels

    def _n_parameters(self) -> int:
        """Free parameters: k - 1 weights, k d means, and those of the covariances."""
        k, d = self.means_.shape
        family = FAMILIES[self.covariance_type]
        return k - 1 + k * d + (0 if family is Fixed else family().n_parameters(k, d))

    def bic(self, X):
        """Bayesian information criterion on ``X``, -2 log L + p log n; lower is better."""
        log_density = self._log_densities(X)
        return float(-2 * log_density.sum() + self._n_parameters() * np.log(len(log_density)))

    def aic(self, X):
        """Akaike's information criterion on ``X``, -2 log L + 2 p; lower is better."""
        return float(-2 * self._log_densities(X).sum() + 2 * self._n_parameters())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = ignores_missing(self)
        tags.input_tags.sparse = True
        return tags


def units_for(blocks: RowBlocks, units: Units, family) -> Units:
    """Sparse rows that stay sparse are scaled and not shifted."""
    return units._replace(shift=np.zeros_like(units.shift)) if family.axis and blocks.sparse else units


def in_units(blocks: RowBlocks, units: Units, family, fill: bool = False) -> StandardizedBlocks:
    return StandardizedBlocks(blocks, units, make_dense=not (family.axis and blocks.sparse), fill=fill)


def _log_density(block, rows, cost, mixture, log_scale):
    """In the units of the data: every value that is there brings the scale of its column."""
    log_z = marginals(block, np.ones(block.shape[0]), cost, mixture, 1.0)[1]
    there = ~np.isnan(block.toarray() if hasattr(block, "toarray") else block)
    return log_z + there @ log_scale


def _posterior(block, rows, cost, mixture, log_scale):
    q = marginals(block, np.ones(block.shape[0]), cost, mixture, 1.0)[0]
    return np.ascontiguousarray(q, dtype=block.dtype)


def _most_probable(block, rows, cost, mixture, log_scale):
    return cost.distances(block, mixture).argmin(1)
