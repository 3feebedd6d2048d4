"""Checks of a criterion's settings when it is made: one sentence with the name, the value and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

from unmix.core import arguments


def at_least(criterion: Any, **least: int) -> None:
    """Refuse settings that are not whole numbers from the given ones up."""
    for name, low in least.items():
        arguments.whole_number(name, getattr(criterion, name), low)


def one_of(criterion: Any, otherwise: str = "", **known: Sequence[str]) -> None:
    """Refuse settings that are none of the names given; `otherwise` says what else would do."""
    for name, values in known.items():
        arguments.one_of(name, getattr(criterion, name), values, otherwise)


def between(criterion: Any, name: str, low: float, high: float, *, closed: bool = False) -> None:
    """Refuse a setting that is not above `low` and below `high`; `closed` allows the two themselves."""
    value = getattr(criterion, name)
    inside = isinstance(value, Real) and (low <= value <= high if closed else low < value < high)
    if not inside:
        words = "from {} to {}" if closed else "above {} and below {}"
        raise ValueError(f"{name}={value!r}: give a number {words.format(low, high)}")


def function(criterion: Any, name: str, example: str) -> None:
    """Refuse a setting that cannot be called."""
    value = getattr(criterion, name)
    if not callable(value):
        raise TypeError(f"{name}={value!r} is no function; give one, such as {example}")
