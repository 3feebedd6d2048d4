"""Sums of rows by label, in one compiled loop: what a batch map adds up after its rows found their nodes."""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
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


@kernel
def count_torn(
    block: Any, weights: Any, labels: Any, far: Any, scale: float, shift: Any, centers: Any, adjacent: Any,
    error: float, lean: float,
) -> float:  # fmt: skip
    """Weight of the rows none of whose winner's neighbours is second nearest; `far` is the second smallest distance.

    Centres are scaled and not shifted. Distances that differ by no more than their rounding count as equal; where that,
    `error` (3 ||x||² + 2 far) in the frame, is not small, the second smallest is taken from differences.
    """
    torn = 0.0
    for i in range(block.shape[0]):
        norm, least, found = 0.0, np.inf, False
        for j in range(block.shape[1]):
            norm += (scale * block[i, j] - shift[j]) ** 2
        rounding = error * (3 * norm + 2 * far[i])
        coarse = rounding > 1e-4 * far[i]
        for p in range(adjacent.shape[1]):
            if adjacent[labels[i], p] < 0 or (found and not coarse):
                break
            least = min(least, square_distance(block[i], scale, centers[adjacent[labels[i], p]]))
            found = least <= far[i] + rounding
        if found and coarse:
            found = np.sqrt(least) <= second_distance(block[i], scale, centers, labels[i], lean)
        if not found:
            torn += weights[i]
    return torn


@kernel
def square_distance(row: Any, scale: float, center: Any) -> float:
    total = 0.0
    for j in range(row.size):
        total += (scale * row[j] - center[j]) ** 2
    return total


@kernel
def second_distance(row: Any, scale: float, centers: Any, label: int, lean: float) -> float:
    """The distance to the nearest centre but `label`, with what may be taken for equal."""
    least, norm = np.inf, 0.0
    for j in range(row.size):
        norm += (scale * row[j]) ** 2
    for c in range(centers.shape[0]):
        if c != label:
            least = min(least, square_distance(row, scale, centers[c]))
    return np.sqrt(least) * (1 + lean) + lean * np.sqrt(norm)
