"""K-SVD: a dictionary in which every signal has a code with few non-zeros.

    min Σ_i w_i ||x_i - z_i U||²,   ||z_i||_0 ≤ s,   ||u_k|| = 1

In turns: code all signals by orthogonal matching pursuit; refit each atom together with its coefficients, supports
fixed, a few times over; exchange atoms that are hardly missed (swap.py).  Refits lower the error, coding is greedy and
may not, so the best dictionary seen is kept.  Where codes end at an error instead of a number of non-zeros, that number
is what should fall.  Aharon, Elad & Bruckstein, IEEE Trans. Signal Processing 54, 2006.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.algorithms.dictionary.rank_one import update_exactly
from unmix.algorithms.dictionary.swap import swap_atoms
from unmix.algorithms.sparse_codes.dictionary import prepare_unit, squared_norms
from unmix.algorithms.sparse_codes.encode import pursue
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule, rounding
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.linalg import power_of_two, row_signs

SWEEPS = 3  # refits of all atoms after a coding: each is cheaper than the coding by far
PAUSE = 3  # codings without a look for swaps after a look that found none
FINAL_ROUNDS = 3  # the last codings make no swaps: a new atom needs some to find its place
SHORT_ROUNDS = 25  # at most, in which codes that end at an error are kept short
PATIENCE = 5  # codings without progress before the end


class Problem(NamedTuple):
    """Signals, in blocks for coding and as one array for updates (NaN: not observed), weights, and when codes end.

    `known` is 1 where an entry was observed and 0 elsewhere, or None where all were. A squared residual up to the
    `rounding` of its signal says nothing: that of a vast signal would outweigh what all others lack.
    """

    blocks: RowBlocks
    rows: np.ndarray
    known: np.ndarray | None
    weights: np.ndarray
    rounding: np.ndarray
    rule: Rule
    exact: bool
    swaps: bool
    max_iter: int
    tol: float
    seed: int


class State(NamedTuple):
    """What the next iteration needs; `least` is the cost of the best dictionary so far."""

    atoms: np.ndarray
    best: np.ndarray
    least: float
    stale: int
    pause: int
    iteration: int
    done: bool


class Learned(NamedTuple):
    """Atoms by falling energy, what they leave of the signals (a sum of squares), and the number of iterations."""

    atoms: np.ndarray
    error: float
    iterations: int


def ksvd(problem: Problem, atoms: np.ndarray) -> Learned:
    """From unit atoms to the best dictionary found."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        return one_round(problem, state)

    first = State(atoms, atoms, np.inf, 0, 1, 0, False)
    last = iterate(advance, first, max_iter=problem.max_iter, name="K-SVD")
    if not last.done:  # the last refit has not been coded with
        coded = code(problem, last.atoms)
        if cost(problem, *coded) < last.least:
            return in_order(problem, last.atoms, *coded, last.iteration)
    return in_order(problem, last.best, *code(problem, last.best), last.iteration)


def one_round(problem: Problem, state: State) -> tuple[State, dict[str, float]]:
    """Code, refit, swap."""
    rule = rule_at(problem, state.iteration)
    codes, residuals = code(problem, state.atoms, rule)
    error = weigh(residuals, problem.weights)
    reached = cost(problem, codes, residuals) if rule == problem.rule else np.inf
    stale = 0 if reached < state.least * (1 - problem.tol) else state.stale + 1
    best = state.atoms if reached < state.least else state.best
    atoms = state.atoms.copy()
    refit(problem, atoms, codes, residuals)
    leave_out_rounding(problem, residuals)
    swapped, pause = 0, state.pause - 1
    if problem.swaps and pause < 0 and state.iteration < problem.max_iter - FINAL_ROUNDS:
        stops = allowed(problem)
        atoms, swapped = swap_atoms(atoms, codes, residuals, stops, problem.weights, problem.seed, state.iteration)
        pause = 0 if swapped else PAUSE
    stale = 0 if swapped or rule != problem.rule else stale
    done = stale >= PATIENCE or reached == 0
    new = State(atoms, best, min(reached, state.least), stale, pause, state.iteration + 1, done)
    return new, {"error": error, "nonzeros": nonzeros(codes, problem.weights), "swapped": float(swapped)}


