"""What every non-negative factorization is given, carries and measures.

    minimise  Σ_i w_i [ D(x_i, z_i U) + l1 |z_i|₁ + ½ l2 |z_i|² ] + l1' |U|₁ + ½ l2' |U|²

over Z ≥ 0 and U ≥ 0 (or free), with D(x, y) = ½ ||x - y||² or the Kullback-Leibler divergence Σ_j x log(x / y) - x + y.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.aligned.row_file import parts
from unmix.core.blocks import RowBlocks


class Penalty(NamedTuple):
    """``l1 |a| + ½ l2 a²`` for every entry of a factor."""

    l1: float = 0.0
    l2: float = 0.0

    def of(self, factor: np.ndarray) -> float:
        if not any(self):
            return 0.0
        entries = np.asarray(factor, dtype=np.float64)
        return self.l1 * float(np.abs(entries).sum()) + 0.5 * self.l2 * float((entries**2).sum())

    def of_rows(self, factor: np.ndarray, weights: np.ndarray | None) -> float:
        if not any(self):
            return 0.0
        entries = np.asarray(factor, dtype=np.float64)
        rows = (self.l1 * np.abs(entries) + 0.5 * self.l2 * entries**2).sum(axis=1)
        return float(rows.sum() if weights is None else weights @ rows)


class Problem(NamedTuple):
    """The table (to be multiplied by ``scale``), the weights of its rows, the penalties, and when to stop."""

    X: RowBlocks
    weights: np.ndarray | None = None
    scale: float = 1.0
    codes: Penalty = Penalty()
    components: Penalty = Penalty()
    tol: float = 1e-4
    squares: float = 0.0  # of the scaled table, weighted
    floor: float = 0.0  # an objective at which there is no need to go on

    def rows(self, codes: np.ndarray, *more: np.ndarray) -> np.ndarray | tuple[np.ndarray, ...]:
        """What goes along with the rows of the table: codes, further ones, and the weights, if there are any."""
        if self.weights is None:
            return (codes, *more) if more else codes
        return (codes, *more, self.weights)


class State(NamedTuple):
    """All that the next iteration needs."""

    iteration: int
    done: bool
    codes: np.ndarray  # (n, k)
    components: np.ndarray  # (k, d)
    objective: float
    reference: float = 0.0  # what the measure of convergence was at first
    latest: float = 0.0  # and when it was looked at last


def begin(codes: np.ndarray, components: np.ndarray) -> State:
    return State(0, False, codes, components, np.inf)


def split(rows: np.ndarray | tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray | None]:
    """Codes and weights of a block."""
    return rows if isinstance(rows, tuple) else (rows, None)


def split_pair(rows: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Codes, codes before, and weights of a block."""
    codes, before, *weights = rows
    return codes, before, weights[0] if weights else None


def weigh(codes: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    return codes if weights is None else codes * weights[:, None].astype(codes.dtype)


def column_squares(codes: Any, weights: np.ndarray | None) -> np.ndarray:
    """Σ_i w_i z_ic² of every column, a part of the rows at a time."""
    total: Any = 0.0
    for place, part in parts(codes):
        weight = np.ones(len(part)) if weights is None else weights[place]
        total = total + np.array([weight @ np.square(part[:, c], dtype=np.float64) for c in range(part.shape[1])])
    return np.asarray(total)


def slow(problem: Problem, state: State, value: float, every: int) -> tuple[bool, float, float]:
    """Scikit-learn's rule: done when ten iterations lowered √(2 objective) by less than ``tol`` of the first.

    Looked at every ``every`` iterations. Returns the two measures to carry on, too.
    """
    root = float(np.sqrt(2 * max(value, 0.0)))
    if state.iteration == 0:
        return root == 0, root, root
    if state.iteration % every:
        return False, state.reference, state.latest
    return bool(state.latest - root <= problem.tol * state.reference * every / 10), state.reference, root
