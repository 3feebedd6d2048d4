"""Square matrices of entries so large that no cost can be made of them: max |x_ij| n² ≤ √max, where squares are summed.

In single precision only plain sums are taken, in the precision of the matrix, so there the bound is max / n².
"""

from __future__ import annotations

from typing import Any

import numpy as np


def refuse_vast(X: Any, what: str, *, gaps: bool = False) -> None:
    """Refuse a square matrix, dense or CSR, whose costs overflow; NaN is an entry not known if there may be `gaps`."""
    values = X.data if hasattr(X, "tocsr") else X
    narrow = values.dtype == np.float32
    most = float(np.finfo(np.float32).max) if narrow else float(np.finfo(np.float64).max) ** 0.5
    high, low = (np.fmax, np.fmin) if gaps else (np.maximum, np.minimum)
    largest = max(float(high.reduce(values, axis=None, initial=0)), -float(low.reduce(values, axis=None, initial=0)))
    if not largest <= most / X.shape[0] ** 2:
        reach = f"reach {largest:.3g}" if np.isfinite(largest) else "are beyond the largest number"
        raise ValueError(f"{what} {reach}, and costs made of them overflow; divide X by a constant first")
