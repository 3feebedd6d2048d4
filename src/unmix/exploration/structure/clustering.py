"""How many clusters, which row belongs to which, and how sure each of these is.

confidence of a row      how often it keeps its cluster when the model is fitted to half of the rows, drawn at random
stability of a cluster   how often its rows keep their cluster when the model is fitted to resampled rows
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.cluster import KMeans
from unmix.exploration.findings.records import Selection
from unmix.exploration.structure.counting import Count, count_clusters
from unmix.exploration.structure.evaluation_set import Axes, EvaluationSet
from unmix.exploration.structure.shaped import Shaped, find_shape
from unmix.validation import row_stability
from unmix.validation.selection.probability import Evidence

n_resamples = 25  # from which the confidence of a row is counted
_fewest_resamples, _most_labelled = 5, 500_000  # of models that label rows slowly, and the rows all of these label


_shapes = {
    "round": "K-means assumes round clusters of similar spread; long or nested ones are cut in pieces.",
    "gaussian": "Clusters follow Gaussians, each of its own spread and direction; a curved one is cut in pieces.",
    "density": "Clusters follow the density, not round: a new row belongs to the cluster of the nearest row.",
    "counts": "Clusters are those of histogram clustering: rows whose shares come from one distribution.",
    "dissimilarities": "Clusters are those of pairwise clustering: objects that are little unlike each other.",
}


class Clustering(NamedTuple):
    """The selection for the reader, the model, and per row: label and confidence; per cluster: stability, centre.

    `shape` is what clusters follow: "round" of K-means, "gaussian" or "density"; `evidence` what their number rests on;
    `axes` of the plane on which rows were projected, if they were.
    """

    selection: Selection
    model: Any
    labels: np.ndarray
    confidence: np.ndarray
    stability: list[float | None]
    centers: np.ndarray
    shape: str = "round"
    evidence: Evidence | None = None
    axes: Axes | None = None

    def seen(self, X: np.ndarray) -> np.ndarray:
        """Rows as the model was fitted to them; round clusters are the same for rows that are not projected."""
        if self.axes is None or self.shape != "density":
            return X
        return self.axes.mean + self.axes.project(X) @ self.axes.directions


def find_clusters(
    X: np.ndarray,
    evaluated: EvaluationSet,
    max_k: int,
    seed: int,
    k: int | None = None,
    n_directions: int | None = None,
) -> Clustering:
    """The count is made on the judged rows, the clusters from all of them; `k` is how many, where the user said so.

    `n_directions` is how many principal components carry more than chance, None where that is not known.
    """
    count = count_clusters(evaluated, max_k, seed, k, n_directions)
    smooth = _without_rounding(X, evaluated)
    shaped = None if count.choice is None else find_shape(count, evaluated, smooth, seed, fixed=k is not None)
    return _round(count, evaluated, X, seed) if shaped is None else _of_any_shape(shaped, evaluated, X, smooth, seed)


def _round(count: Count, evaluated: EvaluationSet, X: np.ndarray, seed: int) -> Clustering:
    k = count.selection.chosen_k
    model = KMeans(k, random_state=seed).fit(X)
    labels = np.asarray(model.labels_)
    stability = cluster_stability(count.kept, labels[evaluated.rows], k)
    confidence = confidence_of_rows(model, X, k, seed)
    centers = np.asarray(model.cluster_centers_)
    return Clustering(count.selection, model, labels, confidence, stability, centers, "round", count.evidence)


def _of_any_shape(shaped: Shaped, evaluated: EvaluationSet, X: np.ndarray, smooth: np.ndarray, seed: int) -> Clustering:
    kind, model, record, stability, evidence = shaped
    labels = np.asarray(model.predict(X))
    by_cluster = cluster_stability(stability.rows, labels[evaluated.rows], record.chosen_k)
    confidence = confidence_of_rows(model, smooth, record.chosen_k, seed)
    centers = model.cluster_centers_ if kind == "density" else model.means_
    return Clustering(record, model, labels, confidence, by_cluster, np.asarray(centers), kind, evidence)


def _without_rounding(X: np.ndarray, evaluated: EvaluationSet) -> np.ndarray:
    """Rows that were judged as they were judged: equal rows tell no density. Projected rows are hardly ever equal."""
    if evaluated.space.shape[1] != X.shape[1]:
        return X
    smooth = X.copy()
    smooth[evaluated.rows] = evaluated.space
    return smooth


def confidence_of_rows(model: Any, X: np.ndarray, k: int, seed: int) -> np.ndarray:
    """How often each keeps its cluster when the model is fitted to a part of the rows."""
    part = 0.5 if len(X) >= 8 * k else 0.9  # of few rows a half may hold less than k clusters
    return row_stability(model, X, n_resamples=resamples_of(model, len(X)), fraction=part, random_state=seed)


def resamples_of(model: Any, n_rows: int) -> int:
    """How many models of parts of the rows tell the confidence: the nearest of some centres is found quickly."""
    if isinstance(model, KMeans):
        return n_resamples
    return max(_fewest_resamples, min(n_resamples, _most_labelled // n_rows))


def cluster_stability(kept: np.ndarray | None, labels: np.ndarray, k: int) -> list[float | None]:
    """Mean over a cluster's rows of how often each kept its cluster; None where nothing was resampled."""
    if k == 1 or kept is None:
        return [None] * k
    by_cluster = [kept[(labels == c) & np.isfinite(kept)] for c in range(k)]
    return [float(rows.mean()) if len(rows) else None for rows in by_cluster]


def shape_in_words(shape: str) -> str:
    """What the clusters follow, and what that means for them."""
    return _shapes[shape]
