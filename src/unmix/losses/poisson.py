"""e^m - x m, shifted to be 0 where e^m = x: half the deviance of a count x whose expected value is e^m.

    x (e^d - 1 - d)  with  d = m - log x,   and e^m where x = 0

No parabola lies above it everywhere. Its curvature is the second derivative e^m where the model is too high, and
above the loss for all m' below; where it is too low the slope of the chord from m to log x is taken, (x - e^m) / (log
x - m), which is above the loss up to log x: a step to the lowest point never leaps beyond it, as one by e^m alone
would. Beyond m = 80 the exponential goes on as its tangent, so that no number overflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.losses.base import Loss
from unmix.losses.parts.domain import not_count
from unmix.losses.parts.shares import weighted_mean
from unmix.losses.parts.sigmoid import CERTAIN, LEAST_CURVATURE

LARGEST = 80.0  # of m in the exponential: e^80 and a thousand times it are numbers of float32, too
MOST = 1e34  # below e^80


@dataclass(frozen=True)
class Poisson(Loss):
    """Half the Poisson deviance, for counts; the model is the logarithm of what is expected.

    Examples
    --------
    >>> import numpy as np
    >>> Poisson().value(np.array([[0.0, 3.0]]), np.array([[0.0, np.log(3.0)]])).round(3)
    array([[1., 0.]])
    """

    name: ClassVar[str] = "poisson"
    majorizes: ClassVar[bool] = False

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return self.parabola(x, m)[0]

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return np.exp(np.minimum(m, LARGEST)) - x

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return self.parabola(x, m)[2]

    def parabola(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        low = np.minimum(m, LARGEST)
        expected = np.exp(low)
        some = x > 0
        d = low - np.log(np.where(some, x, 1))
        slope, growth = expected - x, np.expm1(np.minimum(d, 1))
        # e^d - 1 - d near 0, where e^m - x cancels; beyond LARGEST the tangent
        value = np.where(some, np.where(d < 1, x * (growth - d), slope - x * d), expected) + slope * (m - low)
        chord = np.divide(x * growth, d, out=expected.copy(), where=some & (d < 0))
        return np.maximum(value, 0), slope, np.maximum(chord, LEAST_CURVATURE)

    def best(self, m: np.ndarray) -> np.ndarray:
        return np.exp(np.minimum(m, LARGEST))

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        mean = weighted_mean(x, weights)
        known = np.where(np.isnan(mean), 1.0, mean)
        return np.log(np.where(known > 0, known, np.exp(-CERTAIN)))

    def problem(self, x: np.ndarray) -> str:
        return not_count(x, MOST)
