"""Sums without rounding, so that they are the same in whatever parts and order they are made.

Σ x = Σ_l 2^u_l (Σ h_l),   h_l whole numbers below 2^32, of which a double holds the sum of 2^16 exactly
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

SMALLEST = -1074  # 2^-1074 is the smallest double: every double is a whole number of these
BITS = 32
BLOCK = 2**16


def exact_sum(x: np.ndarray) -> int:
    """Σ x of numbers below 1e300 in units of 2^-1074; such sums add up as they are."""
    return sum(_of_block(x[start : start + BLOCK]) for start in range(0, len(x), BLOCK))


def as_number(total: int) -> Fraction:
    return Fraction(total, 1 << -SMALLEST)


def _of_block(rest: np.ndarray) -> int:
    total = 0
    while top := float(max(rest.max(), -rest.min())):
        unit = max(math.frexp(top)[1] - BITS, SMALLEST)
        round_to_unit = math.ldexp(1.5, unit + 52)  # a double this large has its last digit there
        high = (rest + round_to_unit) - round_to_unit
        total += int(math.ldexp(float(high.sum()), -unit)) << (unit - SMALLEST)
        rest = rest - high
    return total
