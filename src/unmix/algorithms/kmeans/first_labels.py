"""Labels of K-means for methods that begin with them: of few rows in array operations, before anything is compiled.

Lloyd's iteration from several starts of greedy k-means++, of which the best is kept. The rows stand in an order of
their own, equal ones as one (rows/sample.py), and whether they are few is a matter of the shape alone.
"""

import numpy as np

from unmix.algorithms.kmeans import fit as kmeans
from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.multi_start import Settings
from unmix.algorithms.kmeans.starts.plus_plus import plus_plus
from unmix.algorithms.rows.sample import in_order
from unmix.core.blocks import RowBlocks
from unmix.costs.nearest.differences import Points, plain_distances
from unmix.costs.nearest.small import FEW_WORK, as_dense

FEW_ROWS = 1024
FEW_STARTS, FEW_PASSES = 4, 5  # in place of swaps; the best after few passes goes on to the end


def is_few(n: int, d: int, k: int) -> bool:
    return n <= FEW_ROWS and n * d * k <= FEW_WORK


def first_labels(X: RowBlocks, weights: np.ndarray | None, k: int, settings: Settings, seed: int) -> np.ndarray:
    """The cluster of every row."""
    if not is_few(*X.shape, k):
        return np.asarray(kmeans.fit(X, weights, k, settings, seed).labels)
    frame, sample = find_frame(X, weights), in_order(X.gather(), weights)
    points = Points(as_dense(sample.blocks.gather()), sample.weights, frame)
    starts = range(FEW_STARTS if settings.swaps else settings.n_init)
    found = [lloyd(points, plus_plus(points, k, seed, turn), FEW_PASSES) for turn in starts]
    centers, _ = lloyd(points, min(found, key=lambda result: result[1])[0], settings.max_iter)
    return plain_distances(as_dense(X.gather()), frame, centers).argmin(axis=0)


def lloyd(points: Points, centers: np.ndarray, max_iter: int) -> tuple[np.ndarray, float]:
    """Centres in the frame, and their cost, once no label changes; a cluster without rows stays where it is."""
    from scipy.spatial.distance import cdist

    rows, numbers = points.frame.enter(points.rows), np.arange(len(centers))[:, None]
    labels, cost = None, np.inf
    for _ in range(max_iter):
        distances = cdist(centers, rows, "sqeuclidean")
        new = distances.argmin(axis=0)
        cost = float(points.weights @ distances.min(axis=0))
        if labels is not None and (new == labels).all():
            break
        labels, share = new, (new == numbers) * points.weights
        mass = share.sum(axis=1)[:, None]
        centers = np.where(mass > 0, share @ rows / np.where(mass > 0, mass, 1.0), centers)
    return centers, cost
