"""log(1 + e^m) - x m for x = 0 or 1: minus the log-probability of x where 1 has the log-odds m.

The parabola of Jaakkola and Jordan (see `sigmoid`) lies above it everywhere.  With it, factorization is logistic PCA:
Schein, Saul and Ungar, "A generalized linear model for principal component analysis of binary data", AISTATS 2003.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.losses.base import Loss
from unmix.losses.parts import sigmoid
from unmix.losses.parts.domain import offender
from unmix.losses.parts.shares import weighted_mean


@dataclass(frozen=True)
class Logistic(Loss):
    """Minus the log-probability of a 0 or 1, for columns of yes and no.

    Examples
    --------
    >>> import numpy as np
    >>> Logistic().value(np.array([[1.0, 0.0]]), np.array([[0.0, 3.0]])).round(3)
    array([[0.693, 3.049]])
    """

    name: ClassVar[str] = "logistic"

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        # max(m, 0) - x m is 0 or |m| exactly: nothing cancels where the model is right
        return np.maximum(m, 0) - x * m + np.log1p(np.exp(-np.abs(m)))

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return sigmoid.sigmoid(m) - x

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return sigmoid.curvature(m)

    def parabola(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        tail, slope, curvature = sigmoid.parabola(m)
        return np.maximum(m, 0) - x * m + tail, slope - x, curvature

    def newton(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        value, slope = sigmoid.value_and_slope(m)
        curvature = np.maximum(slope * (1 - slope), sigmoid.LEAST_NEWTON)
        value -= x * m
        slope -= x
        return np.maximum(value, 0), slope, curvature

    def best(self, m: np.ndarray) -> np.ndarray:
        return (m > 0).astype(m.dtype)

    def confidence(self, m: np.ndarray, variance: np.ndarray | None = None) -> np.ndarray:
        return sigmoid.sigmoid(np.abs(m))

    def error(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        squares: np.ndarray = (x - sigmoid.sigmoid(m)) ** 2
        return squares

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        mean = weighted_mean(x, weights)
        return sigmoid.log_odds(np.where(np.isnan(mean), 0.5, mean))

    def problem(self, x: np.ndarray) -> str:
        return offender(x, (x != 0) & (x != 1), "0 and 1 are expected")
