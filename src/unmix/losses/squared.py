"""½ (x - m)²: the loss of principal components and least squares; its best constant is the mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.losses.base import Loss


@dataclass(frozen=True)
class Squared(Loss):
    """Half the squared difference, for numbers.

    Examples
    --------
    >>> import numpy as np
    >>> Squared().value(np.array([[3.0]]), np.array([[1.0]]))
    array([[2.]])
    """

    name: ClassVar[str] = "squared"
    quadratic: ClassVar[bool] = True
    in_units: ClassVar[bool] = True

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return 0.5 * (x - m) ** 2

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return m - x

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return np.ones_like(m)

    def best(self, m: np.ndarray) -> np.ndarray:
        return m

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        seen = ~np.isnan(x)
        total = weights @ np.where(seen, x, 0.0)
        count = weights @ seen
        return np.divide(total, count, out=np.zeros_like(total), where=count > 0)
