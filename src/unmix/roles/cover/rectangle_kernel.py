"""Compiled depth-first enumeration of maximal rectangles of ones, each once."""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.roles.access.bit_kernel import ALL, has

DONE, ROOM, STEPS = 0, 1, 2


@kernel
def close(extent: Any, rows: Any, intent: Any) -> bool:
    """intent = what all rows of ``extent`` share; False if there are none."""
    some = False
    intent[:] = ALL
    for w in range(extent.size):
        if extent[w] == np.uint64(0):
            continue
        for b in range(64):
            if (extent[w] >> np.uint64(b)) & np.uint64(1) != np.uint64(0):
                some = True
                for k in range(intent.size):
                    intent[k] &= rows[(w << 6) + b, k]
    return some


@kernel
def canonical(before: Any, after: Any, j: int) -> bool:
    """Whether ``after`` brings no new column before j."""
    for w in range(j >> 6):
        if after[w] & ~before[w] != np.uint64(0):
            return False
    mask = (np.uint64(1) << np.uint64(j & 63)) - np.uint64(1)
    return (after[j >> 6] & ~before[j >> 6] & mask) == np.uint64(0)


@kernel
def enumerate_rectangles(
    rows: Any, columns: Any, everyone: Any, width: int, stack_extent: Any, stack_intent: Any, position: Any,
    progress: Any, extents: Any, intents: Any, steps: int,
) -> int:  # fmt: skip
    """Close-by-one; DONE when all are listed, else to be called again: with more ROOM, or for more STEPS.

    ``progress`` holds the number of rectangles and the level of the stack; it starts at zero.
    """
    n_words = columns.shape[1]
    if progress[0] == 0:
        stack_extent[0] = everyone
        if extents.shape[0] == 0:
            return ROOM
        if not close(stack_extent[0], rows, stack_intent[0]):
            return DONE
        extents[0], intents[0] = stack_extent[0], stack_intent[0]
        progress[0] = 1
    count, level = progress[0], progress[1]
    while level >= 0:
        if steps <= 0:
            progress[0], progress[1] = count, level
            return STEPS
        steps -= 1
        j = position[level]
        if j == width:
            level -= 1
            continue
        position[level] += 1
        if has(stack_intent[level], j):
            continue
        for w in range(n_words):
            stack_extent[level + 1, w] = stack_extent[level, w] & columns[j, w]
        if not close(stack_extent[level + 1], rows, stack_intent[level + 1]):
            continue
        if not canonical(stack_intent[level], stack_intent[level + 1], j):
            continue
        if count == extents.shape[0]:
            position[level] -= 1
            progress[0], progress[1] = count, level
            return ROOM
        extents[count], intents[count] = stack_extent[level + 1], stack_intent[level + 1]
        count += 1
        level += 1
        position[level] = j + 1
    progress[0], progress[1] = count, level
    return DONE
