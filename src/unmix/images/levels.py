"""The level of a patch: the mean of each channel over its known pixels. Pursuit then codes what differs from it."""

from __future__ import annotations

import numpy as np


def subtract_levels(rows: np.ndarray, channels: int) -> tuple[np.ndarray, np.ndarray]:
    """Patches (n, d) without their levels, and the levels (n, channels); 0 where a channel has no known pixel."""
    parts = rows.reshape(len(rows), channels, -1)
    known = ~np.isnan(parts)
    counts = np.maximum(known.sum(axis=2), 1)
    levels = (np.where(known, parts, 0).sum(axis=2, dtype=np.float64) / counts).astype(rows.dtype)
    return (parts - levels[:, :, None]).reshape(rows.shape), levels
