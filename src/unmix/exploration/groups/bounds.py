"""The number with the fewest digits between two others."""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Decimal


def shortest_between(below: float, above: float) -> float:
    """The number of fewest digits in (below, above]; the one nearest to the middle where there are several."""
    low, high = Decimal(repr(below)), Decimal(repr(above))
    middle = (low + high) / 2
    exponent = math.ceil(math.log10(max(abs(below), abs(above)))) if below or above else 0
    for place in range(exponent, exponent - 20, -1):
        unit = Decimal(1).scaleb(place)
        first = (low / unit).to_integral_value(ROUND_FLOOR) + 1
        last = (high / unit).to_integral_value(ROUND_FLOOR)
        if first <= last:
            nearest = min(max((middle / unit).to_integral_value(), first), last)
            rounded = float(nearest * unit) + 0.0  # no -0
            return rounded if below < rounded <= above else above
    return above
