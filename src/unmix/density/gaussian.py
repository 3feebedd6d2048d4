"""One Gaussian: mean and covariance, from complete rows or from rows with gaps."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.core.arguments import whole_number, zero_or_more
from unmix.core.blocks import RowBlocks
from unmix.core.scaling.standardize import Spread, StandardizedBlocks
from unmix.core.scaling.standardize import measure_spread as measure
from unmix.costs.gaussian.cost import Gaussian as GaussianCost
from unmix.costs.gaussian.covariance import Full
from unmix.costs.gaussian.mixture import Mixture, make_mixture
from unmix.density.mixture.parameters import engine, public
from unmix.density.mixture.shrinkage import ledoit_wolf, shrink
from unmix.density.mixture.start import Given, first_mixture
from unmix.inference.expectation import State, expectation, marginals
from unmix.shell.estimator import Estimator
from unmix.shell.missing import check_missing, ignores_missing
from unmix.shell.progress import with_callbacks

LEAST_REGULARIZATION = 1e-12


class Gaussian(DensityMixin, Estimator):
    """Gaussian density with a full covariance.

    Maximises ``Σ_i w_i log N(x_i; u, Σ)``: the mean of the rows, and their mean outer product about it. With
    ``missing="ignore"``, missing values (NaN) are integrated out exactly by expectation-maximisation: a row counts with
    the density of what was observed. That is right where values are missing at random, given those observed.

    Cost: O(n d²); with missing values O(d³) for every pattern of them and O(n d²) in each iteration.

    Parameters
    ----------
    unbiased : bool, default=False
        Divide by ``Σ w - 1`` instead of ``Σ w``, so that the covariance is right on average. With missing values the
        same factor is used, and the covariance is nearly unbiased.
    shrinkage : None, "ledoit-wolf" or float from 0 to 1, default=None
        Draw the covariance towards a ball, ``(1 - s) Σ + s m I`` with m the mean variance: by a given share s, or by
        the one of least expected squared error. For few rows of many columns in the same units.
    reg_covar : float, default=1e-9
        The least variance in any direction, as a share of the variance of the columns. A covariance clear of it is
        not changed; one that is not is raised to it, with a warning.
    tol : float, default=1e-8
        With missing values, stop when the mean log-likelihood rises by less.
    max_iter : int, default=1000
        With missing values, most iterations.
    missing : {"error", "ignore"}, default="error"
        What to do with NaN: refuse it, or take it for a value that was not observed.
    random_state : int, RandomState or None, default=None
        Seed of `sample`.

    Attributes
    ----------
    mean_ : array of shape (d,)
    covariance_ : array of shape (d, d)
    precision_ : array of shape (d, d)
        The inverse covariance.
    precision_cholesky_ : array of shape (d, d)
        Upper triangular W with ``W Wᵀ`` the precision.
    shrinkage_ : float
        The share s; 0 without shrinkage.
    n_iter_ : int
        Iterations; 0 for complete rows, which need none.
    converged_ : bool
    trace_ : list of dict
    n_features_in_ : int

    References
    ----------
    Little & Rubin, Statistical Analysis with Missing Data, chapter 11 (2002).
    Ledoit & Wolf, A well-conditioned estimator for large-dimensional covariance matrices, J. Multivariate Analysis 88
    (2004).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.density import Gaussian
    >>> X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    >>> model = Gaussian(missing="ignore").fit(X)
    >>> model.mean_
    array([1., 1.])
    >>> model.covariance_
    array([[1., 0.],
           [0., 1.]])
    >>> model.score_samples([[1.0, 1.0], [1.0, np.nan]]).round(4)  # -log 2π, and half of it
    array([-1.8379, -0.9189])
    """

    def __init__(
        self,
        *,
        unbiased=False,
        shrinkage=None,
        reg_covar=1e-9,
        tol=1e-8,
        max_iter=1000,
        missing="error",
        random_state=None,
    ):
        self.unbiased = unbiased
        self.shrinkage = shrinkage
        self.reg_covar = reg_covar
        self.tol = tol
        self.max_iter = max_iter
        self.missing = missing
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Estimate mean and covariance.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), path, or dask collection
            With ``missing="ignore"``, NaN stands for a missing value.
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Weight 2 is the same as the row twice, weight 0 as if it were absent.

        Returns
        -------
        self
        """
        self._check_parameters()
        blocks, weights = self._counted(sample_weight, self._blocks(X, reset=True, allow_nan=ignores_missing(self)))
        mass = float(blocks.shape[0] if weights is None else weights.sum())
        if self.unbiased and mass <= 1:
            raise ValueError(
                f"unbiased=True needs a total weight above 1, got {mass:g}; give more rows or unbiased=False"
            )
        with self._fitting(blocks, 0, weights):
            spread = measure(blocks, weights)
            rows = StandardizedBlocks(blocks, spread.units)
            found = self._likeliest(rows, weights, spread)
            found = self._finished(found, rows, weights, spread, mass)
        for name, array in public(found, spread.units, Full(), blocks.dtype).items():
            if name != "weights_":
                setattr(self, NAMES[name], array[0])
        return self

    def _likeliest(self, rows: RowBlocks, weights: np.ndarray | None, spread: Spread) -> Mixture:
        """The maximum of the likelihood, in the units of the spread; complete rows have it in one pass."""
        positive = np.where(spread.variance > 0, spread.variance, 1.0)
        cost = GaussianCost(Full(), LEAST_REGULARIZATION * positive, spread.missing)
        start = first_mixture(rows, weights, cost, np.zeros((1, rows.shape[1])), Given())
        self.n_iter_, self.converged_ = 0, True
        if not spread.missing:
            return start
        offset = float(np.log(spread.units.scale) @ spread.observed)

        def log_likelihood(state: State) -> dict[str, float]:
            return {"log_likelihood": offset - state.free_energy}

        state = expectation(
            rows, cost, start, weights=weights, max_iter=self.max_iter, tol=self.tol, name="em", measure=log_likelihood
        )
        self.n_iter_, self.converged_ = state.iteration, state.done
        if not state.done:
            message = f"EM did not converge in max_iter={self.max_iter} iterations; raise max_iter or tol"
            warnings.warn(message, ConvergenceWarning, stacklevel=4)
        return state.prototypes

    def _finished(self, found: Mixture, rows: RowBlocks, weights, spread: Spread, mass: float) -> Mixture:
        """Bias, shrinkage and floor applied to the covariance of largest likelihood."""
        covariance, scale = found.covariances[0], spread.units.scale
        relative = scale / scale.min()
        self.shrinkage_ = 0.0
        if isinstance(self.shrinkage, str):
            if spread.missing:
                raise ValueError('shrinkage="ledoit-wolf" needs complete rows, X has NaN; give shrinkage as a number')
            self.shrinkage_ = ledoit_wolf(rows, weights, found.means[0], covariance, relative)
        elif self.shrinkage is not None:
            self.shrinkage_ = float(self.shrinkage)
        if self.unbiased:
            covariance = covariance * (mass / (mass - 1))
        covariance = shrink(covariance, self.shrinkage_, relative)
        positive = np.where(spread.variance > 0, spread.variance, 1.0)
        floor = max(self.reg_covar, LEAST_REGULARIZATION) * positive
        raised = Full().estimate(np.ones((1, 1, 1)), covariance[None], floor)
        if not np.allclose(raised[0], covariance, rtol=1e-12, atol=0.0):
            lost = int((np.linalg.eigvalsh(covariance / np.sqrt(np.outer(floor, floor))) < 1).sum())
            warnings.warn(
                f"the rows do not vary in {lost} of {len(covariance)} direction(s), whose variance was raised to "
                "reg_covar; drop columns, give more rows or use shrinkage",
                UserWarning,
                stacklevel=4,
            )
        return make_mixture(np.ones(1), found.means, raised)

    @property
    def n_parameters_(self):
        """Free numbers of the mean and the covariance, d + d (d + 1) / 2, for `BIC` and the like."""
        check_is_fitted(self)
        d = len(self.mean_)
        return d + d * (d + 1) // 2

    def score_samples(self, X):
        """Log-density of every row; of its observed part where values are missing."""
        check_is_fitted(self)
        return self._log_densities(X).astype(self.mean_.dtype, copy=False)

    def _log_densities(self, X) -> np.ndarray:
        """The same in float64, for sums."""
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False, allow_nan=ignores_missing(self))
        mixture, units = self._engine(blocks.dtype)
        cost = GaussianCost(Full(), np.ones(len(units.scale)), missing=True)
        return StandardizedBlocks(blocks, units).map(log_density, cost, mixture, np.log(units.scale))

    def score(self, X, y=None, sample_weight=None):
        """Mean log-density of the rows, weighted by ``sample_weight``."""
        with np.errstate(over="ignore"):  # the density of a row very far out is 0
            return float(np.average(self._log_densities(X), weights=sample_weight))

    def sample(self, n_samples=1):
        """Draw ``n_samples`` rows."""
        check_is_fitted(self)
        whole_number("n_samples", n_samples, 1)
        mixture, units = self._engine(np.dtype(np.float64))
        noise = np.random.default_rng(self._seed()).standard_normal((n_samples, len(units.scale)))
        rows = mixture.means[0] + noise @ np.linalg.inv(mixture.whitening[0])
        return units.leave(rows).astype(self.mean_.dtype)

    def _engine(self, dtype: Any):
        return engine("full", np.ones(1), self.mean_[None], self.precision_cholesky_[None], dtype)

    def _check_parameters(self) -> None:
        if not isinstance(self.unbiased, bool | np.bool_):
            raise ValueError(f"unbiased={self.unbiased!r}: give True or False")
        share = self.shrinkage
        if share is not None and share != "ledoit-wolf" and not (isinstance(share, Real) and 0 <= share <= 1):
            raise ValueError(f'shrinkage={share!r}: give None, "ledoit-wolf" or a number from 0 to 1')
        for name in ("tol", "reg_covar"):
            zero_or_more(name, getattr(self, name))
        whole_number("max_iter", self.max_iter, 1)
        check_missing(self)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = ignores_missing(self)
        tags.input_tags.sparse = True
        return tags


NAMES = {
    "means_": "mean_",
    "covariances_": "covariance_",
    "precisions_": "precision_",
    "precisions_cholesky_": "precision_cholesky_",
}


def log_density(block: Any, rows: None, cost: GaussianCost, mixture: Mixture, log_scale: np.ndarray) -> np.ndarray:
    """In the units of the data: every value that is there brings the scale of its column."""
    log_z = marginals(block, np.ones(block.shape[0]), cost, mixture, 1.0)[1]
    return (log_z + ~np.isnan(block) @ log_scale).astype(block.dtype)
