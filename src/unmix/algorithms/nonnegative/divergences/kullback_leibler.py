"""The fast solver of the Kullback-Leibler divergence: one coordinate at a time, on the table and on its transpose.

    minimise over z_c ≥ 0   z_c r_c - Σ_j x_j log(y_j),   y = z U,   r_c = Σ_j u_cj,

for each row, one c after the other (kullback_leibler_kernel.py); the same for every column with Z in the place of U.
Both directions read whole rows, so the table is held twice, as it is and turned: use the multiplicative rule for
tables that do not fit into memory.  A weight of a row goes into its entries and its code: D(w x, w y) = w D(x, y).

Hsieh & Dhillon, KDD 2011; Hien & Gillis, Journal of Scientific Computing 87, 2021.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.nonnegative import hals, missing
from unmix.algorithms.nonnegative.divergences.divergence import least
from unmix.algorithms.nonnegative.problem import Penalty, Problem, State, slow, split, weigh
from unmix.algorithms.nonnegative.table import is_sparse, scaled, suited, weighted_block
from unmix.core.blocks import LocalBlocks, RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.sources import ArraySource, SparseSource

SWEEPS, SHARE = 2, 1e-2  # a product is no cheaper than a sweep here, so few sweeps a pass
EXACT_TURNS, EXACT_SWEEPS = 1000, 2  # of sweeps with a step of Newton's method between them, for the last digits


class Value(NamedTuple):
    objective: float


def coordinate_descent(problem: Problem, state: State, max_iter: int) -> State:
    turned = transpose(problem)
    return iterate(lambda state: advance(problem, turned, state), state, max_iter=max_iter, name="kullback-leibler")


def advance(problem: Problem, turned: RowBlocks, state: State) -> tuple[State, dict[str, float]]:
    rows = problem.rows(state.codes)
    codes, _ = problem.X.step(improve, rows, state.components, problem.codes, problem.scale, False)
    codes = np.asarray(codes)
    across = np.ascontiguousarray(weigh(codes, problem.weights).T)
    columns = np.ascontiguousarray(state.components.T)
    columns, found = turned.step(improve, columns, across, problem.components, 1.0, True)
    components = np.ascontiguousarray(np.asarray(columns).T)
    value = found.objective + problem.components.of(components) + problem.codes.of_rows(codes, problem.weights)
    done, reference, latest = slow(problem, state, value, 1)
    new = State(state.iteration + 1, done, codes, components, value, reference, latest)
    return new, {"objective": value / problem.scale}


def transpose(problem: Problem) -> RowBlocks:
    """The scaled columns as rows, weights taken into the entries; in this process, which has the table in memory."""
    X, weights = problem.X, problem.weights
    if X.sparse:
        from scipy.sparse import csr_array, diags_array

        source = X.source.X  # type: ignore[attr-defined]
        table: Any = weighted_block(csr_array(source, dtype=X.dtype), problem.scale, weights)
        if weights is not None:
            table = diags_array(weights.astype(X.dtype)) @ table
        return suited(LocalBlocks(SparseSource(table.T.tocsr())))
    table = weigh(weighted_block(X.gather(), problem.scale, weights), weights)
    return LocalBlocks(ArraySource(np.ascontiguousarray(table.T)))


def improve(
    block: Any, rows: Any, components: np.ndarray, penalty: Penalty, scale: float, measured: bool
) -> tuple[np.ndarray, Value]:
    codes, weights = split(rows)
    codes, entries = codes.copy(), weighted_block(block, scale, weights)
    found = np.empty(len(codes) if measured else 0)
    descend(entries, codes, components, penalty, 1, SWEEPS, SHARE, found)
    return codes, Value(float(found.sum()))


def descend(
    rows: Any, codes: np.ndarray, components: np.ndarray, penalty: Penalty, turns: int, most: int, share: float,
    found: np.ndarray,
) -> None:  # fmt: skip
    """Improve the codes of scaled rows in place, and write into ``found`` their divergences, if it has room."""
    from unmix.algorithms.nonnegative.divergences.kullback_leibler_kernel import dense_rows, sparse_rows

    kind, k = codes.dtype.type, codes.shape[1]
    reach = components.sum(axis=1, dtype=np.float64).astype(codes.dtype)
    longest = int(np.diff(rows.indptr).max(initial=1)) if is_sparse(rows) else rows.shape[1]
    room = np.empty((5, longest), kind), np.empty((k, longest), kind), np.zeros((k + 4, k))
    numbers = kind(penalty.l1), kind(penalty.l2), turns, most, kind(share), kind(least(codes.dtype))
    if is_sparse(rows):
        table = rows.data, rows.indices, rows.indptr, np.ascontiguousarray(components.T)
        sparse_rows(*table, reach, codes, *numbers, found, *room)
    else:
        more = np.empty_like(reach), np.empty(longest, np.int64)
        dense_rows(rows, np.ascontiguousarray(components), reach, codes, *numbers, found, *room, *more)


def solve_rows(block: Any, components: np.ndarray, penalty: Penalty, scale: float) -> np.ndarray:
    """The best codes of the rows for given components, from those of least squares, which may be as good as exact."""
    if not is_sparse(block) and np.isnan(block).any():
        codes = missing.solve_rows(block, components, Penalty(), scale, exact=False)
    else:
        turned = np.ascontiguousarray(components.T)
        codes = hals.solve_rows(block, hals.gram_of(components, 0.0), turned, Penalty(), scale, exact=False)
    share = 1e-7 if components.dtype == np.float32 else 1e-13
    rows = scaled(block, scale)
    descend(rows, codes, components, penalty, EXACT_TURNS, EXACT_SWEEPS, share, np.empty(0))
    return codes
