"""Sums of rows by label, in one compiled loop: what a batch map adds up after its rows found their nodes."""

from typing import Any

import numba


@numba.njit(cache=True, nogil=True)
def add_rows(block: Any, weights: Any, labels: Any, scale: float, shift: Any, sums: Any, mass: Any) -> float:
    """Add w (scale x - shift) to the line of its label and w to its mass; returns Σ w ||scale x - shift||²."""
    total = 0.0
    for i in range(block.shape[0]):
        weight, c, square = 1.0 if weights.size == 0 else weights[i], labels[i], 0.0
        if weight == 0:
            continue
        mass[c] += weight
        for j in range(block.shape[1]):
            x = scale * block[i, j] - shift[j]
            sums[c, j] += weight * x
            square += x * x
        total += weight * square
    return total


@numba.njit(cache=True, nogil=True)
def count_torn(
    block: Any, weights: Any, labels: Any, far: Any, scale: float, shift: Any, centers: Any, adjacent: Any, error: float
) -> float:
    """Weight of the rows none of whose winner's neighbours is second nearest; `far` is the second smallest distance.

    Distances that differ by no more than their rounding, `error` (||x||² + largest ||u||²), count as equal.
    """
    torn, longest = 0.0, 0.0
    for c in range(centers.shape[0]):
        norm = 0.0
        for j in range(centers.shape[1]):
            norm += centers[c, j] ** 2
        longest = max(longest, norm)
    for i in range(block.shape[0]):
        norm = 0.0
        for j in range(block.shape[1]):
            norm += (scale * block[i, j] - shift[j]) ** 2
        limit, found = far[i] + error * (norm + longest), False
        for p in range(adjacent.shape[1]):
            c, square = adjacent[labels[i], p], 0.0
            if c < 0:
                break
            for j in range(block.shape[1]):
                square += (scale * block[i, j] - shift[j] - centers[c, j]) ** 2
            if square <= limit:
                found = True
                break
        if not found:
            torn += 1.0 if weights.size == 0 else weights[i]
    return torn
