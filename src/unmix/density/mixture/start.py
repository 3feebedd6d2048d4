"""The first mixture of an EM fit: centres, then one hard assignment of the rows to them.

Small clusters lend their shape from all: with mass N_c and d columns the covariance starts as
(N_c Σ_c + (d + 1) Σ_pooled) / (N_c + d + 1), so a start on a single row does not begin as a point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans import fit as kmeans
from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.multi_start import Settings, choose_centers, sample_size
from unmix.algorithms.rows.sample import draw_sample
from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn
from unmix.core.summation.tree import merge
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import raise_to_floor
from unmix.costs.gaussian.mixture import Mixture, Stats, make_mixture
from unmix.inference.expectation import pieces


class Given(NamedTuple):
    """Parameters that the user brings, in the units of the fit."""

    weights: np.ndarray | None = None
    means: np.ndarray | None = None
    covariances: np.ndarray | None = None


def kmeans_centers(X: RowBlocks, weights: np.ndarray | None, k: int, seed: int) -> np.ndarray:
    return kmeans_start(X, weights, k, seed)[0]


def kmeans_start(X: RowBlocks, weights: np.ndarray | None, k: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Centres and labels of the rows."""
    if k == 1:  # one component reaches its maximum in one step from anywhere
        return np.zeros((1, X.shape[1])), np.zeros(X.shape[0], np.int32)
    found = kmeans.fit(X, weights, k, Settings(), seed)
    return found.centers, found.labels


def _drawn_centers(X: RowBlocks, weights: np.ndarray | None, k: int, seed: int, kind: str) -> np.ndarray:
    frame = find_frame(X, weights)
    sample = draw_sample(X, weights, sample_size(X.shape[1], k), seed)
    return frame.leave(choose_centers(sample, frame, k, kind, seed, 0))


def plus_plus_centers(X: RowBlocks, weights: np.ndarray | None, k: int, seed: int) -> np.ndarray:
    return _drawn_centers(X, weights, k, seed, "k-means++")


def row_centers(X: RowBlocks, weights: np.ndarray | None, k: int, seed: int) -> np.ndarray:
    return _drawn_centers(X, weights, k, seed, "random")


STARTS: dict[str, Callable[..., np.ndarray]] = {
    "kmeans": kmeans_centers,
    "k-means++": plus_plus_centers,
    "random_from_data": row_centers,
}


def equal_variances(variance: np.ndarray, common: bool) -> np.ndarray:
    """By which rows are compared: that of each column, or of the widest for all; 1 for a constant column."""
    return np.where(variance > 0, variance.max() if common else variance, 1.0)


def first_mixture(
    X: RowBlocks,
    weights: np.ndarray | None,
    cost: Gaussian,
    centers: np.ndarray,
    given: Given,
    variance: np.ndarray | None = None,
) -> Mixture:
    """The mixture of the clusters around ``centers``, with what is given in place of what was found.

    Rows go to the nearest centre in columns of the given variances.
    """
    if given.weights is not None and given.means is not None and given.covariances is not None:
        return make_mixture(given.weights, given.means, given.covariances)
    around = cost.unit(len(centers), np.asarray(centers, np.float64), variance)
    return mixture_of(X.reduce(hard_statistics, cost, around, rows=weights), cost, around, given)


def labelled_mixture(
    X: RowBlocks, weights: np.ndarray | None, cost: Gaussian, centers: np.ndarray, labels: np.ndarray, given: Given
) -> Mixture:
    """The same of clusters whose rows are known, which spares the distances."""
    around, labels = cost.unit(len(centers), np.asarray(centers, np.float64)), np.asarray(labels)
    rows = labels if weights is None else (labels, weights)
    return mixture_of(X.reduce(labelled_statistics, cost, around, rows=rows), cost, around, given)


def random_mixture(
    X: RowBlocks, weights: np.ndarray | None, cost: Gaussian, k: int, given: Given, seed: int
) -> Mixture:
    """The mixture of random shares of every row in every component."""
    shares = spawn(seed).random((X.shape[0], k))
    shares *= (1.0 if weights is None else weights[:, None]) / shares.sum(axis=1, keepdims=True)
    around = cost.unit(k)
    return mixture_of(X.reduce(shared_statistics, cost, around, rows=shares), cost, around, given)


def shared_statistics(block: Any, shares: np.ndarray, cost: Gaussian, around: Mixture) -> Stats:
    return cost.statistics(block, shares, around)


def mixture_of(stats: Stats, cost: Gaussian, around: Mixture, given: Given) -> Mixture:
    """From the statistics of clusters, about the means of ``around``."""
    found = lend_shape(cost.prototypes(stats, around), stats.mass, cost)
    if all(part is None for part in given):
        return found
    return make_mixture(
        found.weights if given.weights is None else given.weights,
        found.means if given.means is None else given.means,
        found.covariances if given.covariances is None else given.covariances,
    )


def lend_shape(mixture: Mixture, mass: np.ndarray, cost: Gaussian, which: np.ndarray | None = None) -> Mixture:
    """Covariances drawn towards that of all, those of few rows most; of all components or of ``which`` (k,)."""
    if cost.family.shared or cost.family.given is not None:
        return mixture
    covariances = mixture.covariances
    shape = (-1, *[1] * (covariances.ndim - 1))
    own, lent = mass.reshape(shape), mixture.means.shape[1] + 1
    drawn = (own * covariances + lent * np.tensordot(mixture.weights, covariances, 1)) / (own + lent)
    if which is not None:
        drawn = np.where(which.reshape(shape), drawn, covariances)
    if not cost.family.axis:  # of a far component the others would borrow directions beyond the digits of their own
        drawn = raise_to_floor(drawn, cost.floor)
    return make_mixture(mixture.weights, mixture.means, drawn)


def labelled_statistics(block: Any, rows: Any, cost: Gaussian, around: Mixture) -> Stats:
    """Statistics with every row given wholly to its cluster."""
    labels, weights = rows if isinstance(rows, tuple) else (rows, None)
    k, start, total = len(around.weights), 0, None
    for piece, share in pieces(block, np.ones(len(labels)), k):
        here = slice(start, start := start + len(share))
        q = np.zeros((k, len(share)), block.dtype)
        q[labels[here], np.arange(len(share))] = share if weights is None else weights[here]
        part = cost.statistics(piece, q.T, around)
        total = part if total is None else merge(total, part)
    assert total is not None, "a leaf has rows"
    return total


def hard_statistics(block: Any, weights: np.ndarray | None, cost: Gaussian, around: Mixture) -> Stats:
    """Statistics with every row given wholly to the nearest centre."""
    total = None
    for piece, share in pieces(block, weights, len(around.weights)):
        distances = cost.distances(piece, around)
        q = np.zeros_like(distances)
        q[np.arange(len(q)), distances.argmin(1)] = share
        part = cost.statistics(piece, q, around)
        total = part if total is None else merge(total, part)
    assert total is not None, "a leaf has rows"
    return total
