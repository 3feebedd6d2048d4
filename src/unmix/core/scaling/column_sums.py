"""Extent and weighted moments of every column of a block in one compiled pass; NaN entries are left out."""

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def add_extent(x: np.ndarray, low: np.ndarray, high: np.ndarray, values: np.ndarray) -> None:
    """Widen [low, high] to hold every entry, and count the entries. Start from low = inf, high = -inf, values = 0."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            entry = x[i, j]
            low[j] = entry if entry < low[j] else low[j]
            high[j] = entry if entry > high[j] else high[j]
            values[j] += 1 if entry == entry else 0


@kernel
def add_moments(
    x: np.ndarray,
    weights: np.ndarray,
    scale: np.ndarray,
    shift: np.ndarray,
    mass: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> None:
    """Add Σ w, Σ w y and Σ w y² of y = scale x - shift, column by column, in float64."""
    for i in range(x.shape[0]):
        w = weights[i]
        for j in range(x.shape[1]):
            entry = np.float64(x[i, j] * scale[j] - shift[j])
            there = entry == entry
            share, y = (w, entry) if there else (0.0, 0.0)
            mass[j] += share
            first[j] += share * y
            second[j] += share * y * y
