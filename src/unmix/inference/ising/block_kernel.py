"""Compiled search for blocks of a graph: connected nodes that carry the same key."""

from typing import Any

from unmix.core.compiled.kernel import kernel


@kernel
def label_blocks(indptr: Any, indices: Any, keys: Any, block: Any, stack: Any) -> int:
    """Number the connected parts of equal key in `block`, which comes in as -1; returns how many there are."""
    count = 0
    for start in range(keys.size):
        if block[start] >= 0:
            continue
        block[start] = count
        stack[0] = start
        height = 1
        while height > 0:
            height -= 1
            i = stack[height]
            for k in range(indptr[i], indptr[i + 1]):
                j = indices[k]
                if block[j] < 0 and keys[j] == keys[i]:
                    block[j] = count
                    stack[height] = j
                    height += 1
        count += 1
    return count
