"""The estimators exploration is made of, with the settings it uses."""

from __future__ import annotations

from typing import Any


def make_kmeans(k: int, seed: int, n_init: int = 5) -> Any:
    try:
        from unmix.cluster import KMeans
    except ImportError:
        from sklearn.cluster import KMeans
    return KMeans(n_clusters=k, n_init=n_init, random_state=seed)


def make_pca(m: int, seed: int) -> Any:
    try:
        from unmix.decomposition import PCA
    except ImportError:
        from sklearn.decomposition import PCA
    return PCA(n_components=m, random_state=seed)
