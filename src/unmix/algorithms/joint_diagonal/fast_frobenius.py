"""Joint diagonalization by small multiplicative steps W <- (I + V) W, V without a diagonal (FFDIAG).

With the matrices in the present coordinates split into diagonal and rest, C = D + E, the cost of a small V is to first
order Σ_τ Σ_{i≠j} (E_ij + V_ij D_j + D_i V_ji)²: it falls into pairs, and each pair is two equations,

    z_jj V_ij + z_ij V_ji = -g_ij,    z_ij V_ij + z_ii V_ji = -g_ji,    z_ij = Σ_τ D_i D_j.

The published rule has g_ij = Σ_τ D_j E_ij, which leaves out terms of second order in E and the constraint, so with
noise it stops near the minimum and not in it. Here g is the whole gradient on the constraint (rows of unit length in
C_0), which costs one more product and ends in a minimum. Rows are brought back to unit length after each step, and a
step that raises the cost is halved.
Reference: Ziehe, Laskov, Nolte and Müller (2004), A fast algorithm for joint diagonalization with non-orthogonal
transformations, JMLR 5.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.joint_diagonal.problem import Diagonalization, change_coordinates, cost, diagonals, off_diagonal
from unmix.core.iteration.loop import iterate

LARGEST_STEP = 0.5  # Frobenius norm of V: I + V stays invertible
RIDGE = 1e-9  # of the pairs' equations, for components whose diagonals are the same up to a factor


class State(NamedTuple):
    transform: np.ndarray
    stacked: np.ndarray  # the matrices in the present coordinates
    constraint: np.ndarray  # C_0 in the present coordinates
    cost: float
    iteration: int
    done: bool


def fast_frobenius(
    stacked: np.ndarray, constraint: np.ndarray, start: np.ndarray, *, max_iter: int, tol: float
) -> Diagonalization:
    """From ``start`` until the step is shorter than ``tol``, or nothing lowers the cost."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        V = direction(state.stacked, state.constraint)
        length = float(np.linalg.norm(V))
        V *= min(1.0, LARGEST_STEP / length) if length else 0.0
        new = step(state, V)
        while new.cost > state.cost and np.linalg.norm(V) > tol:
            V /= 2
            new = step(state, V)
        if new.cost > state.cost:
            new = state._replace(iteration=state.iteration + 1)
        new = new._replace(done=bool(np.linalg.norm(V) <= tol))
        return new, {"cost": new.cost, "step": float(np.linalg.norm(V))}

    first = move(State(start, stacked, constraint, np.inf, 0, False), start, start)
    state = iterate(advance, first, max_iter=max_iter, name="joint diagonalization")
    return Diagonalization(state.transform, state.cost, state.iteration, state.done)


def direction(stacked: np.ndarray, constraint: np.ndarray) -> np.ndarray:
    """V for the pairs' equations above."""
    d, m, _ = stacked.shape
    off, D = off_diagonal(stacked), diagonals(stacked)
    gradient = off.reshape(d, m * d) @ stacked.transpose(1, 2, 0).reshape(m * d, d)
    gradient -= constraint * np.diag(gradient)[:, None]  # what bringing row i back to unit length changes
    z = D @ D.T
    own = np.diag(z) * (1 + RIDGE) + np.finfo(float).tiny
    determinant = np.outer(own, own) - z**2
    V = np.asarray((z * gradient.T - own[:, None] * gradient) / determinant)
    np.fill_diagonal(V, 0.0)
    return V


def step(state: State, V: np.ndarray) -> State:
    A = np.eye(len(V)) + V
    A /= np.sqrt(np.sum((A @ state.constraint) * A, axis=1))[:, None]
    return move(state._replace(iteration=state.iteration + 1), A, A @ state.transform)


def move(state: State, A: np.ndarray, transform: np.ndarray) -> State:
    moved = change_coordinates(state.stacked, A)
    return state._replace(transform=transform, stacked=moved, constraint=A @ state.constraint @ A.T, cost=cost(moved))
