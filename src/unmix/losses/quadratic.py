"""Losses that are half the squared difference from a target: what a cell costs follows from its target alone."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from unmix.losses.base import Loss
from unmix.losses.parts.shares import weighted_mean


class Quadratic(Loss):
    """½ (targets(x) - m)², one number a cell; subclasses say what the target is."""

    quadratic: ClassVar[bool] = True

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        squares: np.ndarray = 0.5 * (self.targets(x) - m) ** 2
        return squares

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return m - self.targets(x)

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return np.ones_like(m)

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        mean = weighted_mean(self.targets(x), weights)
        return np.where(np.isnan(mean), 0.0, mean)
