"""Exact expectation for costs whose rows are independent given prototypes.

    E step   q_ic = exp(-beta h_ic(U)) / Z_i
    M step   U = argmin_U Σ_i w_i Σ_c q_ic h_ic(U)

Both steps lower the free energy F = -(1/beta) Σ_i w_i log Z_i = <R> - H(q)/beta, so it never rises. With the Gaussian
cost at beta = 1 this is the EM algorithm and F is minus the log-likelihood; with beta growing from a small value it
is deterministic annealing. References: Dempster, Laird and Rubin (1977); Rose, Gurewitz and Fox (1990).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.summation.tree import merge
from unmix.costs.base import HasPrototypes

DISTANCES_AT_ONCE = 2**17  # in the (rows, k) array; a leaf is worked on in pieces that stay in the cache


class Pass(NamedTuple):
    """What one pass over the rows adds up."""

    stats: Any
    mass: float  # Σ_i w_i
    log_z: float  # Σ_i w_i log Z_i
    cost: float  # Σ_i w_i Σ_c q_ic h_ic


class State(NamedTuple):
    prototypes: Any
    free_energy: float  # per unit of mass, of the prototypes one step before
    cost: float
    iteration: int
    done: bool

    @property
    def fixed_shapes(self) -> bool:
        """In a checkpoint: kernels trust the number of prototypes."""
        return True


def expectation(
    X: RowBlocks,
    cost: HasPrototypes,
    prototypes: Any,
    *,
    beta: float = 1.0,
    weights: np.ndarray | None = None,
    max_iter: int,
    tol: float,
    name: str = "expectation",
    measure: Callable[[State], dict[str, float]] | None = None,
    before: float = np.inf,
) -> State:
    """Alternate both steps until the free energy changes by less than ``tol`` per unit of mass.

    ``before`` is the free energy one step ago, if the prototypes come from such a step.
    """
    if not isinstance(cost, HasPrototypes):
        raise TypeError(f"{type(cost).__name__} has no prototypes, which exact expectation needs; use a mean field")
    measure = measure or _free_energy

    def advance(state: State) -> tuple[State, dict[str, float]]:
        total = X.reduce(expect, cost, state.prototypes, beta, rows=weights)
        free_energy = -total.log_z / (beta * total.mass)
        done = abs(state.free_energy - free_energy) < tol
        new = cost.prototypes(total.stats, state.prototypes)
        state = State(new, free_energy, total.cost / total.mass, state.iteration + 1, bool(done))
        return state, measure(state)

    return iterate(advance, State(prototypes, before, np.inf, 0, False), max_iter=max_iter, name=name)


def _free_energy(state: State) -> dict[str, float]:
    return {"free_energy": state.free_energy, "cost": state.cost}


def expect(block: Any, weights: np.ndarray | None, cost: HasPrototypes, prototypes: Any, beta: float) -> Pass:
    """Both marginals and statistics of one leaf, piece by piece."""
    total = None
    for piece, share in pieces(block, weights, len(prototypes[0])):
        q, log_z, mean = marginals(piece, share, cost, prototypes, beta)
        part = Pass(cost.statistics(piece, q, prototypes), float(share.sum()), float(share @ log_z), mean)
        total = part if total is None else merge(total, part)
    assert total is not None, "a leaf has rows"
    return total


def log_partition(block: Any, weights: np.ndarray | None, cost: HasPrototypes, prototypes: Any, beta: float) -> Pass:
    """As `expect`, without statistics: for the free energy of final prototypes."""
    total = Pass(None, 0.0, 0.0, 0.0)
    for piece, share in pieces(block, weights, len(prototypes[0])):
        _, log_z, mean = marginals(piece, share, cost, prototypes, beta)
        total = merge(total, Pass(None, float(share.sum()), float(share @ log_z), mean))
    return total


def pieces(block: Any, weights: np.ndarray | None, k: int) -> Iterator[tuple[Any, np.ndarray]]:
    """Runs of rows of a leaf with their weights; rows of no weight are left out, one run there always is."""
    if weights is None:
        weights = np.ones(block.shape[0])
    elif not weights.all():
        block, weights = block[weights > 0], weights[weights > 0]
    width = k if hasattr(block, "tocsr") else max(k, block.shape[1])  # sparse rows are short, however many columns
    size = max(64, DISTANCES_AT_ONCE // width // 16 * 16)  # whole tiles, which are taken as they are
    if block.shape[0] <= size:  # a slice of sparse rows is a copy
        yield block, weights
        return
    for start in range(0, max(1, block.shape[0]), size):
        yield block[start : start + size], weights[start : start + size]


def marginals(
    block: Any, weights: np.ndarray, cost: HasPrototypes, prototypes: Any, beta: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Weighted q (rows, k), log Z (rows,), and the expected cost of the rows."""
    from unmix.inference.local.soften import gibbs

    return gibbs(cost.distances(block, prototypes), beta, weights)
