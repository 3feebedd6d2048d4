"""Points, or objects known by dissimilarities, that can be asked for neighbours and for distances.

No table of all distances is made: they are computed for a few points at a time. ``reach(d)`` is the largest distance
that counts as equal to d, for distances that are equal by construction differ by rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from scipy.spatial import cKDTree

from unmix.factors.local_weights.gather import is_sparse
from unmix.factors.local_weights.neighbors import TREE_COLUMNS, Neighbors, distances_between, nearest, squared_norms
from unmix.factors.local_weights.points import in_safe_units

TIE = {np.dtype(np.float32): 1e-6, np.dtype(np.float64): 1e-9}


class Space(Protocol):
    n: int

    def nearest(self, rows: np.ndarray, k: int) -> np.ndarray:
        """Distances (rows, k) to the k nearest others, rising."""

    def near(self, rows: np.ndarray, k: int) -> list[np.ndarray]:
        """The k nearest others of every row, and all that are as far as the last of them."""

    def between(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Distances of pairs."""

    def distances(self, rows: np.ndarray) -> np.ndarray:
        """(rows, n), infinite to themselves."""

    def reach(self, distance: np.ndarray, sign: int = 1) -> np.ndarray:
        """The largest distance (with sign -1 the smallest) that counts as equal."""


class Points:
    """Rows of an array or a sparse table, at Euclidean distances."""

    def __init__(self, rows: Any) -> None:
        self.tie = TIE.get(np.dtype(rows.dtype), 1e-9)
        self.points = in_safe_units(rows, rows)
        self.n = self.points.shape[0]
        self.squares = squared_norms(self.points)
        self.rounding = 8 * np.finfo(np.float64).eps * float(self.squares.max(initial=0.0))
        flat = not is_sparse(rows) and rows.shape[1] <= TREE_COLUMNS
        self.tree = cKDTree(self.points) if flat else None

    def nearest(self, rows: np.ndarray, k: int) -> np.ndarray:
        return self._first(rows, k + 1).distances[:, 1:]  # the row itself is one of those at distance zero

    def near(self, rows: np.ndarray, k: int) -> list[np.ndarray]:
        found = self._first(rows, min(k + 2, self.n))
        radius = self.reach(found.distances[:, k])
        first = found.indices[:, : k + 1]
        near = [others[others != row] for row, others in zip(rows, first)]
        tied = np.flatnonzero((found.distances[:, k + 1 :] <= radius[:, None]).any(axis=1))
        if len(tied):
            for one, others in zip(tied, self._within(rows[tied], radius[tied])):
                near[one] = others
        return near

    def _first(self, rows: np.ndarray, k: int) -> Neighbors:
        if self.tree is None:
            return nearest(self.points, self.points[rows], k, "brute")
        distances, indices = self.tree.query(self.points[rows], np.arange(1, k + 1))
        return Neighbors(np.asarray(indices), np.asarray(distances))

    def _within(self, rows: np.ndarray, radius: np.ndarray) -> list[np.ndarray]:
        if self.tree is None:
            return _inside(self.distances(rows), radius)
        found = [np.asarray(others) for others in self.tree.query_ball_point(self.points[rows], radius)]
        return [others[others != row] for row, others in zip(rows, found)]

    def between(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        return distances_between(self.points, self.points[rows], others[:, None])[:, 0]

    def distances(self, rows: np.ndarray) -> np.ndarray:
        products = self.points[rows] @ self.points.T
        squares = products.toarray() if is_sparse(products) else products
        squares *= -2.0
        squares += self.squares[rows, None]
        squares += self.squares
        np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares)
        squares[np.arange(len(rows)), rows] = np.inf
        return squares

    def reach(self, distance: np.ndarray, sign: int = 1) -> np.ndarray:
        # the second term is what products of rows lose against differences
        return distance + sign * (self.tie * distance + np.minimum(self.rounding / np.maximum(distance, 1e-300), 1e-7))


class Table:
    """Objects with dissimilarities that ``read(rows)`` gives, (rows, n); only their order counts."""

    def __init__(self, n: int, read: Callable[[np.ndarray], np.ndarray]) -> None:
        self.n, self.read = n, read

    def nearest(self, rows: np.ndarray, k: int) -> np.ndarray:
        return np.sort(np.partition(self.distances(rows), k - 1, axis=1)[:, :k], axis=1)

    def near(self, rows: np.ndarray, k: int) -> list[np.ndarray]:
        distances = self.distances(rows)
        return _inside(distances, self.reach(np.partition(distances, k - 1, axis=1)[:, k - 1]))

    def between(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        distinct, which = np.unique(rows, return_inverse=True)
        return np.asarray(self.distances(distinct)[which, others])

    def distances(self, rows: np.ndarray) -> np.ndarray:
        found = np.array(self.read(rows), dtype=np.float64)
        found[np.arange(len(rows)), rows] = np.inf
        return found

    def reach(self, distance: np.ndarray, sign: int = 1) -> np.ndarray:
        return distance + sign * TIE[np.dtype(np.float64)] * np.abs(distance)


def _inside(distances: np.ndarray, radius: np.ndarray) -> list[np.ndarray]:
    return [np.flatnonzero(row <= most) for row, most in zip(distances, radius)]
