"""The exact update of K-SVD: atom and coefficients to the leading singular pair of the residuals of its signals.

    min Σ_i w_i ||E_i - z_i u||²,   u the leading right singular vector of √w E,   z = E u

Aharon, Elad & Bruckstein, K-SVD, IEEE Trans. Signal Processing 54, 2006.
"""

from __future__ import annotations

import numpy as np

from unmix.core.linalg import power_of_two


def update_exactly(
    residuals: np.ndarray,
    dictionary: np.ndarray,
    values: np.ndarray,
    weights: np.ndarray,
    starts: np.ndarray,
    signals: np.ndarray,
    places: np.ndarray,
) -> None:
    """One sweep over all atoms, in place; the sign of an atom is kept."""
    for k in range(len(dictionary)):
        mine = slice(starts[k], starts[k + 1])
        who, where = signals[mine], places[mine]
        if not who.size or not weights[who].any():
            continue
        left = residuals[who] + np.outer(values[who, where], dictionary[k])
        atom = leading_direction(left * np.sqrt(weights[who])[:, None])
        atom = (atom if atom @ dictionary[k] >= 0 else -atom).astype(dictionary.dtype)
        values[who, where] = left @ atom
        residuals[who] = left - np.outer(left @ atom, atom)
        dictionary[k] = atom


def leading_direction(rows: np.ndarray) -> np.ndarray:
    """The leading right singular vector, from the smaller of the two square products."""
    rows = rows * rows.dtype.type(power_of_two(float(np.abs(rows).max())))
    if len(rows) >= rows.shape[1]:
        return np.asarray(np.linalg.eigh(rows.T @ rows)[1][:, -1])
    direction = np.linalg.eigh(rows @ rows.T)[1][:, -1] @ rows
    length = np.linalg.norm(direction)
    return np.asarray(direction / length) if length > 0 else np.asarray(np.eye(rows.shape[1])[0])
