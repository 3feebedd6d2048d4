"""Principal component pursuit as arrays: what is observed, and what an entry of the sparse part costs in each row.

    minimise ‖L‖_* + Σ_ij price_i |S_ij|   subject to   L + S = X where X is observed

A row of weight w is the row w times: with both its parts multiplied by √w the nuclear norm counts it w times, and its
price becomes √w λ. Candès, Li, Ma & Wright, Journal of the ACM 58, 2011.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Problem(NamedTuple):
    """X with 0 for what is missing, a mask of what is observed (None: everything), and the price of each row.

    ``precision`` is the rounding that X has gone through: single precision is a noise of its own. ``excess`` is what
    entries of the table beyond those of X cost (far_entries.py), to be added to the cost and its bound; ``signs`` are
    theirs, which S must have there, and 0 elsewhere (None: no entry was moved).
    """

    X: np.ndarray
    observed: np.ndarray | None
    price: np.ndarray
    precision: float = float(np.finfo(np.float64).eps)
    excess: float = 0.0
    signs: np.ndarray | None = None

    def clipped(self, Y: np.ndarray) -> np.ndarray:
        """The nearest multipliers that no sparse entry would gain by."""
        nearest = np.clip(Y, -self.price[:, None], self.price[:, None])
        return nearest if self.observed is None else nearest * self.observed

    def whole_gap(self, gap: float, cost: float, norm: float) -> float:
        """The larger of the relative gap with and without the excess, of which ``norm`` > 1 proves a part only."""
        share = cost / (cost + self.excess)
        return max(gap, share * gap + (1 - share) * (1 - 1 / max(1.0, norm)))

    def cost(self, singular_values: np.ndarray, S: np.ndarray) -> float:
        return float(singular_values.sum() + self.price @ np.abs(S).sum(axis=1))


class Split(NamedTuple):
    """L = U diag(values) V, and S."""

    U: np.ndarray
    values: np.ndarray
    V: np.ndarray
    S: np.ndarray

    @property
    def L(self) -> np.ndarray:
        return np.asarray((self.U * self.values) @ self.V)


class Pursued(NamedTuple):
    """A split, and by how much of its cost it may be above the optimum."""

    split: Split
    gap: float
    n_iter: int
    converged: bool


def default_price(n: float, d: int, observed_share: float) -> float:
    """λ = 1 / √(p max(n, d)) for a share p of observed entries: then no setting has to be known."""
    return 1.0 / float(np.sqrt(max(observed_share, np.finfo(float).tiny) * max(n, d)))
