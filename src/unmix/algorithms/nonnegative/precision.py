"""Least squares of a table in single precision: as far as its digits carry, and the rest in double precision.

The objective ½ (||X||² - 2 <ZᵀX, U> + <ZᵀZ, U Uᵀ>) is a difference of numbers as large as ||X||², of which rounding is
1e-7.  Where little of ||X||² is left, rounding decides which step is taken and when to stop: begin anew then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.nonnegative.momentum import Method, descend
from unmix.algorithms.nonnegative.problem import Problem, State
from unmix.algorithms.principal.double_blocks import DoubleBlocks
from unmix.core.aligned.row_file import as_type

SINGLE_PRECISION = 1e-4  # least share of the sums of squares that is left: rounding is 1e-7 of them


def descend_in_digits(problem: Problem, handed: list[State], max_iter: int, method: Method, slow: float = 0.0) -> State:
    """As `descend`; the state is handed over in a list, which is emptied, and ends in the precision of the table."""
    if problem.X.dtype == np.float64:
        return descend(problem, handed.pop(), max_iter, method, slow)
    floor, first = SINGLE_PRECISION * problem.squares, handed.pop()
    last = descend(problem._replace(floor=floor), first, max_iter, method, slow)
    if last.objective >= floor:
        return last
    wide = [in_precision(first, np.float64)]
    del first, last
    found = descend(in_double(problem), wide.pop(), max_iter, method, slow)
    return in_precision(found, np.float32)


def in_double(problem: Problem) -> Problem:
    return problem._replace(X=DoubleBlocks(problem.X), floor=0.0)


def in_precision(state: State, dtype: type[np.floating[Any]]) -> State:
    codes: Any = as_type(state.codes, dtype)  # where the codes are, in memory or in a file
    return state._replace(codes=codes, components=state.components.astype(dtype))
