"""Any cost with prototypes, whose clusters have masses: the cost of a row is h_ic - T log p_c, Σ_c p_c = 1.

Its Gibbs distribution at temperature T is q_ic ∝ p_c exp(-h_ic / T). A cluster of mass p and two coinciding ones of
mass p/2 then give every row the same, so only the number of different prototypes counts, not how often each is held.

Rose, Deterministic annealing for clustering, compression, classification, regression, Proc. IEEE 86 (1998).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.base import HasPrototypes


class Clusters(NamedTuple):
    """Prototypes and the share of the rows each holds."""

    prototypes: Any  # (k, m)
    masses: np.ndarray  # (k,)

    def consistent(self) -> bool:
        return len(self.prototypes) == len(self.masses)


class Stats(NamedTuple):
    inner: Any
    mass: np.ndarray


class MassConstrained:
    """``cost`` at a temperature, with the masses of the clusters among the parameters."""

    def __init__(self, cost: HasPrototypes, temperature: float) -> None:
        self.cost, self.temperature = cost, temperature

    def total(self, data: Any, labels: np.ndarray) -> float:
        """R(labels, data) of the cost itself plus the coding length T n H(p) of the labels."""
        counts = np.unique(labels, return_counts=True)[1]
        return self.cost.total(data, labels) - self.temperature * float(counts @ np.log(counts / counts.sum()))

    def distances(self, block: Any, clusters: Clusters) -> np.ndarray:
        with np.errstate(divide="ignore"):
            price = -self.temperature * np.log(clusters.masses)
        h = self.cost.distances(block, clusters.prototypes)
        h += price.astype(h.dtype)
        return h

    def statistics(self, block: Any, q: np.ndarray, clusters: Clusters) -> Stats:
        return Stats(self.cost.statistics(block, q, clusters.prototypes), q.sum(axis=0, dtype=np.float64))

    def prototypes(self, stats: Stats, previous: Clusters) -> Clusters:
        return Clusters(self.cost.prototypes(stats.inner, previous.prototypes), stats.mass / stats.mass.sum())
