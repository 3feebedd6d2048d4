"""Bases of images and volumes from bases of lines: atoms u ⊗ v ⊗ …, one factor an axis."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from unmix.core.arguments import is_whole

Shape = int | tuple[int, ...]


def axes_of(shape: Shape) -> tuple[int, ...]:
    """The lengths of the axes of one signal."""
    axes = shape if isinstance(shape, tuple) else (shape,)
    if not axes or not all(is_whole(a, 1) for a in axes):
        raise ValueError(f"shape={shape!r}: give the length of a signal, or the lengths of its axes, as (8, 8)")
    return tuple(int(a) for a in axes)


def separable(line: Callable[[int], np.ndarray], shape: Shape) -> np.ndarray:
    """The basis of signals of `shape`, flattened, from that of a line; orthonormal if that is."""
    return reduce(np.kron, [line(length) for length in axes_of(shape)])
