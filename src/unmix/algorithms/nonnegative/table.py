"""What a factorization asks of a table: its extent, its sums, and leaves that suit products with few columns.

Entries of an extreme table are multiplied by a power of four, so that neither squares nor products over- or underflow
and the scale divides evenly, and exactly, between the two factors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.principal.double_blocks import DoubleBlocks
from unmix.core.blocks import LocalBlocks, RowBlocks
from unmix.core.linalg import power_of_two
from unmix.core.plan import Plan
from unmix.core.sources import SparseSource

STORED = 2**17  # stored entries of a sparse leaf


class Extent(NamedTuple):
    """Smallest and largest observed entry, and the number of entries that are missing."""

    smallest: float
    largest: float
    missing: int

    def merge(self, other: Extent) -> Extent:
        return Extent(
            min(self.smallest, other.smallest), max(self.largest, other.largest), self.missing + other.missing
        )

    @property
    def size(self) -> float:
        return max(self.largest, -self.smallest)


def measure(block: Any, weights: np.ndarray | None) -> Extent:
    """Of the rows that count."""
    if weights is not None and not weights.all():
        block = block[weights > 0]
    values = block.data if is_sparse(block) else block
    smallest, largest = (float(find.reduce(values, axis=None, initial=0.0)) for find in (np.fmin, np.fmax))
    return Extent(smallest, largest, int(np.isnan(values).sum()))


class Counts(NamedTuple):
    """Numbers of entries, by column."""

    counts: np.ndarray


def count_negative(block: Any, rows: Any) -> Counts:
    if is_sparse(block):
        return Counts(np.bincount(block.indices[block.data < 0], minlength=block.shape[1]))
    return Counts((block < 0).sum(axis=0))


def count_zero(block: Any, weights: np.ndarray | None) -> Counts:
    """Zeros of the rows that count; what a sparse table does not store is zero."""
    rows = block if weights is None else block[weights > 0]
    if is_sparse(rows):
        return Counts(rows.shape[0] - np.bincount(rows.indices[rows.data != 0], minlength=rows.shape[1]))
    return Counts((rows == 0).sum(axis=0))


def count_observed(block: np.ndarray, weights: np.ndarray | None) -> Counts:
    return Counts((~np.isnan(block if weights is None else block[weights > 0])).sum(axis=0))


def safe_scale(size: float, dtype: np.dtype[Any]) -> float:
    """1 where squares are safe; else the power of four that brings ``size`` near one."""
    most = 2.0**20 if dtype == np.float32 else 2.0**200
    if 1 / most <= size <= most:
        return 1.0
    factor = power_of_two(size)
    return factor if np.frexp(factor)[1] % 2 else factor * 2  # an odd exponent of frexp is an even power of two


class Sums(NamedTuple):
    """Weighted sums over the observed entries of the scaled table."""

    weight: float
    entries: float
    total: float
    squares: float


def sums(block: Any, weights: np.ndarray | None, scale: float) -> Sums:
    weight = np.ones(block.shape[0]) if weights is None else weights
    block = weighted_block(block, 1.0, weights)
    if is_sparse(block):
        each = np.repeat(weight, np.diff(block.indptr))
        values = block.data.astype(np.float64) * scale
        return Sums(weight.sum(), weight.sum() * block.shape[1], float(each @ values), float(each @ values**2))
    entries = total = squares = 0.0
    for part, part_weight in parts(block, weight):
        observed = part.astype(np.float64) * scale
        counts = np.full(len(part), float(part.shape[1]))
        rows = observed.sum(axis=1)
        if np.isnan(rows).any():
            counts, observed = (~np.isnan(part)).sum(axis=1).astype(float), np.nan_to_num(observed, nan=0.0)
            rows = observed.sum(axis=1)
        entries += float(part_weight @ counts)
        total += float(part_weight @ rows)
        squares += float(part_weight @ np.einsum("ij,ij->i", observed, observed))
    return Sums(weight.sum(), entries, total, squares)


def parts(block: np.ndarray, weight: np.ndarray) -> Any:
    """A few rows at a time, so that copies stay small."""
    size = max(1, 2**16 // max(1, block.shape[1]))
    for start in range(0, len(block), size):
        yield block[start : start + size], weight[start : start + size]


def scaled(block: Any, scale: float) -> Any:
    return block if scale == 1.0 else block * block.dtype.type(scale)


def weighted_block(block: Any, scale: float, weights: np.ndarray | None) -> Any:
    """The block times ``scale``; rows of weight 0 are zero, whatever they hold: 0 times infinity is no number."""
    if weights is None or weights.all():
        return scaled(block, scale)
    if is_sparse(block):
        each = np.repeat(weights > 0, np.diff(block.indptr))
        data = np.where(each, block.data, block.dtype.type(0))
        return scaled(type(block)((data, block.indices, block.indptr), shape=block.shape), scale)
    return scaled(np.where(weights[:, None] > 0, block, block.dtype.type(0)), scale)


def row_scales(block: Any) -> np.ndarray:
    """`safe_scale` of every row, in steps of 2^16, so that rows of an extreme table share few of them."""
    most = 2.0**20 if block.dtype == np.float32 else 2.0**200
    if all_between(block, 1 / most, most):
        return np.ones(block.shape[0])
    sizes = row_sizes(block)
    safe = ((sizes >= 1 / most) & (sizes <= most)) | (sizes == 0)
    if safe.all():
        return np.ones(len(sizes))
    steps = -np.ceil(np.frexp(sizes)[1] / 16) * 16
    return np.where(safe, 1.0, np.ldexp(1.0, np.clip(steps, -1008, 1008).astype(int)))


@np.errstate(over="ignore", invalid="ignore")
def all_between(block: Any, least: float, most: float) -> bool:
    """Whether every row that is not zero has a size surely between; one quick pass, norm/√d ≤ size ≤ norm."""
    if is_sparse(block):
        return False
    squares = np.einsum("ij,ij->i", block, block)
    between = (squares >= least**2 * block.shape[1]) & (squares <= most**2)
    return bool(between.all()) or not block[~between].any()


def row_sizes(block: Any) -> np.ndarray:
    """The largest absolute value of every row, NaN aside."""
    sizes = np.zeros(block.shape[0], block.dtype)
    if is_sparse(block):
        filled = np.diff(block.indptr) > 0
        if filled.any():
            sizes[filled] = np.maximum.reduceat(np.abs(block.data), block.indptr[:-1][filled])
    else:
        np.maximum(np.fmax.reduce(block, axis=1), -np.fmin.reduce(block, axis=1), out=sizes)
        sizes[np.isnan(sizes)] = 0
    return sizes.astype(np.float64)


def is_sparse(block: Any) -> bool:
    return hasattr(block, "tocsr")


def stored_entries(X: RowBlocks) -> int:
    """How many entries of a table are gone through by a product."""
    inner: Any = X.X if isinstance(X, DoubleBlocks) else X
    return int(inner.source.X.nnz) if X.sparse else X.shape[0] * X.shape[1]


class SparseLeaves:
    """Leaves of a CSR table, cut once."""

    names: list[str] | None = None
    sparse = True

    def __init__(self, source: Any, plan: Plan) -> None:
        self.X, self.shape, self.dtype = source.X, source.shape, source.dtype
        self._leaves = {start: with_short_indices(source.read(start, stop)) for start, stop in plan}

    def read(self, start: int, stop: int) -> Any:
        return self._leaves[start]

    def select(self, chosen: np.ndarray) -> SparseSource:
        """Other rows have other leaves."""
        return SparseSource(self.X[chosen])


def with_short_indices(block: Any) -> Any:
    """Columns and places in 32 bits, where they fit: what is read for every entry, and of one type for kernels."""
    if block.indices.dtype == np.int32 or max(block.nnz, block.shape[1]) > np.iinfo(np.int32).max:
        return block
    short = (part.astype(np.int32) for part in (block.indices, block.indptr))
    return type(block)((block.data, *short), shape=block.shape)


def suited(X: RowBlocks) -> RowBlocks:
    """Sparse tables are in memory and have wide rows: fewer leaves, because every leaf adds up k×d numbers."""
    if not X.sparse:
        return X
    given: Any = X.source  # type: ignore[attr-defined]
    source = given if hasattr(given.X, "nnz") else SparseSource(X.gather())  # a dask collection comes here first
    n, rows = X.shape[0], 64
    while rows < n and rows * source.X.nnz < STORED * n:
        rows *= 2
    plan = Plan(n, rows)
    blocks = LocalBlocks(SparseLeaves(source, plan))
    blocks.plan = plan
    return blocks
