"""Sums of distances from rows to clusters, fused with what makes distances of inner products; imported on first use."""

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel(fastmath={"reassoc", "contract"})
def add_distances(products, norms_a, norms_b, weight, bounds, out):
    """out[i, c] += Σ_t w_t sqrt(|a_i|² - 2 a_i·b_t + |b_t|²) over the columns t of cluster c.

    Columns are sorted by cluster: those of c are bounds[c] … bounds[c + 1] - 1.
    """
    for i in range(len(norms_a)):
        for c in range(len(bounds) - 1):
            total = 0.0
            for t in range(bounds[c], bounds[c + 1]):
                total += weight[t] * np.sqrt(max(norms_a[i] + norms_b[t] - 2.0 * products[i, t], 0.0))
            out[i, c] += total
