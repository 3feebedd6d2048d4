"""Soft K-means: clusters followed from infinite temperature down, by deterministic annealing."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.kmeans import fit as kmeans
from unmix.algorithms.kmeans.first_rows import gathered, is_due, to_keep
from unmix.algorithms.kmeans.frame import find_frame, find_middle
from unmix.algorithms.kmeans.lloyd import labels_and_cost as assess
from unmix.algorithms.kmeans.multi_start import Settings
from unmix.algorithms.kmeans.warm_start import fit_from_centers
from unmix.algorithms.rows.sample import draw_sample, few_leaves
from unmix.cluster.shared.prototype_inference import OWN_INFERENCES, forget_path, join_equal, solve_clusters
from unmix.cluster.shared.split_tree import split_tree, temperature_path
from unmix.core.arguments import whole_number
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import costs_in
from unmix.core.linalg import power_of_two
from unmix.core.scaling.standardize import StandardizedBlocks, Units, measure_spread
from unmix.costs.mass_constrained import Clusters, MassConstrained
from unmix.costs.squared_distance import FEW_COLUMNS, SquaredDistance, Weighted
from unmix.inference.expectation import expect, marginals
from unmix.inference.named_steps import make_step
from unmix.inference.prototypes import equilibrium
from unmix.inference.prototypes.deterministic_annealing import Schedule, State, deterministic_annealing
from unmix.io.dispatch import as_blocks
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

MANY_ROWS = 2**13  # beyond it the path is followed on a sample
SAMPLE_ROWS, SAMPLE_PER_CLUSTER = 2**12, 64
SEED = 0  # seed of directions and of candidates of swaps, the same in every fit: only the sample is drawn
FORGETTING = 2  # N rows before count by (N / (N + m))² after m more: as of all rows that come, most of the last half


def _has_probabilities(model) -> bool:
    """A hard result on sparse rows has labels only, and before a fit it is not known which rows come.

    scikit-learn's check of sparse input takes whatever has the method for a classifier of a known number of classes.
    """
    return model.temperature != 0 or not getattr(model, "_fit_sparse", True)


class SoftKMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, Estimator):
    """Soft K-means by deterministic annealing.

    Minimises the free energy ``F(T) = -T Σ_i w_i log Σ_c p_c exp(-‖x_i - u_c‖² / T)`` over centres u and masses p,
    from a temperature at which one cluster is best down to ``temperature``, or to 0, where F is the cost of K-means.
    A cluster is split when the temperature falls below its own critical one, ``2 λ_max`` of its covariance,
    until there are ``n_clusters``. Nothing is drawn at random but the sample.

    The path is followed on a sample of 4096 rows or 64 a cluster (all rows, if there are no more than 8192); what comes
    last, EM at ``temperature`` or K-means from the centres found, uses every row. One step of EM costs O(n k d) for the
    k clusters that there are at the time, and steps are extrapolated; the critical temperatures cost O(n k d²) up to 64
    columns and O(n k d) a step of a power iteration above. In all that is some thousand steps on the sample.

    Parameters
    ----------
    n_clusters : int, default=8
        Most clusters there may be. Data of few distinct rows, or a high ``temperature``, give fewer.
    temperature : float, default=0
        Where to stop, in squared units of the data. 0 anneals until assignments are hard and ends with K-means.
    cooling : float, default=0.9
        Factor between temperatures; critical temperatures on the way are met in addition, one by one up to 20
        clusters, the more of them together the more clusters there are.
    refine : {"swaps", "lloyd"}, default="swaps"
        What follows at temperature 0: K-means with swap moves (as `KMeans` makes them) from the centres of the
        annealing, or Lloyd's iteration alone.
    max_iter : int, default=60
        Most steps of EM at one temperature; fewer above 20 clusters, in inverse proportion, but at least 6.
    tol : float, default=1e-5
        EM at one temperature ends when the free energy falls by less than this share of the temperature.
    inference : str or Step, default="deterministic_annealing"
        How the Gibbs distribution is followed. "deterministic_annealing" is exact given the centres, and finds its
        splits. "simulated_annealing" or "gibbs", "metropolis" and "heat_bath" move single rows, with the centres at
        the means of every labelling; "mean_field" and "sequential_mean_field" approximate that; or a step of your own.
        All begin a tenth above the first critical temperature, work on the same sample and end in the same way. A sweep
        costs O(n k d) for the n rows of the sample, and there are ten or more at each temperature. Sparse rows are
        made dense for them, which is done up to 64 columns.
    random_state : int, RandomState or None, default=None
        Seed of the sample.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Heaviest cluster first.
    weights_ : ndarray of shape (k,)
        Masses p of the clusters.
    labels_ : ndarray of int32, shape (n,)
        The most probable cluster of each row; the nearest at temperature 0.
    inertia_ : float
        Sum of squared distances to the nearest centre.
    temperature_ : float
        Temperature of the result.
    critical_temperatures_ : ndarray
        Predicted temperature of each split, the first split first. Only from deterministic annealing, as are the
        next two.
    hierarchy_ : dict of ndarray
        The splits as a linkage, the last first: ``children`` (s, 2), where a number below k is a cluster and k + i is
        what split i took apart; ``temperatures`` at which each was seen, and ``predicted``.
    temperature_path_ : dict of ndarray
        ``temperature``, ``cost``, ``entropy`` (nats a row), ``free_energy``, ``specific_heat`` (dE/dT), ``n_clusters``
        and ``iterations``, from the highest temperature down, a row of weight 1 each.
    n_iter_ : int
        Number of temperatures.
    n_steps_ : int
        Calls of `partial_fit` since the first rows, or since `fit`.
    first_rows_ : dict or None
        The first rows of a stream, as long as they may still be annealed anew.
    weight_seen_ : float
        Sum of the weights of all rows so far.
    trace_ : list of dict
        What every temperature and every pass over all rows showed, costs in squared units of the data.
    n_features_in_ : int

    References
    ----------
    Rose, Gurewitz and Fox, Statistical mechanics and phase transitions in clustering, Phys. Rev. Lett. 65 (1990).
    Rose, Deterministic annealing for clustering, compression, classification, regression, Proc. IEEE 86 (1998).
    Cappé and Moulines, On-line expectation-maximization for latent data models, JRSS B 71 (2009).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import SoftKMeans
    >>> X = np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 0.0], [10.0, 2.0], [10.0, 4.0]])
    >>> model = SoftKMeans(2).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1], dtype=int32)
    >>> bool(np.isclose(model.critical_temperatures_[0], 2 * np.linalg.eigvalsh(np.cov(X.T, bias=True))[-1]))
    True
    >>> SoftKMeans(2, temperature=20.0).fit(X).predict_proba([[5.0, 2.0]]).round(2)
    array([[0.71, 0.29]])
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        temperature=0.0,
        cooling=0.9,
        refine="swaps",
        max_iter=60,
        tol=1e-5,
        inference="deterministic_annealing",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.temperature = temperature
        self.cooling = cooling
        self.refine = refine
        self.max_iter = max_iter
        self.tol = tol
        self.inference = inference
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Follow the clusters of X down to ``temperature``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), path, or dask collection
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Weight 2 is the same as the row twice, weight 0 as if it were absent.

        Returns
        -------
        self
        """
        self._check_parameters()
        X = self._blocks(X, reset=True)
        self._fit_sparse = X.sparse
        kept, weights = self._counted(sample_weight, X)
        n = kept.shape[0]
        if n < self.n_clusters:
            raise ValueError(f"n_samples={n} should be >= n_clusters={self.n_clusters}; ask for fewer clusters")
        self._anneal(kept, weights, self._seed())
        self.first_rows_, self.n_steps_ = None, 0
        self.weight_seen_ = float(n if weights is None else weights.sum())
        if kept is not X:
            self.labels_ = self._labels(X)
        if self.temperature == 0 and len(self.cluster_centers_) < self.n_clusters:
            message = f"{len(self.cluster_centers_)} clusters were found, fewer than n_clusters={self.n_clusters}: "
            warnings.warn(message + "X has too few distinct rows.", ConvergenceWarning, stacklevel=3)
        return self

    def _anneal(self, X: RowBlocks, weights: np.ndarray | None, seed: int) -> None:
        with self._fitting(X, seed, weights):
            sample = draw_sample(X, weights, self._sample_size(X, weights), seed)
            units, unit = _units(sample.blocks, sample.weights)
            few = X.shape[1] <= FEW_COLUMNS  # a dense sample has its transitions in closed form
            standardized = StandardizedBlocks(sample.blocks, units, make_dense=few or not X.sparse)
            rows, own = self._in_memory(standardized, sample.weights)
            last = _in_unit(self.temperature, unit)
            schedule = Schedule(self.n_clusters, self.cooling, last, max_iter=self.max_iter, tol=self.tol)
            if self._step(X) is None:
                mean = rows.reduce(_mean, rows=own)
                start = mean.sums / mean.mass
                with costs_in(unit):
                    state = deterministic_annealing(rows, SquaredDistance(), start, schedule, weights=own, seed=SEED)
                clusters = state.clusters
            else:
                with costs_in(unit):
                    clusters, state = self._solve(rows.gather(), own, last, seed), None
            if self.temperature > 0:
                everything = StandardizedBlocks(X, units, make_dense=not X.sparse)
                with costs_in(unit):
                    self._store_soft(X, everything, weights, clusters, units, last, join=state is None)
            else:
                self._store_hard(X, weights, units.leave(clusters.prototypes), seed)
        if state is None:
            forget_path(self)
        else:
            self._store_path(state, unit, units)

    def _in_memory(self, X: RowBlocks, weights: np.ndarray | None) -> tuple[RowBlocks, np.ndarray | None]:
        """The sample in its units once and for all; for many clusters with near rows together."""
        from unmix.inference.prototypes.soft_means import MANY, near_order

        rows = X.gather()
        if self.n_clusters > MANY and not X.sparse:
            order = near_order(rows)
            rows, weights = rows[order], None if weights is None else weights[order]
        return few_leaves(rows), weights

    def _step(self, X: RowBlocks) -> Any:
        """None for deterministic annealing."""
        step = make_step(self.inference, SquaredDistance(), OWN_INFERENCES)
        if step is not None and X.sparse and X.shape[1] > FEW_COLUMNS:
            raise ValueError(
                f"inference={self.inference!r} moves single dense rows, and X is sparse with {X.shape[1]} columns: "
                f"give inference='deterministic_annealing', or a dense X of fewer columns"
            )
        return step

    def _solve(self, rows: np.ndarray, weights: np.ndarray | None, temperature: float, seed: int) -> Clusters:
        """By any step of the engine; equal rows of a small table are one row that counts by its weight."""
        if weights is not None:
            rows, weights = rows[weights > 0], weights[weights > 0]
        data = Weighted(rows, np.ones(len(rows)) if weights is None else weights)
        return solve_clusters(self, SquaredDistance(), data, rows, weights, temperature, seed)

    def _sample_size(self, X: RowBlocks, weights: np.ndarray | None) -> int:
        size = max(SAMPLE_ROWS, SAMPLE_PER_CLUSTER * self.n_clusters)
        rows = max(X.shape[0], 0 if weights is None else weights.sum())
        return MANY_ROWS if rows <= MANY_ROWS else size

    def _store_soft(
        self, X, everything, weights, clusters: Clusters, units: Units, temperature: float, *, join: bool
    ) -> None:
        """EM over all rows at the last temperature; annealing has joined clusters that coincide on its way."""
        tol, most = self.tol * temperature / 10, 10 * self.max_iter
        found = equilibrium.em_to_equilibrium(everything, SquaredDistance(), clusters, temperature, weights, tol, most)
        U, p = join_equal(SquaredDistance(), found.clusters, temperature) if join else found.clusters
        order = kmeans.canonical_order(p, U)
        self.cluster_centers_ = np.ascontiguousarray(units.leave(U[order]), X.dtype)
        self.weights_, self.temperature_ = p[order], float(self.temperature)
        self.inertia_ = assess.assess(X, weights, self.cluster_centers_).cost
        self.labels_ = self._map(X, _most_probable, self.temperature_)

    def _store_hard(self, X, weights, centers: np.ndarray, seed: int) -> None:
        """K-means over all rows from the centres of the annealing."""
        if self.refine == "swaps" and len(centers) == self.n_clusters:
            found = fit_from_centers(X, weights, centers, seed, SEED)
        else:
            frame = find_frame(X, weights)
            found = kmeans.fit_from(X, weights, frame, frame.enter(centers), Settings())
        self.cluster_centers_, self.labels_ = found.centers, np.asarray(found.labels)
        self.inertia_, self.temperature_ = found.cost, 0.0
        self.weights_ = found.mass / found.mass.sum()

    def _store_path(self, state: State, unit: float, units: Units) -> None:
        from scipy.optimize import linear_sum_assignment

        centers = units.enter(np.asarray(self.cluster_centers_, np.float64))
        apart = ((state.clusters.prototypes[:, None] - centers) ** 2).sum(axis=2)
        self.hierarchy_ = split_tree(state, unit, linear_sum_assignment(apart)[1])
        self.critical_temperatures_ = state.splits[:, 0] * unit
        self.temperature_path_, self.n_iter_ = temperature_path(state, unit), state.iteration

    def partial_fit(self, X, y=None, sample_weight=None):
        """One step of online EM with the rows given, at ``temperature``; any number of rows, also a single one.

        The first rows are kept, up to 40 for every cluster, and annealed anew whenever they have doubled. After that
        all rows before count by ``(N / (N + m))²`` of what they did, for m rows after N. So the result hardly depends
        on how a stream is cut.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
        y : ignored
        sample_weight : array-like of shape (n,), optional

        Returns
        -------
        self
        """
        self._check_parameters()
        first = not hasattr(self, "cluster_centers_")
        everything = self._blocks(X, reset=first)
        X, weights = self._counted(sample_weight, everything)
        if not (first or self.first_rows_ is not None) or not self._begin(X, weights, first):
            self._learn(X, weights)
        self.labels_ = self._labels(everything)
        self.inertia_ = assess.assess(X, weights, self.cluster_centers_).cost
        self.n_steps_ = 0 if first else self.n_steps_ + 1
        return self

    def _begin(self, X: RowBlocks, weights: np.ndarray | None, first: bool) -> bool:
        """Keep the rows, and anneal all that are kept if it is time for that; whether it was."""
        rows, k = gathered(None if first else self.first_rows_, X.gather(), weights), int(self.n_clusters)
        self.first_rows_, due = to_keep(rows, k), is_due(rows, k)
        if due:
            self._fit_sparse, self.weight_seen_ = X.sparse, float(rows.weights.sum())
            self._anneal(as_blocks(rows.rows), rows.weights, self._seed())
        return due

    def _learn(self, X: RowBlocks, weights: np.ndarray | None) -> None:
        """Online EM: statistics of the rows are averaged into those of all before."""
        units, clusters, T = self._in_units(X, self.temperature_)
        rows, U = StandardizedBlocks(X, units, make_dense=not X.sparse), clusters.prototypes
        total = rows.reduce(expect, MassConstrained(SquaredDistance(), T), clusters, 1 / T, rows=weights)
        kept = (self.weight_seen_ / (self.weight_seen_ + total.mass)) ** FORGETTING
        mass, sums = total.stats.mass / total.mass, total.stats.inner.sums / total.mass
        p = kept * clusters.masses + (1 - kept) * mass
        mixed = kept * clusters.masses[:, None] * U + (1 - kept) * sums
        alive = p[:, None] > 0
        U = np.where(alive, mixed / np.where(alive, p[:, None], 1.0), U)
        self.cluster_centers_, self.weights_ = units.leave(U).astype(X.dtype), p / p.sum()
        self.weight_seen_ += total.mass

    def predict(self, X):
        """The most probable cluster of each row; the nearest at temperature 0."""
        check_is_fitted(self)
        return self._labels(self._blocks(X, reset=False))

    def _labels(self, X: RowBlocks) -> np.ndarray:
        if self.temperature_ == 0:
            return np.asarray(assess.assess(X, None, self.cluster_centers_).labels)
        return self._map(X, _most_probable, self.temperature_)

    @available_if(_has_probabilities)
    def predict_proba(self, X, temperature=None):
        """Probability q of every cluster for every row.

        Parameters
        ----------
        X : array-like of shape (n, d)
        temperature : float, default=None
            In place of ``temperature_``.

        Returns
        -------
        array of shape (n, k)
        """
        check_is_fitted(self)
        temperature = self.temperature_ if temperature is None else temperature
        _number("temperature", temperature, 0)
        X = self._blocks(X, reset=False)
        if temperature == 0:
            labels = assess.assess(X, None, self.cluster_centers_).labels
            return np.eye(len(self.cluster_centers_), dtype=X.dtype)[np.asarray(labels)]
        return self._map(X, _posterior, temperature)

    def transform(self, X):
        """Distances (n, k) to the centres."""
        check_is_fitted(self)
        return assess.distances(self._blocks(X, reset=False), self.cluster_centers_)

    def _map(self, X: RowBlocks, f: Any, temperature: float) -> np.ndarray:
        units, clusters, T = self._in_units(X, temperature)
        rows = StandardizedBlocks(X, units, make_dense=not X.sparse)
        return rows.map(f, MassConstrained(SquaredDistance(), T), clusters, 1 / T)

    def _in_units(self, X: RowBlocks, temperature: float) -> tuple[Units, Clusters, float]:
        """Units in which the centres are about 1, and clusters and temperature in them: at any size they have squares.

        Zero is a temperature below which nothing changes: 1e-12 of the least square between two centres.
        """
        U, room = np.asarray(self.cluster_centers_, np.float64), 2.0 ** (np.finfo(X.dtype).maxexp - 4)
        factor = float(np.clip(power_of_two(float(np.abs(U).max())), 1 / room, room))
        units = Units(np.full(U.shape[1], factor), np.zeros(U.shape[1]))
        U = units.enter(U)
        squares = SquaredDistance().separation(U)
        T = min(float(temperature) * factor * factor, 1e30 * (float(squares.max()) or 1.0))
        least = float(squares.min(initial=1.0, where=squares > 0))
        return units, Clusters(U, np.asarray(self.weights_, np.float64)), T or 1e-12 * least

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _check_parameters(self) -> None:
        for name in ("n_clusters", "max_iter"):
            whole_number(name, getattr(self, name), 1)
        for name in ("temperature", "tol"):
            _number(name, getattr(self, name), 0)
        if not isinstance(self.cooling, Real) or not 0 < self.cooling < 1:
            raise ValueError(f"cooling={self.cooling!r}: give a number between 0 and 1")
        if self.refine not in ("swaps", "lloyd"):
            raise ValueError(f"refine={self.refine!r}: give 'swaps' or 'lloyd'")
        make_step(self.inference, SquaredDistance(), OWN_INFERENCES)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _number(name: str, value: Any, least: float) -> None:
    if not isinstance(value, Real) or not least <= float(value) < np.inf:
        raise ValueError(f"{name}={value!r}: give a finite number from {least} up")


def _in_unit(temperature: float, unit: float) -> float:
    """A temperature over the cost of 1, which may be too large or small a number; below 1e-30 nothing changes."""
    with np.errstate(over="ignore", divide="ignore"):
        return float(np.clip(np.float64(temperature) / unit, 1e-30, 1e300)) if temperature else 0.0


def _units(X: RowBlocks, weights: np.ndarray | None) -> tuple[Units, float]:
    """One power of two for all columns, most rows near the origin (sparse ones stay); the cost of 1 in them."""
    units = measure_spread(X, weights, common=True).units
    middle = np.zeros_like(units.shift) if X.sparse else find_middle(X, weights)
    units = units._replace(shift=(units.scale * middle).astype(X.dtype).astype(np.float64))
    with np.errstate(over="ignore", under="ignore"):
        return units, float(np.float64(1.0) / units.scale[0] / units.scale[0])


def _mean(block, weights):
    weights = np.ones(block.shape[0]) if weights is None else weights
    return SquaredDistance().statistics(block, weights[:, None], np.zeros((1, block.shape[1])))


def _most_probable(block, rows, massed, clusters, beta):
    return massed.distances(block, clusters).argmin(axis=1).astype(np.int32)


def _posterior(block, rows, massed, clusters, beta):
    q = marginals(block, np.ones(block.shape[0]), massed, clusters, beta)[0]
    return np.ascontiguousarray(q, dtype=block.dtype)
