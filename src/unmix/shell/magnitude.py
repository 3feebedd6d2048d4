"""Square matrices of entries so large that no cost can be made of them: max |x_ij| n² ≤ √max, where squares are summed.

In single precision only plain sums are taken, in the precision of the matrix, so there the bound is max / n².
Distances are found as roots of sums of squares, and those of rows below √min have lost their digits.
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


def refuse_far(D: np.ndarray) -> None:
    """Refuse new objects whose dissimilarities D (new, fitted) overflow once they are summed; NaN is one not known."""
    most = float(np.finfo(np.float64).max) ** 0.5 / max(D.shape[1], 1) ** 2
    far = np.flatnonzero(np.fmax.reduce(np.abs(D), axis=1, initial=0.0) > most)
    if len(far):
        raise ValueError(
            f"row {far[0]} of X lies so far from the fitted rows that costs made of its distances overflow; leave such "
            "rows out"
        )


ROOTS = ("euclidean", "l2", "nan_euclidean")  # metrics that are roots of sums of squares
MARGIN = 1e4  # the smallest squares still have digits if they are this many times the smallest number


def refuse_vanishing(X: np.ndarray, D: np.ndarray, metric: Any) -> None:
    """Refuse rows X that differ, but by so little that the squares behind their distances D vanish."""
    if isinstance(metric, str) and metric in ROOTS and float(np.max(D)) ** 2 < MARGIN * float(np.finfo(D.dtype).tiny):
        apart = float(np.ptp(X, axis=0).max())
        if apart > 0:
            raise ValueError(
                f"rows of X differ by {apart:.3g} at most, too little to be squared; multiply X by a constant first"
            )


def refuse_tiny(D: np.ndarray, what: str) -> None:
    """Refuse a matrix whose largest entry leaves no room for sums of shares of it."""
    largest, least = float(np.abs(D).max(initial=0)), 1e12 * float(np.finfo(np.float64).tiny)
    if 0 < largest < least:
        raise ValueError(
            f"{what} reach {largest:.3g} at most, too little to be shared out; multiply X by a constant first"
        )
