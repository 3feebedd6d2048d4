"""Dictionary learning at a price: codes by the lasso and atoms by descent, in turns.

    min ½ Σ_i w_i ||x_i - z_i U||² + alpha Σ_i w_i Σ_k |z_ik|,   ||u_k|| = 1,   z ≥ 0 and u ≥ 0 where asked for

Codes are exact, and each atom goes to its minimum at fixed codes, so the objective never rises.  Atoms that no code
uses cost nothing and go to rows that gain from an atom of their own.  Where there are no first atoms
they are the leading right singular vectors.  Mairal, Bach, Ponce & Sapiro, JMLR 11, 2010.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.dictionary.online import worst_directions
from unmix.algorithms.sparse_codes.dictionary import prepare_unit, squared_norms
from unmix.algorithms.sparse_codes.lasso import Price, lasso_block
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.linalg import row_signs

LEAST_GAIN = 1e-9  # as a share of half the square of a row
SWEEPS = 2  # over the atoms after each coding
LEAST_SIZE = 1e-7  # of a singular value, as a share of the largest: squares have no more digits


class PricedProblem(NamedTuple):
    """Signals, in blocks for coding and as one array, their weights, the price, and when to stop.

    `on_round` is told of every fifth round.
    """

    blocks: RowBlocks
    rows: np.ndarray
    weights: np.ndarray | None
    price: Price
    positive_atoms: bool
    max_iter: int
    tol: float
    on_round: Callable[[dict[str, Any]], object] | None = None


class State(NamedTuple):
    """Atoms, the energy of their codes, their squared error and objective, and whether some have just moved."""

    atoms: np.ndarray
    energy: np.ndarray
    error: float
    objective: float
    moved: bool
    iteration: int
    done: bool


def learn_priced(problem: PricedProblem, atoms: np.ndarray) -> State:
    """From unit atoms to a minimum of the objective."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        return one_round(problem, state)

    first = State(atoms, np.zeros(len(atoms)), 0.0, np.inf, False, 0, False)
    return iterate(advance, first, max_iter=problem.max_iter, name="dictionary")


def one_round(problem: PricedProblem, state: State) -> tuple[State, dict[str, float]]:
    """Code, improve all atoms, and move those that are of no use."""
    from unmix.algorithms.dictionary.online_kernel import descend_atoms

    codes = problem.blocks.map(lasso_block, prepare_unit(state.atoms), problem.price)
    weighted = codes if problem.weights is None else codes * problem.weights[:, None]
    A = weighted.T.astype(np.float64) @ codes.astype(np.float64)
    B = weighted.T.astype(np.float64) @ problem.rows.astype(np.float64)
    atoms = state.atoms.astype(np.float64)
    descend_atoms(A, B, atoms, SWEEPS, problem.positive_atoms, np.empty_like(atoms[0]))
    atoms = atoms.astype(state.atoms.dtype)
    residuals = problem.rows - codes @ atoms
    costs = row_costs(problem.price, codes, residuals)
    mass = np.ones(len(codes)) if problem.weights is None else problem.weights
    error, objective = float(mass @ squared_norms(residuals)), float(mass @ costs)
    moved = move_unused(problem, atoms, np.diag(A), costs)
    stays = state.objective - objective < problem.tol * objective and not (moved and not state.moved)
    if problem.on_round is not None and state.iteration % 5 == 0:
        problem.on_round({"ii": state.iteration, "code": codes, "dictionary": atoms, "current_cost": objective})
    new = State(atoms, np.diag(A), error, objective, moved, state.iteration + 1, stays)
    return new, {"objective": objective, "nonzeros": float(np.count_nonzero(codes))}


def row_costs(price: Price, codes: np.ndarray, residuals: np.ndarray) -> np.ndarray:
    """½ ||x - z U||² + alpha Σ|z| of every row."""
    return 0.5 * squared_norms(residuals) + price.alpha * np.abs(codes).sum(axis=1, dtype=np.float64)


def move_unused(problem: PricedProblem, atoms: np.ndarray, energy: np.ndarray, costs: np.ndarray) -> bool:
    """Atoms that no code uses, in place, to the rows that gain the most from an atom of their own.

    With an atom u alone a row costs ½ ||x||² - ½ (<x, u> - alpha)², or ½ ||x||² where that is less than 0.
    """
    unused = np.flatnonzero(energy == 0)
    if not unused.size:
        return False
    rows = np.maximum(problem.rows, 0) if problem.positive_atoms else problem.rows
    lengths, whole = np.sqrt(squared_norms(rows)), 0.5 * squared_norms(problem.rows)
    gains = np.maximum(costs - whole + 0.5 * np.maximum(lengths - problem.price.alpha, 0.0) ** 2, 0.0)
    heights = np.sqrt(gains) / np.where(lengths > 0, lengths, 1.0)
    candidates = rows * heights[:, None].astype(rows.dtype)  # as long as the root of what they gain
    found = worst_directions(candidates, np.delete(atoms, unused, axis=0), unused.size, LEAST_GAIN * whole)
    atoms[unused[: len(found)]] = found
    return len(found) > 0


def in_energy_order(state: State, signed: bool) -> np.ndarray:
    """Atoms by falling energy of their codes, the largest entry positive unless codes have a sign."""
    atoms = state.atoms[np.argsort(-state.energy, kind="stable")]
    return atoms if signed else np.asarray(atoms * row_signs(atoms)[:, None] + 0.0, atoms.dtype)


def leading_directions(rows: np.ndarray, weights: np.ndarray | None, others: np.ndarray) -> np.ndarray:
    """As many unit atoms as `others`: right singular vectors, and the last of `others` where there are too few."""
    table = rows.astype(np.float64) if weights is None else rows * np.sqrt(weights)[:, None]
    if len(table) < table.shape[1]:
        _, sizes, vectors = np.linalg.svd(table, full_matrices=False)
    else:
        squares, columns = np.linalg.eigh(table.T @ table)
        sizes, vectors = np.sqrt(np.maximum(squares[::-1], 0.0)), columns.T[::-1]
    found = vectors[sizes > LEAST_SIZE * max(float(sizes[0]), np.finfo(float).tiny)][: len(others)]
    found = found * row_signs(found)[:, None]
    return np.concatenate([found, others[len(found) :]]).astype(others.dtype)


def positive_parts(atoms: np.ndarray) -> np.ndarray:
    """Of every atom the longer of its positive and its negative part, at length one."""
    above, below = np.maximum(atoms, 0), np.maximum(-atoms, 0)
    parts = np.where((squared_norms(above) >= squared_norms(below))[:, None], above, below)
    return np.asarray(parts / np.linalg.norm(parts, axis=1, keepdims=True), atoms.dtype)
