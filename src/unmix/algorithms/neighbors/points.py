"""Rows as points whose squares are safe to compute, and rows that are equal as one point."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix.algorithms.neighbors.gather import is_sparse
from unmix.core.linalg import power_of_two

SAMPLE = 1_000  # rows whose median is the middle; a row far from all others must not push these from the origin

FARTHEST = 1e150  # of the size of the reference: squares are finite


def in_safe_units(rows: Any, reference: Any) -> Any:
    """float64, scaled by a power of two so that squares are safe; arrays are moved to the middle of ``reference``."""
    if is_sparse(rows):
        size = power_of_two(float(np.abs(reference.data).max(initial=0.0)))
        scaled = csr_array(rows, dtype=np.float64, copy=True)
        scaled.data = _within_reach(scaled.data, size)
        return scaled
    low, high = reference.min(axis=0).astype(np.float64), reference.max(axis=0).astype(np.float64)
    size = power_of_two(float(max(np.abs(low).max(), np.abs(high).max())))
    few = reference[:: max(1, len(reference) // SAMPLE)].astype(np.float64)
    return _within_reach(np.array(rows, dtype=np.float64), size) - np.median(few * size, axis=0)


def _within_reach(values: np.ndarray, size: float) -> np.ndarray:
    """Values times a size, which for those of the reference is at most 1; others may be out of all proportion."""
    with np.errstate(over="ignore"):
        values *= size
    return np.clip(values, -FARTHEST, FARTHEST, out=values)


def distinct_rows(points: Any) -> tuple[Any, np.ndarray]:
    """The rows that differ, and for every row which of these it is."""
    if not is_sparse(points):
        kept, copies = np.unique(points, axis=0, return_inverse=True)
        return kept, copies.ravel()
    points.sum_duplicates()
    points.eliminate_zeros()
    number: dict[tuple[bytes, bytes], int] = {}
    ends = zip(points.indptr[:-1], points.indptr[1:])
    copies = np.array(
        [number.setdefault((points.indices[a:b].tobytes(), points.data[a:b].tobytes()), len(number)) for a, b in ends]
    )
    return points[np.unique(copies, return_index=True)[1]], copies
