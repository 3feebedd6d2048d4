"""Joint diagonalization by an orthogonal matrix: plane rotations, each the best for its plane, sweep after sweep.

In the plane (i, j) the sum of squared off-diagonal entries after a rotation by θ is a quadratic form of
(cos 2θ, sin 2θ) with the matrix G = Σ_τ h hᵀ, h = (C_ii - C_jj, 2 C_ij); its largest eigenvector gives θ.
Reference: Cardoso and Souloumiac (1996), Jacobi angles for simultaneous diagonalization, SIAM Journal on Matrix
Analysis and Applications 17.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.joint_diagonal.problem import Diagonalization, change_coordinates, cost
from unmix.algorithms.joint_diagonal.quadratic import State
from unmix.core.iteration.loop import iterate


def rotate(stacked: np.ndarray, *, max_iter: int, tol: float) -> Diagonalization:
    """Until no rotation of a sweep is larger than ``tol`` (radians)."""
    from unmix.algorithms.joint_diagonal.rotation_kernel import sweep

    def advance(state: State) -> tuple[State, dict[str, float]]:
        matrices, rows = change_coordinates(stacked, state.rows), state.rows.copy()
        largest = sweep(matrices, rows)
        value = cost(matrices)
        return State(rows, value, state.iteration + 1, largest <= tol), {"cost": value, "rotation": largest}

    start = State(np.eye(len(stacked)), cost(stacked), 0, False)
    state = iterate(advance, start, max_iter=max_iter, name="Jacobi rotations")
    return Diagonalization(state.rows, state.cost, state.iteration, state.done)
