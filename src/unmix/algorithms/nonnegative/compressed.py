"""A better start from few numbers: the factorization of X ≈ P V, P = X Vᵀ its codes in r leading directions.

    X Uᵀ ≈ P (V Uᵀ),   ZᵀX ≈ (ZᵀP) V,   r = k + 10

What a factorization of rank k tells lies mostly in the leading directions, which the start has found already.  An
iteration then costs 4 n r k operations in the place of 4 n d k, and what it leaves out the full iterations bring in.

Wang & Li, Efficient nonnegative matrix factorization with random projections, SDM 2010; Tepper & Sapiro, Compressed
nonnegative matrix factorization is fast and accurate, IEEE Trans. Signal Processing 64, 2016.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.nonnegative.hals import Statistics, gram_of, objective, update_codes, update_components
from unmix.algorithms.nonnegative.momentum import Method, descend
from unmix.algorithms.nonnegative.precision import SINGLE_PRECISION, descend_in_digits
from unmix.algorithms.nonnegative.problem import Problem, State, begin
from unmix.algorithms.nonnegative.table import stored_entries
from unmix.core.aligned.row_file import RowFile, RowFileSource, parts
from unmix.core.blocks import LocalBlocks, RowBlocks
from unmix.io.dispatch import as_blocks

MOST, SLOW = 25, 2e-3  # iterations; they end when one lowers the objective by less than this share
LEAST_ENTRIES_PER_RANK = 4  # a row must have so many times r entries, and a column too


def is_worthwhile(problem: Problem, r: int) -> bool:
    n, d = problem.X.shape
    counting = n if problem.weights is None else int(np.count_nonzero(problem.weights))
    return bool(stored_entries(problem.X) * (counting / n) > LEAST_ENTRIES_PER_RANK * r * max(counting, d))


def descend_compressed(problem: Problem, handed: list[State], images: Any, vectors: np.ndarray) -> State:
    """A start near the optimum; ``images`` P (n, r), here or in a file, ``vectors`` V (r, d) with orthonormal rows.

    The state is handed over in a list, which is emptied: its n k numbers are free after the first iteration.
    """
    table = blocks_of(images, problem.X.dtype)
    squares = sum_of_squares(images, problem.weights)
    inner = problem._replace(X=table, scale=1.0, squares=squares, tol=0.0)

    def shared(given: Problem, components: np.ndarray) -> tuple[Any, ...]:
        turned = np.ascontiguousarray(vectors.astype(components.dtype) @ components.T)
        return gram_of(components, given.codes.l2), turned, given.codes, 1.0

    def widen(found: Statistics) -> Statistics:
        return found._replace(cross=found.cross @ vectors)

    def new_components(given: Problem, found: Statistics, components: np.ndarray) -> tuple[np.ndarray, float]:
        return update_components(found.codes, found.cross @ vectors, components, given.components)

    def value(given: Problem, found: Statistics, components: np.ndarray) -> float:
        return objective(given, widen(found), components)

    method = Method("compressed", update_codes, shared, new_components, value)
    # where other directions hold more than single precision tells apart, its digits are enough for a start
    enough = 0.5 * (problem.squares - squares) > SINGLE_PRECISION * problem.squares
    if enough:
        last = descend(inner, handed.pop(), MOST, method, slow=SLOW)
    else:
        last = descend_in_digits(inner, handed, MOST, method, slow=SLOW)
    return begin(last.codes, last.components)._replace(reference=last.reference)


def blocks_of(images: Any, dtype: Any) -> RowBlocks:
    if isinstance(images, RowFile):
        return LocalBlocks(RowFileSource(images))
    return as_blocks(np.ascontiguousarray(images, dtype=dtype))


def sum_of_squares(images: Any, weights: np.ndarray | None) -> float:
    weight = np.ones(len(images)) if weights is None else weights
    each = [np.einsum("ij,ij->i", part, part, dtype=np.float64) for _, part in parts(images)]
    return float(weight @ np.concatenate(each))
