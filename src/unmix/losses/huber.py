"""½ r² up to a threshold t, t |r| - ½ t² beyond, with r = x - m: squares for most cells, no more than t's pull for any.

The parabola with the curvature min(1, t / |r|) lies above it everywhere.  Huber, "Robust estimation of a location
parameter", Annals of Mathematical Statistics 35, 1964.
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
class Huber(Loss):
    """Squared for small differences, absolute for large ones.

    Parameters
    ----------
    threshold : float or one a column, default=1.35
        Where it turns from one to the other, in units of the column. At 1.35 standard deviations of Gaussian noise it
        is nearly as precise as the squared loss.

    Examples
    --------
    >>> import numpy as np
    >>> Huber(threshold=1.0).value(np.array([[0.5, 3.0]]), np.zeros((1, 2)))
    array([[0.125, 2.5  ]])
    """

    threshold: Parameter = 1.35

    name: ClassVar[str] = "huber"
    in_units: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", number_or_tuple("threshold", self.threshold, 0.0))

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        size = np.abs(m - x)
        small = np.minimum(size, along_columns(self.threshold, size))
        return small * (size - 0.5 * small)

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        r = m - x
        threshold = along_columns(self.threshold, r)
        return np.clip(r, -threshold, threshold)

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        size = np.abs(m - x)
        threshold = along_columns(self.threshold, size)
        return threshold / np.maximum(size, threshold)

    def best(self, m: np.ndarray) -> np.ndarray:
        return m

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        # a threshold beside the median all on its other side pull with their full weight, half or more of all
        median = weighted_quantile(x, weights, 0.5)
        return root(total_slope(self.gradient, x, weights), median - self.threshold, median + self.threshold)

    def problem(self, x: np.ndarray) -> str:
        return not_finite(x)
