"""Correlation clustering: pay for every pair that is alike and apart, and for every pair that is unlike and together.

    R(c) = Σ_{i<j, same cluster} max(0, u - S_ij) + Σ_{i<j, different} max(0, S_ij - u)

With X = S - u this is Σ_{i<j} max(0, X_ij) - Σ_{i<j, same} X_ij, so moves need only the sums of X. Pairs that a
sparse S does not name have S = 0. The number of clusters may stay open: a cluster that does not pay stays empty.
Reference: Bansal, Blum & Chawla, Machine Learning 56 (2004).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.costs.links import Links
from unmix.costs.potts import turned_pull


class State(NamedTuple):
    dense: np.ndarray
    starts: np.ndarray
    neighbours: np.ndarray
    weights: np.ndarray
    pull: np.ndarray  # (k, n)
    size: np.ndarray  # (k,)
    threshold: np.ndarray  # (1,)


class Correlation:
    """The cost of correlation clustering. Data are `Links` of similarities; `threshold` is u."""

    mean_is_bound = True  # `expected` is linear in the share of each object

    def __init__(self, threshold: float = 0.0) -> None:
        self.threshold = threshold

    def total(self, data: Links, labels: np.ndarray) -> float:
        S, u, n = data.matrix(), self.threshold, data.n_objects
        if not hasattr(S, "tocoo"):
            return disagreements(S, u, labels)
        sizes = np.bincount(labels).astype(np.float64)
        together = (sizes * (sizes - 1)).sum() / 2
        S = S.tocoo()
        named, same = S.data, labels[S.row] == labels[S.col]
        # pairs that S names, each twice; then those it does not, all of which have S = 0
        paid = (np.maximum(named - u, 0)[~same].sum() + np.maximum(u - named, 0)[same].sum()) / 2
        unnamed_same = together - same.sum() / 2
        unnamed_apart = n * (n - 1) / 2 - together - (~same).sum() / 2
        return float(paid + max(-u, 0.0) * unnamed_apart + max(u, 0.0) * unnamed_same)

    def fields(self, data: Links, q: np.ndarray) -> np.ndarray:
        return -data.pull(q) + self.threshold * (q.sum(axis=0) - q)

    def expected(self, data: Links, q: np.ndarray) -> float:
        alone = self.total(data, np.arange(data.n_objects))  # every object by itself
        return alone + float((q * self.fields(data, q)).sum()) / 2

    def state(self, data: Links, q: np.ndarray) -> State:
        from unmix.costs.move_kernels import correlation as correlation_moves  # noqa: F401  registers the kernels

        return State(*data, turned_pull(data, q), q.sum(axis=0), np.array([self.threshold]))


def disagreements(S: np.ndarray, threshold: float, labels: np.ndarray) -> float:
    """Of all pairs of a dense S, a row of those above the diagonal at a time, which stays in the cache."""
    cost, room, labels = 0.0, np.empty(len(S)), labels.astype(np.int32)
    apart_or_same = np.array([1.0, -1.0])  # what the sign of a paid difference is
    for i in range(len(S) - 1):
        above = np.subtract(S[i, i + 1 :], threshold, out=room[i + 1 :])
        above *= apart_or_same[(labels[i + 1 :] == labels[i]).view(np.int8)]
        cost += float(np.maximum(above, 0.0, out=above).sum())
    return cost
