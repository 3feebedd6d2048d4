"""The end of the way to a channel's capacity, where Blahut and Arimoto's steps crawl: Newton's, inside of p > 0.

    max Σ p D  with  Σ p = 1, p ≥ 0, cost·p ≤ limit;      the second derivative is -W diag(1/q) Wᵀ

Each step solves the optimality conditions D + z - λ - s cost = 0, p z = s (limit - cost·p) = μ to first order and μ
shrinks by tenfolds, so inputs that the best law leaves out go to zero in a few dozen steps.
Reference: Boyd & Vandenberghe, Convex Optimization, chapter 11 (2004).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

SHRINK, STAY_INSIDE = 0.1, 0.99


class Inside(NamedTuple):
    """An interior point: the law, what is left of the budget, and their multipliers."""

    law: np.ndarray
    left: float  # limit - cost·law, infinite without a budget
    pressure: np.ndarray  # z
    slope: float  # s

    @classmethod
    def start(cls, law: np.ndarray, price: np.ndarray, limit: float) -> Inside:
        left = float(limit - law @ price)
        return cls(law, left, 0.1 / (len(law) * law), 0.1 / left)


def newton_step(at: Inside, divergence: np.ndarray, W: np.ndarray, price: np.ndarray) -> Inside:
    """One step towards the optimality conditions at a tenth of the present μ."""
    p, z, slack = at.law, at.pressure, np.isfinite(at.left)
    products = np.append(p * z, at.slope * at.left) if slack else p * z
    mu = SHRINK * float(products.mean())
    pull = divergence + mu / p - (mu / at.left * price if slack else 0.0)
    q = p @ W
    factor = W / np.sqrt(np.where(q > 0, q, np.finfo(float).tiny))
    if slack:
        factor = np.column_stack([factor, np.sqrt(at.slope / at.left) * price])
    solved = _solve(z / p, factor, np.column_stack([pull, np.ones(len(p))]))
    dp = solved[:, 0] - solved[:, 1] * (solved[:, 0].sum() / solved[:, 1].sum())
    dz = mu / p - z - z / p * dp
    left, slope, d_left, d_slope = at.left, at.slope, 0.0, 0.0
    if slack:
        d_left = -float(price @ dp)
        d_slope = mu / left - slope - slope / left * d_left
    primal = min(_longest(p, dp), _longest(np.array([left]), np.array([d_left])))
    dual = min(_longest(z, dz), _longest(np.array([slope]), np.array([d_slope])) if slack else 1.0)
    law = p + primal * dp
    return Inside(law / law.sum(), left + primal * d_left, z + dual * dz, slope + dual * d_slope)


def _longest(value: np.ndarray, change: np.ndarray) -> float:
    """How much of the step keeps every value positive, with a margin."""
    falling = change < 0
    return float(min(1.0, STAY_INSIDE * (-value[falling] / change[falling]).min(initial=np.inf)))


def _solve(diagonal: np.ndarray, factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(diag + F Fᵀ)⁻¹ right, scaled to 1 + B Bᵀ.

    Always n by n: with fewer outputs than inputs the identity of Woodbury would be cheaper, but it loses the digits
    that the last bounds need.
    """
    scale = 1 / np.sqrt(diagonal)[:, None]
    B = scale * factor
    return np.asarray(scale * cho_solve(cho_factor(np.eye(len(B)) + B @ B.T), scale * right))
