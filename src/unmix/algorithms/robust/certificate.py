"""Proof that a split is the optimum of principal component pursuit: multipliers that no change of L or S could beat.

    maximise ⟨X, Y⟩   subject to   ‖Y‖₂ ≤ 1,  |Y_ij| ≤ price_i,  Y = 0 where nothing is observed

is the dual: every such Y bounds the cost from below, and L + S is optimal if the bound is its cost. Y must then be U V
on the directions of L and price × sign on the support of S; it is sought by projecting in turn on both. What it misses
on the directions of L, and its norm beyond them, bound ‖Y‖₂.
Candès, Li, Ma & Wright 2011, section 2.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.robust.leading import MOST_DENSE
from unmix.algorithms.robust.problem import Problem, Split
from unmix.core.linalg import largest_eigenvalue


def certify(problem: Problem, split: Split, Y: np.ndarray, *, tol: float, max_iter: int) -> float:
    """The relative gap between the cost of ``split`` and the best bound found from ``Y``."""
    ceiling = np.repeat(problem.price[:, None], Y.shape[1], axis=1)
    if problem.observed is not None:
        ceiling *= problem.observed
    active = split.S != 0
    lowest = np.where(active, ceiling * np.sign(split.S), -ceiling)
    highest = np.where(active, lowest, ceiling)
    cost, change, Y = problem.cost(split.values, split.S), np.inf, np.clip(Y, lowest, highest)
    gap, small = np.inf, tol  # ‖Y‖₂ is known to the length of the step
    for _ in range(max_iter):
        step = _towards_tangent(Y, split.U, split.V)
        last, change = change, float(np.linalg.norm(step))
        stalled = change >= 0.9 * last
        if change <= small or stalled:
            beyond = Y + step - split.U @ split.V  # the part of Y outside the directions of L
            norm = max(1.0, spectral_norm(beyond)) + change
            gap, small = duality_gap(problem, cost, Y, norm), small / 10
            if gap <= tol or stalled:
                break
        Y += step
        np.clip(Y, lowest, highest, out=Y)
    return gap


def duality_gap(problem: Problem, cost: float, Y: np.ndarray, norm: float) -> float:
    """(cost - bound) / cost for multipliers within the prices, scaled down by ``norm`` ≥ ‖Y‖₂."""
    if not cost > 0:
        return 0.0
    gap = abs(cost - float(np.vdot(problem.X, Y)) / max(1.0, norm)) / cost
    return problem.whole_gap(gap, cost, norm)


def spectral_norm(Y: np.ndarray) -> float:
    """The largest singular value; of large matrices by Lanczos' iteration, to six digits."""
    if min(Y.shape) <= MOST_DENSE:
        return float(np.linalg.norm(Y, 2))
    return float(np.sqrt(max(largest_eigenvalue(lambda v: Y.T @ (Y @ v), Y.shape[1]), 0.0)))


def _towards_tangent(Y: np.ndarray, U: np.ndarray, V: np.ndarray) -> np.ndarray:
    """The part of U V - Y that lies in the column space U or the row space V."""
    rows, columns = V - U.T @ Y, U - Y @ V.T
    columns -= U @ (U.T @ columns)
    return np.asarray(np.hstack([U, columns]) @ np.vstack([rows, V]))
