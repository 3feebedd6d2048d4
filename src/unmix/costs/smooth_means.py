"""The cost of smooth K-means with every prototype at the mean of its rows, a function of the labels alone.

    R(c) = Σ_i ||x_i - u_c(i)||² + ½ Σ_ij J_ij [c(i) ≠ c(j)]        u_c the mean of the rows with label c

The cost of K-means (squared_distance.py) and that of Potts (potts.py) added: moves of single objects take prototypes
with them, so that no label is held by a prototype which waits for it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.costs.links import Links
from unmix.costs.potts import Couplings, Potts, State, near_pull
from unmix.costs.squared_distance import SquaredDistance


class LinkedRows(NamedTuple):
    """The data: dense rows (n, d) and the links J between them."""

    rows: np.ndarray
    links: Links

    @property
    def n_objects(self) -> int:
        return len(self.rows)


class SmoothMeans:
    """K-means with a price for neighbours in different clusters. Data are `LinkedRows`."""

    def total(self, data: LinkedRows, labels: np.ndarray) -> float:
        free = np.zeros((len(labels), int(labels.max(initial=0)) + 1))
        return SquaredDistance().total(data.rows, labels) + Potts().total(Couplings(data.links, free), labels)

    def state(self, data: LinkedRows, q: np.ndarray) -> State:
        from unmix.costs.move_kernels import potts as potts_moves  # noqa: F401  registers the kernels

        rows = np.ascontiguousarray(data.rows, np.float64)
        return State(*data.links, np.zeros(q.shape), near_pull(data.links, q), rows, q.T @ rows, q.sum(axis=0))
