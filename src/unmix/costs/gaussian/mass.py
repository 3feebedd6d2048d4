"""The mass of every component, Σ_i q_ic, in float64; compiled, because numpy would first make a float64 copy."""

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel(fastmath={"reassoc"})
def sum_rows(q: np.ndarray) -> np.ndarray:
    mass = np.empty(q.shape[0])
    for c in range(q.shape[0]):
        row, total = q[c], 0.0
        for i in range(row.size):
            total += row[i]
        mass[c] = total
    return mass
