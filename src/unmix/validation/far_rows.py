"""Rows so far out that they decide every scale: a slip of the keyboard, a code for "missing", another unit.

In some column fewer than four rows stand beyond a gap that is three times as wide as the range of all the others. Any
cost that squares distances then describes these rows and nothing else; a component of fewer than four rows is noise. The
rule looks at columns one by one, so it knows no units, and at gaps, so heavy tails rarely meet it.
"""

from __future__ import annotations

import numpy as np

FEW = 3  # rows beyond a gap, on either side
WIDER = 3.0  # the gap, in ranges of the other rows
MOST_SHARE = 0.05  # more far rows than this are a part of the table, not a slip


def far_rows(X: np.ndarray) -> np.ndarray:
    """A mask of the rows that are far out in some column; gaps (NaN) are no evidence. None where they are not few.

    >>> X = np.linspace(0, 1, 40)[:, None].repeat(2, axis=1)
    >>> X[7, 1] = 1e6
    >>> np.flatnonzero(far_rows(X))
    array([7])
    """
    far = np.zeros(len(X), dtype=bool)
    for column in np.asarray(X).T:
        far |= _beyond_gaps(column)
    return far if far.sum() <= MOST_SHARE * len(X) else np.zeros(len(X), dtype=bool)


def _beyond_gaps(column: np.ndarray) -> np.ndarray:
    """Which values lie beyond a gap, at either end; the widest trimming that leaves such gaps on both sides it trims."""
    largest = float(np.nanmax(np.abs(column), initial=0.0))
    values = column.astype(np.float64) / (largest or 1.0)
    ends = np.sort(values[~np.isnan(values)])
    n = len(ends)
    if n <= 4 * FEW:
        return np.zeros(len(column), dtype=bool)
    trimmed = [
        (low + high, ends[low], ends[n - 1 - high])
        for low in range(FEW + 1)
        for high in range(FEW + 1)
        if _stand_apart(ends, low, high)
    ]
    _, lowest, highest = max(trimmed, default=(0, -np.inf, np.inf))
    return (values < lowest) | (values > highest)


def _stand_apart(ends: np.ndarray, low: int, high: int) -> bool:
    rest = ends[len(ends) - 1 - high] - ends[low]
    below = low == 0 or ends[low] - ends[low - 1] > WIDER * rest
    above = high == 0 or ends[len(ends) - high] - ends[len(ends) - 1 - high] > WIDER * rest
    return bool(rest > 0 and low + high > 0 and below and above)
