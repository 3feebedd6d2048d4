"""The agreement of two posteriors under every way to name the clusters of one of them, in one compiled call.

A(ρ) = Σ_i log Σ_a p_ia q_iρ(a) / π_aρ(a)
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel

SMALL = 1e-100  # a product of rows is turned into a logarithm before the next could under- or overflow it


@kernel
def sum_renamings(p: Any, q: Any, table: Any, renamings: Any, least: float, sums: Any) -> None:
    """Fills sums (k!,); a row that agrees on less than `least` counts as that."""
    n, k = p.shape
    cells, product = np.empty((k, k)), np.ones(sums.size)
    sums[:] = 0.0
    for i in range(n):
        for a in range(k):
            for b in range(k):
                cells[a, b] = p[i, a] * q[i, b] * table[a, b]
        for r in range(sums.size):
            agreed = 0.0
            for a in range(k):
                agreed += cells[a, renamings[r, a]]
            if SMALL < agreed < 1 / SMALL:
                product[r] *= agreed
                if not SMALL < product[r] < 1 / SMALL:
                    sums[r] += np.log(product[r])
                    product[r] = 1.0
            else:
                sums[r] += np.log(max(agreed, least))
    for r in range(sums.size):
        sums[r] += np.log(product[r])
