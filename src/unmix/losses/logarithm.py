"""½ ((log(x + c) - center) / spread - m)²: numbers with a long right tail, compared by their ratios.

c is 0 where all numbers are above 0, else small against them.  With a normal law of m around its mean the number
expected is that of a log-normal law, exp(μ + σ² / 2) - c, no larger than twice what was seen.  A logarithm has no
bottom: numbers of new rows lie no farther below the least that was seen than the largest lies above it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from unmix.losses.base import Loss
from unmix.losses.parts.domain import not_finite, offender
from unmix.losses.quadratic import Quadratic

SMALL = 0.1  # of the mean of the positive numbers is added where there are zeros
MOST = np.log(2.0)
MOST_SQUARES = 10.0  # of a variance of logarithms, whose exponential is not to leave all measure
SAME = 1e-12  # a spread of logarithms that is rounding alone


@dataclass(frozen=True)
class Logarithm(Quadratic):
    """Half the squared difference of standardised logarithms, for numbers from 0 up with a long right tail.

    Parameters
    ----------
    columns : one tuple (offset, center, spread, smallest, largest) a column, optional
        What is added before the logarithm; mean, standard deviation, least and largest after it. Otherwise from the
        column.

    Examples
    --------
    >>> import numpy as np
    >>> Logarithm(columns=((0.0, 0.0, 1.0, -10.0, 10.0),)).best(np.array([[0.0], [1.0]])).round(3)
    array([[1.   ],
           [2.718]])
    """

    columns: tuple[tuple[float, float, float, float, float], ...] = ()

    name: ClassVar[str] = "logarithm"

    def __post_init__(self) -> None:
        kept = tuple(tuple(map(float, column)) for column in self.columns)
        if not all(len(column) == 5 and np.isfinite(column).all() and column[2] > 0 for column in kept):
            raise ValueError(
                f"columns={self.columns!r}: give (offset, center, spread, smallest, largest) for each column, finite "
                "numbers, the spread above 0"
            )
        object.__setattr__(self, "columns", kept)

    def targets(self, x: np.ndarray) -> np.ndarray:
        """Standardised logarithms; of what is 0 or less and was not seen, those of the lowest number that counts."""
        offset, center, spread, smallest, largest = self._parts(x.dtype)
        shifted = np.maximum(x + offset, np.finfo(x.dtype).tiny)  # NaN stays NaN
        bottom = 2 * smallest - largest - x.dtype.type(MOST)
        out: np.ndarray = (np.maximum(np.log(shifted), bottom) - center) / spread
        return out

    def best(self, m: np.ndarray) -> np.ndarray:
        offset, center, spread, _, _ = self._parts(m.dtype)
        most = np.log(np.finfo(m.dtype).max) - 1
        return np.maximum(np.exp(np.minimum(m * spread + center, most)) - offset, 0)

    def mean(self, m: np.ndarray, variance: np.ndarray) -> np.ndarray:
        offset, center, spread, _, largest = self._parts(m.dtype)
        logarithm = m * spread + center + 0.5 * variance * spread**2
        return np.maximum(np.exp(np.minimum(logarithm, largest + m.dtype.type(MOST))) - offset, 0)

    def deviation(self, m: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """Of a log-normal law: its mean times √(exp σ² - 1)."""
        _, center, spread, _, largest = self._parts(m.dtype)
        squares = variance * spread**2
        logarithm = np.minimum(m * spread + center + 0.5 * squares, largest + m.dtype.type(MOST))
        out: np.ndarray = np.exp(logarithm) * np.sqrt(np.expm1(np.minimum(squares, m.dtype.type(MOST_SQUARES))))
        return out

    def interval(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.best(low), self.best(high)

    def error(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        squares: np.ndarray = (self.targets(x) - m) ** 2
        return squares

    def fitted(self, x: np.ndarray, weights: np.ndarray) -> Loss:
        if self.columns:
            return self
        return replace(self, columns=tuple(_column(x[:, j], weights) for j in range(x.shape[1])))

    def problem(self, x: np.ndarray) -> str:
        """Once its columns are known, any number will do: see `targets`."""
        return not_finite(x) or ("" if self.columns else offender(x, x < 0, "numbers from 0 up are expected"))

    def _parts(self, dtype: np.dtype) -> np.ndarray:
        return np.array(self.columns or ((0.0, 0.0, 1.0, -80.0, 80.0),)).T.astype(dtype)


def _column(x: np.ndarray, weights: np.ndarray) -> tuple[float, float, float, float, float]:
    counted = ~np.isnan(x) & (weights > 0)
    known, weight = x[counted], weights[counted]
    positive = known[known > 0]
    zeros = 0 < len(positive) < len(known)
    offset = SMALL * float(weight[known > 0] @ positive / weight[known > 0].sum()) if zeros else 0.0
    logs = np.log(known + offset) if len(positive) else np.zeros_like(known)
    total = max(float(weight.sum()), np.finfo(float).tiny)
    center = float(weight @ logs / total)
    spread = float(np.sqrt(weight @ (logs - center) ** 2 / total))
    least, largest = (float(logs.min()), float(logs.max())) if len(logs) else (0.0, 0.0)
    return offset, center, spread if spread > SAME * max(1.0, abs(center)) else 1.0, least, largest
