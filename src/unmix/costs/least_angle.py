"""Least-angle clustering: vectors that point the same way belong together.

    R(c) = -½ Σ_α Σ_{i,j in α} x_i · x_j = -½ Σ_α ||y_α||²,   y_α = Σ_{i in α} x_i

so the n×n similarities are never formed. x·x' = ||x|| ||x'|| cos φ; unit rows leave the angle alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.summation.short_rows import sums_of_rows


class State(NamedTuple):
    rows: np.ndarray  # (n, d)
    squares: np.ndarray  # (n,) ||x_i||²
    sums: np.ndarray  # (k, d) y


class LeastAngle:
    """Minus half the squared lengths of the sums of clusters. Data are an array (n, d)."""

    mean_is_bound = True  # `expected` is the mean itself

    def total(self, data: np.ndarray, labels: np.ndarray) -> float:
        return -0.5 * sum(float((data[labels == c].sum(axis=0) ** 2).sum()) for c in np.unique(labels))

    def fields(self, data: np.ndarray, q: np.ndarray) -> np.ndarray:
        return self._fields(data, q, squared_lengths(data), data.T @ q)

    def expected(self, data: np.ndarray, q: np.ndarray) -> float:
        return self._expected(q, squared_lengths(data), data.T @ q)

    def fields_and_mean(self, data: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, float]:
        """`fields` and `expected` by the sums of clusters taken once."""
        squares, sums = squared_lengths(data), data.T @ q
        return self._fields(data, q, squares, sums), self._expected(q, squares, sums)

    def _fields(self, data: np.ndarray, q: np.ndarray, squares: np.ndarray, sums: np.ndarray) -> np.ndarray:
        # with i in c, ½||y_c + x_i||² - ½||y_c||² = x_i · y_c + ½||x_i||², y_c taken without i
        felt = (q - 0.5) * squares
        felt -= data @ sums
        return felt

    def _expected(self, q: np.ndarray, squares: np.ndarray, sums: np.ndarray) -> float:
        # E ||y||² = ||E y||² + Σ_i (q - q²) ||x_i||²
        return -0.5 * float((sums**2).sum() + (squares[:, 0] @ (q - q * q)).sum())

    def vectors(self, data: np.ndarray) -> np.ndarray:
        return np.asarray(data, np.float64)

    def state(self, data: np.ndarray, q: np.ndarray) -> State:
        from unmix.costs.move_kernels import least_angle as least_angle_moves  # noqa: F401  registers the kernels

        rows = np.ascontiguousarray(data, np.float64)
        return State(rows, (rows * rows).sum(axis=1), q.T @ rows)


def squared_lengths(data: np.ndarray) -> np.ndarray:
    """(n, 1)"""
    return sums_of_rows(data * data)
