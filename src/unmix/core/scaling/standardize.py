"""Columns in units of their own spread: y = scale x - shift, read block by block, while the table stays as it is.

The scale of a column is a power of two near the inverse of its standard deviation, so the change of units is exact, and
data of 1e300 or 1e-300 can be squared. Sparse rows are scaled and not shifted, or made dense one block at a time.

A block of few rows is taken by NumPy, a larger one by compiled loops, which sum in the same order: there is nothing to
wait for at a first fit on a small table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks, Rows

FEW_ROWS, FEW_ENTRIES = 512, 2**14  # of a block, which array operations take within some ten microseconds


class Units(NamedTuple):
    """y = scale x - shift."""

    scale: np.ndarray  # (d,) powers of two
    shift: np.ndarray  # (d,)

    def enter(self, points: np.ndarray) -> np.ndarray:
        return self.scale * points - self.shift

    def leave(self, points: np.ndarray) -> np.ndarray:
        return (points + self.shift) / self.scale


class Spread(NamedTuple):
    """What is known of the columns before a fit: their units, the variances in them, and what is missing."""

    units: Units
    variance: np.ndarray  # (d,) in these units; 0 for a constant column
    observed: np.ndarray  # (d,) share of the rows, by weight, that have a value
    missing: bool
    low: np.ndarray  # (d,) smallest value, in the units of the data
    high: np.ndarray  # (d,) largest


class Extent(NamedTuple):
    """Smallest and largest value and number of values of each column."""

    low: np.ndarray
    high: np.ndarray
    values: np.ndarray
    rows: int

    def merge(self, other: Extent) -> Extent:
        low, high = np.fmin(self.low, other.low), np.fmax(self.high, other.high)
        return Extent(low, high, self.values + other.values, self.rows + other.rows)


class Sums(NamedTuple):
    total: float
    mass: np.ndarray
    first: np.ndarray
    second: np.ndarray


def measure_spread(X: RowBlocks, weights: np.ndarray | None = None, *, common: bool = False) -> Spread:
    """Two passes: the extent gives units in which squares are safe, the variances in these give the final ones.

    ``common`` asks for one scale for all columns, as methods need that compare columns with each other.
    """
    extent = X.reduce(find_extent, rows=weights)
    if not extent.values.all():
        empty = np.flatnonzero(extent.values == 0)
        raise ValueError(f"column {empty[0]} has no value, only NaN ({len(empty)} such column(s)); drop it first")
    largest = 2.0 ** (np.finfo(X.dtype).maxexp - 4)
    scale = np.minimum(inverse_powers_of_two(np.maximum(np.abs(extent.low), np.abs(extent.high))), largest)
    scale = np.full_like(scale, scale.min()) if common else scale
    # the middle, computed so that it cannot overflow, and exact in float32 where the data are
    middle = (extent.low * scale / 2 + extent.high * scale / 2).astype(X.dtype).astype(np.float64)
    sums = X.reduce(find_sums, Units(scale, middle), rows=weights)
    mean = sums.first / sums.mass
    variance = np.maximum(sums.second / sums.mass - mean**2, 0.0)
    variance[extent.low == extent.high] = 0.0
    finer = inverse_powers_of_two(np.sqrt(np.full_like(variance, variance.max()) if common else variance))
    finer = np.where(scale < 1, finer, np.minimum(finer, largest / np.maximum(scale, 1.0)))
    shift = ((middle + mean) * finer).astype(X.dtype).astype(np.float64)
    missing = bool((extent.values < extent.rows).any())
    observed = sums.mass / sums.total if missing else np.ones_like(shift)
    return Spread(Units(scale * finer, shift), variance * finer**2, observed, missing, extent.low, extent.high)


def inverse_powers_of_two(size: np.ndarray) -> np.ndarray:
    """2^-m where size lies between 2^(m-1) and 2^m; 1 where it is 0."""
    exponent = np.where(size > 0, np.frexp(size)[1], 0)
    return np.ldexp(1.0, np.clip(-exponent, -1020, 1020))


def refuse_overflow(factors: np.ndarray) -> None:
    """Refuse factors to unit variance that are no numbers, as for rows of denormal ones."""
    if not np.isfinite(factors).all():
        raise ValueError("X varies so little that what brings it to unit variance overflows; multiply X by a constant")


def is_small(block: np.ndarray) -> bool:
    return len(block) <= FEW_ROWS and block.size <= FEW_ENTRIES


def find_extent(block: Any, weights: np.ndarray | None) -> Extent:
    if weights is not None:
        block = block[weights > 0]
    rows, d = block.shape
    if hasattr(block, "tocsr"):
        return _sparse_extent(block)
    if is_small(block):
        low, high = np.fmin.reduce(block, axis=0, initial=np.nan), np.fmax.reduce(block, axis=0, initial=np.nan)
        values = np.count_nonzero(block == block, axis=0).astype(np.float64)
        return Extent(low.astype(np.float64), high.astype(np.float64), values, rows)
    from unmix.core.scaling.column_sums import add_extent

    low, high, values = np.full(d, np.inf, block.dtype), np.full(d, -np.inf, block.dtype), np.zeros(d)
    add_extent(block, low, high, values)
    low[values == 0] = high[values == 0] = np.nan
    return Extent(low.astype(np.float64), high.astype(np.float64), values, rows)


def _sparse_extent(block: Any) -> Extent:
    rows, d = block.shape
    holes = np.isnan(block.data)
    low, high = np.full(d, np.nan), np.full(d, np.nan)
    np.fmin.at(low, block.indices, block.data)
    np.fmax.at(high, block.indices, block.data)
    empty = np.bincount(block.indices, minlength=d) < rows  # entries that are not stored are zeros
    low[empty], high[empty] = np.fmin(low[empty], 0.0), np.fmax(high[empty], 0.0)
    return Extent(low, high, rows - np.bincount(block.indices[holes], minlength=d).astype(float), rows)


def find_sums(block: Any, weights: np.ndarray | None, units: Units) -> Sums:
    if weights is None:
        weights = np.ones(block.shape[0])
    elif not weights.all():
        block, weights = block[weights > 0], weights[weights > 0]
    block = block.toarray() if hasattr(block, "toarray") else block
    scale, shift = units.scale.astype(block.dtype), units.shift.astype(block.dtype)
    if is_small(block):
        return Sums(float(weights.sum()), *_few_moments(block, weights, scale, shift))
    from unmix.core.scaling.column_sums import add_moments

    mass, first, second = np.zeros((3, block.shape[1]))
    add_moments(block, weights, scale, shift, mass, first, second)
    return Sums(float(weights.sum()), mass, first, second)


def _few_moments(block: np.ndarray, weights: np.ndarray, scale: np.ndarray, shift: np.ndarray) -> list[np.ndarray]:
    """Σ w, Σ w y and Σ w y² of each column, over rows that lie one after the other however the block does."""
    y = change_units(np.ascontiguousarray(block), scale, shift).astype(np.float64)
    there = y == y
    y[~there] = 0.0
    terms = ("i,ij->j", weights, there), ("i,ij->j", weights, y), ("i,ij,ij->j", weights, y, y)
    return [np.einsum(*term) for term in terms]


def change_units(block: np.ndarray, scale: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """y = scale x - shift, the same from NumPy and from the kernel: each entry is rounded twice."""
    if not is_small(block):
        from unmix.core.scaling.scale_rows import scale_rows

        y = np.empty_like(block)
        scale_rows(block, scale, shift, y)
        return y
    with np.errstate(over="ignore", invalid="ignore"):  # a far entry is infinite here too
        y = block * scale
        y -= shift
    return y


def read_block(block: Any, units: Units, make_dense: bool = True, fill: bool = False) -> Any:
    """A block in these units, of the same precision; ``fill`` puts the column's centre where entries are missing."""
    kind = block.dtype
    if hasattr(block, "tocsr"):
        if not make_dense:
            scaled = block.copy()
            scaled.data = scaled.data * units.scale.astype(kind)[scaled.indices]
            return scaled
        block = block.toarray()
    y = change_units(block, units.scale.astype(kind), units.shift.astype(kind))
    return np.nan_to_num(y, copy=False, nan=0.0) if fill else y


