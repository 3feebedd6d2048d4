"""Choosing ADMM's penalty while it runs: a large ρ shrinks the primal residual, a small one the dual.

    ρ ← ρ √(r s' / (s r'))     r, s residuals, r', s' their scales; only where that moves it by a factor of two

Changes get rarer (the k-th no sooner than iteration 10 k²), for the method converges once ρ stays.
He, Yang & Wang, Journal of Optimization Theory and Applications 106, 2000; Wohlberg 2017 (relative residuals).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LARGEST_CHANGE = 1e3  # times larger or smaller in one change


class Balance(NamedTuple):
    """The penalty, and how often it was changed."""

    rho: float
    changes: int


def balanced(now: Balance, iteration: int, measured: dict[str, float]) -> Balance:
    """The penalty for the next iteration."""
    if iteration < 10 * (now.changes + 1) ** 2:
        return now
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # a residual of 0 asks for the largest change
        primal = np.divide(measured["primal"], measured["primal_limit"])
        ratio = primal / np.divide(measured["dual"], measured["dual_limit"])
    factor = float(np.clip(np.sqrt(ratio), 1 / LARGEST_CHANGE, LARGEST_CHANGE))
    if np.isnan(factor) or 0.5 < factor < 2:
        return now
    return Balance(now.rho * factor, now.changes + 1)
