"""Parametric distributional clustering: histograms of a feature, grouped by mixtures of few shared Gaussians."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from unmix.cluster.distributional import Counts, DistributionalClustering
from unmix.costs.binned_gaussians import fit_gaussians
from unmix.costs.parametric_distributional import ParametricDistributional


class ParametricDistributionalClustering(DistributionalClustering):
    """Clustering of histograms over ordered bins, with smooth prototypes, annealed.

    Minimises ``Σ_i w_i n_i KL(p_i ‖ u_c(i))`` as `HistogramClustering` does, with
    ``u_ν(b) = Σ_α p(α|ν) G_α(b)``: every cluster mixes the same Gaussians over the bins, with weights of its own.
    Bins are ordered, so neighbours speak for each other, and histograms of few counts, such as those of small windows
    of an image, suffice.

    Deterministic annealing follows the solution from one cluster at high temperature through its splits. Every M step
    estimates weights and Gaussians by EM from where they were, so that no step raises the cost at its temperature. A
    pass costs O(n k m), an M step O(k m s) for s Gaussians and m bins, some dozen times.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k.
    n_components : int, default=8
        The number of Gaussians.
    components : {"grid", "fitted"}, default="grid"
        Equally spaced Gaussians as wide as their distance, which stay; or Gaussians fitted by EM to the histogram of
        all rows, and estimated again with the weights in every M step.
    inference : "deterministic_annealing" or Step, default="deterministic_annealing"
        How the Gibbs distribution is followed. Prototypes come from an iteration, so there are neither moves of single
        rows nor mean fields in closed form: of the other steps only those that need no more than the cost itself can
        follow it, such as `MetropolisHastings` with proposals of your own.
    cooling, max_iter, random_state
        As in `HistogramClustering`.

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
        components="grid",
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
        bins, s = len(total.total), self.n_components
        if not isinstance(s, Integral) or isinstance(s, bool) or s < 1:
            raise ValueError(f"n_components={s!r}: give a whole number from 1 up")
        if self.components == "fitted":
            means, widths = fit_gaussians(total.total, int(s))
        elif self.components == "grid":
            means = np.asarray((np.arange(int(s)) + 0.5) * bins / int(s) - 0.5)
            widths = np.full(int(s), max(bins / int(s), 0.5))
        else:
            raise ValueError(f"components={self.components!r}: give 'fitted' or 'grid'")
        everything = total.total.sum()
        background, unit = total.total / everything, float(everything / total.mass)
        return ParametricDistributional(background, unit, means, widths, adapt=self.components == "fitted")

    def _keep(self, cost: Any, prototypes: np.ndarray) -> None:
        self.component_means_, self.component_widths_ = (part.copy() for part in cost.gaussians(prototypes))
