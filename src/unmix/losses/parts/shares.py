"""How much weight each column and each level holds."""

from __future__ import annotations

import numpy as np


def weighted_mean(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean of what was observed in each column, NaN where nothing was."""
    seen = ~np.isnan(x)
    weight = np.asarray(weights, np.float64)
    count = weight @ seen
    total = weight @ np.where(seen, x, 0).astype(np.float64, copy=False)
    return np.divide(total, count, out=np.full(x.shape[1], np.nan), where=count > 0)


def level_shares(x: np.ndarray, weights: np.ndarray, n_levels: int) -> np.ndarray:
    """The share of each level in one column of whole numbers; equal shares where nothing was observed."""
    column = x.ravel()
    seen = ~np.isnan(column)
    counts = np.bincount(column[seen].astype(np.int64), np.asarray(weights, np.float64)[seen], n_levels)
    total = counts.sum()
    return counts / total if total > 0 else np.full(n_levels, 1 / max(n_levels, 1))


def count_levels(x: np.ndarray) -> int:
    """Levels are numbered from 0: one more than the largest that occurs, and 1 where none does."""
    seen = x[~np.isnan(x)]
    return int(seen.max()) + 1 if seen.size else 1
