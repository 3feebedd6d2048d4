"""Squared distances of many rows to a few centres, from differences: exactly zero where row and centre agree."""

from typing import Any

import numpy as np

from unmix.costs.nearest.centers import JIT_DISABLED, PIECE, Frame
from unmix.costs.nearest.small import SMALL_ENTRIES

CANCELLED = 1e-6  # a difference of squares below this share of them has lost digits


class Points:
    """Rows in the frame, held so that distances to a few candidates are fast."""

    def __init__(self, rows: Any, weights: np.ndarray | None, frame: Frame) -> None:
        self.rows, self.frame = rows, frame
        self.weights = np.ones(rows.shape[0]) if weights is None else weights
        self.compiled = not (JIT_DISABLED or hasattr(rows, "tocsr") or rows.size <= SMALL_ENTRIES)
        if self.compiled:
            from unmix.costs.nearest.tiles import fill_tiles

            kind = rows.dtype.type
            self.tiles = fill_tiles(rows.reshape(-1), *rows.shape, kind(frame.scale), frame.shift.astype(kind))

    def take(self, indices: np.ndarray) -> np.ndarray:
        rows = self.rows[indices]
        return self.frame.enter(rows.toarray() if hasattr(rows, "tocsr") else rows)

    def distances(self, centers: np.ndarray) -> np.ndarray:
        """Squared distances (k, n) of all rows to the given centres, zero where they agree."""
        n, d = self.rows.shape
        if centers.shape[1] != d:
            raise ValueError(f"rows of {d} columns were compared with centres of shape {centers.shape}")
        if not self.compiled:
            return plain_distances(self.rows, self.frame, centers)
        from unmix.costs.nearest.tiles import all_distances

        out = np.empty((len(centers), self.tiles.size // (d + 1)), self.rows.dtype)
        all_distances(self.tiles, d, np.ascontiguousarray(centers, self.rows.dtype), out)
        return out[:, :n]


def plain_distances(rows: Any, frame: Frame, centers: np.ndarray) -> np.ndarray:
    """The same without a kernel, for sparse rows, for few of them and where nothing is compiled."""
    if hasattr(rows, "tocsr"):
        return sparse_distances(rows, frame.scale, centers)
    from scipy.spatial.distance import cdist

    with np.errstate(over="ignore", under="ignore"):  # a square may have no number in the precision of the data
        return cdist(centers, frame.enter(rows), "sqeuclidean").astype(rows.dtype, copy=False)  # type: ignore[no-any-return]


def sparse_distances(rows: Any, scale: float, centers: np.ndarray) -> np.ndarray:
    """By expanding the square, and from differences where little is left of it."""
    rows = rows.astype(np.float64) * scale
    norms, squares = rows.multiply(rows).sum(axis=1), (centers * centers).sum(axis=1)
    distances = squares[:, None] + norms - 2 * np.asarray(rows @ centers.T).T
    lost = distances < CANCELLED * (squares[:, None] + norms)
    size = max(1, PIECE // rows.shape[1])
    for c in np.flatnonzero(lost.any(axis=1)):
        which = np.flatnonzero(lost[c])
        for start in range(0, len(which), size):
            part = which[start : start + size]
            distances[c, part] = ((rows[part].toarray() - centers[c]) ** 2).sum(axis=1)
    return np.asarray(distances)
