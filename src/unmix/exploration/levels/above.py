"""Groups of groups: clusters that lie together, far from the others.

The distance of two clusters is that of their centres in units of their common spread. On the shortest ways that join
all clusters, a step more than twice as long as all shorter ones parts groups of clusters, if K-means with that number
finds these groups too.
"""

from __future__ import annotations

import numpy as np

from unmix.cluster import KMeans
from unmix.validation.evidence.resampled.distance import clustering_distance
from unmix.validation.evidence.valley import merged, spanning_valleys

LONGER = 2.0  # a step between groups of clusters, in steps inside them
FEWEST_CLUSTERS = 3
_same = 0.02  # share of rows that K-means may put elsewhere


def groups_of_clusters(X: np.ndarray, labels: np.ndarray, seed: int) -> np.ndarray | None:
    """For every cluster the group it belongs to, the first cluster's first; None where there are no such groups."""
    k = int(labels.max()) + 1
    if k < FEWEST_CLUSTERS:
        return None
    ways = spanning_valleys(distances_of_clusters(X, labels, k))  # shortest ways, the longest step first
    steps = ways[:, 0]
    number = 1 + next((i + 1 for i in range(len(steps) - 1) if steps[i] > LONGER * steps[i + 1]), 0)
    if number == 1:
        return None
    group = np.asarray(merged(np.arange(k), ways, number))
    found = np.asarray(KMeans(number, random_state=seed).fit(X).labels_)
    return group if clustering_distance(group[labels], found) <= _same else None


def distances_of_clusters(X: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    """Between centres, in units of the mean spread of the two clusters along the line that joins them."""
    centers = np.stack([X[labels == c].mean(axis=0) for c in range(k)])
    distances = np.zeros((k, k))
    for a in range(k):
        for b in range(a + 1, k):
            way = centers[b] - centers[a]
            length = float(np.linalg.norm(way))
            spread = np.mean([(X[labels == c] @ (way / max(length, 1e-300))).std() for c in (a, b)])
            distances[a, b] = distances[b, a] = length / max(float(spread), 1e-9 * length, 1e-300)
    return distances
