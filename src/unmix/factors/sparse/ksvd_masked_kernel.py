"""The compiled update of K-SVD where signals are known in part: each entry of an atom from the signals that show it.

    u_p ← Σ_i w_i z_i E_ip / Σ_i w_i z_i²  over the users i that know p,    z_i ← <E_i, u> / Σ_{p known} u_p²

Mairal, Elad & Sapiro, IEEE Trans. Image Processing 17, 2008.
"""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def gather_atom(
    residuals: Any, known: Any, old: Any, values: Any, weights: Any, signals: Any, places: Any, fresh: Any, mass: Any
) -> float:
    """The least-squares atom for the present coefficients, of length one; entries nobody knows stay. Its length was."""
    fresh[:], mass[:] = 0, 0
    for j in range(signals.size):
        i = signals[j]
        z = values[i, places[j]]
        for p in range(old.size):
            if known[i, p]:
                fresh[p] += weights[i] * z * (residuals[i, p] + z * old[p])
                mass[p] += weights[i] * z * z
    square = 0.0
    for p in range(old.size):
        fresh[p] = fresh[p] / mass[p] if mass[p] > 0 else old[p]
        square += fresh[p] * fresh[p]
    length = np.sqrt(square)
    if length > 0:
        for p in range(old.size):
            fresh[p] /= length
    return length


@njit(cache=True, nogil=True)
def update_atoms_masked(
    residuals: Any, known: Any, dictionary: Any, values: Any, weights: Any, starts: Any, signals: Any, places: Any
) -> None:
    """One sweep over all atoms, in place; residuals are zero where nothing is known and stay so."""
    d = dictionary.shape[1]
    fresh, mass = np.empty(d), np.empty(d)
    for k in range(len(dictionary)):
        mine = slice(starts[k], starts[k + 1])
        old, who, where = dictionary[k], signals[mine], places[mine]
        if who.size == 0 or not gather_atom(residuals, known, old, values, weights, who, where, fresh, mass) > 0:
            continue
        for j in range(who.size):
            i = who[j]
            z, along, square = values[i, where[j]], 0.0, 0.0
            for p in range(d):
                if known[i, p]:
                    along += (residuals[i, p] + z * old[p]) * fresh[p]
                    square += fresh[p] * fresh[p]
            new = along / square if square > 0 else 0.0
            for p in range(d):
                if known[i, p]:
                    residuals[i, p] += z * old[p] - new * fresh[p]
            values[i, where[j]] = new
        old[:] = fresh
