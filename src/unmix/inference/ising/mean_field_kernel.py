"""The compiled sweep of mean_field.py."""

import math
from typing import Any

from unmix.core.compiled.kernel import kernel


@kernel
def sweep_means(indptr: Any, indices: Any, data: Any, external: Any, beta: float, means: Any) -> float:
    """m_i <- tanh(beta (Σ_j J_ij m_j + h_i)), one spin after the other; returns the largest change."""
    largest = 0.0
    for i in range(means.size):
        field = external[i]
        for k in range(indptr[i], indptr[i + 1]):
            field += data[k] * means[indices[k]]
        new = math.tanh(beta * field)
        largest = max(largest, abs(new - means[i]))
        means[i] = new
    return largest
