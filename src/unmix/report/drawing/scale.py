"""A linear map from values to pixels, and round numbers to mark along it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from unmix.report.drawing.numbers import is_number

LARGEST_VALUE = 1e307  # so that a difference of two values stays finite


class Scale(NamedTuple):
    """low … high in the data becomes start … end on the page."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + min(1.0, max(0.0, share)) * (self.end - self.start), 2)

    def ticks(self, about: int = 5) -> list[float]:
        """Multiples of 1, 2 or 5 times a power of ten inside the range."""
        step = 10.0 ** math.floor(math.log10((self.high - self.low) / about))
        step *= next((m for m in (1, 2, 5, 10) if (self.high - self.low) / (m * step) <= about + 0.5), 10)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [i * step for i in range(first, last + 1)]


def spanning(values: Iterable[Any], start: float, end: float, pad: float = 0.06) -> Scale:
    """The scale that holds all finite values with a little air; one value, or none, still gives a range."""
    finite = [max(-LARGEST_VALUE, min(LARGEST_VALUE, float(v))) for v in values if is_number(v)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    width = high - low
    if not width > 1e-12 * max(abs(low), abs(high)):
        width = abs(high) or 1.0
        return Scale(low - width / 2, high + width / 2, start, end)
    return Scale(low - pad * width, high + pad * width, start, end)
