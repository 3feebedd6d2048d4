"""Products of a CSR table with few dense columns, compiled: a row of the dense factor is a few registers.

Columns go three or four registers at a time, and factors are as wide as such blocks make up, the rest zero.  Sums stay
in registers for a whole row of the table, with one load each a stored entry.
"""

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.core.compiled.simd import fill, load, multiply_add, spread, store


@kernel
def gather(
    data: np.ndarray, indices: np.ndarray, indptr: np.ndarray, right: np.ndarray, out: np.ndarray, lanes: int
) -> None:
    """out = X right, for right (d, width) and out (n, width)."""
    width, zero = right.shape[1], fill(out.dtype.type(0))
    for i in range(out.shape[0]):
        start = 0
        while start < width:
            sum_0 = sum_1 = sum_2 = sum_3 = zero
            four = (width - start) % (4 * lanes) == 0
            if four:
                for p in range(indptr[i], indptr[i + 1]):
                    x, at = spread(data, p), indices[p] * width + start
                    sum_0 = multiply_add(x, load(right, at), sum_0)
                    sum_1 = multiply_add(x, load(right, at + lanes), sum_1)
                    sum_2 = multiply_add(x, load(right, at + 2 * lanes), sum_2)
                    sum_3 = multiply_add(x, load(right, at + 3 * lanes), sum_3)
                store(out, i * width + start + 3 * lanes, sum_3)
            else:
                for p in range(indptr[i], indptr[i + 1]):
                    x, at = spread(data, p), indices[p] * width + start
                    sum_0 = multiply_add(x, load(right, at), sum_0)
                    sum_1 = multiply_add(x, load(right, at + lanes), sum_1)
                    sum_2 = multiply_add(x, load(right, at + 2 * lanes), sum_2)
            at = i * width + start
            store(out, at, sum_0)
            store(out, at + lanes, sum_1)
            store(out, at + 2 * lanes, sum_2)
            start += 4 * lanes if four else 3 * lanes


@kernel
def scatter(
    data: np.ndarray, indices: np.ndarray, indptr: np.ndarray, left: np.ndarray, out: np.ndarray, lanes: int
) -> None:
    """out += Xᵀ left, for left (n, width) and out (d, width)."""
    width = left.shape[1]
    for i in range(left.shape[0]):
        start = 0
        while start < width:
            at = i * width + start
            row_0, row_1, row_2 = load(left, at), load(left, at + lanes), load(left, at + 2 * lanes)
            four = (width - start) % (4 * lanes) == 0
            row_3 = load(left, at + 3 * lanes) if four else row_0
            for p in range(indptr[i], indptr[i + 1]):
                x, at = spread(data, p), indices[p] * width + start
                store(out, at, multiply_add(x, row_0, load(out, at)))
                store(out, at + lanes, multiply_add(x, row_1, load(out, at + lanes)))
                store(out, at + 2 * lanes, multiply_add(x, row_2, load(out, at + 2 * lanes)))
                if four:
                    store(out, at + 3 * lanes, multiply_add(x, row_3, load(out, at + 3 * lanes)))
            start += 4 * lanes if four else 3 * lanes
