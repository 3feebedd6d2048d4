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
    numbers = X.dtype.kind in "biufc"
    plain = np.array(X.data, X.dtype if X.dtype.kind in "fc" else np.float64 if numbers else object)
    plain[np.ma.getmaskarray(X)] = np.nan if numbers else None
    return plain
