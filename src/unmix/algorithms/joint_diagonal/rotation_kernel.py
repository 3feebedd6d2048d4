"""One sweep of joint plane rotations, compiled: the loop is over pairs, and a pair is too little work for a call."""

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def sweep(matrices: np.ndarray, rows: np.ndarray) -> float:
    """Rotate every plane once, matrices (d, m, d) and rows in place; returns the largest angle."""
    d, m = matrices.shape[0], matrices.shape[1]
    largest = 0.0
    for i in range(d - 1):
        for j in range(i + 1, d):
            difference = both = product = 0.0
            for t in range(m):
                apart, twice = matrices[i, t, i] - matrices[j, t, j], 2.0 * matrices[i, t, j]
                difference += apart * apart
                both += twice * twice
                product += apart * twice
            angle = 0.25 * np.arctan2(2.0 * product, difference - both)
            if angle == 0.0:
                continue
            largest = max(largest, abs(angle))
            turn_pair(matrices, rows, i, j, np.cos(angle), np.sin(angle))
    return largest


@kernel
def turn_pair(matrices: np.ndarray, rows: np.ndarray, i: int, j: int, c: float, s: float) -> None:
    d, m = matrices.shape[0], matrices.shape[1]
    for t in range(m):
        for a in range(d):
            x, y = matrices[i, t, a], matrices[j, t, a]
            matrices[i, t, a], matrices[j, t, a] = c * x + s * y, c * y - s * x
        for a in range(d):
            x, y = matrices[a, t, i], matrices[a, t, j]
            matrices[a, t, i], matrices[a, t, j] = c * x + s * y, c * y - s * x
    for a in range(rows.shape[1]):
        x, y = rows[i, a], rows[j, a]
        rows[i, a], rows[j, a] = c * x + s * y, c * y - s * x
