"""Groups that rows form where they are dense, whatever their shape; a new row joins the group of its nearest row."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.neighbors.search import nearest
from unmix.core.arguments import whole_number
from unmix.core.random import spawn
from unmix.exploration.structure.shapes.candidates import deepest_cut
from unmix.exploration.structure.shapes.tree import NEIGHBORS, density_trees
from unmix.shell.data import to_array
from unmix.shell.estimator import Estimator

MOST_ROWS = 1000  # whose distances to each other are told


class DensityGroups(ClusterMixin, Estimator):
    """Cut a tree of the density at its most prominent saddles.

    Parameters
    ----------
    n_clusters : the number of groups; fewer are found where the density has not so many modes
    random_state : of more than a thousand rows so many are drawn, and the others follow the nearest of these

    Attributes
    ----------
    rows_, row_labels_ : the rows that tell the groups, and the group of each
    cluster_centers_ : the row in the densest place of each group
    labels_ : the group of each row of the fit, the largest group first
    """

    def __init__(self, n_clusters: int = 2, random_state: Any = None) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> DensityGroups:
        whole_number("n_clusters", self.n_clusters, 1)
        X = to_array(self, X, reset=True)
        few = X if len(X) <= MOST_ROWS else X[_some(len(X), self._seed())]
        self.rows_ = np.unique(few, axis=0)
        self.row_labels_, peaks = density_groups(self.rows_, self.n_clusters)
        self.cluster_centers_ = self.rows_[peaks]
        self.labels_ = self._nearest(X)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The group of the nearest row."""
        check_is_fitted(self)
        return self._nearest(to_array(self, X, reset=False))

    def _nearest(self, X: np.ndarray) -> np.ndarray:
        return self.row_labels_[nearest(self.rows_, X, 1).indices[:, 0]]


def density_groups(rows: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels of different rows, the largest group first, and the densest row of each group."""
    if len(rows) <= max(NEIGHBORS):
        return np.zeros(len(rows), dtype=int), np.zeros(1, dtype=int)
    distances = cdist(rows, rows)
    trees = density_trees(distances)
    found = deepest_cut(distances, trees, k).labels
    order = np.argsort(-np.bincount(found), kind="stable")
    labels, radius = np.argsort(order)[found], trees[-1].radius
    peaks = [min(np.flatnonzero(labels == c), key=lambda i: radius[i]) for c in range(len(order))]
    return labels, np.array(peaks)


def _some(n: int, seed: int) -> np.ndarray:
    return np.sort(spawn(seed, 30).choice(n, MOST_ROWS, replace=False))
