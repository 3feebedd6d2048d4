"""Coordinates in which the kernel is a ball of width 1: z = L⁻¹ (x - c) for a kernel of covariance L Lᵀ.

L is kept as diag(scale) C with rows of C of length 1, so that columns of 1e300 and of 1e-300 can stand side by side.
c is the median of every column: a difference z - z' is wrong by the rounding of |z| + |z'|, so the bulk of the rows has
to stand near 0, wherever a few others are. What is far from c gets a frame of its own (places.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

SAMPLE_ROWS = 4096  # rows that tell where the bulk is
LARGEST_DISTANCE = 1e150  # kernel widths: farther away squares would not be finite, and the density is 0 in any case


class KernelFrame(NamedTuple):
    """Where the bulk of the rows is, widths along the axes, and the inverse of C; None for the identity."""

    center: np.ndarray  # (d,)
    scale: np.ndarray  # (d,)
    inverse: np.ndarray | None  # (d, d)
    log_determinant: float  # of L

    def enter(self, points: np.ndarray) -> np.ndarray:
        """Points in kernel widths, in float64."""
        return self.turn(self.along_axes(points))

    def turn(self, z: np.ndarray) -> np.ndarray:
        """From widths along the axes to kernel widths."""
        return z if self.inverse is None else z @ self.inverse.T

    def along_axes(self, points: np.ndarray) -> np.ndarray:
        """Points in widths along the axes, whatever the kernel does between them."""
        with np.errstate(over="ignore"):
            # halves, so that the largest numbers can be subtracted
            z = (points.astype(np.float64) * 0.5 - 0.5 * self.center) / (0.5 * self.scale)
        return np.clip(z, -LARGEST_DISTANCE, LARGEST_DISTANCE, out=z)

    def leave_gradient(self, gradient: np.ndarray) -> np.ndarray:
        """A gradient along z as one along x."""
        return (gradient if self.inverse is None else gradient @ self.inverse) / self.scale


def make_frame(root: np.ndarray, rows: np.ndarray) -> KernelFrame:
    """For a root L of the kernel's covariance, about the median of the rows."""
    root = root.astype(np.float64)
    scale = row_lengths(root)
    shape = root / scale[:, None]
    plain = np.array_equal(shape, np.eye(len(shape)))
    inverse = None if plain else np.linalg.inv(shape)
    log_determinant = float(np.log(scale).sum() + (0.0 if plain else np.linalg.slogdet(shape)[1]))
    return KernelFrame(medians(rows), scale, inverse, log_determinant)


def medians(rows: np.ndarray) -> np.ndarray:
    """A middle value of each column of some rows, as float64: one of their own, so that nothing can overflow."""
    some = rows[:: max(1, len(rows) // SAMPLE_ROWS)]
    return np.partition(some, len(some) // 2, axis=0)[len(some) // 2].astype(np.float64)


def row_lengths(root: np.ndarray) -> np.ndarray:
    """Euclidean, without squaring large or small numbers."""
    largest = np.abs(root).max(axis=1)
    return largest * np.sqrt(((root / largest[:, None]) ** 2).sum(axis=1))
