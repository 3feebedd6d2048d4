"""What clusterings of histograms share: counts checked, annealing, the hard limit, distributions, information."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, diags_array
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.kmeans.fit import canonical_order
from unmix.algorithms.rows.sample import draw_sample, few_leaves
from unmix.cluster.shared.prototype_inference import OWN_INFERENCES, forget_path, solve_clusters
from unmix.cluster.shared.split_tree import split_tree, temperature_path
from unmix.core.arguments import whole_number
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import costs_in
from unmix.core.linalg import power_of_two
from unmix.costs.distributions.relative_entropy import RelativeEntropy, carry_entropies
from unmix.costs.histogram import Histogram
from unmix.costs.mass_constrained import Clusters, MassConstrained
from unmix.inference.expectation import expectation
from unmix.inference.named_steps import make_step
from unmix.inference.prototypes.critical_temperature import positions
from unmix.inference.prototypes.deterministic_annealing import Schedule, State, deterministic_annealing
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

LEAST, MOST = 1e-100, 1e100  # of all counts together
NEGLIGIBLE_COUNT = 1e-3  # of a typical count: what is smaller is no unit
MANY_ROWS = 2**13  # beyond it the path is followed on a sample
SAMPLE_ROWS, SAMPLE_PER_CLUSTER = 2**12, 200
HARD_TEMPERATURE = 1e-10  # at which the labels of the smallest rows are settled, whatever the size of the mean row
ZERO = 1e-9  # of the last temperature: assignments are hard, ties aside


class Minimum(NamedTuple):
    """A number of which the smaller is kept."""

    value: float

    def merge(self, other: Minimum) -> Minimum:
        return self if self.value <= other.value else other


class Counts(NamedTuple):
    """Of the rows that weigh something."""

    total: np.ndarray  # (m,)
    mass: float
    negative: int
    least: Minimum  # count above 0
    logarithms: float  # of all counts above 0, added up
    entries: float  # that are above 0

    def one(self) -> float:
        """What is one count: the least, unless it is far below a typical one, the geometric mean."""
        return max(self.least.value, NEGLIGIBLE_COUNT * float(np.exp(self.logarithms / self.entries)))


class DistributionalClustering(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Base: a subclass gives the cost of its data.

    No ClusterMixin, whose checks fit standardised rows: a count is never negative.
    """

    def _cost(self, total: Counts) -> RelativeEntropy:
        raise NotImplementedError

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Group the rows of counts.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, m), path, or dask collection
            Counts, 0 or more; they need not be whole numbers.
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Weight 2 is the same as the row twice, weight 0 as if it were absent.

        Returns
        -------
        self
        """
        self._check_parameters()
        X = self._blocks(X, reset=True)
        weights = self._weights(sample_weight, X)
        n = X.shape[0] if weights is None else int((weights > 0).sum())
        if n < self.n_clusters:
            raise ValueError(f"n_samples={n} should be >= n_clusters={self.n_clusters}; ask for fewer clusters")
        seed = self._seed()
        with self._fitting(X, seed, weights):
            total = X.reduce(_count, rows=weights)
            if total.negative:
                raise ValueError(f"Negative values in data passed to {type(self).__name__}: counts are 0 or more")
            if not total.total.max() > 0:
                raise ValueError("X holds no count at all; at least one entry must be above 0")
            everything = float(total.total.max()) * X.shape[1]  # or more than it: their sum may overflow
            if not LEAST < everything < MOST:
                raise ValueError(
                    f"the counts X add up to about {everything:.3g}, and costs made of them over- or underflow; "
                    "give X in another unit"
                )
            cost = self._cost(total)
            if make_step(self.inference, cost, OWN_INFERENCES) is None:
                state = self._anneal(X, cost, weights, seed)
                clusters = self._search(X, cost, state, weights, seed)
                order = self._store(X, cost, clusters, state.temperature, weights)
                self._store_path(cost, state, order)
            else:
                self._store(X, cost, self._solve(X, cost, weights, seed), HARD_TEMPERATURE, weights)
                forget_path(self)
        return self

    def _anneal(self, X: RowBlocks, cost: RelativeEntropy, weights: np.ndarray | None, seed: int) -> State:
        """The path of the clusters through their splits; where rows are many, that of a sample."""
        size = MANY_ROWS if X.shape[0] <= MANY_ROWS else max(SAMPLE_ROWS, SAMPLE_PER_CLUSTER * self.n_clusters)
        sample = draw_sample(X, weights, size, seed)
        rows = few_leaves(carry_entropies(sample.blocks.gather()))
        schedule = Schedule(self.n_clusters, self.cooling, by_mass=True)
        with costs_in(cost.unit):
            return deterministic_annealing(
                rows, cost.carrying(), cost.start(), schedule, weights=sample.weights, seed=seed
            )

    def _search(self, X: RowBlocks, cost: Any, state: State, weights: np.ndarray | None, seed: int) -> Clusters:
        """Better clusters than those of the annealing where there are, in the same order."""
        raise NotImplementedError

    def _solve(self, X: RowBlocks, cost: RelativeEntropy, weights: np.ndarray | None, seed: int) -> Clusters:
        """By moves of single rows, which are held in memory; a row of weight 2 is one of twice the counts."""
        factor = power_of_two(cost.unit)  # counts in other units are moved by the same numbers
        weights = np.full(X.shape[0], factor) if weights is None else weights * factor
        rows = X.gather()[weights > 0]
        weights = weights[weights > 0]
        rows = rows * weights[:, None] if not X.sparse else csr_array(diags_array(weights) @ rows)
        with costs_in(cost.unit):
            return solve_clusters(self, cost.in_unit(factor), rows, rows, None, 0.0, seed)

    def _store(self, X: RowBlocks, cost: RelativeEntropy, clusters: Clusters, T: float, weights) -> np.ndarray:
        """The hard limit over all rows, clusters with the most counts first; returns the order of the clusters."""
        found = self._harden(X, cost, clusters, T, weights)
        totals = X.reduce(cluster_totals, cost, found, rows=weights)
        order = canonical_order(totals.sizes, found)
        prototypes, held = cost.prototypes(totals.stats, found)[order], totals.stats.counts[order]
        self._keep(cost, prototypes)
        self.cluster_distributions_ = positions(cost, prototypes).astype(X.dtype)
        self.labels_ = X.map(_nearest, self._query_cost(), np.asarray(self.cluster_distributions_, np.float64))
        self.cost_ = float(totals.cost * cost.unit)
        self.information_ = information(held)
        if len(order) < self.n_clusters:
            message = f"{len(order)} clusters were found, fewer than n_clusters={self.n_clusters}: "
            warnings.warn(message + "X has too few distinct rows.", ConvergenceWarning, stacklevel=5)
        return order

    def _harden(self, X: RowBlocks, cost: RelativeEntropy, clusters: Clusters, T: float, weights: Any) -> np.ndarray:
        """Prototypes of the hard limit."""
        T = max(ZERO * T, 1e-300)
        options = {"beta": 1 / T, "weights": weights, "max_iter": self.max_iter, "tol": 1e-12, "name": "hard"}
        with costs_in(cost.unit):
            return np.asarray(expectation(X, MassConstrained(cost, T), clusters, **options).prototypes.prototypes)

    def _keep(self, cost: Any, prototypes: np.ndarray) -> None:
        """Store what else the prototypes hold."""

    def _store_path(self, cost: RelativeEntropy, state: State, order: np.ndarray) -> None:
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self.hierarchy_ = split_tree(state, cost.unit, rank)
        self.critical_temperatures_ = state.splits[:, 0] * cost.unit
        self.temperature_path_, self.n_iter_ = temperature_path(state, cost.unit), state.iteration

    def _query_cost(self) -> Histogram:
        return Histogram(np.zeros(self.n_features_in_), 0.0, 1.0)

    def fit_predict(self, X, y=None, sample_weight=None):
        """`fit`, and its ``labels_``."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X):
        """The cluster whose distribution makes the counts of each row the least surprising."""
        return self._query(X, _nearest)

    def transform(self, X):
        """Relative entropies (n, k) of each row's distribution to those of the clusters, in bits."""
        return self._query(X, _bits)

    def _query(self, X: Any, f: Any) -> np.ndarray:
        check_is_fitted(self)
        X = self._blocks(X, reset=False)
        if X.reduce(_negative):
            raise ValueError(f"Negative values in data passed to {type(self).__name__}: counts are 0 or more")
        return X.map(f, self._query_cost(), np.asarray(self.cluster_distributions_, np.float64))

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_distributions_)

    def _check_parameters(self) -> None:
        for name in ("n_clusters", "max_iter"):
            whole_number(name, getattr(self, name), 1)
        if not isinstance(self.cooling, Real) or not 0 < self.cooling < 1:
            raise ValueError(f"cooling={self.cooling!r}: give a number between 0 and 1")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class ClusterTotals(NamedTuple):
    stats: Any
    sizes: np.ndarray
    cost: float


