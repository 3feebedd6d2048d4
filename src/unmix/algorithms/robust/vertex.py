"""One row of least absolute deviations, exactly: from the entries that fit, from corner to corner, or by a program.

    minimise ‖x - z U‖₁

z is optimal if multipliers y exist with U y = 0, y = sign of the deviation where there is one, and |y| ≤ 1 elsewhere.
"""

from __future__ import annotations

import numpy as np

VERTEX_TOLERANCE = 1e-9  # deviations, of rows of unit size, and excesses of multipliers that count as rounding


def solve_vertex(
    x: np.ndarray, observed: np.ndarray, U: np.ndarray, fits: np.ndarray, y: np.ndarray
) -> np.ndarray | None:
    """The code with no deviation at the entries ``fits``, if there is one and multipliers near ``y`` prove it."""
    if np.count_nonzero(fits) < len(U):
        return None
    own = U[:, fits]
    gram = own @ own.T
    try:
        z = np.linalg.solve(gram, own @ x[fits])
        z += np.linalg.solve(gram, own @ (x[fits] - z @ own))
        deviation = np.where(observed, x - z @ U, 0.0)
        exact = np.abs(deviation) <= VERTEX_TOLERANCE
        if not exact[fits].all():
            return None
        y = np.where(fits, y, np.sign(deviation)) * observed
        y[fits] -= own.T @ np.linalg.solve(gram, U @ y)
    except np.linalg.LinAlgError:
        return None
    proven = np.abs(U @ y).max() <= VERTEX_TOLERANCE and np.abs(y).max() <= 1 + VERTEX_TOLERANCE
    return z if proven else None


def solve_pivots(x: np.ndarray, U: np.ndarray, z: np.ndarray) -> np.ndarray | None:
    """The best corner, by descent from one near the code ``z``; None where corners coincide and it got nowhere."""
    from scipy.linalg import qr

    from unmix.algorithms.robust.pivot_kernel import descend

    k = len(U)
    if U.shape[1] < k:
        return None
    deviation = np.abs(x - z @ U)
    preference = 1 / (deviation + 1e-3 * deviation.mean() + 1e-12)
    basis = qr(U * preference, mode="r", pivoting=True, check_finite=False)[1][:k].astype(np.int64)
    if np.linalg.cond(U[:, basis]) > 1e8:
        return None
    z, proven = descend(x, U, basis, np.ascontiguousarray(np.linalg.inv(U[:, basis])), 20 * k + 100)
    return np.linalg.solve(U[:, basis].T, x[basis]) if proven else None


def solve_program(x: np.ndarray, U: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """The same as a linear program over z and the two signs of the deviation; ``otherwise`` where it fails."""
    from scipy.optimize import linprog

    k, d = U.shape
    equations = np.hstack([U.T, np.eye(d), -np.eye(d)])
    bounds = [(None, None)] * k + [(0, None)] * (2 * d)
    found = linprog(np.r_[np.zeros(k), np.ones(2 * d)], A_eq=equations, b_eq=x, bounds=bounds, method="highs")
    return otherwise if found.x is None else np.asarray(found.x[:k])
