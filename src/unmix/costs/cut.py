"""Graph partitioning: the links that a partition cuts, alone or relative to the size of the parts.

    cut         R(c) = ½ Σ_α cut(α),            cut(α) = Σ_{i in α, j outside} W_ij
    ratio       R(c) = Σ_α cut(α) / |α|
    normalized  R(c) = Σ_α cut(α) / assoc(α),   assoc(α) = Σ_{i in α, all j} W_ij

The first is least when all objects are in one part. The other two balance, and would still be least so if empty parts
were free: where the number of parts is fixed, an empty one costs more than all k parts can, each of which costs 1, or
the largest degree, at most. An object that fills it then always pays, so that there are as many parts as asked for.

Of dissimilarities D the cut is to be large: R(c; D) = -R(c; W = D), with the same prices of empty parts. For D = s - W,
i ≠ j, both forms of the ratio have the same order of partitions, R(c; D) = R(c; W) - s n (k - 1); the bare one is the
sum of dissimilarities inside parts less that of all pairs; the normalized one Σ_α inside(α) / assoc(α) - k.
References: Shi & Malik, IEEE PAMI 22 (2000); von Luxburg, Stat. Comput. 17 (2007).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.costs.links import Links
from unmix.costs.potts import turned_pull
from unmix.costs.ratio_means import mean_ratio

NEGLIGIBLE_SIZE = 1e-9  # objects in a part, or a share of the least degree: the part is empty, or has no links
BALANCES = {"cut": 0, "ratio": 1, "normalized": 2}


class State(NamedTuple):
    dense: np.ndarray
    starts: np.ndarray
    neighbours: np.ndarray
    weights: np.ndarray
    pull: np.ndarray  # (k, n)
    degrees: np.ndarray  # (n,)
    size: np.ndarray  # (k,) number of objects in each part
    assoc: np.ndarray  # (k,) their degrees
    inside: np.ndarray  # (k,) their links among themselves
    balance: np.ndarray  # (1,) which of BALANCES
    limits: np.ndarray  # (3,) what an empty part costs, the least degree there is, and the sign of cuts


class Cut:
    """The cost of a partition of a graph.

    Data are `Links`; `balance` is "cut", "ratio" or "normalized"; `n_parts` is their number, if it is fixed. Links are
    similarities, or dissimilarities, which should be cut.
    """

    def __init__(
        self, balance: str = "normalized", n_parts: int | None = None, *, dissimilarities: bool = False
    ) -> None:
        if balance not in BALANCES:
            raise ValueError(f"balance={balance!r} is not known; choose one of {', '.join(BALANCES)}")
        self.balance, self.n_parts, self.sign = balance, n_parts, -1.0 if dissimilarities else 1.0

    def _empty(self, data: Links) -> float:
        """What an empty part costs."""
        if self.n_parts is None or self.balance == "cut":
            return 0.0
        most = 1.0 if self.balance == "normalized" else float(data.degrees().max())
        return (self.n_parts + 1) * (most or 1.0)

    def total(self, data: Links, labels: np.ndarray) -> float:
        parts = np.unique(labels)
        W, degrees = data.matrix(), data.degrees()
        cost = ((self.n_parts or len(parts)) - len(parts)) * self._empty(data)
        for part in parts:
            member = labels == part
            cut = float(W[member][:, ~member].sum())
            if cut:
                cost += self.sign * cut / self._norm(float(member.sum()), float(degrees[member].sum()))
        return cost

    def _norm(self, size: float, assoc: float) -> float:
        return (2.0, size, assoc)[BALANCES[self.balance]]

    def fields(self, data: Links, q: np.ndarray) -> np.ndarray:
        pull, degrees = data.pull(q), data.degrees()[:, None]
        size, assoc, inside = q.sum(axis=0), (degrees * q).sum(axis=0), (q * pull).sum(axis=0)
        size, assoc, inside = size - q, assoc - degrees * q, inside - 2 * q * pull
        limits = self._empty(data), _least_degree(degrees)
        joined = self._price(size + 1, assoc + degrees, inside + 2 * pull, *limits)
        return joined - self._price(size, assoc, inside, *limits)

    def _price(self, size: np.ndarray, assoc: np.ndarray, inside: np.ndarray, empty: float, least: float) -> np.ndarray:
        norm = (np.float64(2.0), size, assoc)[BALANCES[self.balance]]
        cut = self.sign * (assoc - inside)
        cost = np.where(assoc > NEGLIGIBLE_SIZE * least, cut / np.where(norm > 0, norm, 1.0), 0.0)
        return np.where(size > NEGLIGIBLE_SIZE, cost, empty)

    def expected(self, data: Links, q: np.ndarray) -> float:
        pull, degrees = data.pull(q), data.degrees()
        limits = self._empty(data), _least_degree(degrees)
        return float(self._price(q.sum(axis=0), degrees @ q, (q * pull).sum(axis=0), *limits).sum())

    @property
    def mean_is_bound(self) -> bool:
        """Sizes in the denominator have no means of their own."""
        return self.balance == "cut"

    def mean(self, data: Links, q: np.ndarray) -> float:
        """The mean cost under independent labels with shares q, exactly."""
        if self.balance == "cut":
            return self.expected(data, q)
        degrees = data.degrees()
        sizes = degrees if self.balance == "normalized" else np.ones(len(q))
        paid = sum(mean_ratio(data, share, sizes, cut=True) for share in q.T)
        return float(self.sign * paid + self._empty(data) * np.prod(1 - q, axis=0).sum())

    def state(self, data: Links, q: np.ndarray) -> State:
        from unmix.costs.move_kernels import cut as cut_moves  # noqa: F401  registers the kernels

        pull, degrees = turned_pull(data, q), data.degrees()
        inside = np.einsum("ci,ic->c", pull, q)
        balance = np.array([BALANCES[self.balance]])
        limits = np.array([self._empty(data), _least_degree(degrees), self.sign])
        return State(*data, pull, degrees, q.sum(axis=0), degrees @ q, inside, balance, limits)


def _least_degree(degrees: np.ndarray) -> float:
    """Of the objects that have links."""
    return float(degrees.min(initial=np.inf, where=degrees > 0))
