"""Codes of new rows on given directions that corrupted entries do not move: least absolute deviations.

    minimise ‖x - z U‖₁ over z,   rows of U orthonormal

All rows go together through alternating directions, two products an iteration:

    z = (x - s + c) Uᵀ,   r = x - z U + c,   s = shrink(r, t),   c = clip(r, ±t)

Entries with |c| < t fit exactly; their equations are solved, and the row is done when multipliers within ±1 prove it
optimal. Rows that are not done so after two rounds go on from corner to corner (vertex.py). Entries far beyond the rest
of their row are brought nearer, which does not change its code (far_entries.py).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unmix.algorithms.robust.far_entries import SIZE_LIMIT, clip_far, moved_signs, not_outside, typical_of_rows, widened
from unmix.algorithms.robust.vertex import solve_pivots, solve_program, solve_vertex
from unmix.core.linalg import power_of_two

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
    if len(U) == U.shape[1] and observed.all():
        codes = _in_units(filled, np.matmul, U.T)
    else:
        pending = np.flatnonzero(filled.any(axis=1))
        codes[pending] = _codes_near(filled[pending], observed[pending], U)
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(codes.astype(block.dtype))


def _codes_near(X: np.ndarray, observed: np.ndarray, U: np.ndarray) -> np.ndarray:
    """Codes of rows with their far entries nearer; again while one should have stayed where it is."""
    codes, pending = np.zeros((len(X), len(U))), np.arange(len(X))
    bounds, attempt = SIZE_LIMIT * typical_of_rows(X)[:, None], 0
    while len(pending):
        rows, seen = clip_far(X[pending], bounds), observed[pending]
        codes[pending] = _in_units(rows, _all_codes, seen, U)
        inside = not_outside(moved_signs(X[pending], rows), rows - codes[pending] @ U)
        again, typical = inside.any(axis=1), typical_of_rows(np.where(inside, X[pending], 0.0))[:, None]
        pending, bounds, attempt = pending[again], widened(bounds, inside, typical, attempt)[again], attempt + 1
    return codes


def _in_units(X: np.ndarray, code: Callable[..., np.ndarray], *given: np.ndarray) -> np.ndarray:
    """The codes of rows, found with each row at unit size."""
    scales = np.array([power_of_two(size) for size in np.abs(X).max(axis=1, initial=0.0)])[:, None]
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(code(X * scales, *given) / scales)


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
