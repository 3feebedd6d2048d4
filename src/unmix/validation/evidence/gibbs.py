"""From a fitted model to the Gibbs distribution of its cost: exp(-R(c, X) / T) over the labels c of its rows.

    model                                    cost                                   prototypes
    K-means, hard, soft, online, growing     squared distance                       annealed at each temperature
    histogram clustering                     relative entropy                       annealed
    mixtures, whatever has predict_proba     -log p(c | x_i)                        as fitted; T = 1 is the model itself
    pairwise, correlation clustering         their own                              none: mean fields
    any other clusterer                      squared distance to its cluster means  as they are: a stand-in
    … whose labels are not the nearest mean  0 for its own label, 1 for any other   none

Prototypes follow the temperature only where the model itself chose them to lower this cost. The stand-in must speak for
the model: means of labels drawn at random would cut the table in a way that comes back, which those labels do not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.inference.agreement.gibbs_path import Annealed, FixedCosts, Interacting, Problem
from unmix.validation.fits.refit import labels_of

FAITHFUL = 0.95  # of the rows lie nearest to the mean of their own cluster where means may stand for the labels
K_MEANS = {"KMeans", "SoftKMeans", "MiniBatchKMeans", "GrowingKMeans", "BisectingKMeans", "QuickKMeans"}


def problem_of(model: Any, X: np.ndarray) -> Problem:
    """The Gibbs distribution of a model over the labels of the rows X it was fitted on."""
    name = type(model).__name__
    if name in K_MEANS:
        return _k_means(model, X)
    if name in OWN:
        return OWN[name](model, X)
    if hasattr(model, "predict_proba"):
        return FixedCosts(-np.log(np.maximum(np.asarray(model.predict_proba(X), np.float64), 1e-300)))
    return _means(model, X)


def takes_dissimilarities(model: Any) -> bool:
    """Whether X holds a number for every pair of objects."""
    given = model.get_params(deep=False)
    return "precomputed" in (given.get("metric"), given.get("affinity"))


def _k_means(model: Any, X: np.ndarray) -> Problem:
    from unmix.costs.squared_distance import SquaredDistance

    centers = np.asarray(model.cluster_centers_, np.float64)
    shift = X.mean(axis=0, dtype=np.float64)  # of large coordinates the squares would lose the differences
    return Annealed(SquaredDistance(), np.asarray(X - shift, np.float64), centers - shift)


def _histogram(model: Any, X: np.ndarray) -> Problem:
    from unmix.costs.histogram import Histogram

    counts = np.asarray(X, np.float64)
    total = counts.sum(axis=0)
    cost = Histogram(total / total.sum(), float(model.smoothing_), 1.0)
    return Annealed(cost, counts, np.asarray(model.cluster_distributions_, np.float64))


def _pairwise(model: Any, X: np.ndarray) -> Problem:
    from unmix.costs.pairwise import Pairwise, make_dissimilarities
    from unmix.shell.dissimilarity import row_distances

    D = X if model.metric == "precomputed" else row_distances(X, metric=model.metric)
    return Interacting(Pairwise(), make_dissimilarities(D), _one_hot(model.labels_, model.n_clusters))


def _correlation(model: Any, X: np.ndarray) -> Problem:
    from unmix.costs.correlation import Correlation
    from unmix.costs.links import make_links
    from unmix.shell.dissimilarity import nearness

    k = model.n_clusters or model.n_clusters_
    S = X if model.metric == "precomputed" else nearness(X, model.metric)
    return Interacting(Correlation(float(model.threshold)), make_links(S), _one_hot(model.labels_, k))


def _means(model: Any, X: np.ndarray) -> Problem:
    from unmix.costs.squared_distance import SquaredDistance

    if takes_dissimilarities(model):
        raise TypeError(
            f"{type(model).__name__} on dissimilarities has no cost that posterior agreement knows; "
            "use PairwiseClustering, or rows of features"
        )
    labels, rows = labels_of(model, X), np.asarray(X, np.float64)
    names = np.unique(labels[labels != -1])
    if not len(names):
        return FixedCosts(np.zeros((len(X), 1)))
    rows = rows - rows.mean(axis=0)
    means = np.stack([rows[labels == name].mean(axis=0) for name in names])
    distances = np.asarray(SquaredDistance().distances(rows, means))
    own = names == labels[:, None]
    if own[np.arange(len(rows)), distances.argmin(axis=1)].sum() >= FAITHFUL * own.sum():
        return FixedCosts(distances)
    return FixedCosts(np.where(own.any(axis=1)[:, None], 1.0 - own, 0.0))


def _one_hot(labels: np.ndarray, k: int) -> np.ndarray:
    return np.eye(k)[np.asarray(labels)]


OWN: dict[str, Callable[[Any, np.ndarray], Problem]] = {
    "HistogramClustering": _histogram,
    "PairwiseClustering": _pairwise,
    "CorrelationClustering": _correlation,
}


def refuse_extreme(X: np.ndarray) -> None:
    """Refuse rows whose squared distances over- or underflow: posteriors at no temperature could be told apart."""
    root = float(np.finfo(X.dtype).max) ** 0.5 / 1e3
    largest, spread = float(np.abs(X).max(initial=0)), float((X.max(axis=0) / 2 - X.min(axis=0) / 2).max(initial=0))
    if largest > root or 0 < spread < 1 / root:
        raise ValueError(f"X reaches {largest:.3g}, and squares of it over- or underflow; give X in another unit")
