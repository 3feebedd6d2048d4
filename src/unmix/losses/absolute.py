"""|x - m|: the loss of medians, which a far cell pulls no more than a near one.

Its corner is rounded: with c = max(|x - m|, ε) it is ½ ((x - m)² / c + c), which is |x - m| from ε on and ½ ((x - m)²
/ ε + ε) below, so that a cell that is met exactly costs ε / 2. The parabola with the curvature 1 / c touches it and
lies above it everywhere (Hunter and Lange, "A tutorial on MM algorithms", The American Statistician 58, 2004).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.losses.base import Loss
from unmix.losses.parts.domain import not_finite
from unmix.losses.parts.location import root, total_slope, weighted_quantile
from unmix.losses.parts.parameter import Parameter, along_columns, number_or_tuple


@dataclass(frozen=True)
class Absolute(Loss):
    """The absolute difference, for numbers with far values.

    Parameters
    ----------
    rounding : float or one a column, default=0.01
        Differences below it, in units of the column, are squared instead.

    Examples
    --------
    >>> import numpy as np
    >>> Absolute().value(np.array([[3.0]]), np.array([[1.0]]))
    array([[2.]])
    """

    rounding: Parameter = 0.01

    name: ClassVar[str] = "absolute"
    in_units: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "rounding", number_or_tuple("rounding", self.rounding, 0.0))

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return self.parabola(x, m)[0]

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        r = m - x
        return r / self._rounded(r)

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return 1 / self._rounded(m - x)

    def parabola(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        r = m - x
        c = self._rounded(r)
        gradient = r / c
        return 0.5 * (r * gradient + c), gradient, 1 / c

    def best(self, m: np.ndarray) -> np.ndarray:
        return m

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        # a width beside the median all on its other side pull with their full weight, which is half or more of all
        median = weighted_quantile(x, weights, 0.5)
        return root(total_slope(self.gradient, x, weights), median - self.rounding, median + self.rounding)

    def problem(self, x: np.ndarray) -> str:
        return not_finite(x)

    def _rounded(self, r: np.ndarray) -> np.ndarray:
        """The c of the formula."""
        return np.maximum(np.abs(r), along_columns(self.rounding, r))
