"""Choosing ADMM's penalty while it runs: a large ρ shrinks the primal residual, a small one the dual.

    ρ ← ρ √(r s' / (s r'))     r, s residuals, r', s' their scales; only where that moves it by a factor of two

Changes get rarer (the k-th no sooner than iteration 10 k²), for the method converges once ρ stays.
He, Yang & Wang, Journal of Optimization Theory and Applications 106, 2000; Wohlberg 2017 (relative residuals).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Balance(NamedTuple):
    """The penalty, and how often it was changed."""

    rho: float
    changes: int


def balanced(now: Balance, iteration: int, measured: dict[str, float]) -> Balance:
    """The penalty for the next iteration."""
    if iteration < 10 * (now.changes + 1) ** 2:
        return now
    primal = measured["primal"] / max(measured["primal_limit"], np.finfo(float).tiny)
    dual = measured["dual"] / max(measured["dual_limit"], np.finfo(float).tiny)
    if not (0 < primal < np.inf and 0 < dual < np.inf):
        return now
    factor = float(np.clip(np.sqrt(primal / dual), 1e-3, 1e3))
    if 0.5 < factor < 2:
        return now
    return Balance(now.rho * factor, now.changes + 1)
