"""Which temperature comes next: a list made beforehand, or a rule that looks at what the last one showed.

    constant specific heat  T' = T exp(-λ T / σ),  σ the standard deviation of the cost: the mean cost falls by about
                            λ σ a step, so cooling is slow where the specific heat σ²/T² is large
    constant acceptance     fast while nearly every move is accepted or none is, slow in between

References: Huang, Romeo & Sangiovanni-Vincentelli, ICCAD 1986; Lam & Delosme, DAC 1988.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from unmix.inference.step import Visit


class Cooling(Protocol):
    first: float
    most: int

    def after(self, iteration: int, temperature: float, visit: Visit) -> float | None:
        """The next temperature, None at the end."""


class Listed:
    """Temperatures known beforehand."""

    def __init__(self, temperatures: Any) -> None:
        self.temperatures = np.asarray(temperatures, np.float64).ravel()
        if not len(self.temperatures) or not (self.temperatures >= 0).all():
            raise ValueError("temperatures must be one or more numbers, none of them negative or NaN")
        self.first, self.most = float(self.temperatures[0]), len(self.temperatures)

    def after(self, iteration: int, temperature: float, visit: Visit) -> float | None:
        return float(self.temperatures[iteration + 1]) if iteration + 1 < self.most else None


class Adaptive:
    """Cooling by what was seen, from `first` until `last`; `rule` is "specific_heat" or "acceptance"."""

    def __init__(
        self, first: float, last: float, rule: str = "specific_heat", speed: float = 0.7, most: int = 1000
    ) -> None:
        if rule not in ("specific_heat", "acceptance"):
            raise ValueError(f"rule={rule!r} is not known; choose 'specific_heat' or 'acceptance'")
        if not first > last > 0:
            raise ValueError(f"cooling goes from a higher to a lower positive temperature, not from {first} to {last}")
        self.first, self.last, self.rule, self.speed, self.most = first, last, rule, speed, most

    def after(self, iteration: int, temperature: float, visit: Visit) -> float | None:
        if temperature <= self.last:
            return None
        if self.rule == "specific_heat" and np.isfinite(visit.variance):
            spread = np.sqrt(visit.variance)
            factor = np.exp(-self.speed * temperature / spread) if spread > 0 else 0.5
        else:
            factor = 1 - 0.2 * self.speed if 0.05 < visit.moved < 0.8 else 0.6
        return float(max(self.last, temperature * np.clip(factor, 0.5, 0.98)))


def as_cooling(temperatures: Any) -> Cooling:
    return temperatures if hasattr(temperatures, "after") else Listed(temperatures)