def cluster_totals(block, weights, cost, prototypes):
    """Counts, sizes and cost of the clusters, every row at the nearest prototype."""
    block, weights = _that_count(block, weights)
    h = cost.distances(block, prototypes)
    labels = h.argmin(axis=1)
    q = np.zeros(h.shape)
    q[np.arange(len(labels)), labels] = weights
    return ClusterTotals(cost.statistics(block, q, prototypes), q.sum(axis=0), float((q * h).sum()))


def information(counts: np.ndarray) -> float:
    """I(cluster; column) in bits, of a table of counts (k, m)."""
    joint = counts / counts.sum()
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    seen = joint > 0
    return float((joint[seen] * np.log2(joint[seen] / apart[seen])).sum())


def _count(block, weights):
    block, weights = _that_count(block, weights)
    sparse = hasattr(block, "tocsr")
    values = np.asarray(block.data if sparse else block, np.float64)
    share = np.repeat(weights, np.diff(block.indptr)) if sparse else np.broadcast_to(weights[:, None], values.shape)
    seen = values > 0
    logarithms = float((share * np.log(np.where(seen, values, 1.0))).sum())
    least = Minimum(float(values.min(initial=np.inf, where=seen)))
    with np.errstate(over="ignore"):  # counts that add up to infinity are refused in words
        total = np.asarray(block.T @ weights, np.float64)
    return Counts(total, float(weights.sum()), _negative(block, None), least, logarithms, float(share[seen].sum()))


def _negative(block, weights):
    return int(((block.data if hasattr(block, "tocsr") else block) < 0).sum())


def _that_count(block, weights):
    """The rows of some weight, with their weights."""
    if weights is None:
        return block, np.ones(block.shape[0])
    return (block, weights) if weights.all() else (block[weights > 0], weights[weights > 0])


def _nearest(block, rows, cost, prototypes):
    with np.errstate(over="ignore", invalid="ignore"):  # a row that does not count may hold what it likes
        return cost.distances(block, prototypes).argmin(axis=1).astype(np.int32)


def _bits(block, rows, cost, prototypes):
    sizes = np.asarray(block.sum(axis=1), np.float64)
    h = cost.distances(block, prototypes) / np.where(sizes > 0, sizes, 1.0)[:, None]
    return np.ascontiguousarray(h / np.log(2), dtype=block.dtype)
