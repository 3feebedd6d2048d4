"""Deterministic annealing as a step: exact expectation given prototypes where a cost has them, mean fields elsewhere.

    U = argmin_U Σ_ic q_ic h_ic(U),   q_ic ∝ exp(-h_ic(U) / T)        rows are independent given U

Both updates lower <R> - T H(q). At zero temperature the first is the mean of the rows and the second the nearest
prototype: Lloyd's iteration. SoftKMeans, HistogramClustering and ParametricDistributionalClustering follow the same
distribution block by block, with masses and splits (inference/prototypes/deterministic_annealing.py).
Reference: Rose, Proc. IEEE 86 (1998).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.base import HasFields, HasMoves, HasPrototypes, first_prototypes, n_objects
from unmix.inference.mean_field import MeanField, entropy, perturbed, softmax
from unmix.inference.step import Visit


class Fitted(NamedTuple):
    """Shares (n, k) and the prototypes they were found at; None where the cost has none, or none are known yet."""

    q: np.ndarray
    prototypes: Any = None


class DeterministicAnnealing(MeanField):
    """Exact expectation for costs with prototypes, for all others the mean field with the same parameters.

    Data of costs with prototypes are one block of rows.
    """

    requires: Any = (HasPrototypes, HasFields, HasMoves)

    def __init__(
        self,
        order: str = "parallel",
        damping: float | None = None,
        max_sweeps: int = 50,
        tol: float = 1e-3,
        jitter: float = 1e-3,
    ) -> None:
        super().__init__(order, damping, max_sweeps, tol, jitter)
        self.requires = (HasPrototypes, HasMoves if order == "sequential" else HasFields)

    def begin(self, cost: Any, data: Any, k: int, rng: np.random.Generator) -> Any:
        return Fitted(perturbed(np.full((n_objects(data), k), 1 / k), self.jitter, rng))

    def restart(self, q: np.ndarray) -> Any:
        return Fitted(q)

    def visit(
        self, cost: Any, data: Any, state: Any, temperature: float, rng: np.random.Generator
    ) -> tuple[Any, Visit]:
        if not isinstance(cost, HasPrototypes):
            fields, visit = super().visit(cost, data, state, temperature, rng)
            return Fitted(fields.q), visit
        q = perturbed(state.q, self.jitter, rng) if temperature > 0 else state.q
        U = first_prototypes(cost, data, q.shape[1]) if state.prototypes is None else state.prototypes
        beta, change, sweeps = 1 / temperature if temperature > 0 else np.inf, np.inf, 0
        while change > self.tol and sweeps < self.max_sweeps:
            U = cost.prototypes(cost.statistics(data, q, U), U)
            h = np.asarray(cost.distances(data, U), np.float64)
            new = softmax(h, beta)
            q, change, sweeps = new, float(np.abs(new - q).max()), sweeps + 1
        return Fitted(q, U), _seen(h, q, change, sweeps, getattr(cost, "mean_is_bound", False))


def _seen(h: np.ndarray, q: np.ndarray, change: float, sweeps: int, bound: bool) -> Visit:
    """Means given the prototypes; a label of probability 0 may cost anything."""
    paid = np.where(q > 0, q * np.where(q > 0, h, 0.0), 0.0)
    variance = float((paid * np.where(q > 0, h, 0.0)).sum() - (paid.sum(axis=1) ** 2).sum())
    return Visit(float(paid.sum()), variance, entropy(q), change, sweeps, bound)
