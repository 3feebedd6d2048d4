"""Gaussian mixtures by expectation-maximisation, over all rows at once or batch by batch."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.trace import Record
from unmix.core.random import spawn
from unmix.core.scaling.standardize import Spread, Units, refuse_overflow
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Family, Fixed, Spherical
from unmix.costs.gaussian.mixture import Mixture, heaviest_first
from unmix.density.mixture.look_on_sample import Problem, is_large, look_again, start_on_sample
from unmix.density.mixture.mixture_density import in_units, units_for
from unmix.density.mixture.online import LEAST_REGULARIZATION
from unmix.density.mixture.online_mixture import OnlineMixture
from unmix.density.mixture.parameters import (
    FAMILIES,
    engine,
    enter_covariances,
    given_covariance,
    given_precisions,
    public,
)
from unmix.density.mixture.start import (
    STARTS,
    Given,
    equal_variances,
    first_mixture,
    kmeans_start,
    labelled_mixture,
    random_mixture,
)
from unmix.density.mixture.typical import measure_typical
from unmix.inference.expectation import State, expectation, log_partition
from unmix.shell.estimator import NOT_ROUTED
from unmix.shell.missing import check_missing, ignores_missing
from unmix.shell.progress import with_callbacks
from unmix.shell.verbose import say


class Fit(NamedTuple):
    """One run of EM."""

    mixture: Mixture
    lower_bound: float
    iterations: int
    converged: bool
    collapsed: np.ndarray  # (k,) whether a component has shrunk to a point
    spurious: bool  # whether one has, or holds fewer rows than its covariance needs
    entropy: float  # mean one of the component of a row
    run: int = 0  # which run of the fit this was


class GaussianMixture(OnlineMixture):
    """Gaussian mixture, fitted by expectation-maximisation (EM).

    Maximises the log-likelihood ``Σ_i w_i log Σ_c π_c N(x_i; u_c, Σ_c)``. Each iteration computes the probability of
    every component for every row, then the weighted mean and covariance of every component; the log-likelihood never
    falls. With ``missing="ignore"``, missing values (NaN) are integrated out exactly: a row counts with the density of
    what was observed, and the update uses the conditional expectation of the rest. Columns are brought to a common
    scale inside, of which a few far rows do not decide, so the result does not depend on their units. Components are
    ordered by weight, unless the start of each was given.

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
        Most iterations of EM; 0 keeps the start.
    n_init : int, default=1
        Number of starts; the best result is kept, one without a component of too few rows if there is one.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
        Where the start comes from: the centres of K-means, rows far apart, random shares of every row in every
        component, or rows drawn at random. If what is found from "kmeans" is in doubt, as components overlap or rows
        are few, it is looked at again on a sample: other draws of K-means, clusters of single columns and of rows
        without correlations, and moves that join two components and cut a third. What is likelier is fitted.
    weights_init : array of shape (k,), default=None
        First weights, in place of those of the start.
    means_init : array of shape (k, d), default=None
        First means, in place of those of the start.
    precisions_init : array, default=None
        First inverse covariances, in the shape of ``precisions_``.
    missing : {"error", "ignore"}, default="error"
        What to do with NaN: refuse it, or take it for a value that was not observed.
    warm_start : bool, default=False
        Whether a further `fit` goes on from the mixture of the last one, as from parameters that are given.
    verbose : int, default=0
        Above 0, starts and iterations print a line; above 1, with the lower bound.
    verbose_interval : int, default=10
        Of so many iterations one prints a line.
    online : {"em", "sgd"}, default="em"
        How `partial_fit` learns from a batch: by averaging its statistics into those of all before (online EM), or by a
        step along the gradient of its log-likelihood.
    schedule : {"power", "inverse", "constant"}, default="power"
        How the step size γ of `partial_fit` falls with t, the weight of all rows so far in units of the batch's, which
        is the number of the step for equal batches: ``learning_rate ((1 + tau) / (t + tau))^kappa``, ``1 / t``, or not
        at all. Only the constant one goes on following data that drift.
    learning_rate : float, default=1.0
        γ at the first step, in (0, 1]; "inverse" does not use it.
    tau : float, default=0.0
        "power": steps for which γ stays near its first value.
    kappa : float, default=0.7
        "power": how fast γ falls; above 1/2 and up to 1 the mixture settles.
    batch_size : int or None, default=None
        Rows of a step of `partial_fit`, which goes through those it is given in an order drawn from `random_state`;
        None takes all in one step.
    random_state : int, RandomState or None, default=None
        Seed of the starts, of the order of batches and of `sample`.

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
        Mean log-likelihood of a row at the fitted parameters; after `partial_fit` that of the last batch before it was
        learned from, as of rows never seen.
    lower_bounds_ : list of float
        Mean log-likelihood of a row that each iteration of the run that was kept began with.
    n_steps_ : int
        Batches that `partial_fit` has learned from since the last `fit`.
    statistics_ : dict
        What `partial_fit` goes on from: the mixture in float64, the spread of the columns, the weight of all rows, and
        the first rows for as long as there are too few to start from.
    trace_ : list of dict
        The mean log-likelihood before every iteration (stage "em") or step (stage "online"), and the iterations of the
        start.
    n_features_in_ : int
        Number of columns.

    References
    ----------
    Dempster, Laird and Rubin (1977), Maximum likelihood from incomplete data via the EM algorithm.
    Ghahramani and Jordan (1994), Supervised learning from incomplete data via an EM approach.
    Cappé and Moulines (2009), On-line expectation-maximization algorithm for latent data models.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.density import GaussianMixture
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, np.nan]], dtype=float)
    >>> model = GaussianMixture(2, covariance_type="diag", missing="ignore", random_state=0).fit(X)
    >>> np.round(np.sort(model.means_[:, 0]), 3)
    array([ 1., 10.])
    >>> model.predict([[0, 0], [12, np.nan]]) == model.predict([[1, 2], [10, 2]])
    array([ True,  True])
    """

    __metadata_request__fit = __metadata_request__partial_fit = __metadata_request__score = NOT_ROUTED

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
        missing="error",
        warm_start=False,
        verbose=0,
        verbose_interval=10,
        online="em",
        schedule="power",
        learning_rate=1.0,
        tau=0.0,
        kappa=0.7,
        batch_size=None,
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
        self.missing = missing
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.online = online
        self.schedule = schedule
        self.learning_rate = learning_rate
        self.tau = tau
        self.kappa = kappa
        self.batch_size = batch_size
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Fit the mixture to the rows of ``X``.

        Parameters
        ----------
        X : array, data frame, sparse matrix, path or dask collection of shape (n, d)
            Rows are objects; with ``missing="ignore"``, NaN stands for a missing value.
        y : ignored
        sample_weight : array of shape (n,), default=None
            Weight 2 counts a row twice, weight 0 leaves it out.

        Returns
        -------
        self
        """
        self._check_parameters()
        blocks = self._blocks(X, reset=True, allow_nan=ignores_missing(self))
        self._fit_sparse = blocks.sparse
        blocks, weights = self._counted(sample_weight, blocks)
        self._check_rows(blocks, weights)
        seed = self._seed()
        with self._fitting(blocks, seed, weights):
            spread = measure_typical(blocks, weights, common=self.covariance_type == "spherical")
            best = self._best_of_runs(blocks, weights, spread, seed, self.n_init)
        self._store(*best, blocks.dtype)
        self.lower_bounds_ = bounds_of_run(self.trace_, best[0].run)
        self._carry_on_from(best, spread, blocks, weights)
        return self

    def _best_of_runs(
        self, blocks: RowBlocks, weights, spread: Spread, seed: int, n_runs: int
    ) -> tuple[Fit, Units, Family]:
        family = self._family(spread.units)
        units = units_for(blocks, spread.units, family)
        X = in_units(blocks, units, family)
        floor = max(self.reg_covar, LEAST_REGULARIZATION) * np.where(spread.variance > 0, spread.variance, 1.0)
        cost = Gaussian(family, floor, spread.missing)
        warm = self._goes_on()
        given, offset = (self._last if warm else self._given)(units), float(np.log(units.scale) @ spread.observed)
        constant = spread.variance == 0
        deviation = np.sqrt(equal_variances(spread.variance, isinstance(family, Spherical)))
        with np.errstate(over="ignore"):
            standard = Units(units.scale / deviation, units.shift / deviation)
        refuse_overflow(standard.scale)
        filled = in_units(blocks, standard, family, fill=spread.missing)
        problem = Problem(blocks, weights, self.n_components, units, standard, cost, given, self.tol)
        looks = given.means is None and self.init_params == "kmeans" and self.n_components > 1 and self.max_iter > 0
        sampled = looks and is_large(problem)
        runs: list[Fit] = []

        def follow(start: Mixture) -> None:
            runs.append(self._run(X, weights, cost, start, offset, constant)._replace(run=len(runs)))

        for run in range(1 if warm else n_runs):
            run_seed = int(spawn(seed, run).integers(2**31))
            if given.means is not None:
                follow(first_mixture(X, weights, cost, given.means, given, deviation**2))
            elif self.init_params == "random":
                follow(random_mixture(X, weights, cost, self.n_components, given, run_seed))
            elif sampled:
                follow(start_on_sample(problem, run_seed, look=run == 0))
            elif self.init_params == "kmeans" and not spread.missing:
                centers, labels = kmeans_start(filled, weights, self.n_components, run_seed)
                follow(labelled_mixture(X, weights, cost, centers * deviation, labels, given))
            else:
                centers = STARTS[self.init_params](filled, weights, self.n_components, run_seed) * deviation
                follow(first_mixture(X, weights, cost, centers, given, deviation**2))
        if looks:
            # from the first run too, as a fit of one run does: more runs never end worse
            for found in {fit.run: fit for fit in (runs[0], best_of(runs))}.values():
                looked = sampled and found.run == 0
                start = None if looked else look_again(problem, found.mixture, found.entropy, seed)
                if start is not None:
                    follow(start)
        best = best_of(runs)
        if all(part is None for part in given) and (family.given is None or family.shared):
            best = best._replace(mixture=heaviest_first(best.mixture))
        return best, units, family

    def _run(self, X, weights, cost: Gaussian, start: Mixture, offset: float, constant: np.ndarray) -> Fit:
        def measure(state: State) -> dict[str, float]:
            return {"log_likelihood": offset - state.free_energy}

        before = offset - self.lower_bounds_[-1] if self._goes_on() and self.lower_bounds_ else np.inf
        state = expectation(
            X, cost, start, weights=weights, max_iter=self.max_iter, tol=self.tol, name="em", measure=measure,
            before=before,
        )  # fmt: skip
        final = X.reduce(log_partition, cost, state.prototypes._replace(precise=True), 1.0, rows=weights)
        bound = offset + final.log_z / final.mass
        entropy = (final.log_z + final.cost) / final.mass  # log Z = entropy - expected cost
        collapsed = cost.at_floor(state.prototypes, ~constant)
        spurious = bool((collapsed | cost.undetermined(state.prototypes, int((~constant).sum()), final.mass)).any())
        return Fit(state.prototypes, bound, state.iteration, state.done, collapsed, spurious, entropy)

    def _store(self, fit: Fit, units: Units, family: Family, dtype) -> None:
        for name, array in public(fit.mixture, units, family, dtype).items():
            setattr(self, name, array)
        self.converged_, self.n_iter_, self.lower_bound_ = fit.converged, fit.iterations, float(fit.lower_bound)
        self._warn_of(int((fit.mixture.weights == 0).sum()), int(fit.collapsed.sum()))
        if self.tol > 0 and self.max_iter > 0 and not fit.converged:
            message = "Best performing initialization did not converge. Try different init parameters, or increase "
            message += f"max_iter, tol, or check for degenerate data. It had {self.max_iter} iterations."
            warnings.warn(message, ConvergenceWarning, 3)

    def _warn_of(self, lost: int, collapsed: int) -> None:
        if lost:
            message = f"{lost} of {self.n_components} components hold no row and have weight 0; "
            warnings.warn(message + "there are too few distinct rows, lower n_components", ConvergenceWarning, 4)
        if collapsed:
            message = f"{collapsed} of {self.n_components} components shrank to a point, held open by reg_covar only; "
            warnings.warn(message + "lower n_components, raise reg_covar or n_init", ConvergenceWarning, 4)

    def _check_parameters(self) -> None:
        self._check_online()
        for name, least in (("n_components", 1), ("max_iter", 0), ("n_init", 1), ("verbose_interval", 1)):
            whole_number(name, getattr(self, name), least)
        for name in ("tol", "reg_covar"):
            zero_or_more(name, getattr(self, name))
        one_of("covariance_type", self.covariance_type, tuple(FAMILIES))
        one_of("init_params", self.init_params, (*STARTS, "random"))
        check_missing(self)

    def _check_rows(self, blocks: RowBlocks, weights) -> None:
        n = blocks.shape[0] if weights is None else int((weights > 0).sum())
        if n < self.n_components:
            raise ValueError(
                f"Expected n_samples >= n_components but got n_components = {self.n_components}, n_samples = {n}; "
                "lower n_components, or give more rows"
            )

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
                raise ValueError(
                    f"means_init: The parameter 'means' should have the shape of ({k}, {d}), and be finite, but got "
                    f"{means.shape}"
                )
            means = units.enter(means)
        if self.precisions_init is not None and self.covariance_type != "fixed":
            covariances = given_precisions(self.precisions_init, self.covariance_type, k, d)
            covariances = enter_covariances(covariances, units)
        return Given(weights, means, covariances)

    def _goes_on(self) -> bool:
        """Whether this fit begins where the last one has ended."""
        return bool(self.warm_start) and hasattr(self, "lower_bounds_")

    def _last(self, units: Units) -> Given:
        """What the last fit has found, as if it were given."""
        k, d = self.n_components, len(units.scale)
        if self.means_.shape != (k, d):
            raise ValueError(
                f"warm_start goes on from {len(self.means_)} components of {self.means_.shape[1]} columns, but "
                f"{k} of {d} are asked for; give warm_start=False, or fit a clone of this estimator"
            )
        mixture, own = engine(
            self.covariance_type, self.weights_, self.means_, self.precisions_cholesky_, np.dtype(np.float64)
        )
        scale = units.scale / own.scale
        covariances = enter_covariances(mixture.covariances, Units(scale, np.zeros(d)))
        return Given(np.asarray(self.weights_, np.float64), units.enter(self.means_.astype(np.float64)), covariances)

    def _say(self, record: Record) -> None:
        if record.stage != "em":
            return
        if record.iteration == 1:
            say("Initialization")
        if record.iteration % self.verbose_interval == 0:
            bound = f"\t lower bound {record.values['log_likelihood']:.5f}" if self.verbose > 1 else ""
            say(f"  Iteration {record.iteration}{bound}")


def bounds_of_run(trace: list[dict[str, Any]], run: int) -> list[float]:
    """What the iterations of one run of a fit have recorded; every run begins with iteration 1."""
    rows = [row for row in trace if row["stage"] == "em"]
    starts = [place for place, row in enumerate(rows) if row["iteration"] == 1] + [len(rows)]
    if run + 1 >= len(starts):
        return []
    return [float(row["log_likelihood"]) for row in rows[starts[run] : starts[run + 1]]]


def best_of(runs: list[Fit]) -> Fit:
    """The likeliest, of those without a spurious component if there are any; the first of equals."""
    return max(runs, key=lambda fit: (not fit.spurious, fit.lower_bound))
