"""Coordinates in which the kernel is a ball of width 1: z = L⁻¹ (x - c) for a kernel of covariance L Lᵀ.

L is kept as diag(scale) C with rows of C of length 1, so that columns of 1e300 and of 1e-300 can stand side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.factors.kernel_sums.extent import extent

FARTHEST = 1e150  # kernel widths: farther away squares would not be finite, and the density is 0 in any case


class Frame(NamedTuple):
    """Middle of the rows, widths along the axes, and the inverse of C; None for the identity."""

    center: np.ndarray  # (d,)
    scale: np.ndarray  # (d,)
    inverse: np.ndarray | None  # (d, d)
    log_determinant: float  # of L

    def enter(self, points: np.ndarray) -> np.ndarray:
        """Points in kernel widths, in float64."""
        with np.errstate(over="ignore"):
            # halves, so that the largest numbers can be subtracted
            z = (points.astype(np.float64) * 0.5 - 0.5 * self.center) / (0.5 * self.scale)
        np.clip(z, -FARTHEST, FARTHEST, out=z)
        return z if self.inverse is None else z @ self.inverse.T

    def leave_gradient(self, gradient: np.ndarray) -> np.ndarray:
        """A gradient along z as one along x."""
        return (gradient if self.inverse is None else gradient @ self.inverse) / self.scale


def make_frame(root: np.ndarray, rows: np.ndarray) -> Frame:
    """For a root L of the kernel's covariance, about the middle of the rows."""
    root = root.astype(np.float64)
    scale = row_lengths(root)
    shape = root / scale[:, None]
    plain = np.array_equal(shape, np.eye(len(shape)))
    inverse = None if plain else np.linalg.inv(shape)
    log_determinant = float(np.log(scale).sum() + (0.0 if plain else np.linalg.slogdet(shape)[1]))
    low, high = extent(rows)
    return Frame(low * 0.5 + high * 0.5, scale, inverse, log_determinant)


def row_lengths(root: np.ndarray) -> np.ndarray:
    """Euclidean, without squaring large or small numbers."""
    largest = np.abs(root).max(axis=1)
    return largest * np.sqrt(((root / largest[:, None]) ** 2).sum(axis=1))
