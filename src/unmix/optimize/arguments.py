"""What is given to the convex tools, as arrays of numbers, with one sentence for what is not."""

from __future__ import annotations

from typing import Any

import numpy as np


def floats(value: Any, name: str) -> np.ndarray:
    """An array of float64, or of float32 where it was given so; the one that was given where it will do."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} holds {array.dtype}; give real numbers")
    if array.dtype != np.float32:
        array = array.astype(np.float64, copy=False)
    if np.isnan(array).any():
        raise ValueError(f"{name} holds NaN; give numbers only")
    return array


def finite(value: Any, name: str, ndim: int) -> np.ndarray:
    """Finite numbers in float64, in so many dimensions."""
    array = floats(value, name).astype(np.float64, copy=False)
    if array.ndim != ndim:
        raise ValueError(f"{name} has {array.ndim} dimension(s), expected {ndim}")
    refuse_infinity(array, name)
    return array


def refuse_infinity(array: np.ndarray, name: str) -> None:
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds infinity; give finite numbers")


def checked_size(value: Any, name: str) -> np.ndarray:
    """Numbers that are 0 or more."""
    array = np.asarray(value, dtype=np.float64)
    if not (array >= 0).all():
        raise ValueError(f"{name}={value!r} must be 0 or more")
    return array


def positive(value: float, name: str) -> float:
    number = float(value)
    if not (number > 0 and np.isfinite(number)):
        raise ValueError(f"{name}={value!r} must be a positive number")
    return number


def system(A: Any, b: Any) -> tuple[np.ndarray, np.ndarray]:
    """A matrix and a right-hand side that fit together."""
    matrix, right = finite(A, "A", 2), finite(b, "b", 1)
    if len(matrix) != len(right):
        raise ValueError(f"A has {len(matrix)} rows but b has {len(right)} entries; they must be as many")
    if 0 in matrix.shape:
        raise ValueError(f"A has shape {matrix.shape}; at least one row and one column are needed")
    return matrix, right
