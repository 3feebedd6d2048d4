"""Joint diagonalization of positive definite matrices by the likelihood of Gaussian pieces.

    minimise  l(W) = ½ Σ_τ α_τ [ log det diag(W C_τ Wᵀ) - log det(W C_τ Wᵀ) ] / Σ_τ α_τ

If C_τ is the sample covariance of a piece of Gaussian signal, this is minus the log-likelihood of W, so it weighs every
entry by how surely it is known. It does not depend on the scale of rows, and it is zero for diagonal matrices only.
Steps W <- (I + V) W by quasi-Newton: near the solution the second derivative falls into pairs,

    h_ij V_ij + V_ji = -g_ij,   V_ij + h_ji V_ji = -g_ji,   h_ij = mean of D_j / D_i,   g_ij = mean of C_ij / D_i.

References: Pham (2001), Joint approximate diagonalization of positive definite Hermitian matrices, SIAM Journal on
Matrix Analysis and Applications 22; Ablin, Cardoso and Gramfort (2019), Beyond Pham's algorithm for joint
diagonalization.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.joint_diagonal.problem import Diagonalization, change_coordinates, diagonals
from unmix.core.iteration.loop import iterate

LEAST_CURVATURE = 1e-4  # of a pair's second derivative: sources whose powers are proportional have none


class State(NamedTuple):
    transform: np.ndarray
    stacked: np.ndarray  # the matrices in the present coordinates, rows brought to mean power 1
    loss: float
    iteration: int
    done: bool


def most_likely(
    stacked: np.ndarray, weights: np.ndarray | None, start: np.ndarray, *, max_iter: int, tol: float
) -> Diagonalization:
    """Until no entry of the gradient is larger than ``tol``."""
    share = np.full(stacked.shape[1], 1 / stacked.shape[1]) if weights is None else weights / weights.sum()

    def advance(state: State) -> tuple[State, dict[str, float]]:
        V, slope = direction(state.stacked, share)
        length = 1.0
        new = move(state, np.eye(len(V)) + V)
        while new.loss > state.loss and length > 1e-10:
            length /= 2
            new = move(state, np.eye(len(V)) + length * V)
        if new.loss > state.loss:
            new = state._replace(iteration=state.iteration + 1, done=True)
        return new._replace(done=bool(new.done or slope <= tol)), {"loss": new.loss, "gradient": slope}

    def move(state: State, A: np.ndarray) -> State:
        moved = change_coordinates(state.stacked, A)
        power = diagonals(moved) @ share
        unit = 1 / np.sqrt(power)
        moved *= unit[:, None, None] * unit
        # log det of A is all that changes in the second term: relative to the start it is -log det² of the transform
        transform = unit[:, None] * (A @ state.transform)
        loss = 0.5 * float(np.log(diagonals(moved)).sum(0) @ share) - np.linalg.slogdet(transform)[1]
        return State(transform, moved, loss, state.iteration + 1, False)

    first = move(State(np.eye(len(start)), stacked, np.inf, -1, False), start)
    state = iterate(advance, first, max_iter=max_iter, name="joint diagonalization")
    return Diagonalization(state.transform, state.loss, state.iteration, state.done)


def direction(stacked: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, float]:
    """V of the pairs' equations, and the largest entry of the gradient."""
    D = diagonals(stacked)
    weighted = share / D  # (d, m)
    gradient = (stacked * weighted[:, :, None]).sum(1)
    np.fill_diagonal(gradient, 0.0)
    h = weighted @ D.T
    determinant = np.maximum(h * h.T - 1, LEAST_CURVATURE)
    V = (gradient.T - h.T * gradient) / determinant
    np.fill_diagonal(V, 0.0)
    return V, float(np.abs(gradient).max())
