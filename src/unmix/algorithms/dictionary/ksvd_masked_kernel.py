"""The compiled update of K-SVD where signals are known in part: each entry of an atom from the signals that show it.

    u_p ← Σ_i w_i z_i E_ip / Σ_i w_i z_i²  over the users i that know p,    z_i ← <E_i, u> / Σ_{p known} u_p²

Mairal, Elad & Sapiro, IEEE Trans. Image Processing 17, 2008.
"""

from typing import Any

import numpy as np
from numba import njit

from unmix.algorithms.dictionary.ksvd_kernel import inverse_size, largest_value
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit_kernel import FAST


@njit(cache=True, nogil=True, fastmath=FAST)
def add_share(fresh: Any, mass: Any, residual: Any, known: Any, old: Any, z: Any, share: Any) -> None:
    """fresh += s E, mass += s z where known, s = w z in any unit; residuals are zero elsewhere."""
    for p in range(fresh.size):
        fresh[p] += share * (residual[p] + z * known[p] * old[p])
        mass[p] += share * z * known[p]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def refit(residual: Any, known: Any, old: Any, z: Any, fresh: Any) -> Any:
    """<E, u> and the square of the known part of u."""
    along = square = z - z
    for p in range(fresh.size):
        along += (residual[p] + z * known[p] * old[p]) * fresh[p]
        square += known[p] * fresh[p] * fresh[p]
    return along, square


@njit(cache=True, nogil=True, fastmath=FAST)
def exchange_known(residual: Any, known: Any, old: Any, z: Any, fresh: Any, new: Any) -> None:
    for p in range(residual.size):
        residual[p] += known[p] * (z * old[p] - new * fresh[p])


@njit(cache=True, nogil=True)
def update_atoms_masked(
    residuals: Any, known: Any, dictionary: Any, values: Any, weights: Any, starts: Any, signals: Any, places: Any
) -> None:
    """One sweep over all atoms, in place; `known` is 1 and 0, residuals are zero where it is 0 and stay so."""
    d = dictionary.shape[1]
    fresh, mass = np.empty(d, dictionary.dtype), np.empty(d, dictionary.dtype)
    share = np.empty(1, dictionary.dtype)  # a scalar of the type of the atoms
    for k in range(len(dictionary)):
        old = dictionary[k]
        scale = inverse_size(largest_value(values, signals, places, starts[k], starts[k + 1]))
        fresh[:], mass[:] = 0, 0
        for j in range(starts[k], starts[k + 1]):
            i = signals[j]
            z = values[i, places[j]]
            share[0] = weights[i] * (z * scale)
            add_share(fresh, mass, residuals[i], known[i], old, z, share[0])
        square = 0.0
        for p in range(d):  # an entry that nobody knows stays
            fresh[p] = fresh[p] / mass[p] if mass[p] > 0 else old[p]
            square += fresh[p] * fresh[p]
        if not square > 0:
            continue
        for p in range(d):
            fresh[p] /= np.sqrt(square)
        for j in range(starts[k], starts[k + 1]):
            i = signals[j]
            z = values[i, places[j]]
            along, seen = refit(residuals[i], known[i], old, z, fresh)
            new = along / seen if seen > 0 else along - along
            exchange_known(residuals[i], known[i], old, z, fresh, new)
            values[i, places[j]] = new
        old[:] = fresh
