"""The codes of rows for given components, under a divergence with β other than 1 and 2."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.nonnegative.divergences.beta_divergence import dense
from unmix.algorithms.nonnegative.loss import Rule
from unmix.algorithms.nonnegative.problem import Penalty
from unmix.algorithms.nonnegative.table import scaled

TURNS, SWEEPS = 400, 5  # of sweeps with a step of Newton's method between them
LEAST = {np.dtype(np.float32): 1e-12, np.dtype(np.float64): 1e-30}  # fitted values, times the largest entry of the row


def solve_rows(block: Any, components: np.ndarray, penalty: Penalty, scale: float, loss: float) -> np.ndarray:
    """Good codes of the rows for given components, from equal ones of the right size.

    Below β = 1 a row may have several local minima; this is the one that such a start leads to.
    """
    rows = np.ascontiguousarray(dense(scaled(block, scale)))
    codes = equal_codes(rows, components)
    some = np.flatnonzero(codes.any(axis=1))  # others are zero, and zero is the best they can be

    found = codes[some]
    descend(rows[some], found, np.ascontiguousarray(components), penalty, loss)
    codes[some] = found
    return codes


def equal_codes(rows: np.ndarray, components: np.ndarray) -> np.ndarray:
    """The same number for all components of a row, of which the fitted values are right on average."""
    fitted = components.sum(axis=0)
    ratios = np.divide(rows, fitted, out=np.full_like(rows, np.nan), where=fitted > 0)
    observed = (~np.isnan(ratios)).sum(axis=1)
    levels = np.nansum(ratios, axis=1) / np.maximum(observed, 1)
    return np.repeat(levels[:, None], len(components), axis=1).astype(components.dtype)


def descend(rows: np.ndarray, codes: np.ndarray, components: np.ndarray, penalty: Penalty, loss: float) -> None:
    """Improve the codes in place."""
    from unmix.algorithms.nonnegative.divergences.beta_kernel import sweep_rows

    kind, k = codes.dtype.type, codes.shape[1]
    share, power = 1e-7 if kind == np.float32 else 1e-13, Rule(loss).exponent(penalty.l2 > 0)
    numbers = kind(loss), kind(penalty.l1), kind(penalty.l2), kind(power), TURNS, SWEEPS, kind(share)
    floors = np.nanmax(rows, axis=1) * kind(LEAST[codes.dtype])
    room = np.empty((5, rows.shape[1]), kind), np.empty_like(components), np.zeros((k + 4, k))
    sweep_rows(rows, components, codes, floors, *numbers, np.zeros(k, kind), *room)
