"""Histogram clustering: rows of counts grouped by the distribution they come from."""

from __future__ import annotations

from numbers import Real

import numpy as np

from unmix.cluster.shared.distributional import Counts, DistributionalClustering
from unmix.cluster.shared.histogram_search import search
from unmix.core.blocks import RowBlocks
from unmix.costs.histogram import Histogram
from unmix.costs.mass_constrained import Clusters
from unmix.inference.prototypes.deterministic_annealing import State


class HistogramClustering(DistributionalClustering):
    """Clustering of count data by relative entropy, annealed.

    Minimises ``Σ_i w_i n_i KL(p_i ‖ u_c(i))`` over labels and the distributions u of the clusters, where ``n_i`` is the
    sum of row i and ``p_i`` the row divided by it. That keeps as much of the information the rows carry on the columns
    as k clusters can: the hard limit of the information bottleneck. Deterministic annealing follows the solution from
    one cluster at high temperature through its splits. Its hard clusters, and those of annealing in which all clusters
    count alike, are then improved by moves of single rows; where the candidates disagree, the best is warmed up and
    cooled again, and two clusters are merged and a third split where that pays. Hard assignments over all rows come
    last.

    A pass or a sweep of moves costs O(k times the stored entries); sparse rows stay sparse. The path is followed on a
    sample above 8,192 rows, moves are made on one above 131,072 (or 2²⁵ entries, if dense).

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k.
    smoothing : float, default=1
        Counts of the overall distribution that are added to each cluster, so that no column is impossible there. One
        count is the smallest entry above 0 (if not below a thousandth of a typical one, the geometric mean of all), so
        shares, percentages and counts give the same clusters.
    cooling : float, default=0.9
        Factor between temperatures; critical temperatures on the way are met in addition.
    max_iter : int, default=100
        Most iterations of the hard limit.
    inference : str or Step, default="deterministic_annealing"
        How the Gibbs distribution is followed. "deterministic_annealing" is exact given the distributions of the
        clusters, and finds its splits. "simulated_annealing" or "gibbs", "metropolis" and "heat_bath" move single rows,
        with the distributions at their best for every labelling; "mean_field" and "sequential_mean_field" approximate
        that; or a step of your own. These hold the rows in memory, and a sweep costs a logarithm for every stored
        entry and cluster, about as much as a pass.
    random_state : int, RandomState or None, default=None
        Seed of the first trial directions, of samples and of the candidates.

    Attributes
    ----------
    labels_ : ndarray of int32, shape (n,)
        Clusters with the most rows first.
    cluster_distributions_ : ndarray of shape (k, m)
        Distribution of the columns in each cluster.
    information_ : float
        I(cluster; column) in bits.
    smoothing_ : float
        What was added to each cluster, in the unit of X.
    cost_ : float
        The objective, in nats.
    critical_temperatures_ : ndarray
        Predicted temperature of each split, in nats.
        Only from deterministic annealing, as are the next two.
    hierarchy_, temperature_path_ : dict of ndarray
        As in `SoftKMeans`.
    n_iter_ : int
        Number of temperatures.
    n_features_in_ : int

    References
    ----------
    Pereira, Tishby and Lee, Distributional clustering of English words, ACL 1993.
    Puzicha, Hofmann and Buhmann, Histogram clustering for unsupervised segmentation and image retrieval, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import HistogramClustering
    >>> counts = np.array([[9, 1, 0], [8, 1, 1], [0, 2, 9], [1, 1, 8], [7, 2, 1]])
    >>> model = HistogramClustering(2, random_state=0).fit(counts)
    >>> model.labels_
    array([0, 0, 1, 1, 0], dtype=int32)
    >>> round(model.information_, 2)
    0.54
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        smoothing=1.0,
        cooling=0.9,
        max_iter=100,
        inference="deterministic_annealing",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.smoothing = smoothing
        self.cooling = cooling
        self.max_iter = max_iter
        self.inference = inference
        self.random_state = random_state

    def _cost(self, total: Counts) -> Histogram:
        if not isinstance(self.smoothing, Real) or not 0 < self.smoothing < np.inf:
            raise ValueError(f"smoothing={self.smoothing!r}: give a number above 0")
        everything = total.total.sum()
        added = float(self.smoothing) * total.one()
        return Histogram(total.total / everything, added, float(everything / total.mass))

    def _search(self, X: RowBlocks, cost: Histogram, state: State, weights: np.ndarray | None, seed: int) -> Clusters:
        return search(X, cost, state.clusters, weights, seed)

    def _keep(self, cost: Histogram, prototypes: np.ndarray) -> None:
        self.smoothing_ = cost.smoothing
