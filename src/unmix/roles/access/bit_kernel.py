"""Compiled loops over bit-packed rows: bit j of row i is (words[i, j >> 6] >> (j & 63)) & 1."""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel

ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def popcount(word: Any) -> Any:
    """Number of ones in a word, added up in pairs, nibbles and bytes; the compiler knows the pattern."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    # Bytes are added by shifts, not by a multiplication that wraps: plain numpy would warn of the overflow.
    word = word + (word >> np.uint64(8))
    word = word + (word >> np.uint64(16))
    word = word + (word >> np.uint64(32))
    return np.int64(word & np.uint64(0x7F))


@kernel
def has(words: Any, j: int) -> Any:
    return (words[j >> 6] >> np.uint64(j & 63)) & ONE != np.uint64(0)


@kernel
def put(words: Any, j: int) -> None:
    words[j >> 6] |= ONE << np.uint64(j & 63)


@kernel
def clear(words: Any, j: int) -> None:
    words[j >> 6] &= ~(ONE << np.uint64(j & 63))


@kernel
def inside(part: Any, whole: Any) -> bool:
    """Whether every one of ``part`` is a one of ``whole``."""
    for w in range(part.size):  # noqa: SIM110, a generator would not compile
        if part[w] & ~whole[w] != np.uint64(0):
            return False
    return True


@kernel
def holds(parts: Any, wholes: Any, out: Any) -> None:
    """out[i, j] = parts[j] ⊆ wholes[i]."""
    for i in range(wholes.shape[0]):
        for j in range(parts.shape[0]):
            out[i, j] = inside(parts[j], wholes[i])
