"""Joint diagonalization row by row (QDIAG).

With all other rows fixed, the cost is a quadratic form of row w_i,

    f = 2 w_iᵀ D_i w_i + ...,   D_i = Σ_τ Σ_{j≠i} C_τ w_j w_jᵀ C_τ,

and the constraint wᵀ C_0 w = 1 makes its minimum the smallest eigenvector of D_i, in coordinates in which C_0 is the
identity. Every row is set to it in turn, so the cost never rises.
Reference: Vollgraf and Obermayer (2006), Quadratic optimization for simultaneous matrix diagonalization, IEEE
Transactions on Signal Processing 54.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.joint_diagonal.problem import Diagonalization, change_coordinates, cost
from unmix.core.iteration.loop import iterate


class State(NamedTuple):
    rows: np.ndarray  # (k, d) unit rows
    cost: float
    iteration: int
    done: bool


def quadratic(stacked: np.ndarray, start: np.ndarray, *, max_iter: int, tol: float) -> Diagonalization:
    """In coordinates in which C_0 is the identity; until no row turns by more than ``tol`` in a sweep."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        rows = state.rows.copy()
        images = np.tensordot(rows, stacked, 1)  # (i, τ, d): C_τ w_i
        total = np.tensordot(images, images, ([0, 1], [0, 1]))
        turned = 0.0
        for i in range(len(rows)):
            total -= images[i].T @ images[i]
            _, vectors = np.linalg.eigh(total)
            new = vectors[:, 0] * (1.0 if vectors[:, 0] @ rows[i] >= 0 else -1.0)
            turned, rows[i] = max(turned, float(np.abs(new - rows[i]).max())), new
            images[i] = np.tensordot(new, stacked, 1)
            total += images[i].T @ images[i]
        value = cost(change_coordinates(stacked, rows))
        return State(rows, value, state.iteration + 1, turned <= tol), {"cost": value, "turned": turned}

    state = iterate(
        advance, State(start, cost(change_coordinates(stacked, start)), 0, False), max_iter=max_iter, name="QDIAG"
    )
    return Diagonalization(state.rows, state.cost, state.iteration, state.done)
