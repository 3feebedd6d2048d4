"""The divergences beside β = 1 and 2: their value, and the powers in which their slopes are written.

    slope of Σ_j D_β(x_j, y_j) in z_c:   Σ_j u_cj (y_j^(β-1) - x_j y_j^(β-2)),   y = z U

With e = x/y - 1 the divergence is y^β [ (1 + e)^β - 1 - β e ] / (β (β - 1)), and e - log(1 + e) for β = 0: written in e
nothing cancels where the fit is good.  Every entry counts, zeros too, so a sparse table is read as a dense one, a
block at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.nonnegative.table import is_sparse

EXACT_FROM = 3.0  # x / y - 1 from which on nothing cancels


def least(dtype: Any) -> float:
    """Told values are at least this; what is written with their powers is still a number."""
    return 1e-12 if dtype == np.float32 else 1e-90


def dense(entries: Any) -> np.ndarray:
    out: np.ndarray = entries.toarray() if is_sparse(entries) else entries
    return out


def powers(entries: np.ndarray, fitted: np.ndarray, loss: float) -> tuple[np.ndarray, np.ndarray]:
    """y^(β-1) and x y^(β-2), zero where x is missing."""
    fitted = np.maximum(fitted, fitted.dtype.type(least(fitted.dtype)))
    if loss == 0:
        low = 1 / fitted
        high = entries * low * low
    else:
        high = fitted ** (loss - 2)
        low, high = high * fitted, high * entries
    missing = np.isnan(high)
    if missing.any():
        low[missing] = high[missing] = 0
    return low, high


@np.errstate(all="ignore")
def row_divergence(entries: np.ndarray, fitted: np.ndarray, loss: float) -> np.ndarray:
    """Of every row, over what was observed, in double precision; zeros are infinitely far for β ≤ 0."""
    below = np.maximum(fitted, fitted.dtype.type(least(fitted.dtype))).astype(np.float64, copy=False)
    excess = (entries - below) / below
    each = excess - logarithm(excess) if loss == 0 else beta_each(entries, below, excess, loss)
    rows: np.ndarray = each.sum(axis=1)
    return np.nansum(each, axis=1) if np.isnan(rows).any() else rows


def logarithm(excess: np.ndarray) -> np.ndarray:
    """log(1 + e) as exact as log1p and faster: that of the rounded sum, and what rounding took."""
    ratio = 1 + excess
    lost = excess - (ratio - 1)
    out: np.ndarray = np.log(ratio)
    lost /= ratio
    out += lost
    return out


def beta_each(entries: np.ndarray, below: np.ndarray, excess: np.ndarray, loss: float) -> np.ndarray:
    """D_β(x, y), by the definition where the fit is so poor that powers of x / y may overflow."""
    small = np.minimum(excess, EXACT_FROM)
    logarithms = np.where(small > -1, logarithm(small), -np.inf)
    near = below**loss * (np.expm1(loss * logarithms) - loss * small)
    far = entries**loss + (loss - 1) * below**loss - loss * entries * below ** (loss - 1)
    return np.where(excess > EXACT_FROM, far, near) / (loss * (loss - 1))