def rule_at(problem: Problem, iteration: int) -> Rule:
    """Codes that end at an error are kept short at first, in up to half of the rounds, less and less.

    A bad dictionary takes nearly as many atoms as there are dimensions, and learns nothing from such codes.
    """
    width, half = problem.rule.n_nonzero, min(problem.max_iter // 2, SHORT_ROUNDS)
    if not problem.rule.ends_at_error or iteration >= half or width <= 2:
        return problem.rule
    return problem.rule._replace(n_nonzero=round(2 * (width / 2) ** (iteration / half)))


def allowed(problem: Problem) -> np.ndarray:
    """The squared error at which each code may end: in proportion to what is known of the signal."""
    seen = 1.0 if problem.known is None else problem.known.mean(axis=1, dtype=np.float64)
    return problem.rule.stops(energies(problem), seen)


def energies(problem: Problem) -> np.ndarray:
    """||x||² of every signal, over what is known."""
    return problem.rounding / rounding(problem.rows.dtype) ** 2


def cost(problem: Problem, codes: np.ndarray, residuals: np.ndarray) -> float:
    """The error; where codes end at a given one, the number of non-zeros that takes, and the error in its units."""
    error, rule = weigh(residuals, problem.weights), problem.rule
    if not rule.ends_at_error:
        return error
    if rule.stop:
        return nonzeros(codes, problem.weights) + error / rule.stop
    stops, squares = rule.stops(energies(problem)), squared_norms(residuals)
    shares = np.divide(squares, stops, out=np.zeros(len(stops)), where=stops > 0)
    return nonzeros(codes, problem.weights) + float(shares @ problem.weights)


def nonzeros(codes: np.ndarray, weights: np.ndarray) -> float:
    return float((codes["atom"] >= 0).sum(axis=1) @ weights)


def code(problem: Problem, atoms: np.ndarray, rule: Rule | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Packed codes and residuals, zero where nothing is known."""
    from unmix.algorithms.dictionary.ksvd_kernel import subtract_fits

    codes = pursue(problem.blocks, prepare_unit(atoms), rule or problem.rule, gaps=problem.known is not None)
    residuals = problem.rows.copy()
    subtract_fits(codes["atom"], codes["value"], atoms, residuals)
    leave_out_rounding(problem, residuals)
    return codes, residuals


def rounding_of(rows: np.ndarray) -> np.ndarray:
    """The squared residual of each signal that rounding alone explains."""
    return rounding(rows.dtype) ** 2 * squared_norms(np.nan_to_num(rows, nan=0.0))


def leave_out_rounding(problem: Problem, residuals: np.ndarray) -> None:
    residuals[squared_norms(residuals) <= problem.rounding] = 0


def refit(problem: Problem, atoms: np.ndarray, codes: np.ndarray, residuals: np.ndarray) -> None:
    """Sweeps over all atoms on fixed supports; atoms, values and residuals are written in place."""
    used = users(codes["atom"], len(atoms))
    weights = (problem.weights * power_of_two(float(problem.weights.max()))).astype(atoms.dtype)
    if problem.exact and problem.known is None:
        update_exactly(residuals, atoms, codes["value"], weights, *used)
        return
    improve(residuals, atoms, codes["value"], weights, *used, problem.known, SWEEPS)


def users(atoms: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts, signals, places: atom k has the coefficients [signals[j], places[j]], starts[k] ≤ j < starts[k + 1]."""
    used = atoms >= 0
    starts = np.concatenate([[0], np.cumsum(used.sum(axis=1))])
    turned = csr_array((np.nonzero(used)[1], atoms[used], starts), shape=(len(atoms), k)).tocsc()
    return turned.indptr, turned.indices, turned.data


def improve(
    residuals: np.ndarray,
    atoms: np.ndarray,
    values: np.ndarray,
    weights: np.ndarray,
    starts: np.ndarray,
    signals: np.ndarray,
    places: np.ndarray,
    known: np.ndarray | None = None,
    sweeps: int = 1,
) -> None:
    """Sweeps of power steps over all atoms, in place.

    Coefficients are scaled by the powers of two that bring the largest of an atom near one at first: that changes no
    digit.
    """
    from unmix.algorithms.dictionary.ksvd_kernel import update_atoms
    from unmix.algorithms.dictionary.ksvd_masked_kernel import update_atoms_masked

    largest, room = np.zeros(len(atoms)), np.empty((2, atoms.shape[1]), atoms.dtype)
    np.maximum.at(largest, np.repeat(np.arange(len(atoms)), np.diff(starts)), np.abs(values[signals, places]))
    scales = np.ldexp(1.0, np.clip(-np.frexp(largest)[1], -1000, 1000))
    coefficients = values, weights, starts, signals, places, scales
    for _ in range(sweeps):
        if known is None:
            update_atoms(residuals, atoms, *coefficients, room[0])
        else:
            update_atoms_masked(residuals, known, atoms, *coefficients, *room)


def weigh(residuals: np.ndarray, weights: np.ndarray) -> float:
    return float(np.einsum("ij,ij->i", residuals, residuals, dtype=np.float64) @ weights)


def in_order(problem: Problem, atoms: np.ndarray, codes: np.ndarray, residuals: np.ndarray, iterations: int) -> Learned:
    """Atoms in an order and with signs that do not depend on the start: by falling energy, largest entry positive."""
    energy = np.zeros(len(atoms))
    used = codes["atom"] >= 0
    squares = codes["value"].astype(np.float64) ** 2 * problem.weights[:, None]
    np.add.at(energy, codes["atom"][used], squares[used])
    order = np.argsort(-energy, kind="stable")
    atoms = atoms[order]
    signs: Any = row_signs(atoms)[:, None]
    return Learned((atoms * signs + 0.0).astype(atoms.dtype), weigh(residuals, problem.weights), iterations)
