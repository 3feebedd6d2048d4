"""Graph partitioning: parts of a graph with few links between them."""

import warnings

import numpy as np
from scipy.sparse import csr_array

from unmix.algorithms.principal.graph_spectrum import spectral_labels
from unmix.cluster.assignment import AssignmentClustering, check_count, square_matrix
from unmix.core.random import derive
from unmix.costs.cut import BALANCES, Cut
from unmix.costs.links import Links, make_links
from unmix.shell.data import to_array
from unmix.shell.dissimilarity import distances_between, mean_distance, refuse_similarities
from unmix.shell.magnitude import refuse_vast
from unmix.shell.progress import with_callbacks

AFFINITIES = ("similarity", "dissimilarity")
WIDTHS_BETWEEN_ROWS = 3.0  # of the Gaussian by which links weigh, in the mean distance of two rows


class GraphPartition(AssignmentClustering):
    """Graph partitioning by normalized, ratio or plain cut: parts that cut few links, relative to their size.

    Minimises ``Σ_α cut(α) / assoc(α)`` (``balance="normalized"``), ``Σ_α cut(α) / |α|`` ("ratio") or the bare
    ``½ Σ_α cut(α)`` ("cut", least when all is one part). cut(α) is the weight of links that leave part α, assoc(α)
    of all links of its objects. An empty part costs more than all others can, so that with "normalized" and "ratio"
    there are `n_clusters` parts.

    Dissimilarities (``affinity="dissimilarity"``) should be cut, not spared: the same costs with the opposite sign. Up
    to constants "normalized" is then ``Σ_α inside(α) / assoc(α)``, and "cut" the sum of dissimilarities inside parts.

    Labels are followed from high temperature to zero by the chosen inference. Those of the eigenvectors of the graph's
    Laplacian compete with them at temperature zero, and a local search ends it (disturb and descend, heat and cool
    again). A sweep costs O(n k) plus the links; sparse graphs stay sparse.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of parts.
    balance : {"normalized", "ratio", "cut"}, default="normalized"
        What the cut of a part is divided by: its links, its number of objects, or nothing.
    metric : str or callable, default="euclidean"
        "precomputed": X holds the weights of links (n, n). Else any metric of scikit-learn's `pairwise_distances`, for
        rows X: links weigh ``exp(-D² / 2 s²)`` with s a third of the mean distance, or with
        ``affinity="dissimilarity"`` D.
    affinity : {"similarity", "dissimilarity"}, default="similarity"
        What the weights say: how close two objects are, or how unlike. What a sparse matrix does not name is 0.
    inference : str or Step, default="simulated_annealing"
        As in `PairwiseClustering`.
    temperature : float, default=0.0
        Where cooling ends. Above zero `probabilities_` say how sure every label is.
    n_temperatures : int, default=40
        Temperatures on the way down.
    n_init : int, default=1
        Runs from other draws, of which the best is kept.
    random_state : int, RandomState or None, default=None
        Decides every draw; an integer gives the same labels again.

    Attributes
    ----------
    labels_ : ndarray of int32, shape (n,)
        Largest part first.
    probabilities_ : ndarray of shape (n, n_clusters)
    cost_ : float
        The objective of `labels_`.
    trace_ : list of dict

    References
    ----------
    Shi & Malik, Normalized cuts and image segmentation, IEEE PAMI 22 (2000).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import GraphPartition
    >>> W = np.kron(np.eye(2), np.ones((3, 3)))
    >>> W[0, 5] = W[5, 0] = 0.5
    >>> GraphPartition(2, metric="precomputed", random_state=0).fit(W).labels_
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters=2,
        *,
        balance="normalized",
        metric="euclidean",
        affinity="similarity",
        inference="simulated_annealing",
        temperature=0.0,
        n_temperatures=40,
        n_init=1,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.balance = balance
        self.metric = metric
        self.affinity = affinity
        self.inference = inference
        self.temperature = temperature
        self.n_temperatures = n_temperatures
        self.n_init = n_init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None):
        """Partition rows X, or the graph with weights X, dense or sparse, of which the symmetric part counts."""
        self._check_common()
        if self.balance not in BALANCES:
            raise ValueError(f"balance={self.balance!r} is not known; choose one of {', '.join(BALANCES)}")
        if self.affinity not in AFFINITIES:
            raise ValueError(f"affinity={self.affinity!r} is not known; choose one of {', '.join(AFFINITIES)}")
        X = self._links(X)
        check_count(self.n_clusters, X.shape[0])
        if (X.data if hasattr(X, "tocsr") else X).min(initial=0) < 0:
            raise ValueError(
                "Negative values in data passed to GraphPartition: cuts are defined for weights from 0 up; for "
                "similarities of either sign see CorrelationClustering"
            )
        if self.affinity == "dissimilarity" and not hasattr(X, "tocsr"):
            refuse_similarities(X)
        X = self._in_reach(X)
        cost = Cut(self.balance, self.n_clusters, dissimilarities=self.affinity == "dissimilarity")
        data, seed = make_links(X), self._seed()
        found = self._solve(X, cost, data, self.n_clusters, seed, self._starts(cost, data, seed))
        self._keep(found, X.dtype)
        self._tell_of_fewer_parts()
        return self

    def _links(self, X):
        if self.metric == "precomputed":
            return square_matrix(self, X, "weights of links", sparse=True, allow_nan=False)
        D = distances_between(to_array(self, X), self.metric)
        if self.affinity == "dissimilarity":
            return D
        width = mean_distance(D) / WIDTHS_BETWEEN_ROWS or 1.0
        return np.exp(-0.5 * (D / D.dtype.type(width)) ** 2)

    def _starts(self, cost: Cut, data: Links, seed: int) -> list[np.ndarray]:
        """Labels that compete with those that were cooled; the bare cut has no relaxation but one part of all."""
        if self.temperature > 0 or self.balance == "cut":
            return []
        labels = spectral_labels(cost, data, int(self.n_clusters), derive(seed, 8))
        return [] if labels is None else [labels]

    def _tell_of_fewer_parts(self) -> None:
        parts = len(np.unique(self.labels_))
        if self.balance == "cut" and self.temperature == 0 and parts < self.n_clusters:
            warnings.warn(
                f"{parts} part(s) of {self.n_clusters} are not empty: balance='cut' is least when nothing is cut; for "
                "parts of some size take balance='normalized' or 'ratio'",
                UserWarning,
                stacklevel=3,
            )

    def _in_reach(self, X):
        """Weights of a size that costs can be made of: normalized cuts are the same in any unit, others are not."""
        if self.balance != "normalized":
            refuse_vast(X, "weights X")
            return X
        values = X.data if hasattr(X, "tocsr") else X
        largest = float(values.max(initial=0))
        if largest == 0 or 1e-6 <= largest <= 1e6:  # nothing is copied
            return X
        values = np.ldexp(values, -np.frexp(largest)[1])
        return csr_array((values, X.indices, X.indptr), shape=X.shape) if hasattr(X, "tocsr") else values

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.sparse = self.metric == "precomputed"
        tags.input_tags.positive_only = self.metric == "precomputed"
        return tags
