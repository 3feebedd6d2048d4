"""1 - cos(2π (x - m) / period): for angles, hours and days of the year, where the end is the beginning.

With r = 2π (x - m) / period brought between -π and π, the parabola with the curvature sin(r) / r · (2π / period)² has
its lowest point at r = 0 and lies above everywhere: sin(r) / r falls up to π, and from there on the parabola is above
2, the most that this can cost. It is minus the log-density of a von Mises distribution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.losses.base import Loss
from unmix.losses.parts.domain import not_finite
from unmix.losses.parts.parameter import Parameter, along_columns, number_or_tuple

LEAST_CURVATURE = 1e-6  # opposite to the model, where the loss is flat


@dataclass(frozen=True)
class Periodic(Loss):
    """One less the cosine of the angle between cell and model, for numbers that repeat after a period.

    Parameters
    ----------
    period : float or one a column, default=2π
        In units of the column: 24 for hours.

    Examples
    --------
    >>> import numpy as np
    >>> Periodic(period=24.0).value(np.array([[23.0, 12.0]]), np.array([[-1.0, 0.0]]))
    array([[0., 2.]])
    """

    period: Parameter = 2 * np.pi

    name: ClassVar[str] = "periodic"

    def __post_init__(self) -> None:
        object.__setattr__(self, "period", number_or_tuple("period", self.period, 0.0))

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return 2 * np.sin(0.5 * self._angle(x, m)) ** 2

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return self.parabola(x, m)[1]

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return self.parabola(x, m)[2]

    def parabola(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        half, speed = 0.5 * self._angle(x, m), self._speed(m)
        s = np.sin(half)
        sine = 2 * s * np.cos(half)  # 1 - cos r = 2 sin²(r / 2), sin r = 2 sin(r / 2) cos(r / 2)
        ratio = np.divide(sine, 2 * half, out=np.ones_like(half), where=half != 0)
        return 2 * s * s, sine * speed, np.maximum(ratio, LEAST_CURVATURE) * speed**2

    def best(self, m: np.ndarray) -> np.ndarray:
        return np.remainder(m, along_columns(self.period, m))

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        seen = ~np.isnan(x)
        angle = np.where(seen, x, 0.0) * (2 * np.pi / np.asarray(self.period))
        mean = np.arctan2(weights @ np.where(seen, np.sin(angle), 0.0), weights @ np.where(seen, np.cos(angle), 0.0))
        return np.remainder(mean, 2 * np.pi) * (np.asarray(self.period) / (2 * np.pi))

    def problem(self, x: np.ndarray) -> str:
        return not_finite(x)

    def _angle(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        """From the cell to the model, between -π and π."""
        r = m - x
        period = along_columns(self.period, r)
        return (r - period * np.round(r / period)) * self._speed(r)

    def _speed(self, like: np.ndarray) -> np.ndarray | float:
        """Radians a unit."""
        return along_columns(self.period, like) ** -1 * (2 * np.pi)
