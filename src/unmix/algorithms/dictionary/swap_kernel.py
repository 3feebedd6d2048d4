"""The compiled part of swaps: what a dictionary would lose with each of its atoms.

A signal that loses atom k of its code, with coefficient z, takes the best other atom instead:

    loss_i(k) = max(z² - max_m <r_i + z u_k, u_m>², 0)        (m not in its code)
"""

from typing import Any

import numpy as np

from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit_kernel import largest
from unmix.core.compiled.kernel import kernel


@kernel
def losses(
    correlations: Any, gram: Any, atoms: Any, values: Any, weights: Any, row: Any, bits: Any, sizes: Any, spare: Any,
    total: Any,
) -> None:  # fmt: skip
    """Add up the weighted loss of each atom; `spare` becomes the least loss of each signal, 0 where its code has room.

    `correlations` = R Uᵀ, `row` is room for one of them, `bits` the same memory as integers.
    """
    for i in range(correlations.shape[0]):
        spare[i] = np.inf
        for j in range(atoms.shape[1]):
            k = atoms[i, j]
            if k < 0:
                spare[i] = 0.0
                break
            z = values[i, j]
            own = float(z) * float(z)
            for m in range(row.size):
                row[m] = correlations[i, m] + z * gram[k, m]
            for other in range(atoms.shape[1]):
                if atoms[i, other] >= 0:
                    row[atoms[i, other]] = 0
            best = float(row[largest(bits, sizes)])
            loss = own - best * best if own > best * best else 0.0
            total[k] += weights[i] * loss
            spare[i] = loss if loss < spare[i] else spare[i]
