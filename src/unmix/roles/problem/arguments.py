"""What the caller of role mining gives, checked: each refusal is a sentence that names the parameter."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from unmix.roles.access.access import Access


def one_of(name: str, value: Any, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, choices))}.")


def whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} is {value!r}; it must be a whole number of at least {least}.")
    return int(value)


def optional(name: str, value: Any) -> int | None:
    return None if value is None else whole(name, value, 1)


def check_weights(weights: Sequence[float]) -> tuple[float, ...]:
    values = tuple(float(w) for w in weights)
    if len(values) != 5 or not all(w >= 0 for w in values):
        raise ValueError(f"weights is {weights!r}; give five numbers of at least 0: roles, UA, PA, hierarchy, direct.")
    return values


def limit(seconds: float | None) -> float | None:
    if seconds is not None and not seconds > 0:
        raise ValueError(f"time_limit is {seconds!r}; it must be a positive number of seconds, or None.")
    return seconds


def allowed(access: Access, delta: float) -> int:
    """Number of entries that may deviate."""
    if not delta >= 0:
        raise ValueError(f"delta is {delta!r}; it must be a number of entries, or a share of all grants below 1.")
    # The share as it was written: 0.29 of 100 is 29, though the nearest number of the machine is a little less.
    return int(Fraction(repr(float(delta))) * access.matrix.nnz) if 0 < delta < 1 else int(delta)
