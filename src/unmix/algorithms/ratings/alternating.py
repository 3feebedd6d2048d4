"""Alternating least squares for a table with unknown entries, with offsets of rows and of columns.

    minimise  Σ_{known ij} w_i (x_ij - μ - b_i - c_j - z_iᵀ v_j)²
              + λ Σ_i w_i n_i (b_i² + |z_i|²) + λ Σ_j n_j (c_j² + |v_j|²),   n = weight of the known entries

Each half step is one small ridge regression for every row, or every column, so the objective never rises. Scaling the
penalty by the number of known entries keeps heavy raters from being fitted closely and light ones not at all.
With few components the objective has poor local minima, with some to spare hardly any: so a few steps are made with
more than were asked for, of which the strongest go on.
Reference: Zhou, Wilkinson, Schreiber and Pan (2008), Large-scale parallel collaborative filtering for the Netflix
prize.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.ratings.observed import Entries, Observed, row_of_each
from unmix.core.execution import current_execution
from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn
from unmix.core.threads import run_in_order

CHUNK = 256  # rows that a thread solves at a time
ENOUGH, FIRST_STEPS = 6, 5  # components to begin with where fewer are asked for, and steps made with them


class Factors(NamedTuple):
    """x_ij ≈ μ + b_i + c_j + z_iᵀ v_j."""

    mean: float
    row_offsets: np.ndarray  # b (n,)
    column_offsets: np.ndarray  # c (m,)
    codes: np.ndarray  # Z (n, k)
    loadings: np.ndarray  # V (m, k)


class State(NamedTuple):
    factors: Factors
    objective: float
    iteration: int
    done: bool


def alternate(
    X: Observed,
    weights: np.ndarray,
    k: int,
    *,
    penalty: float,
    offsets: bool,
    max_iter: int,
    tol: float,
    seed: int,
    start: Factors | None = None,
) -> State:
    """Solve for rows and columns in turn until the objective falls by less than ``tol`` of itself."""
    n, m = X.shape
    mean = weighted_mean(X, weights) if offsets else 0.0
    if start is None:
        wide = max(k, min(ENOUGH, m)) if k else 0
        start = Factors(
            mean, np.zeros(n), np.zeros(m), np.zeros((n, wide)), first_loadings(X, weights, wide, mean, seed)
        )
        for _ in range(FIRST_STEPS if wide > k else 0):
            start = both_sides(X, weights, start, penalty, offsets)
        start = strongest(start, weights, k)

    def advance(state: State) -> tuple[State, dict[str, float]]:
        factors = both_sides(X, weights, state.factors, penalty, offsets)
        value = objective(X, weights, factors, penalty)
        done = state.objective - value <= tol * value
        return State(factors, value, state.iteration + 1, bool(done)), {"objective": value}

    return iterate(advance, State(start, np.inf, 0, False), max_iter=max_iter, name="alternating least squares")


def both_sides(X: Observed, weights: np.ndarray, factors: Factors, penalty: float, offsets: bool) -> Factors:
    """Rows given the columns, then columns given the rows."""
    row_offsets, codes = solve_codes(X.by_row, factors, penalty, offsets)
    column_offsets, loadings = _solve_side(
        X.by_column, codes, row_offsets + factors.mean, weights, penalty, offsets, per_entry=True
    )
    return Factors(factors.mean, row_offsets, column_offsets, codes, loadings)


def strongest(factors: Factors, weights: np.ndarray, k: int) -> Factors:
    """The k components that say most of Z Vᵀ, rows counted by their weight; what remains is as it was."""
    if factors.loadings.shape[1] <= k:
        return factors
    values, vectors = np.linalg.eigh((factors.codes * weights[:, None]).T @ factors.codes)
    left, sizes, _ = np.linalg.svd(factors.loadings @ (vectors * np.sqrt(np.maximum(values, 0.0))), full_matrices=False)
    loadings = left[:, :k] * np.sqrt(sizes[:k] / np.sqrt(weights.sum()))
    return factors._replace(codes=np.zeros((len(factors.codes), k)), loadings=loadings)


def weighted_mean(X: Observed, weights: np.ndarray) -> float:
    return float(np.average(X.by_row.values, weights=weights[row_of_each(X.by_row)]))


def spread_of(X: Observed, weights: np.ndarray, mean: float) -> float:
    """Root mean square of the known entries about ``mean``."""
    return float(np.sqrt(np.average(np.square(X.by_row.values - mean), weights=weights[row_of_each(X.by_row)])))


def first_loadings(X: Observed, weights: np.ndarray, k: int, mean: float, seed: int) -> np.ndarray:
    """Random, of the size that products of two factors have the spread of the entries.

    They are drawn for the columns, so a row given twice changes nothing.
    """
    spread = spread_of(X, weights, mean)
    return spawn(seed, 0).standard_normal((X.shape[1], k)) * np.sqrt(spread / max(1.0, np.sqrt(k)))


def solve_codes(rows: Entries, factors: Factors, penalty: float, offsets: bool) -> tuple[np.ndarray, np.ndarray]:
    """(b, Z) of rows, known or new, given what is known of the columns; a row's own weight does not matter."""
    ones = np.ones(len(factors.loadings))
    known = factors.column_offsets + factors.mean
    return _solve_side(rows, factors.loadings, known, ones, penalty, offsets, per_entry=True)


