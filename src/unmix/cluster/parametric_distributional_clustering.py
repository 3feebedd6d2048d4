"""Parametric distributional clustering: histograms of a feature, grouped by mixtures of few shared Gaussians."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.cluster.shared.distributional import Counts, DistributionalClustering, cluster_totals
from unmix.cluster.shared.histogram_search import search
from unmix.core.arguments import whole_number
from unmix.core.blocks import RowBlocks
from unmix.costs.distributions.binned_gaussians import fit_gaussians
from unmix.costs.mass_constrained import Clusters
from unmix.costs.parametric_distributional import ParametricDistributional
from unmix.inference.prototypes.deterministic_annealing import State

M_STEPS = 10  # from Gaussians of equal weights to those of given clusters


class ParametricDistributionalClustering(DistributionalClustering):
    """Clustering of histograms over ordered bins, with smooth prototypes, annealed.

    Minimises ``Σ_i w_i n_i KL(p_i ‖ u_c(i))`` as `HistogramClustering` does, with
    ``u_ν(b) = Σ_α p(α|ν) G_α(b)``: every cluster mixes the same Gaussians over the bins, with weights of its own.
    Bins are ordered, so neighbours speak for each other, and histograms of few counts, such as those of small windows
    of an image, suffice.

    Deterministic annealing follows the solution from one cluster at high temperature through its splits. Every M step
    estimates weights and Gaussians by EM from where they were, so that no step raises the cost at its temperature. The
    clusters of the histograms themselves, found as `HistogramClustering` does, are a second candidate; the one whose
    hard limit costs less is kept. A pass costs O(n k m), an M step O(k m s) for s Gaussians and m bins, some dozen
    times.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k.
    n_components : int, default=8
        The number of Gaussians.
    components : {"fitted", "grid"}, default="fitted"
        Gaussians fitted by EM to the histogram of all rows, and estimated again with the weights in every M step; or
        equally spaced ones as wide as their distance, which stay. A grid blurs what is narrower than its distance, and
        then tells groups apart by little more than their means.
    inference : "deterministic_annealing" or Step, default="deterministic_annealing"
        How the Gibbs distribution is followed. Prototypes come from an iteration, so there are neither moves of single
        rows nor mean fields in closed form: of the other steps only those that need no more than the cost itself can
        follow it, such as `MetropolisHastings` with proposals of your own.
    cooling : float, default=0.9
        Factor between temperatures; critical temperatures on the way are met in addition.
    max_iter : int, default=100
        Most iterations of the hard limit.
    random_state : int, RandomState or None, default=None
        Seed of the first trial directions, of samples and of the candidates.

    Attributes
    ----------
    labels_ : ndarray of int32, shape (n,)
    cluster_distributions_ : ndarray of shape (k, m)
    component_means_, component_widths_ : ndarray of shape (s,)
        The Gaussians, in bins.
    information_ : float
        I(cluster; bin) in bits.
    cost_, critical_temperatures_, hierarchy_, temperature_path_, n_iter_
        As in `HistogramClustering`.
    n_features_in_ : int

    References
    ----------
    Hermes, Zöller and Buhmann, Parametric distributional clustering for image segmentation, ECCV 2002.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import ParametricDistributionalClustering
    >>> counts = np.array([[4, 3, 1, 0, 0], [3, 4, 0, 1, 0], [4, 4, 0, 0, 0], [0, 0, 1, 3, 4], [0, 0, 2, 4, 2]])
    >>> ParametricDistributionalClustering(2, n_components=3, random_state=0).fit(counts).labels_
    array([0, 0, 0, 1, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        n_components=8,
        components="fitted",
        cooling=0.9,
        max_iter=100,
        inference="deterministic_annealing",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.components = components
        self.cooling = cooling
        self.max_iter = max_iter
        self.inference = inference
        self.random_state = random_state

    def _cost(self, total: Counts) -> ParametricDistributional:
        bins, s = len(total.total), whole_number("n_components", self.n_components)
        if self.components == "fitted":
            means, widths = fit_gaussians(total.total, int(s))
        elif self.components == "grid":
            means = np.asarray((np.arange(int(s)) + 0.5) * bins / int(s) - 0.5)
            widths = np.full(int(s), max(bins / int(s), 0.5))
        else:
            raise ValueError(f"components={self.components!r}: give 'fitted' or 'grid'")
        everything = total.total.sum()
        background, unit = total.total / everything, float(everything / total.mass)
        adapt = self.components == "fitted"
        return ParametricDistributional(background, unit, means, widths, adapt, total.one())

    def _search(
        self, X: RowBlocks, cost: ParametricDistributional, state: State, weights: np.ndarray | None, seed: int
    ) -> Clusters:
        """The clusters of the path, or those of the histograms themselves if their hard limit costs less."""
        path, free = state.clusters, cost.without_gaussians()
        start = path._replace(prototypes=cost.positions(path.prototypes))
        found = X.reduce(cluster_totals, free, search(X, free, start, weights, seed).prototypes, rows=weights)
        means, widths = cost.gaussians(path.prototypes)
        other = ParametricDistributional(cost.background, cost.unit, means, widths, cost.adapt).start(len(path.masses))
        for _ in range(M_STEPS):
            other = cost.prototypes(found.stats, other)
        candidates = [path, Clusters(other, found.sizes / found.sizes.sum())]
        ends = [self._harden(X, cost, clusters, state.temperature, weights) for clusters in candidates]
        costs = [X.reduce(cluster_totals, cost, end, rows=weights).cost for end in ends]
        best = int(np.argmin(costs))
        return candidates[best]._replace(prototypes=ends[best])

    def _keep(self, cost: Any, prototypes: np.ndarray) -> None:
        self.component_means_, self.component_widths_ = (part.copy() for part in cost.gaussians(prototypes))
