"""Codes of new rows on given directions that corrupted entries do not move: least absolute deviations.

    minimise ‖x - z U‖₁ over z,   rows of U orthonormal

All rows go together through alternating directions, two products an iteration:

    z = (x - s + c) Uᵀ,   r = x - z U + c,   s = shrink(r, t),   c = clip(r, ±t)

Entries with |c| < t fit exactly; their equations are solved, and the row is done when multipliers within ±1 prove it
optimal. Rows that are not done so after two rounds go on from corner to corner (vertex.py).
"""

from __future__ import annotations

import numpy as np

from unmix.core.linalg import power_of_two
from unmix.factors.robust.vertex import solve_pivots, solve_program, solve_vertex

ROUND, ROUNDS = 20, 2  # iterations between attempts, and attempts


def robust_codes(block: np.ndarray, rows: None, components: np.ndarray) -> np.ndarray:
    """Codes (rows, k) of a block; NaN are not looked at, and a row without any observed value gets zeros."""
    X = np.asarray(block, dtype=np.float64)
    U = np.asarray(components, dtype=np.float64)
    codes = np.zeros((len(X), len(U)))
    if len(U) == 0:
        return codes.astype(block.dtype)
    observed = ~np.isnan(X)
    filled = np.where(observed, X, 0.0)
    scales = np.array([power_of_two(size) for size in np.abs(filled).max(axis=1, initial=0.0)])
    filled *= scales[:, None]
    if len(U) == U.shape[1] and observed.all():
        codes = filled @ U.T
    else:
        pending = np.flatnonzero(filled.any(axis=1))
        codes[pending] = _all_codes(filled[pending], observed[pending], U)
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray((codes / scales[:, None]).astype(block.dtype))


def _all_codes(X: np.ndarray, observed: np.ndarray, U: np.ndarray) -> np.ndarray:
    codes, c = X @ U.T, np.zeros_like(X)
    typical = np.abs(X - codes @ U).mean(axis=1) + 1e-12
    pending, s = np.arange(len(X)), np.zeros_like(X)
    for _ in range(ROUNDS):
        codes[pending], s, c = _alternate(X[pending], observed[pending], U, s, c, typical[pending, None])
        unsolved = []
        for place, row in enumerate(pending):
            fits = observed[row] & (np.abs(c[place]) < typical[row] * (1 - 1e-9))
            answer = solve_vertex(X[row], observed[row], U, fits, c[place] / typical[row])
            if answer is None:
                unsolved.append(place)
            else:
                codes[row] = answer
        pending, s, c = pending[unsolved], s[unsolved], c[unsolved]
        if not len(pending):
            return codes
    for row in pending:
        x, directions = X[row][observed[row]], np.ascontiguousarray(U[:, observed[row]])
        if len(x) <= len(U):  # too few entries to tell: the smallest code that fits them
            codes[row] = np.linalg.lstsq(directions.T, x, rcond=None)[0]
            continue
        corner = solve_pivots(x, directions, codes[row])
        codes[row] = solve_program(x, directions, codes[row]) if corner is None else corner
    return codes


def _alternate(
    X: np.ndarray, observed: np.ndarray, U: np.ndarray, s: np.ndarray, c: np.ndarray, t: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    codes = np.empty((len(X), len(U)))
    for _ in range(ROUND):
        codes = (X - s + c) @ U.T
        r = X - codes @ U + c
        c = np.clip(r, -t, t) * observed
        s = r - c
    return codes, s, c
