"""Arrays that begin at a line of the cache, so that no register is read from two lines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

LINE = 64  # bytes


def zeros_at_line(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Zeros that begin at a line."""
    return rooms_at_line(dtype, shape)[0]


def rooms_at_line(dtype: Any, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    """Zeros of several shapes, each beginning at a line, in one piece of memory."""
    line = LINE // np.dtype(dtype).itemsize
    sizes = [math.prod(shape) for shape in shapes]
    flat = np.zeros(line * (1 + sum(-(-size // line) for size in sizes)), dtype)
    at, out = -flat.ctypes.data % LINE // flat.itemsize, []
    for shape, size in zip(shapes, sizes, strict=True):
        out.append(flat[at : at + size].reshape(shape))
        at += -(-size // line) * line
    return out
