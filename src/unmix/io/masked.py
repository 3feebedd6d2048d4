"""Masked arrays: a masked cell is missing, which is NaN (None among objects), and never the value beneath the mask."""

from __future__ import annotations

from typing import Any

import numpy as np


def unmasked(X: Any) -> Any:
    """What was given; of a masked array a plain one that shows its mask, in its own precision if that knows NaN."""
    if not isinstance(X, np.ma.MaskedArray):
        return X
    if not np.ma.is_masked(X):
        return X.data
    if X.dtype.kind in "biufc":
        return np.ma.filled(X if X.dtype.kind in "fc" else X.astype(np.float64), np.nan)
    return np.ma.filled(X.astype(object), None)
