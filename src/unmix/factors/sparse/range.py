"""Signals whose squares would over- or underflow, brought to a safe size by powers of two, which change no digit."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import diags_array

SAFE = {np.dtype(np.float32): (1e-30, 1e30), np.dtype(np.float64): (1e-200, 1e200)}  # of squared norms


def row_scales(block: Any, squares: np.ndarray) -> np.ndarray | None:
    """What to multiply each row by, or None where all are safe as they are; zero is, unless a square vanished."""
    low, high = SAFE[np.dtype(block.dtype)]
    zero = squares == 0
    if (((squares > low) & (squares < high)) | zero).all() and not (zero.any() and abs(block[zero]).max() > 0):
        return None
    largest = np.asarray(abs(block).max(axis=1).toarray() if hasattr(block, "tocsr") else np.abs(block).max(axis=1))
    exponents = np.frexp(np.where(largest > 0, largest, 1.0).reshape(-1).astype(np.float64))[1]
    return np.ldexp(1.0, -exponents)


def scale_rows(block: Any, scales: np.ndarray) -> Any:
    """Each row times its scale, which may itself be too large a number for single precision."""
    if hasattr(block, "tocsr"):
        return (diags_array(scales) @ block.astype(np.float64)).tocsr().astype(block.dtype)
    return (block * scales[:, None]).astype(block.dtype)
