"""The compiled update of K-SVD where signals are known in part: each entry of an atom from the signals that show it.

    u_p ← Σ_i w_i z_i E_ip / Σ_i w_i z_i²  over the users i that know p,    z_i ← <E_i, u> / Σ_{p known} u_p²

Mairal, Elad & Sapiro, IEEE Trans. Image Processing 17, 2008.
"""

import math
from typing import Any

from unmix.algorithms.dictionary.ksvd_kernel import FAST
from unmix.core.compiled.kernel import kernel


@kernel(fastmath=FAST)
def update_atoms_masked(
    residuals: Any, known: Any, dictionary: Any, values: Any, weights: Any, starts: Any, signals: Any, places: Any,
    scales: Any, fresh: Any, mass: Any,
) -> None:  # fmt: skip
    """One sweep over all atoms, in place; `known` is 1 and 0, residuals are zero where it is 0 and stay so."""
    d, zero, kind = dictionary.shape[1], dictionary.dtype.type(0), dictionary.dtype.type
    for k in range(dictionary.shape[0]):
        old = dictionary[k]
        for p in range(d):
            fresh[p] = mass[p] = zero
        for j in range(starts[k], starts[k + 1]):
            residual, seen, z = residuals[signals[j]], known[signals[j]], values[signals[j], places[j]]
            share = weights[signals[j]] * kind(z * scales[k])
            for p in range(d):
                fresh[p] += share * (residual[p] + z * seen[p] * old[p])
                mass[p] += share * z * seen[p]
        square = 0.0
        for p in range(d):  # an entry that nobody knows stays
            fresh[p] = fresh[p] / mass[p] if mass[p] > zero else old[p]
            square += fresh[p] * fresh[p]
        if not square > 0:
            continue
        length = math.sqrt(square)
        for p in range(d):
            fresh[p] /= length
        for j in range(starts[k], starts[k + 1]):
            residual, seen, z = residuals[signals[j]], known[signals[j]], values[signals[j], places[j]]
            along, part = zero, zero
            for p in range(d):
                along += (residual[p] + z * seen[p] * old[p]) * fresh[p]
                part += seen[p] * fresh[p] * fresh[p]
            new = along / part if part > zero else zero
            for p in range(d):
                residual[p] += seen[p] * (z * old[p] - new * fresh[p])
            values[signals[j], places[j]] = new
        for p in range(d):
            old[p] = fresh[p]
