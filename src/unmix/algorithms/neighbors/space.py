"""Points, or objects known by dissimilarities, that can be asked for neighbours and for distances.

No table of all distances is made: they are computed for a few points at a time. ``reach(d)`` is the largest distance
that counts as equal to d, for distances that are equal by construction differ by rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
from scipy.spatial import cKDTree

from unmix.algorithms.neighbors.gather import is_sparse
from unmix.algorithms.neighbors.points import in_safe_units
from unmix.algorithms.neighbors.search import MOST_TREE_COLUMNS, Neighbors, distances_between, nearest, squared_norms

TIE = {np.dtype(np.float32): 1e-6, np.dtype(np.float64): 1e-9}


class Space(Protocol):
    n: int

    def nearest(self, rows: np.ndarray, k: int) -> np.ndarray:
        """Distances (rows, k) to the k nearest others, rising."""

    def near(self, rows: np.ndarray, k: int) -> list[np.ndarray]:
        """The k nearest others of every row, and all that are as far as the last of them."""

    def between(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Distances of pairs."""

    def ranks(self, rows: np.ndarray, limits: list[np.ndarray]) -> Iterator[np.ndarray]:
        """One more than the others that are nearer to each row than its limits are."""

    def reach(self, distance: np.ndarray) -> np.ndarray:
        """The largest distance that counts as equal."""

    def below(self, distance: np.ndarray) -> np.ndarray:
        """The smallest that counts as equal, as far as `ranks` can tell."""


class Points:
    """Rows of an array or a sparse table, at Euclidean distances."""

    def __init__(self, rows: Any) -> None:
        self.tie = TIE.get(np.dtype(rows.dtype), 1e-9)
        self.points = in_safe_units(rows, rows)
        self.n = self.points.shape[0]
        self.squares = squared_norms(self.points)
        flat = not is_sparse(rows) and rows.shape[1] <= MOST_TREE_COLUMNS
        self.tree = cKDTree(self.points) if flat else None
        self.columns = np.ascontiguousarray(self.points.T) if flat else None
        # what products of rows lose against differences
        self.rounding = 0.0 if flat else 32 * np.finfo(np.float64).eps * float(np.median(self.squares))

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
            return self._grow(rows, radius)
        found = [np.asarray(others) for others in self.tree.query_ball_point(self.points[rows], radius)]
        return [others[others != row] for row, others in zip(rows, found)]

    def _grow(self, rows: np.ndarray, radius: np.ndarray) -> list[np.ndarray]:
        """Ever more neighbours until one lies outside."""
        k = 16
        while True:
            found = self._first(rows, min(k, self.n))
            if k >= self.n or (found.distances[:, -1] > radius).all():
                break
            k *= 4
        inside = found.distances <= radius[:, None]
        return [others[near & (others != row)] for row, others, near in zip(rows, found.indices, inside)]

    def between(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        if is_sparse(self.points):
            return distances_between(self.points, self.points[rows], others[:, None])[:, 0]
        from unmix.algorithms.neighbors.rank_kernel import distances_of_pairs

        found = np.empty(len(rows))
        distances_of_pairs(self.points, rows, others, found)
        return found

    def ranks(self, rows: np.ndarray, limits: list[np.ndarray]) -> Iterator[np.ndarray]:
        from unmix.algorithms.neighbors.rank_kernel import count_below, squares_from

        room = np.empty(self.n)
        products = self._by_products(rows) if self.tree is None else None
        for at, (row, few) in enumerate(zip(rows, limits)):
            if products is None:
                squares_from(self.columns, self.points[row], room)
            squares = room if products is None else products[at]
            squares[row] = np.inf
            yield ranks_among(squares, np.maximum(few, 0.0) ** 2, count_below)

    def _by_products(self, rows: np.ndarray) -> np.ndarray:
        products = self.points[rows] @ self.points.T
        squares = np.asarray(products.toarray() if is_sparse(products) else products)
        squares *= -2.0
        squares += self.squares[rows, None]
        squares += self.squares
        return squares

    def reach(self, distance: np.ndarray) -> np.ndarray:
        return distance + self.tie * distance

    def below(self, distance: np.ndarray) -> np.ndarray:
        return distance - self.tie * distance - self.rounding / np.maximum(distance, 1e-300)


class Table:
    """Objects with dissimilarities that ``read(rows)`` gives, (rows, n); only their order counts."""

    def __init__(self, n: int, read: Callable[[np.ndarray], np.ndarray]) -> None:
        self.n, self.read = n, read

    def nearest(self, rows: np.ndarray, k: int) -> np.ndarray:
        return np.sort(np.partition(self.distances(rows), k - 1, axis=1)[:, :k], axis=1)

    def near(self, rows: np.ndarray, k: int) -> list[np.ndarray]:
        distances = self.distances(rows)
        radius = self.reach(np.partition(distances, k - 1, axis=1)[:, k - 1])
        return [np.flatnonzero(row <= most) for row, most in zip(distances, radius)]

    def between(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        distinct, which = np.unique(rows, return_inverse=True)
        return np.asarray(self.distances(distinct)[which, others])

    def distances(self, rows: np.ndarray) -> np.ndarray:
        found = np.array(self.read(rows), dtype=np.float64)
        found[np.arange(len(rows)), rows] = np.inf
        return found

    def ranks(self, rows: np.ndarray, limits: list[np.ndarray]) -> Iterator[np.ndarray]:
        from unmix.algorithms.neighbors.rank_kernel import count_below

        for found, few in zip(self.distances(rows), limits):
            yield ranks_among(found, few, count_below)

    def reach(self, distance: np.ndarray) -> np.ndarray:
        return distance + TIE[np.dtype(np.float64)] * np.abs(distance)

    def below(self, distance: np.ndarray) -> np.ndarray:
        return distance - TIE[np.dtype(np.float64)] * np.abs(distance)


def ranks_among(values: np.ndarray, limits: np.ndarray, count: Callable[..., None]) -> np.ndarray:
    """One more than the number of values below each limit."""
    order = np.argsort(limits, kind="stable")
    counts = np.zeros(len(limits), dtype=np.int64)
    count(values, limits[order], counts)
    ranks = np.empty_like(counts)
    ranks[order] = counts + 1
    return ranks
