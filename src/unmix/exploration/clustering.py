"""How many clusters, which row belongs to which, and how sure each of these is.

confidence of a row      p(c | x) ∝ exp(-|x - u_c|² / 2σ²),  σ² = mean squared distance to the own centre per feature
stability of a cluster   mean over resamples of max_c' |c ∩ c'| / |c ∪ c'|                            (Hennig 2007)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.chance import gap_statistic
from unmix.exploration.findings import CriterionCurve, Selection
from unmix.exploration.methods import make_kmeans
from unmix.exploration.verdict import verdict

most_rows = 3000  # for choosing k; the final fit sees every row


class Clustering(NamedTuple):
    """The selection for the reader, the model, and per row: label and confidence; per cluster: stability."""

    selection: Selection
    model: Any
    labels: np.ndarray
    confidence: np.ndarray
    stability: list[float | None]


def find_clusters(X: np.ndarray, owner: np.ndarray, discrete: np.ndarray, max_k: int, seed: int) -> Clustering:
    rows = (
        np.arange(len(X)) if len(X) <= most_rows else np.sort(spawn(seed, 4).choice(len(X), most_rows, replace=False))
    )
    selection = choose_k(X[rows], owner, discrete, max_k, seed)
    k = selection.chosen_k
    model = make_kmeans(k, seed).fit(X)
    labels = np.asarray(model.labels_)
    stability = [None] if k == 1 else resampled_overlap(X[rows], labels[rows], k, seed)
    selection.verdict = verdict(selection, stability)
    return Clustering(selection, model, labels, row_confidence(X, labels, model.cluster_centers_), stability)


def sample_rows(n: int, most: int, seed: int) -> np.ndarray:
    return np.arange(n) if n <= most else np.sort(spawn(seed, 4).choice(n, most, replace=False))


def choose_k(X: np.ndarray, owner: np.ndarray, discrete: np.ndarray, max_k: int, seed: int) -> Selection:
    most = min(max_k, len(np.unique(X, axis=0)), len(X) - 1)
    ks = list(range(1, max(most, 1) + 1))
    gap = gap_statistic(X, owner, discrete, ks, seed) if len(ks) > 1 else None
    chosen = gap.best if gap else 1
    curves = [
        CriterionCurve(
            "gap", gap.values.tolist(), gap.errors.tolist(), gap.best, True,
            "How much tighter the clusters are than those found in tables without clusters (log scale).",
        )
    ] if gap else []  # fmt: skip
    return Selection(ks, curves, chosen, "", None, len(X))


def row_confidence(X: np.ndarray, labels: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Probability of the own cluster among round clusters of equal spread."""
    distance = np.stack([((X - center) ** 2).sum(axis=1) for center in centers], axis=1)
    own = distance[np.arange(len(X)), labels]
    variance = max(own.mean() / X.shape[1], 1e-12)
    weight = np.exp(-(distance - own[:, None]) / (2 * variance))
    return 1.0 / weight.sum(axis=1)


def resampled_overlap(X: np.ndarray, labels: np.ndarray, k: int, seed: int, repeats: int = 20) -> list[float | None]:
    """For each cluster, how well it is found again in bootstrap resamples of the rows."""
    overlap = np.full((repeats, k), np.nan)
    for repeat in range(repeats):
        drawn = spawn(seed, 5, repeat).integers(len(X), size=len(X))
        drawn = np.unique(drawn)
        if len(drawn) <= k:
            continue
        again = np.asarray(make_kmeans(k, seed + repeat, n_init=2).fit(X[drawn]).labels_)
        table = np.zeros((k, k))
        np.add.at(table, (labels[drawn], again), 1)
        union = table.sum(axis=1, keepdims=True) + table.sum(axis=0, keepdims=True) - table
        overlap[repeat] = np.where(table.sum(axis=1) > 0, (table / np.maximum(union, 1)).max(axis=1), np.nan)
    known = np.isfinite(overlap).any(axis=0)
    return [float(np.nanmean(overlap[:, c])) if known[c] else None for c in range(k)]
