"""Nearest centres of sparse rows: scores of all centres grow entry by entry, x·u_c = sum over stored j of x_j u_cj."""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def assign_sparse_rows(
    data: Any, indices: Any, indptr: Any, scale: Any, turned: Any, bias: Any, norms: Any,
    labels: Any, near: Any, far: Any,
) -> None:  # fmt: skip
    """Squared norms, nearest centres and the two smallest squared distances of CSR rows; centres are (d, k)."""
    k = bias.size
    scores = np.empty(k, data.dtype)
    for i in range(labels.size):
        norm = data.dtype.type(0)
        for c in range(k):
            scores[c] = bias[c]
        for p in range(indptr[i], indptr[i + 1]):
            x, j = data[p] * scale, indices[p]
            norm += x * x
            for c in range(k):
                scores[c] += x * turned[j, c]
        best = second = -np.inf
        labels[i] = 0  # where no score is a number
        for c in range(k):
            if scores[c] > best:
                best, second, labels[i] = scores[c], best, c
            elif scores[c] > second:
                second = scores[c]
        norms[i] = norm
        near[i], far[i] = max(norm - 2 * best, 0), max(norm - 2 * second, 0)
