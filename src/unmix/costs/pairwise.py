"""Pairwise clustering: the mean dissimilarity inside each cluster, times half its size.

    R(c) = ½ Σ_α |α| D̄_αα,   D̄_αα = mean of the known D_ij over i, j in α (D_ii = 0 counts as known)

If every D is known this is ½ Σ_α (1/|α|) Σ_{i,j in α} D_ij, and for squared Euclidean D the K-means cost. It does not
change when D is made symmetric, and an equal shift of all off-diagonal entries adds a constant for a fixed number of
non-empty clusters. The mean field puts expected sizes for sizes, which is exact at hard shares.
Reference: Hofmann & Buhmann, IEEE PAMI 19 (1997).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.links import Links, make_links
from unmix.costs.potts import turned_pull
from unmix.costs.ratio_means import mean_ratio

NEGLIGIBLE_SIZE = 1e-12  # the size of what is taken to be empty
ALMOST_EMPTY = NEGLIGIBLE_SIZE**0.5  # a size whose square is negligible


class Dissimilarities(NamedTuple):
    """D, and which entries are known (as links of weight 1); None if all are."""

    links: Links
    known: Links | None

    @property
    def n_objects(self) -> int:
        return self.links.n_objects


def make_dissimilarities(D: Any) -> Dissimilarities:
    """From a square array in which NaN marks what is not known; D_ij known one way only counts for both."""
    D = np.asarray(D)
    if np.isnan(D.diagonal()).any():
        D = D.copy()
        np.fill_diagonal(D, 0)
    if not np.isnan(D.sum()):
        return Dissimilarities(make_links(D), None)
    missing = np.isnan(D)
    one_way = np.where(missing, D.T, D)
    known = ~np.isnan(one_way)
    return Dissimilarities(make_links(np.where(known, one_way, 0.0)), make_links(known.astype(one_way.dtype)))


class State(NamedTuple):
    dense: np.ndarray
    starts: np.ndarray
    neighbours: np.ndarray
    weights: np.ndarray
    pull: np.ndarray  # (k, n) Σ_j D_ij q_jc
    size: np.ndarray  # (k,)
    inside: np.ndarray  # (k,) Σ_ij q_ic q_jc D_ij
    known: np.ndarray  # (n, n), or empty if every D is known
    seen: np.ndarray  # (k, n) Σ_j known_ij q_jc, or empty
    pairs: np.ndarray  # (k,) Σ_{i≠j} q_ic q_jc known_ij + Σ_i q_ic, or empty


class Pairwise:
    """The cost of pairwise clustering. Data are `Dissimilarities`."""

    def total(self, data: Dissimilarities, labels: np.ndarray) -> float:
        D, cost = data.links.matrix(), 0.0
        for label in np.unique(labels):
            member = np.flatnonzero(labels == label)
            block, size = np.ix_(member, member), len(member)
            pairs = size**2 if data.known is None else float(data.known.matrix()[block].sum()) + size
            cost += size / 2 * float(D[block].sum(dtype=np.float64)) / pairs
        return cost

    def fields(self, data: Dissimilarities, q: np.ndarray) -> np.ndarray:
        return self._fields(data, q, data.links.pull(q))

    def fields_and_mean(self, data: Dissimilarities, q: np.ndarray) -> tuple[np.ndarray, float]:
        """`fields` and `expected` by one product with all dissimilarities."""
        pull = data.links.pull(q)
        return self._fields(data, q, pull), self._expected(data, q, pull)

    def expected(self, data: Dissimilarities, q: np.ndarray) -> float:
        return self._expected(data, q, data.links.pull(q))

    def _fields(self, data: Dissimilarities, q: np.ndarray, pull: np.ndarray) -> np.ndarray:
        weighted, size = q * pull, q.sum(axis=0)
        inside = weighted.sum(axis=0) - 2 * weighted
        size = size - q
        if data.known is None:  # there are as many pairs as the square of the size
            return half_ratio(inside + 2 * pull, size + 1) - half_ratio(inside, size)
        seen = data.known.pull(q)
        pairs = (q * seen).sum(axis=0) - 2 * q * seen + size
        return price(size + 1, inside + 2 * pull, pairs + 2 * seen + 1) - price(size, inside, pairs)

    def _expected(self, data: Dissimilarities, q: np.ndarray, pull: np.ndarray) -> float:
        size, inside = q.sum(axis=0), (q * pull).sum(axis=0)
        if data.known is None:
            return float(half_ratio(inside, size).sum())
        return float(price(size, inside, (q * data.known.pull(q)).sum(axis=0) + size).sum())

    def mean(self, data: Dissimilarities, q: np.ndarray) -> float:
        """The mean cost under independent labels with shares q, exactly; NaN where dissimilarities are missing."""
        if data.known is not None:
            return float("nan")
        return sum(mean_ratio(data.links, share, np.ones(len(q)), cut=False) for share in q.T) / 2

    def critical_temperature(self, data: Dissimilarities) -> float:
        """Where the first split becomes stable: twice the largest eigenvalue of -½ Q D Q / n, Q = I - 1/n."""
        from unmix.core.linalg import largest_eigenvalue

        n, links = data.n_objects, data.links

        def product(v: np.ndarray) -> np.ndarray:
            image = -0.5 * links.pull((v - v.mean())[:, None])[:, 0]
            return np.asarray((image - image.mean()) / n, np.float64)

        return 2 * largest_eigenvalue(product, n)

    def state(self, data: Dissimilarities, q: np.ndarray) -> State:
        from unmix.costs.move_kernels import pairwise as pairwise_moves  # noqa: F401  registers the kernels

        pull, size = turned_pull(data.links, q), q.sum(axis=0)
        inside = np.einsum("ci,ic->c", pull, q)
        if data.known is None:
            empty = np.empty((0, 0), data.links.dense.dtype)
            return State(*data.links, pull, size, inside, empty, np.empty((0, 0)), np.empty(0))
        seen = turned_pull(data.known, q)
        pairs = np.einsum("ci,ic->c", seen, q) + size
        return State(*data.links, pull, size, inside, data.known.dense, seen, pairs)


def half_ratio(inside: np.ndarray, size: np.ndarray) -> np.ndarray:
    """½ inside / size, for clusters of which every pair is known; nothing for an empty one."""
    empty = size < ALMOST_EMPTY
    half: np.ndarray = inside / (2 * size + empty)
    return np.where(empty, 0.0, half) if empty.any() else half


def price(size: np.ndarray, inside: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """½ size · inside / pairs; nothing for an empty cluster."""
    return np.where(pairs > NEGLIGIBLE_SIZE, size * inside / np.maximum(2 * pairs, NEGLIGIBLE_SIZE), 0.0)
