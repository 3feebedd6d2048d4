"""Lowest and highest value of each column, as float64; column by column, which is quicker for a few of them."""

from __future__ import annotations

import numpy as np


def extent(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of points (..., n, d) along the n of them, (..., d) each."""
    columns = range(points.shape[-1])
    low = np.stack([points[..., k].min(axis=-1) for k in columns], axis=-1)
    high = np.stack([points[..., k].max(axis=-1) for k in columns], axis=-1)
    return low.astype(np.float64), high.astype(np.float64)
