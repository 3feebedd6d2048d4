"""Parameters of a loss that are one number for all columns, or one a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Parameter = float | Sequence[float]  # kept as a number or a tuple, so that equal losses are equal and can be keys


def number_or_tuple(name: str, given: Any, above: float, below: float = np.inf) -> float | tuple[float, ...]:
    """The parameter as it is kept, or a sentence that says between which numbers it must lie."""
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if (
        values.ndim > 1
        or values.size == 0
        or isinstance(given, (bool, str))
        or not ((values > above) & (values < below)).all()
    ):
        limits = f"above {above:g}" + (f" and below {below:g}" if below < np.inf else "")
        raise ValueError(f"{name}={given!r}: give a finite number {limits}, or one such number a column")
    return float(values) if values.ndim == 0 else tuple(values.tolist())


def along_columns(value: Any, like: np.ndarray) -> Any:
    """The parameter as it enters a formula: in the precision of the cells, which a plain number leaves alone."""
    if not isinstance(value, tuple):
        return value
    if len(value) not in (1, like.shape[-1]):
        raise ValueError(
            f"the loss has {len(value)} parameters for {like.shape[-1]} columns; give one for all, or each its own"
        )
    return np.asarray(value, dtype=like.dtype)
