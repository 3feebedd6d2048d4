"""Which divergence is minimised, named by its β, and what the multiplicative rule makes of it.

    D_β(x, y) = [ x^β + (β - 1) y^β - β x y^(β-1) ] / (β (β - 1)),     D_β(λx, λy) = λ^β D_β(x, y)

β = 2 is half the squared error, β = 1 Kullback-Leibler (x log(x/y) - x + y), β = 0 Itakura-Saito (x/y - log(x/y) - 1),
the latter two as limits.  With t = new entry / old entry every D_β has a surrogate that lies above it and touches it at
t = 1; its slope, times a power of t, is

    down t^p - up          p = 2 - β below 1,  1 from 1 to 2,  β - 1 above

so that t = (up / down)^(1/p) never raises the objective (Févotte & Idier, Neural Computation 23, 2011).

- From β = 0 to 1 the exponent 1 does not raise the surrogate either, and goes up to twice as far.
- The slope of a penalty l2 z² / 2 grows like t^(3-β) beside it; the exponent 1/(3-β) then stops short of the minimum.
- For β = 1 the surrogate with that penalty has its minimum at the root of a quadratic equation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.nonnegative.problem import Penalty

FROBENIUS, KULLBACK_LEIBLER, ITAKURA_SAITO = 2.0, 1.0, 0.0


class Rule(NamedTuple):
    """The multiplicative rule of a loss; ``swift`` takes the longest step that is known not to raise it."""

    loss: float
    swift: bool = False

    def moved(self, factor: np.ndarray, up: np.ndarray, down: np.ndarray, penalty: Penalty) -> np.ndarray:
        """Every entry of a factor times its step, given what pulls it up and down."""
        if self.loss == KULLBACK_LEIBLER and penalty.l2:
            return quadratic_root(factor, up, down + penalty.l1, penalty.l2)
        ratio = quotient(up, down + penalty.l1 + penalty.l2 * factor if any(penalty) else down)
        power = self.exponent(penalty.l2 > 0)
        moved: np.ndarray = factor * (ratio if power == 1 else ratio**power)
        return moved

    def exponent(self, ridge: bool) -> float:
        if ridge:
            return 1 / max(surrogate_power(self.loss), 3 - self.loss)
        if self.swift and 0 <= self.loss < 1:
            return 1.0
        return 1 / surrogate_power(self.loss)


def surrogate_power(loss: float) -> float:
    """p of the surrogate, above."""
    return 2 - loss if loss < 1 else max(1.0, loss - 1)


def quotient(up: np.ndarray, down: np.ndarray) -> np.ndarray:
    """Where nothing pulls down, nothing pulls up either: such an entry goes to zero."""
    return np.divide(up, down, out=np.zeros_like(up), where=down > 0)


def quadratic_root(factor: np.ndarray, up: np.ndarray, rate: np.ndarray, ridge: float) -> np.ndarray:
    """The root z of ``ridge z² + rate z = factor up``."""
    product = factor * up
    return quotient(2 * product, rate + np.sqrt(rate * rate + 4 * ridge * product))
