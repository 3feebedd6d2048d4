"""x log(x / m) - x + m for x, m ≥ 0: the Kullback-Leibler divergence of non-negative factorizations.

It is infinite where m ≤ 0 < x or m < 0. The curvature is max(x, m) / m²: where the model is too low the second
derivative x / m², above the loss for all larger m'; where it is too high 1 / m, the slope of the chord from m to x,
above the loss down to x, where the step ends. At the optimum both are the second derivative. Lee and Seung,
"Algorithms for non-negative matrix factorization", NIPS 2000; Hsieh and Dhillon, KDD 2011.

As m goes to 0 these grow without limit, and one cell would hold its row fast. For them m is taken to be no less than
a millionth of x, and where x = 0 and the loss is straight, no less than a thousandth of the column's mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.special import kl_div

from unmix.losses.base import Loss
from unmix.losses.parts.domain import not_count
from unmix.losses.parts.parameter import Parameter, along_columns, number_or_tuple
from unmix.losses.parts.shares import weighted_mean
from unmix.losses.squared import Squared

FLOOR = 1e-6  # of x: the least m at which slopes are taken
FLOOR_OF_ZEROS = 1e-3  # of the mean
MOST = 1e34


@dataclass(frozen=True)
class KullbackLeibler(Loss):
    """The divergence of a number from what is expected, for counts and amounts; the model itself is what is expected.

    Parameters
    ----------
    column_mean : float or one a column, optional
        Of the column, found by `fitted`. It tells what a small number is, and changes the steps, not the loss.

    Examples
    --------
    >>> import numpy as np
    >>> KullbackLeibler().value(np.array([[0.0, 3.0, 3.0]]), np.array([[2.0, 3.0, 0.0]]))
    array([[ 2.,  0., inf]])
    """

    column_mean: Parameter | None = None

    name: ClassVar[str] = "kullback-leibler"
    majorizes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.column_mean is not None:
            object.__setattr__(self, "column_mean", number_or_tuple("column_mean", self.column_mean, 0.0))

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return np.maximum(kl_div(x, m), 0)

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return 1 - x / self._floored(x, m)

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        floored = self._floored(x, m)
        return np.maximum(x / floored, 1) / floored

    def parabola(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        floored = self._floored(x, m)
        ratio = x / floored
        return self.value(x, m), 1 - ratio, np.maximum(ratio, 1) / floored

    def at_start(self) -> Loss:
        return Squared()

    def best(self, m: np.ndarray) -> np.ndarray:
        return np.maximum(m, 0)

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return np.nan_to_num(weighted_mean(x, weights), nan=0.0)

    def fitted(self, x: np.ndarray, weights: np.ndarray) -> Loss:
        if self.column_mean is not None:
            return self
        mean = weighted_mean(x, weights)
        return replace(self, column_mean=tuple(np.where(mean > 0, mean, 1.0).tolist()))

    def problem(self, x: np.ndarray) -> str:
        return not_count(x, MOST)

    def _floored(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        """The m at which slopes are taken."""
        mean = 1.0 if self.column_mean is None else along_columns(self.column_mean, m)
        return np.maximum(m, np.where(x > 0, FLOOR * x, m.dtype.type(FLOOR_OF_ZEROS) * mean))
