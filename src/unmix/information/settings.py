"""Checks of what was given: one sentence with the name, the value and the remedy."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np


def as_numbers(values: Any, name: str) -> np.ndarray:
    """An array of float64; text and other things that are no numbers are named."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} holds what is no number ({error}); give numbers") from error


def whole_number(name: str, value: Any, least: int = 1) -> int:
    """Refuse what is not a whole number from `least` up."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name}={value!r}: give a whole number from {least} up")
    return int(value)


def finite_number(name: str, value: Any) -> float:
    """Refuse what is not a finite number from 0 up."""
    if not isinstance(value, Real) or not 0 <= float(value) < float("inf"):
        raise ValueError(f"{name}={value!r}: give a finite number that is 0 or more")
    return float(value)