def _on_read(block: Any, rows: Any, f: Callable[..., Any], how: tuple[Any, ...], *shared: Any) -> Any:
    return f(read_block(block, *how), rows, *shared)


class StandardizedBlocks:
    """Row blocks seen in other units."""

    def __init__(self, X: RowBlocks, units: Units, *, make_dense: bool = True, fill: bool = False) -> None:
        self.X, self.how = X, (units, make_dense, fill)
        self.shape, self.dtype, self.names, self.n_leaves = X.shape, X.dtype, X.names, X.n_leaves
        self.sparse = X.sparse and not make_dense

    def reduce(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> Any:
        return self.X.reduce(_on_read, f, self.how, *shared, rows=rows, seed=seed)

    def map(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> np.ndarray:
        return self.X.map(_on_read, f, self.how, *shared, rows=rows, seed=seed)

    def step(self, f: Callable[..., Any], rows: Rows, *shared: Any) -> tuple[np.ndarray, Any]:
        return self.X.step(_on_read, rows, f, self.how, *shared)

    def take(self, indices: Any) -> np.ndarray:
        units, _, fill = self.how
        return read_block(self.X.take(indices), units, True, fill)

    def gather(self) -> Any:
        return read_block(self.X.gather(), *self.how)

    def select(self, chosen: np.ndarray) -> StandardizedBlocks:
        units, make_dense, fill = self.how
        return StandardizedBlocks(self.X.select(chosen), units, make_dense=make_dense, fill=fill)
