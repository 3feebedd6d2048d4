"""The cost of a self-organising map of objects known only by dissimilarities.

    R(c) = ½ Σ_r (Σ_ij s_ir s_jr D_ij) / (Σ_i s_ir),   s_ir = H_c(i)r

Every object belongs to the nodes around its own by the shares H. For squared Euclidean D this is the cost of a map of
vectors (neighborhood.py); with H the identity it is pairwise clustering.
Reference: Graepel & Obermayer, Neural Computation 11 (1999).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.costs.pairwise import LEAST, Dissimilarities
from unmix.costs.potts import turned_pull


class State(NamedTuple):
    dense: np.ndarray
    starts: np.ndarray
    neighbours: np.ndarray
    weights: np.ndarray
    H: np.ndarray  # (k, k)
    pull: np.ndarray  # (k, n) Σ_j D_ij s_jr
    size: np.ndarray  # (k,) Σ_i s_ir
    inside: np.ndarray  # (k,) Σ_ij s_ir s_jr D_ij


class PairwiseNeighborhood:
    """Data are `Dissimilarities` without gaps; H (k, k) has rows that sum to one."""

    named_clusters = True  # nodes have neighbours

    def __init__(self, H: np.ndarray) -> None:
        self.H = np.ascontiguousarray(H, np.float64)

    def total(self, data: Dissimilarities, labels: np.ndarray) -> float:
        return self._mean(data, self.H[labels])

    def expected(self, data: Dissimilarities, q: np.ndarray) -> float:
        return self._mean(data, q @ self.H)

    def _mean(self, data: Dissimilarities, shares: np.ndarray) -> float:
        inside = (shares * data.links.pull(shares)).sum(axis=0)
        return float(price(shares.sum(axis=0), inside).sum())

    def fields(self, data: Dissimilarities, q: np.ndarray) -> np.ndarray:
        shares = q @ self.H
        pull = data.links.pull(shares)
        size = shares.sum(axis=0) - shares
        inside = (shares * pull).sum(axis=0) - 2 * shares * pull
        alone = price(size, inside)
        h = np.empty_like(shares)
        for c, near in enumerate(self.H):  # one node at a time: no (n, k, k) array
            h[:, c] = (price(size + near, inside + 2 * near * pull) - alone).sum(axis=1)
        return h

    def state(self, data: Dissimilarities, q: np.ndarray) -> State:
        from unmix.costs import pairwise_neighborhood_moves  # noqa: F401  registers the kernels

        shares = q @ self.H
        pull = turned_pull(data.links, shares)
        return State(*data.links, self.H, pull, shares.sum(axis=0), np.einsum("ci,ic->c", pull, shares))


def price(size: np.ndarray, inside: np.ndarray) -> np.ndarray:
    return np.where(size > LEAST, inside / np.maximum(2 * size, LEAST), 0.0)
