"""Signals whose squares would over- or underflow, brought to a safe size by powers of two, which change no digit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import diags_array

from unmix.core.blocks import RowBlocks
from unmix.core.linalg import power_of_two

SAFE_SQUARES = {np.dtype(np.float32): (1e-30, 1e30), np.dtype(np.float64): (1e-200, 1e200)}  # of squared norms

LARGEST_ENTRY = {np.dtype(np.float32): 2.0**40, np.dtype(np.float64): 2.0**480}  # whose squares can be summed


class Largest(NamedTuple):
    """The size of the largest entry; NaN are none."""

    size: float

    def merge(self, other: Largest) -> Largest:
        return Largest(max(self.size, other.size))


def measure(block: Any, rows: Any) -> Largest:
    values = block.data if hasattr(block, "tocsr") else block
    return Largest(float(max(np.fmax.reduce(values, None, initial=0.0), -np.fmin.reduce(values, None, initial=0.0))))


def safe_unit(X: RowBlocks, present: float = 1.0) -> float:
    """What to multiply the rows by so that no square over- or underflows: ``present`` where that serves.

    Else it is a power of four, and entries that are too large are brought no further down than they must be: other
    rows may be of any size.
    """
    size, reach = X.reduce(measure).size, LARGEST_ENTRY[X.dtype]
    for unit in (present, 1.0):
        if size == 0 or 1 / reach <= size * unit <= reach:
            return unit
    factor = power_of_two(size) * (reach if size > reach else 1.0)
    return factor if np.frexp(factor)[1] % 2 else factor / 2  # an odd exponent of frexp is an even power of two


def in_unit(rows: np.ndarray, unit: float) -> np.ndarray:
    """Rows times a unit, which may itself be too large a number for single precision."""
    return rows if unit == 1.0 else (rows * np.float64(unit)).astype(rows.dtype)


def row_scales(block: Any, squares: np.ndarray) -> np.ndarray | None:
    """What to multiply each row by, or None where all are safe as they are; zero is, unless a square vanished."""
    low, high = SAFE_SQUARES[np.dtype(block.dtype)]
    zero = squares == 0
    if (((squares > low) & (squares < high)) | zero).all() and not (zero.any() and abs(block[zero]).max() > 0):
        return None
    largest = np.asarray(abs(block).max(axis=1).toarray() if hasattr(block, "tocsr") else np.abs(block).max(axis=1))
    exponents = np.frexp(np.where(largest > 0, largest, 1.0).reshape(-1).astype(np.float64))[1]
    return np.ldexp(1.0, np.minimum(-exponents, 1023))  # a row of denormal numbers stays below 1


def scale_rows(block: Any, scales: np.ndarray) -> Any:
    """Each row times its scale, which may itself be too large a number for single precision."""
    if hasattr(block, "tocsr"):
        return (diags_array(scales) @ block.astype(np.float64)).tocsr().astype(block.dtype)
    return (block * scales[:, None]).astype(block.dtype)