def _solve_side(
    rows: Entries,
    factors: np.ndarray,
    known: np.ndarray,
    weights: np.ndarray,
    penalty: float,
    offsets: bool,
    per_entry: bool,
) -> tuple[np.ndarray, np.ndarray]:
    lead = np.ones((len(factors), 1 if offsets else 0))
    solved = ridge_rows(rows, np.hstack([lead, factors]), known, weights, penalty, per_entry)
    return (solved[:, 0], solved[:, 1:]) if offsets else (np.zeros(rows.n_rows), solved)


def ridge_rows(
    rows: Entries, factors: np.ndarray, known: np.ndarray, weights: np.ndarray, penalty: float, per_entry: bool
) -> np.ndarray:
    from unmix.algorithms.ratings.ridge_kernel import solve_rows

    out = np.empty((rows.n_rows, factors.shape[1]))
    factors = np.ascontiguousarray(factors)

    def work(chunk: int) -> None:
        first = chunk * CHUNK
        last = min(first + CHUNK, rows.n_rows)
        room = np.empty(2 * [factors.shape[1]])
        solve_rows(*rows, factors, known, weights, penalty, per_entry, first, last, out, room)

    run_in_order(work, -(-rows.n_rows // CHUNK), lambda chunk, nothing: None, current_execution().n_threads)
    return out


def objective(X: Observed, weights: np.ndarray, factors: Factors, penalty: float) -> float:
    """The sum above, by its definition."""
    row = row_of_each(X.by_row)
    error = X.by_row.values - predict(factors, row, X.by_row.indices)
    entry_weight = weights[row]
    row_mass = weights * np.diff(X.by_row.indptr)
    column_mass = np.bincount(X.by_row.indices, entry_weight, minlength=X.shape[1])
    rows = np.square(factors.row_offsets) + np.square(factors.codes).sum(1)
    columns = np.square(factors.column_offsets) + np.square(factors.loadings).sum(1)
    return float(entry_weight @ np.square(error) + penalty * (row_mass @ rows + column_mass @ columns))


def predict(factors: Factors, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The model's value at each (row, column)."""
    from unmix.algorithms.ratings.ridge_kernel import predict_entries

    out = np.empty(len(rows))
    predict_entries(rows, columns, np.ascontiguousarray(factors.codes), np.ascontiguousarray(factors.loadings), out)
    return out + factors.mean + factors.row_offsets[rows] + factors.column_offsets[columns]
