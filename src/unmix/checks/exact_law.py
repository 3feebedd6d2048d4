"""The Gibbs distribution of a tiny problem at any temperature, from one enumeration of its labellings."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.inference.chains import interchangeable
from unmix.inference.enumerate import enumerate_labellings


class ExactLaw(NamedTuple):
    """Every labelling (m, n) and its cost; `alike` says whether the names of clusters mean nothing."""

    labellings: np.ndarray
    costs: np.ndarray
    k: int
    alike: bool

    @classmethod
    def of(cls, cost: Any, data: Any, k: int) -> ExactLaw:
        every = enumerate_labellings(cost, data, k, 1.0)
        alike = interchangeable(cost, data, k, np.random.default_rng(0))
        return cls(every.labellings, every.costs, k, alike)

    @property
    def n(self) -> int:
        return self.labellings.shape[1]

    def probabilities(self, T: float) -> np.ndarray:
        weights = np.exp(-(self.costs - self.costs.min()) / T)
        return np.asarray(weights / weights.sum())

    def entropy(self, T: float) -> float:
        p = self.probabilities(T)
        return float(-(p * np.log(np.maximum(p, 1e-300))).sum())

    def free_energy(self, T: float) -> float:
        weights = np.exp(-(self.costs - self.costs.min()) / T)
        return float(self.costs.min() - T * np.log(weights.sum()))

    def temperature_of(self, share: float) -> float:
        """Where labels keep this share of the entropy between frost and chance."""
        spread = float(np.ptp(self.costs))
        if spread == 0:
            return 1.0
        low, high = 1e-4 * spread, 1e3 * spread
        least, most = self.entropy(low), self.n * np.log(self.k)
        for _ in range(60):
            middle = np.sqrt(low * high)
            cold = self.entropy(middle) < least + share * (most - least)
            low, high = (middle, high) if cold else (low, middle)
        return float(np.sqrt(low * high))

    def features(self, labels: np.ndarray) -> np.ndarray:
        """(draws, f): which objects share a cluster, and how many do; or the labels, where clusters have names."""
        labels = np.atleast_2d(labels)
        if not self.alike:
            return np.concatenate([labels == c for c in range(1, self.k)], axis=1).astype(float)
        one, other = np.triu_indices(self.n, 1)
        pairs = (labels[:, one] == labels[:, other]).astype(float)
        return np.column_stack([pairs, pairs.mean(axis=1)])

    def mean_under(self, q: np.ndarray) -> float:
        """The mean cost of independent labels with shares q."""
        return float(self._product(q) @ self.costs)

    def conditional_means(self, q: np.ndarray, i: int) -> np.ndarray:
        """(k,): the mean cost with object i in each cluster, all others independent with shares q."""
        p = self._product(np.where(np.arange(self.n)[:, None] == i, 1.0, q))
        return np.bincount(self.labellings[:, i], p * self.costs, minlength=self.k)

    def _product(self, q: np.ndarray) -> np.ndarray:
        return np.asarray(np.prod([q[i][self.labellings[:, i]] for i in range(self.n)], axis=0))
