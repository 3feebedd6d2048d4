"""Checks of what a caller gave: one sentence with the name, the value and the remedy."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np


def is_whole(value: Any, least: int) -> bool:
    """Whether this is a whole number from `least` up; True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least


def whole_number(name: str, value: Any, least: int = 1, otherwise: str = "") -> int:
    """The whole number from `least` up that was given; `otherwise` names what else would do."""
    if not is_whole(value, least):
        raise ValueError(f"{name}={value!r}: give a whole number from {least} up{otherwise}")
    return int(value)


def zero_or_more(name: str, value: Any) -> float:
    """The finite number from 0 up that was given; whole numbers beyond the largest float are none."""
    number = isinstance(value, Real)
    if not number or not 0 <= value <= sys.float_info.max:
        raise ValueError(f"{name}={value!r}: give a finite number that is 0 or more")
    return float(value)


def one_of(name: str, value: Any, known: Sequence[str], otherwise: str = "") -> None:
    """Refuse what is none of the names known; `otherwise` says what else would do."""
    if not isinstance(value, str) or value not in known:
        names = [*map(repr, known), *([otherwise] if otherwise else [])]
        raise ValueError(f"{name}={value!r} is not known; give {', '.join(names[:-1])} or {names[-1]}")


def as_numbers(values: Any, name: str) -> np.ndarray:
    """An array of float64; text and other things that are no numbers are named."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} holds a value that is not a number ({error}); give numbers") from error


def representable(name: str, values: np.ndarray, dtype: np.dtype[Any]) -> None:
    """Refuse values beyond the largest number of the precision of X."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest > float(np.finfo(dtype).max):
        raise ValueError(f"{name} reaches {largest:.3g}, which {dtype} of X cannot hold; give smaller values")
