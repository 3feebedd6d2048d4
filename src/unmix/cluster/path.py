"""K-means for a range of numbers of clusters, far cheaper than one fit after another."""

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans.multi_start import Settings
from unmix.algorithms.kmeans.path import fit_path
from unmix.cluster.kmeans import SWAP_ROUNDS, KMeans


class KMeansPath(NamedTuple):
    """Fitted models, one a number of clusters."""

    n_clusters: np.ndarray
    inertia: np.ndarray
    models: list[KMeans]


def kmeans_path(
    X: Any,
    n_clusters: Any = range(1, 11),
    *,
    n_init: int = 10,
    max_iter: int = 300,
    tol: float = 1e-4,
    sample_weight: Any = None,
    random_state: Any = None,
) -> KMeansPath:
    """K-means for every number of clusters in `n_clusters`.

    One k-means++ sequence serves as a restart for every number of clusters, restarts are compared on a sample, and
    the best goes on to swap moves and to all rows.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d), path, or dask collection
    n_clusters : iterable of int, default=range(1, 11)
    n_init : int, default=10
        Restarts for each number of clusters.
    max_iter, tol, random_state
        As in `KMeans`.
    sample_weight : array-like of shape (n,), optional

    Returns
    -------
    path : KMeansPath
        With fields ``n_clusters``, ``inertia`` and ``models``, a fitted `KMeans` for each number.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import kmeans_path
    >>> X = np.array([[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]])
    >>> kmeans_path(X, [1, 2, 3], random_state=0).inertia.tolist()
    [401.5, 101.5, 1.5]
    """
    ks = [int(k) for k in n_clusters]
    if not ks:
        raise ValueError("n_clusters is empty; give at least one number of clusters")
    host = KMeans(max(ks), n_init=n_init, max_iter=max_iter, tol=tol, random_state=random_state)
    host._check_parameters()
    KMeans(min(ks))._check_parameters()
    blocks = host._rows(X, reset=True)
    weights = host._weights(sample_weight, blocks)
    host._check_size(blocks, weights)
    settings, seed = Settings(n_init=n_init, swaps=SWAP_ROUNDS, max_iter=max_iter, tol=tol), host._seed()
    with host._fitting(blocks, seed, weights):
        fits = fit_path(blocks, weights, ks, settings, seed)
    models = [_model(host, k, fit) for k, fit in zip(ks, fits)]
    return KMeansPath(np.array(ks), np.array([fit.cost for fit in fits]), models)


def _model(host: KMeans, k: int, fit: Any) -> KMeans:
    """A fitted model that knows the columns and the trace of the common run."""
    model = KMeans(**{**host.get_params(), "n_clusters": k})
    for name in ("n_features_in_", "feature_names_in_", "_fit_dtype", "trace_"):
        if hasattr(host, name):
            setattr(model, name, getattr(host, name))
    return model._store(fit)
