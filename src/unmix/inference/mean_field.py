"""Mean fields: the best independent approximation q(c) = Π_i q_i(c_i) of a Gibbs distribution.

    G(q) = <R>_q - T H(q) ≥ F        is least where  q_ic ∝ exp(-h_ic / T),  h_ic = <R | c_i = c>

The fields h are those of all others' shares, so the equations are iterated: object by object, which lowers G every
time where <R> is linear in each object's shares, or all at once with damping, which is one product with the links.
Costs with sizes of clusters in a denominator put in the mean sizes, and <R> - T H is then an approximation, no bound:
`MeanField.free_energy` takes their true mean.
Reference: Parisi, Statistical Field Theory (1988); Hofmann & Buhmann, IEEE PAMI 19 (1997).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.core.summation.short_rows import least_of_rows, sums_of_rows
from unmix.costs.base import HasFields, HasMoves, n_objects
from unmix.costs.potts import Potts
from unmix.inference.step import Visit


class Shares(NamedTuple):
    q: np.ndarray


class MeanField:
    """`order` is "sequential" or "parallel"; `jitter` parts clusters that coincide once that has become unstable."""

    requires: Any = HasFields

    def __init__(
        self,
        order: str = "parallel",
        damping: float | None = None,
        max_sweeps: int = 50,
        tol: float = 1e-3,
        jitter: float = 1e-3,
    ) -> None:
        if order not in ("sequential", "parallel"):
            raise ValueError(f"order={order!r} is not known; choose 'sequential' or 'parallel'")
        self.order, self.max_sweeps, self.tol, self.jitter = order, max_sweeps, tol, jitter
        self.damping = (0.0 if order == "sequential" else 0.3) if damping is None else damping
        self.requires = HasMoves if order == "sequential" else HasFields

    def begin(self, cost: Any, data: Any, k: int, rng: np.random.Generator) -> Shares:
        return Shares(perturbed(np.full((n_objects(data), k), 1 / k), self.jitter, rng))

    def restart(self, q: np.ndarray) -> Shares:
        return Shares(q)

    def visit(
        self, cost: Any, data: Any, state: Shares, temperature: float, rng: np.random.Generator
    ) -> tuple[Shares, Visit]:
        # at zero temperature what is left of other labels would hide that a cluster is empty
        q = perturbed(state.q, self.jitter, rng) if temperature > 0 else softmax(-state.q, np.inf)
        beta = 1 / temperature if temperature > 0 else np.inf
        # at zero temperature updates of all at once may go to and fro for ever
        single = self.order == "sequential" or (temperature == 0 and isinstance(cost, HasMoves))
        iterate = self._one_by_one if single else self._all_at_once
        q, change, sweeps = iterate(cost, data, q, beta, rng)
        return Shares(q), seen(cost, data, q, change, sweeps)

    def _one_by_one(
        self, cost: Any, data: Any, q: np.ndarray, beta: float, rng: np.random.Generator
    ) -> tuple[np.ndarray, float, int]:
        sweep, change, sweeps = make_sweep(cost, data, q, beta, self.damping), np.inf, 0
        while change > self.tol and sweeps < self.max_sweeps:
            change, sweeps = sweep(rng.permutation(len(q))), sweeps + 1
        return normalised(q), change, sweeps

    def _all_at_once(
        self, cost: Any, data: Any, q: np.ndarray, beta: float, rng: np.random.Generator
    ) -> tuple[np.ndarray, float, int]:
        change, sweeps = np.inf, 0
        while change > self.tol and sweeps < self.max_sweeps:
            new = softmax(cost.fields(data, q), beta)
            step = (1 - self.damping) * (new - q)
            q = q + step
            change, sweeps = float(np.abs(step).max()), sweeps + 1
        return normalised(q), change, sweeps

    def shares(self, state: Shares) -> np.ndarray:
        return state.q

    def free_energy(self, cost: Any, data: Any, q: np.ndarray, temperature: float) -> float:
        """G(q), never below the free energy; NaN where the cost knows neither its mean under q nor a bound of it."""
        if hasattr(cost, "mean"):
            mean = float(cost.mean(data, q))
        else:
            mean = float(cost.expected(data, q)) if getattr(cost, "mean_is_bound", False) else np.nan
        return mean - temperature * entropy(q)


def make_sweep(cost: Any, data: Any, q: np.ndarray, beta: float, damping: float) -> Callable[[np.ndarray], float]:
    """A sweep over objects in a given order, which moves q in place and returns the largest change."""
    if type(cost) is Potts and beta < np.inf and not len(data.links.dense):
        from unmix.inference.local.potts_sweep import potts_sweep

        return potts_sweep(data, q, beta, damping)
    from unmix.costs.moves import packed
    from unmix.inference.local.sweeps import mean_field_sweep

    running, kept = packed(cost.state(data, q)), damping if beta < np.inf else 0.0
    rooms = np.zeros((2, q.shape[1]))
    return lambda order: float(mean_field_sweep(running, q, order, beta, kept, *rooms))


def softmax(h: np.ndarray, beta: float) -> np.ndarray:
    """Rows of exp(-beta h), normalised; at zero temperature the cheapest."""
    if beta == np.inf:
        return np.eye(h.shape[1])[h.argmin(axis=1)]
    weights = -beta * (h - least_of_rows(h))
    np.exp(weights, out=weights)
    weights /= sums_of_rows(weights)
    return weights


def normalised(q: np.ndarray) -> np.ndarray:
    q = np.maximum(q, 0.0)
    q /= sums_of_rows(q)
    return q


def perturbed(q: np.ndarray, jitter: float, rng: np.random.Generator) -> np.ndarray:
    if not jitter:
        return normalised(q)
    return normalised(q * (1 + jitter * rng.standard_normal(q.shape)))


def entropy(q: np.ndarray) -> float:
    """Of independent objects, in nats."""
    return float(-(q * np.log(np.maximum(q, 1e-300))).sum())


def seen(cost: Any, data: Any, q: np.ndarray, change: float, sweeps: int) -> Visit:
    """Means under q; the variance is that of the objects' own fields, as if these were fixed."""
    mean = variance = np.nan
    if hasattr(cost, "fields"):  # asking for the whole protocol takes longer than a small product
        if hasattr(cost, "fields_and_mean"):  # as where both need one product with all links
            h, mean = cost.fields_and_mean(data, q)
        else:
            h, mean = cost.fields(data, q), float(cost.expected(data, q))
        variance = float((q * h * h).sum() - (sums_of_rows(q * h) ** 2).sum())
    return Visit(mean, variance, entropy(q), change, sweeps, getattr(cost, "mean_is_bound", False))
