"""The cost of a self-organising map: a row is compared with the neighbours of its node too, each by its share.

    R(c, X) = Σ_i w_i Σ_r H_c(i)r ||x_i - u_r||²,   Σ_r H_cr = 1

    Σ_r H_cr ||x - u_r||² = ||x - ū_c||² + o_c,   ū = H U,   o_c = Σ_r H_cr ||u_r||² - ||ū_c||² ≥ 0

The second line is why no row is ever compared with k² pairs of nodes: the cheapest node is the nearest smoothed
prototype, with an offset. With H the identity the cost is that of K-means.

Heskes, Energy functions for self-organizing maps, in Kohonen Maps, Elsevier 1999; Luttrell, A Bayesian analysis of
self-organizing maps, Neural Computation 6 (1994).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.costs.nearest.differences import CANCELLED
from unmix.costs.squared_distance import SquaredDistance, Stats


class Neighborhood:
    """Squared distances averaged over a neighbourhood H (k, k) of nodes, whose rows sum to one."""

    named_clusters = True  # nodes have neighbours

    def __init__(self, H: Any) -> None:
        self.H = np.asarray(H, np.float64)
        square = self.H.ndim == 2 and self.H.shape[0] == self.H.shape[1]
        if not square or (self.H < 0).any() or not np.allclose(self.H.sum(axis=1), 1.0, rtol=0, atol=1e-8):
            raise ValueError(
                f"H of shape {self.H.shape} is no neighbourhood: give a square matrix of shares, rows sum to 1"
            )

    def total(self, data: Any, labels: np.ndarray) -> float:
        """R(labels, data) with the prototypes that suit the labels best, by definition."""
        rows = np.asarray(data.toarray() if hasattr(data, "tocsr") else data, np.float64)
        shares = self.H[labels]
        mass = shares.sum(axis=0)
        held = mass > 0
        prototypes = (shares.T @ rows)[held] / mass[held, None]
        squares = ((rows[:, None, :] - prototypes) ** 2).sum(axis=2)
        return float((shares[:, held] * squares).sum())

    def distances(self, block: Any, prototypes: np.ndarray) -> np.ndarray:
        """(rows, k): Σ_r H_cr ||x_i - u_r||²."""
        plain = SquaredDistance().distances(block, prototypes)
        return plain @ self.H.T.astype(plain.dtype)

    def statistics(self, block: Any, q: np.ndarray, prototypes: np.ndarray) -> Stats:
        """Sums of the rows weighted by q (rows, k): those of K-means, nodes share them afterwards."""
        return SquaredDistance().statistics(block, q, prototypes)

    def prototypes(self, stats: Stats, previous: np.ndarray) -> np.ndarray:
        """Means of the rows, each counted by the share its node gives; a node that gets none keeps its prototype."""
        mass = self.H.T @ stats.mass
        held = (mass > np.finfo(float).tiny * 2.0**60)[:, None]  # below, shares have lost their digits
        return np.where(held, (self.H.T @ stats.sums) / np.where(held, mass[:, None], 1.0), previous)

    def smooth(self, prototypes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """ū (k, d) and o (k,): the cost of a row at node c is ||x - ū_c||² + o_c."""
        centers = self.H @ prototypes
        # about the middle of most: far from the origin squares would cancel
        middle = np.sort(prototypes, axis=0)[(len(prototypes) - 1) // 2]
        squares = self.H @ ((prototypes - middle) ** 2).sum(axis=1)
        offsets = squares - ((centers - middle) ** 2).sum(axis=1)
        for c in np.flatnonzero(offsets < CANCELLED * squares):
            offsets[c] = self.H[c] @ ((prototypes - centers[c]) ** 2).sum(axis=1)
        return centers, offsets

    def expected(self, stats: Stats, squares: float, prototypes: np.ndarray) -> float:
        """R from the statistics of the rows and Σ_i w_i ||x_i||²."""
        near = self.H @ (prototypes * prototypes).sum(axis=1)
        return float(squares - 2 * np.vdot(stats.sums, self.H @ prototypes) + stats.mass @ near)
