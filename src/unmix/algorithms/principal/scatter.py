"""First and second moments of rows in one pass, about a shift that keeps them from cancelling.

    weight = Σ w_i,   total = Σ w_i (x_i - c),   gram = Σ w_i (x_i - c)(x_i - c)ᵀ,
    mean   = c + total / weight,   scatter = gram - total totalᵀ / weight.

The last subtraction loses digits when the mean is far from c compared with the spread; c is read off the first rows,
the loss is measured, and a pass that lost too many digits is repeated about the mean it found (Chan, Golub & LeVeque,
The American Statistician 37, 1983).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks

PILOT_ROWS = 128
CHUNK = 256  # rows whose sum is taken in the data's own precision before double takes over
SINGLE_ROWS = 8192  # the same for sums of products, whose errors are of either sign


class Sums(NamedTuple):
    """What one pass adds up; ``gram`` holds the whole matrix, or its diagonal."""

    rows: int
    weight: float
    total: np.ndarray
    gram: np.ndarray

    def merge(self, other: Sums) -> Sums:
        """Field by field; products of float32 rows stay single for as long as that costs no digits."""
        rows, gram = self.rows + other.rows, self.gram
        if rows > SINGLE_ROWS and gram.dtype != np.float64:
            gram = gram.astype(np.float64)
        gram += other.gram
        return Sums(rows, self.weight + other.weight, self.total + other.total, gram)


class Moments(NamedTuple):
    """Weight, mean and centred second moment (matrix or diagonal) of the scaled rows."""

    weight: float
    mean: np.ndarray
    scatter: np.ndarray

    @property
    def spread(self) -> np.ndarray:
        """Each column's sum of squared deviations."""
        return self.scatter if self.scatter.ndim == 1 else np.diagonal(self.scatter)

    def in_range(self, dtype: np.dtype[Any]) -> bool:
        """Whether squares neither overflowed, nor vanished, nor met NaN."""
        limits = np.finfo(dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            size = float(np.max(self.spread) + np.max(np.abs(self.mean)) ** 2)
        return bool(np.isfinite(size) and float(limits.tiny) * 1e8 < size < float(limits.max) * 1e-8)


def moments(X: RowBlocks, weights: np.ndarray | None, scale: float, *, full: bool) -> Moments:
    """Moments of ``scale * X``; with ``full`` the scatter matrix, else its diagonal. NaN and overflow come through."""
    summing: Callable[..., Sums] = gram_sums if full else square_sums
    shift = pilot_shift(X, weights, scale)
    with np.errstate(over="ignore", invalid="ignore"):
        sums = X.reduce(summing, shift, scale, rows=weights)
        if shift is not None and cancelled(sums, shift, X.dtype):
            shift = as_stored(shift + sums.total / sums.weight, X.dtype)
            sums = X.reduce(summing, shift, scale, rows=weights)
        return centre(sums, shift)


def pilot_shift(X: RowBlocks, weights: np.ndarray | None, scale: float) -> np.ndarray | None:
    """A guess at the mean; zero, which saves a copy, where the mean is small against the spread; None if sparse."""
    if X.sparse:
        return None  # few entries differ from zero, so the mean is small by nature
    first = np.arange(min(PILOT_ROWS, X.shape[0])) if weights is None else np.flatnonzero(weights)[:PILOT_ROWS]
    with np.errstate(over="ignore", invalid="ignore"):
        rows = X.take(first).astype(np.float64) * scale
        mean, variance = rows.mean(axis=0), rows.var(axis=0)
        near = bool((mean**2 <= allowed_loss(X.dtype) / 4 * variance).all())
    return np.zeros(X.shape[1]) if near or not np.isfinite(mean).all() else as_stored(mean, X.dtype)


def allowed_loss(dtype: np.dtype[Any]) -> float:
    """By what factor a second moment may exceed the spread it is reduced to: two digits, or four in double."""
    return 64.0 if dtype == np.float32 else 1e4


def as_stored(shift: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    """Rounded to the data's precision, so that what a block subtracts is exactly what is added back."""
    return shift.astype(dtype).astype(np.float64)


def cancelled(sums: Sums, shift: np.ndarray, dtype: np.dtype[Any]) -> bool:
    """Whether some column lost more digits to ``gram - total²/weight`` than its precision can spare."""
    gram = (sums.gram if sums.gram.ndim == 1 else np.diagonal(sums.gram)).astype(np.float64)
    spread = gram - sums.total**2 / sums.weight
    # what rounding of the shift itself leaves of a constant column is no spread
    constant = gram <= sums.weight * (8 * np.finfo(dtype).eps * shift) ** 2
    return bool(((gram > allowed_loss(dtype) * spread) & ~constant).any())


def centre(sums: Sums, shift: np.ndarray | None) -> Moments:
    offset = sums.total / sums.weight
    if sums.gram.ndim == 1:
        scatter = np.maximum(sums.gram - sums.total * offset, 0.0)
    else:
        scatter = np.outer(sums.total, -offset)
        scatter += sums.gram
        np.fill_diagonal(scatter, np.maximum(np.diagonal(scatter), 0.0))
    return Moments(float(sums.weight), offset if shift is None else shift + offset, scatter)


@np.errstate(over="ignore", invalid="ignore")  # here, because threads do not inherit the caller's
def gram_sums(block: Any, weights: np.ndarray | None, shift: np.ndarray | None, scale: float) -> Sums:
    rows, roots = prepare(block, weights, shift, scale)
    weight, total = weigh(rows, roots)
    gram = rows.T @ rows
    return Sums(rows.shape[0], weight, total, gram.toarray() if is_sparse_block(gram) else gram)


@np.errstate(over="ignore", invalid="ignore")
def square_sums(block: Any, weights: np.ndarray | None, shift: np.ndarray | None, scale: float) -> Sums:
    rows, roots = prepare(block, weights, shift, scale)
    squares = rows.multiply(rows).tocsr() if is_sparse_block(rows) else rows * rows
    return Sums(rows.shape[0], *weigh(rows, roots), column_sums(squares))


def prepare(block: Any, weights: np.ndarray | None, shift: np.ndarray | None, scale: float) -> tuple[Any, Any]:
    """Rows ``√w (scale x - shift)`` and √w (None without weights); nothing is copied that need not be."""
    roots = None if weights is None else np.sqrt(weights)
    if is_sparse_block(block):
        rows = block.astype(np.float64) * scale  # sparse products add up one by one, so in double precision
        return (rows if roots is None else rows.multiply(roots[:, None]).tocsr()), roots
    rows = block if scale == 1.0 else block * block.dtype.type(scale)
    if shift is not None and shift.any():
        rows = subtract(rows, shift)
    return (rows if roots is None else rows * roots[:, None].astype(block.dtype)), roots


def subtract(rows: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """``rows - shift`` in the precision of the rows; what that precision cuts off the shift is taken off after."""
    high = shift.astype(rows.dtype)
    low = (shift - high).astype(rows.dtype)
    out: np.ndarray = rows - high
    if low.any():
        out -= low
    return out


def is_sparse_block(block: Any) -> bool:
    return hasattr(block, "tocsr")


def weigh(rows: Any, roots: np.ndarray | None) -> tuple[float, np.ndarray]:
    """Σ w and Σ w (x - c) of prepared rows."""
    if roots is None:
        return float(rows.shape[0]), column_sums(rows)
    return float(roots @ roots), np.asarray(roots @ rows, dtype=np.float64)


def column_sums(rows: Any) -> np.ndarray:
    """Sums over rows in double precision; chunks are summed by BLAS first, which is three times as fast."""
    if is_sparse_block(rows) or rows.dtype == np.float64:
        return np.asarray(np.ones(rows.shape[0]) @ rows)
    whole = len(rows) // CHUNK * CHUNK
    chunks = rows[:whole].reshape(-1, CHUNK, rows.shape[1])
    sums: np.ndarray = (np.ones((1, CHUNK), rows.dtype) @ chunks).sum(axis=(0, 1), dtype=np.float64)
    return sums + rows[whole:].sum(axis=0, dtype=np.float64)


def as_double(matrix: Any) -> np.ndarray:
    return np.asarray(matrix.toarray() if is_sparse_block(matrix) else matrix, dtype=np.float64)
