"""Sequences of numbers that fall or rise from first to last: temperatures, step widths, neighbourhoods."""

from __future__ import annotations

import numpy as np


def _check(first: float, last: float, n: int) -> None:
    if not (np.isfinite(first) and np.isfinite(last) and first > 0 and last > 0):
        raise ValueError(f"a schedule runs between positive finite numbers, not from {first!r} to {last!r}")
    if n < 1:
        raise ValueError(f"a schedule has at least one value, not n={n!r}")


def geometric(first: float, last: float, n: int) -> np.ndarray:
    """Equal ratios: the usual cooling.

    >>> geometric(8.0, 1.0, 4)
    array([8., 4., 2., 1.])
    """
    _check(first, last, n)
    return np.geomspace(first, last, n)


def linear(first: float, last: float, n: int) -> np.ndarray:
    """Equal steps."""
    _check(first, last, n)
    return np.linspace(first, last, n)


def logarithmic(first: float, n: int) -> np.ndarray:
    """T_t = first · log 2 / log(t + 2): so slow that simulated annealing surely ends in the minimum (Geman 1984)."""
    _check(first, first, n)
    return np.asarray(first * np.log(2.0) / np.log(np.arange(n) + 2.0))


def step_size(schedule: str, rate: float, tau: float, kappa: float, t: float) -> float:
    """The size of step t = 1, 2, …, at most 1, of an online rule.

    "power" is rate ((1 + tau) / (t + tau))^kappa, "inverse" 1 / t, under which every step counts the same in the end,
    and "constant" the rate itself.

    >>> [step_size("power", 1.0, 2.0, 0.5, t) for t in (1, 10)]
    [1.0, 0.5]
    """
    if schedule == "constant":
        return rate
    return 1 / t if schedule == "inverse" else rate * ((1 + tau) / (t + tau)) ** kappa
