"""Checks of constructor parameters that many estimators share: one sentence with the name, the value and the remedy."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np


def whole_number(name: str, value: Any, least: int, otherwise: str = "") -> None:
    """Refuse what is not a whole number from `least` up; `otherwise` names what else would do."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name}={value!r}: give a whole number from {least} up{otherwise}")


def zero_or_more(name: str, value: Any) -> None:
    """Refuse what is not a finite number from 0 up."""
    if not isinstance(value, Real) or not 0 <= value < float("inf"):
        raise ValueError(f"{name}={value!r}: give a number that is 0 or more")


def representable(name: str, values: np.ndarray, dtype: np.dtype[Any]) -> None:
    """Refuse values beyond the largest number of the precision of X."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest > float(np.finfo(dtype).max):
        raise ValueError(f"{name} reaches {largest:.3g}, which {dtype} of X cannot hold; give smaller values")
