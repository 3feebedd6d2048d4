"""Gaussian mixtures by expectation-maximisation."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from sklearn.base import DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn
from unmix.core.standardize import Spread, StandardizedBlocks, Units, measure_spread
from unmix.costs.covariance import Family, Fixed
from unmix.costs.gaussian import Gaussian
from unmix.costs.mixture import Mixture, heaviest_first
from unmix.density.parameters import FAMILIES, engine, enter_covariances, given_covariance, given_precisions, public
from unmix.density.start import STARTS, Given, first_mixture
from unmix.inference.expectation import State, expectation, log_partition, marginals
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

LEAST_REGULARIZATION = 1e-12  # below it the variances of a component are rounding errors


def _has_probabilities(model) -> bool:
    """A single component has them, all 1, only once it is fitted on dense rows.

    scikit-learn's check of sparse input takes whatever has the method for a classifier of at least two classes.
    """
    return model.n_components > 1 or not getattr(model, "_fit_sparse", True)


class Fit(NamedTuple):
    """One run of EM."""

    mixture: Mixture
    lower_bound: float
    iterations: int
    converged: bool
    collapsed: np.ndarray  # (k,) whether a component has shrunk to a point


class GaussianMixture(DensityMixin, Estimator):
    """Gaussian mixture, fitted by expectation-maximisation (EM).

    Maximises the log-likelihood ``Σ_i w_i log Σ_c π_c N(x_i; u_c, Σ_c)``. Each iteration computes the probability of
    every component for every row, then the weighted mean and covariance of every component; the log-likelihood never
    falls. Missing values (NaN) are integrated out exactly: a row counts with the density of what was observed, and
    the update uses the conditional expectation of the rest. Columns are brought to a common scale inside, so the
    result does not depend on their units. Components are ordered by weight, unless the start of each was given.

    Cost per iteration: O(n k d²) for full covariances, O(n d² + n k d) for a tied one and O(n k d) for diagonal and
    spherical ones; with missing values O(d³) more for every pattern of them and component. Memory: one block of rows
    per thread.

    Parameters
    ----------
    n_components : int, default=1
        Number of components k.
    covariance_type : {"full", "tied", "diag", "spherical", "fixed"}, default="full"
        What components may look like: any ellipsoid each, one ellipsoid for all, axis-parallel, a ball each, or the
        known ``covariance``.
    covariance : float or array of shape (d,), (d, d) or (k, d, d), default=None
        The known covariance for ``covariance_type="fixed"``.
    tol : float, default=1e-3
        EM ends when the mean log-likelihood of a row rises by less. With 0 it makes ``max_iter`` iterations.
    reg_covar : float, default=1e-6
        The least variance of a component in any direction, as a share of the variance of the columns. Covariances
        are those of largest likelihood above this floor, so it does not disturb a component that stays clear of it,
        and the likelihood still rises in every iteration.
    max_iter : int, default=100
        Most iterations of EM.
    n_init : int, default=1
        Number of starts; the best result is kept, one without a collapsed component if there is one.
    init_params : {"kmeans", "k-means++", "random_from_data"}, default="kmeans"
        Where the first means come from: the centres of K-means, rows far apart, or rows drawn at random.
    weights_init : array of shape (k,), default=None
        First weights, in place of those of the start.
    means_init : array of shape (k, d), default=None
        First means, in place of those of the start.
    precisions_init : array, default=None
        First inverse covariances, in the shape of ``precisions_``.
    random_state : int, RandomState or None, default=None
        Seed of the starts and of `sample`.

    Attributes
    ----------
    weights_ : array of shape (k,)
        Weights π of the components; 0 for one that lost all its rows.
    means_ : array of shape (k, d)
        Means.
    covariances_ : array
        Covariances: (k, d, d) full, (d, d) tied, (k, d) diag, (k,) spherical, (d, d) or (k, d, d) fixed. A variance
        beyond the range of the float type is infinite or 0; predictions do not use it.
    precisions_ : array
        Inverse covariances, in the same shape.
    precisions_cholesky_ : array
        Upper triangular W with ``W Wᵀ`` the precision, or the inverse standard deviations.
    converged_ : bool
        Whether the rise fell below ``tol``.
    n_iter_ : int
        Iterations made.
    lower_bound_ : float
        Mean log-likelihood of a row at the fitted parameters.
    trace_ : list of dict
        The mean log-likelihood before every iteration (stage "em"), and the iterations of the start.
    n_features_in_ : int
        Number of columns.

    References
    ----------
    Dempster, Laird and Rubin (1977), Maximum likelihood from incomplete data via the EM algorithm.
    Ghahramani and Jordan (1994), Supervised learning from incomplete data via an EM approach.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.density import GaussianMixture
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, np.nan]], dtype=float)
    >>> model = GaussianMixture(2, covariance_type="diag", random_state=0).fit(X)
    >>> np.round(np.sort(model.means_[:, 0]), 3)
    array([ 1., 10.])
    >>> model.predict([[0, 0], [12, np.nan]]) == model.predict([[1, 2], [10, 2]])
    array([ True,  True])
    """

    def __init__(
        self,
        n_components=1,
        *,
        covariance_type="full",
        covariance=None,
        tol=1e-3,
        reg_covar=1e-6,
        max_iter=100,
        n_init=1,
        init_params="kmeans",
        weights_init=None,
        means_init=None,
        precisions_init=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.covariance = covariance
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Fit the mixture to the rows of ``X``.

        Parameters
        ----------
        X : array, data frame, sparse matrix, path or dask collection of shape (n, d)
            Rows are objects; NaN stands for a missing value.
        y : ignored
        sample_weight : array of shape (n,), default=None
            Weight 2 counts a row twice, weight 0 leaves it out.

        Returns
        -------
        self
        """
        self._check_parameters()
        blocks = self._blocks(X, reset=True, allow_nan=True)
        self._fit_sparse = blocks.sparse
        weights = self._weights(sample_weight, blocks)
        self._check_rows(blocks, weights)
        seed = self._seed()
        with self._fitting(blocks, seed, weights):
            spread = measure_spread(blocks, weights, common=self.covariance_type == "spherical")
            best = self._best_of_runs(blocks, weights, spread, seed)
        self._store(*best, blocks.dtype)
        return self

    def _best_of_runs(self, blocks: RowBlocks, weights, spread: Spread, seed: int) -> tuple[Fit, Units, Family]:
        family = self._family(spread.units)
        units = _units_for(blocks, spread.units, family)
        X = _in_units(blocks, units, family)
        floor = max(self.reg_covar, LEAST_REGULARIZATION) * np.where(spread.variance > 0, spread.variance, 1.0)
        cost = Gaussian(family, floor, spread.missing)
        given, offset = self._given(units), float(np.log(units.scale) @ spread.observed)
        constant = spread.variance == 0
        runs = []
        for run in range(self.n_init):
            centers = given.means
            if centers is None:
                filled = _in_units(blocks, units, family, fill=spread.missing)
                run_seed = int(spawn(seed, run).integers(2**31))
                centers = STARTS[self.init_params](filled, weights, self.n_components, run_seed)
            start = first_mixture(X, weights, cost, centers, given)
            runs.append(self._run(X, weights, cost, start, offset, constant))
        best = max(runs, key=lambda fit: (not fit.collapsed.any(), fit.lower_bound))
        if all(part is None for part in given) and (family.given is None or family.shared):
            best = best._replace(mixture=heaviest_first(best.mixture))
        return best, units, family

    def _run(self, X, weights, cost: Gaussian, start: Mixture, offset: float, constant: np.ndarray) -> Fit:
        def measure(state: State) -> dict[str, float]:
            return {"log_likelihood": offset - state.free_energy}

        state = expectation(
            X, cost, start, weights=weights, max_iter=self.max_iter, tol=self.tol, name="em", measure=measure
        )
        final = X.reduce(log_partition, cost, state.prototypes._replace(precise=True), 1.0, rows=weights)
        bound = offset + final.log_z / final.mass
        return Fit(state.prototypes, bound, state.iteration, state.done, cost.at_floor(state.prototypes, ~constant))

    def _store(self, fit: Fit, units: Units, family: Family, dtype) -> None:
        for name, array in public(fit.mixture, units, family, dtype).items():
            setattr(self, name, array)
        self.converged_, self.n_iter_, self.lower_bound_ = fit.converged, fit.iterations, float(fit.lower_bound)
        self._warn(fit)

    def _warn(self, fit: Fit) -> None:
        lost, collapsed = int((fit.mixture.weights == 0).sum()), int(fit.collapsed.sum())
        if lost:
            message = f"{lost} of {self.n_components} components hold no row and have weight 0; "
            warnings.warn(message + "there are too few distinct rows, lower n_components", ConvergenceWarning, 3)
        if collapsed:
            message = f"{collapsed} of {self.n_components} components shrank to a point, held open by reg_covar only; "
            warnings.warn(message + "lower n_components, raise reg_covar or n_init", ConvergenceWarning, 3)
        if self.tol > 0 and not fit.converged:
            message = f"EM did not converge in max_iter={self.max_iter} iterations; raise max_iter or tol"
            warnings.warn(message, ConvergenceWarning, 3)

    def _check_parameters(self) -> None:
        for name, least in (("n_components", 1), ("max_iter", 1), ("n_init", 1)):
            value = getattr(self, name)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
                raise ValueError(f"{name}={value!r} is not possible; give a whole number from {least} up")
        for name in ("tol", "reg_covar"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 <= float(value) < np.inf:
                raise ValueError(f"{name}={value!r} is not possible; give a number from 0 up")
        for name, options in (("covariance_type", FAMILIES), ("init_params", STARTS)):
            if getattr(self, name) not in options:
                raise ValueError(f"{name}={getattr(self, name)!r} is not known; choose one of {', '.join(options)}")

    def _check_rows(self, blocks: RowBlocks, weights) -> None:
        n = blocks.shape[0] if weights is None else int((weights > 0).sum())
        if n < self.n_components:
            raise ValueError(f"n_components={self.n_components} is more than n_samples={n}; lower n_components")

    def _family(self, units: Units) -> Family:
        if self.covariance_type != "fixed":
            return FAMILIES[self.covariance_type]()
        return Fixed(enter_covariances(given_covariance(self.covariance, self.n_components, len(units.scale)), units))

    def _given(self, units: Units) -> Given:
        k, d = self.n_components, len(units.scale)
        weights, means, covariances = self.weights_init, self.means_init, None
        if weights is not None:
            weights = np.asarray(weights, dtype=np.float64)
            if weights.shape != (k,) or not (weights >= 0).all() or not np.isclose(weights.sum(), 1):
                raise ValueError(f"weights_init must be {k} numbers from 0 up with sum 1, got {weights.tolist()}")
        if means is not None:
            means = np.asarray(means, dtype=np.float64)
            if means.shape != (k, d) or not np.isfinite(means).all():
                raise ValueError(f"means_init must be finite of shape ({k}, {d}), got shape {means.shape}")
            means = units.enter(means)
        if self.precisions_init is not None and self.covariance_type != "fixed":
            covariances = given_precisions(self.precisions_init, self.covariance_type, k, d)
            covariances = enter_covariances(covariances, units)
        return Given(weights, means, covariances)

    def _query(self, X, f) -> np.ndarray:
        """``f`` on every row of new data, in the units of the fit."""
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False, allow_nan=True)
        attributes = self.weights_, self.means_, self.precisions_cholesky_
        mixture, units = engine(self.covariance_type, *attributes, blocks.dtype)
        kind = FAMILIES[self.covariance_type]
        family = Fixed(mixture.covariances) if kind is Fixed else kind()
        entered = _units_for(blocks, units, family)
        mixture = mixture._replace(means=entered.enter(np.asarray(self.means_, np.float64)))
        cost = Gaussian(family, np.ones(len(units.scale)), missing=True)
        return _in_units(blocks, entered, family).map(f, cost, mixture, np.log(units.scale))

    def score_samples(self, X):
        """Log-density of every row; of its observed part where values are missing.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        array of shape (n,)
        """
        return self._query(X, _log_density)

    def score(self, X, y=None, sample_weight=None):
        """Mean log-density of the rows, weighted by ``sample_weight``."""
        return float(np.average(self.score_samples(X), weights=sample_weight))

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
        if not isinstance(n_samples, Integral) or n_samples < 1:
            raise ValueError(f"n_samples={n_samples!r} is not possible; give a whole number from 1 up")
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
        log_density = self.score_samples(X)
        return float(-2 * log_density.sum() + self._n_parameters() * np.log(len(log_density)))

    def aic(self, X):
        """Akaike's information criterion on ``X``, -2 log L + 2 p; lower is better."""
        return float(-2 * self.score_samples(X).sum() + 2 * self._n_parameters())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def _units_for(blocks: RowBlocks, units: Units, family) -> Units:
    """Sparse rows that stay sparse are scaled and not shifted."""
    return units._replace(shift=np.zeros_like(units.shift)) if family.axis and blocks.sparse else units


def _in_units(blocks: RowBlocks, units: Units, family, fill: bool = False) -> StandardizedBlocks:
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
