"""Sentences about the values of a column that a loss cannot measure."""

from __future__ import annotations

import numpy as np

MOST_LEVELS = 100_000  # each needs numbers of the model


def offender(x: np.ndarray, bad: np.ndarray, expected: str) -> str:
    """The first value that is not allowed and what is expected, or nothing; what is NaN was not observed."""
    found = x[bad & ~np.isnan(x)]
    return f"holds {found[0]}; {expected}" if found.size else ""


def not_finite(x: np.ndarray) -> str:
    """For numbers of any size and sign."""
    return offender(x, np.isinf(x), "finite numbers are expected")


def not_count(x: np.ndarray, largest: float) -> str:
    """For numbers that count or weigh something."""
    return offender(x, x < 0, "numbers from 0 up are expected") or offender(
        x, x >= largest, f"less than {largest:g} is expected"
    )


def not_level(x: np.ndarray, n_levels: int) -> str:
    """For categories, numbered from 0; where their number is not known yet it is 0."""
    if n_levels:
        expected, inside = f"whole numbers from 0 to {n_levels - 1} are expected", x < n_levels
    else:
        expected, inside = f"levels are expected as whole numbers from 0 to {MOST_LEVELS - 1}", x < MOST_LEVELS
    return offender(x, ~((x >= 0) & inside & (x == np.floor(x))), expected)
