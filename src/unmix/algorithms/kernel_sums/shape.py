"""What one factor for the width multiplies: the spread of the rows along the axes, on the whole, or in every direction.

    L(factor) = [factor V, F],   kernel covariance  L Lᵀ

V spans the directions in which rows differ. In those in which they do not, F, no width is better than another: their
width is fixed and does not take part in the search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.kernel_sums.grid.extent import extent

LEAST_EIGENVALUE = 1e-12  # share of the largest eigenvalue of the correlations below which a direction does not vary


class Shape(NamedTuple):
    varying: np.ndarray  # (d, r)
    fixed: np.ndarray  # (d, d - r)

    def root(self, factor: float) -> np.ndarray:
        """L, in the order of the columns where each direction is a column of the data."""
        whole = np.hstack([factor * self.varying, self.fixed])
        if (np.count_nonzero(whole, axis=0) == 1).all():
            return np.diag(whole.sum(axis=1))
        return whole


def measure_shape(rows: np.ndarray, weights: np.ndarray, shape: str) -> Shape:
    """``shape`` is "axes", "ball" or "full"; the weights add up to 1."""
    deviation, scaled = spread(rows, weights)
    varies = deviation > 0
    d = len(varies)
    if not varies.any():
        return Shape(np.zeros((d, 0)), np.eye(d))
    largest = deviation.max()
    if shape == "full":
        return full_shape(np.where(varies, deviation, largest), scaled, weights)
    if shape == "ball":
        common = largest * np.sqrt(np.mean((deviation[varies] / largest) ** 2))
        deviation = np.full(d, common)
    widths = np.diag(np.where(varies, deviation, largest))
    return Shape(widths[:, varies], widths[:, ~varies])


def spread(rows: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standard deviations of the columns, and the columns with mean 0 and deviation 1, or 0 where they are constant."""
    low, high = extent(rows)
    half = high * 0.5 - low * 0.5
    unit = np.where(half > 0, half, 1.0)
    scaled = (rows.astype(np.float64) * 0.5 - (low * 0.25 + high * 0.25)) / unit
    scaled -= weights @ scaled
    deviation = np.sqrt(weights @ scaled**2)
    deviation[half == 0] = 0.0
    scaled /= np.where(deviation > 0, deviation, 1.0)
    scaled[:, deviation == 0] = 0.0
    return deviation * unit * 2, scaled


def full_shape(scale: np.ndarray, scaled: np.ndarray, weights: np.ndarray) -> Shape:
    """A root of the covariance from the eigenvectors of the correlations; flat directions get one unit of the scale."""
    values, vectors = np.linalg.eigh((scaled * weights[:, None]).T @ scaled)
    flat = values <= LEAST_EIGENVALUE * values[-1]
    root = scale[:, None] * vectors * np.sqrt(np.where(flat, 1.0, values))
    return Shape(root[:, ~flat], root[:, flat])
