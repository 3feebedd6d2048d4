"""The usual ways to choose the number of clusters, with scikit-learn alone."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score, silhouette_score
from sklearn.mixture import GaussianMixture

MOST_ROWS = 2000


def peer_answers(X: np.ndarray, max_k: int) -> dict[str, int]:
    """What each peer says; of them only gap and BIC can say 1."""
    if len(X) > MOST_ROWS:
        X = X[np.random.default_rng(0).choice(len(X), MOST_ROWS, replace=False)]
    labels = [KMeans(k, n_init=5, random_state=0).fit_predict(X) for k in range(1, max_k + 1)]
    scores = {
        "silhouette": [silhouette_score(X, z) for z in labels[1:]],
        "Calinski-Harabasz": [calinski_harabasz_score(X, z) for z in labels[1:]],
        "Davies-Bouldin": [-davies_bouldin_score(X, z) for z in labels[1:]],
    }
    answers = {name: 2 + int(np.argmax(values)) for name, values in scores.items()}
    bic = [GaussianMixture(k, n_init=2, random_state=0).fit(X).bic(X) for k in range(1, max_k + 1)]
    return answers | {
        "BIC, mixture": 1 + int(np.argmin(bic)),
        "gap, box": gap(X, labels, aligned=False),
        "gap, principal axes": gap(X, labels, aligned=True),
    }


def gap(X: np.ndarray, labels: list[np.ndarray], aligned: bool, n_references: int = 10) -> int:
    """Tibshirani, Walther and Hastie (2001): the first K with gap(K) ≥ gap(K + 1) - s(K + 1)."""
    rng, centred = np.random.default_rng(0), X - X.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2] if aligned else np.eye(X.shape[1])
    turned = centred @ axes.T
    tables = [rng.uniform(turned.min(axis=0), turned.max(axis=0), turned.shape) for _ in range(n_references)]
    sizes = range(1, len(labels) + 1)
    chance = np.array([[np.log(KMeans(k, n_init=2, random_state=0).fit(t).inertia_) for k in sizes] for t in tables])
    found = np.array([np.log(dispersion(X, z)) for z in labels])
    value, error = chance.mean(axis=0) - found, chance.std(axis=0) * np.sqrt(1 + 1 / n_references)
    enough = value[:-1] >= value[1:] - error[1:]
    return 1 + int(np.argmax(enough)) if enough.any() else len(labels)


def dispersion(X: np.ndarray, labels: np.ndarray) -> float:
    return max(sum(((X[labels == c] - X[labels == c].mean(axis=0)) ** 2).sum() for c in np.unique(labels)), 1e-300)
