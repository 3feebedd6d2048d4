"""Pairwise clustering: groups of objects that are known only by how unlike they are."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unmix.cluster.assignment import AssignmentClustering, check_count, square_matrix
from unmix.costs.pairwise import Dissimilarities, Pairwise, make_dissimilarities, price
from unmix.shell.data import to_array
from unmix.shell.dissimilarity import distances_between, distances_to_fitted, refuse_similarities
from unmix.shell.magnitude import refuse_vast
from unmix.shell.missing import check_missing, ignores_missing
from unmix.shell.progress import with_callbacks


class PairwiseClustering(AssignmentClustering):
    """Pairwise clustering: clusters of small mean dissimilarity.

    Minimises ``½ Σ_α |α| D̄_αα`` with ``D̄_αα`` the mean known dissimilarity inside cluster α. For squared Euclidean
    distances that is the cost of K-means; dissimilarities need be neither metric nor symmetric, and an equal shift
    of all of them changes nothing.

    The Gibbs distribution over labels is followed from above the first split down to zero temperature, by default by
    its mean field, whose update is one product of the dissimilarities with the shares: O(n² k) a sweep, in memory that
    D itself dominates. A local search ends it: single moves, clusters dissolved and founded anew, short coolings, until
    it comes back to the same cost again and again. Its work is bounded, so that it takes little beside many objects.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k.
    metric : str or callable, default="euclidean"
        "precomputed": X holds dissimilarities (n, n). Else any metric of scikit-learn's `pairwise_distances`, for
        rows X.
    missing : {"error", "ignore"}, default="error"
        What to do with NaN among dissimilarities: refuse it, or take it for one that is not known.
    inference : str or Step, default="mean_field"
        "mean_field", "sequential_mean_field", "simulated_annealing" (Gibbs sampling, cooled), "metropolis",
        "heat_bath", or a step of your own.
    temperature : float, default=0.0
        Where cooling ends. Above zero the result is soft: see `probabilities_`.
    n_temperatures : int, default=40
        Temperatures on the way down.
    n_init : int, default=1
        Annealed runs, of which the best is kept; above zero samplers pool their chains.
    random_state : int, RandomState or None, default=None
        Decides every draw; an integer gives the same labels again.

    Attributes
    ----------
    labels_ : ndarray of int32, shape (n,)
        Largest cluster first.
    probabilities_ : ndarray of shape (n, n_clusters)
        0 and 1 at temperature 0. Above it, the shares of the mean field; for samplers the mean distribution of a label
        given all others, over ``draws`` sweeps of the step at the last temperature, in the names of the best labelling
        seen. `labels_` are the most probable. `co_membership` needs no names.
    draws_ : ndarray of int, shape (draws, n)
        Of samplers above zero: the labels after each sweep, of one chain after another.
    diagnostics_ : dict
        Of samplers above zero: ``r_hat`` and ``effective_sample_size`` of the cost and of the agreement with the names,
        the worse of both; ``n_chains``, ``n_draws``, and ``moved``, the share of objects that a sweep moves.
    cost_ : float
        The objective of `labels_`.
    first_temperature_ : float
        Where cooling began, 1.1 times the temperature of the first split.
    within_ : ndarray of shape (n_clusters,)
        The sum of dissimilarities inside each cluster.
    objects_ : ndarray of shape (n, d)
        The rows, unless dissimilarities were given.
    free_energy_ : float
        Of mean fields above zero: ``<R> - T H`` of independent labels with these probabilities, <R> their exact mean
        cost, so that it is never below the free energy of the Gibbs distribution; NaN if dissimilarities are missing.
    trace_ : list of dict
        Cost, entropy, free energy and specific heat at each temperature. An ``approximate_free_energy`` puts mean sizes
        of clusters for sizes, and is no bound.
    n_features_in_ : int

    References
    ----------
    Hofmann & Buhmann, Pairwise data clustering by deterministic annealing, IEEE PAMI 19 (1997).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import PairwiseClustering
    >>> D = np.array([[0, 1, 9, 8], [1, 0, 8, np.nan], [9, 8, 0, 2], [8, 9, 2, 0.0]])
    >>> model = PairwiseClustering(2, metric="precomputed", missing="ignore", random_state=0).fit(D)
    >>> model.labels_
    array([0, 0, 1, 1], dtype=int32)
    >>> model.predict([[1.0, 2.0, 7.0, 9.0]])
    array([0], dtype=int32)
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        metric="euclidean",
        missing="error",
        inference="mean_field",
        temperature=0.0,
        n_temperatures=40,
        n_init=1,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.metric = metric
        self.missing = missing
        self.inference = inference
        self.temperature = temperature
        self.n_temperatures = n_temperatures
        self.n_init = n_init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None):
        """Find clusters of rows X, or of the dissimilarities X (``metric="precomputed"``)."""
        self._check_common()
        check_missing(self)
        D = self._dissimilarities(X)
        check_count(self.n_clusters, len(D))
        data = make_dissimilarities(D)
        found = self._solve(D, Pairwise(), data, self.n_clusters, self._seed())
        order = self._keep(found, D.dtype)
        self.within_ = self._sums_within(data, found.shares[:, order])
        return self

    def predict(self, X):
        """The cluster each new object would join at least cost: rows X, or dissimilarities (new, fitted)."""
        check_is_fitted(self)
        D = self._to_fitted(X)
        known = ~np.isnan(D)
        shares = self.probabilities_.astype(np.float64)
        sizes, pull, seen = shares.sum(axis=0), np.nan_to_num(D) @ shares, known.astype(float) @ shares
        # those not known are taken to be as far as the known ones of the same cluster
        pull = np.where(seen > 0, pull / np.maximum(seen, 1e-300), 0.0) * sizes
        joined = price(sizes + 1, self.within_ + 2 * pull, sizes**2 + 2 * sizes + 1)
        cost = joined - price(sizes, self.within_, sizes**2)
        cost[(sizes == 0) | (seen <= 0)] = np.inf  # nothing known is no sign of being near
        strange = np.flatnonzero(~np.isfinite(cost).any(axis=1))
        if len(strange):
            raise ValueError(f"X knows no dissimilarity of row {strange[0]} to any fitted object; leave such rows out")
        return cost.argmin(axis=1).astype(np.int32)

    def _dissimilarities(self, X: Any) -> np.ndarray:
        if self.metric == "precomputed":
            D = square_matrix(self, X, "dissimilarities", sparse=False, allow_nan=ignores_missing(self))
            if len(D) > 1 and np.isnan(D.sum()):
                refuse_lonely(D)
            refuse_vast(D, "dissimilarities X", gaps=True)
            refuse_similarities(D)
            return D
        self.objects_ = to_array(self, X)
        return distances_between(self.objects_, self.metric)

    def _to_fitted(self, X: Any) -> np.ndarray:
        pre = self.metric == "precomputed"
        return distances_to_fitted(self, to_array(self, X, reset=False, allow_nan=pre and ignores_missing(self)))

    def _sums_within(self, data: Dissimilarities, shares: np.ndarray) -> np.ndarray:
        """The sum of dissimilarities inside each cluster, as if every pair were known."""
        sizes, within = shares.sum(axis=0), (shares * data.links.pull(shares)).sum(axis=0)
        if data.known is None:
            return within
        pairs = (shares * data.known.pull(shares)).sum(axis=0) + sizes
        return within * sizes**2 / np.maximum(pairs, 1e-300)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.allow_nan = tags.input_tags.pairwise and ignores_missing(self)
        return tags


def refuse_lonely(D: np.ndarray) -> None:
    others = ~np.isnan(D) & ~np.eye(len(D), dtype=bool)
    lonely = np.flatnonzero(~(others | others.T).any(axis=1))
    if len(lonely):
        raise ValueError(f"X knows no dissimilarity of object {lonely[0]} to any other; leave such objects out")
