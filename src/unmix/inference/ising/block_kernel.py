"""Compiled search for blocks of a graph: connected nodes that carry the same key."""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def label_blocks(indptr: Any, indices: Any, keys: Any, block: Any) -> int:
    """Number the connected parts of equal key in `block`; returns how many there are."""
    n, count = keys.size, 0
    stack = np.empty(n, np.int64)
    block[:] = -1
    for start in range(n):
        if block[start] >= 0:
            continue
        block[start], stack[0], height = count, start, 1
        while height > 0:
            height -= 1
            i = stack[height]
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                if block[j] < 0 and keys[j] == keys[i]:
                    block[j], stack[height] = count, j
                    height += 1
        count += 1
    return count
