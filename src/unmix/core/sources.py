"""Where rows are read from: arrays and sparse matrices here, files in `unmix.io`, dask collections in `dask_blocks`.

A source reads any range of rows as one block: a C-ordered, writeable array of the wanted dtype, or a CSR array.
It travels to a worker as a small reference (for a file, its path) and reads there.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Protocol

import numpy as np

from unmix.core.canonical import canonical


class Source(Protocol):
    shape: tuple[int, int]
    dtype: np.dtype[Any]
    names: list[str] | None  # of the columns, where the source has them
    sparse: bool  # whether blocks are CSR arrays

    def read(self, start: int, stop: int) -> Any: ...


def block_dtype(dtype: Any, wanted: Any = None) -> np.dtype[Any]:
    """float32 stays float32, every other number is read as float64, unless a dtype is asked for."""
    given: np.dtype[Any] = np.dtype(dtype)
    if given.kind not in "fiub":
        raise TypeError(f"data of type {given} cannot be used; give real numbers (integer, float or bool)")
    single: np.dtype[Any] = np.dtype(np.float32)
    double: np.dtype[Any] = np.dtype(np.float64)
    if wanted is not None:
        return single if np.dtype(wanted) == single else double
    return single if given == np.float32 else double


def as_block(rows: Any, dtype: np.dtype[Any]) -> np.ndarray:
    """C order, aligned and writeable; copies only where it must.

    Compiled kernels then meet one array type only, and NumPy takes one route: of an unaligned array, such as one that
    came over a network, it would compute a product by another routine, with other last bits.
    """
    if type(rows) is np.ndarray and rows.dtype == dtype and rows.flags.carray:
        return rows  # the usual case, without the cost of asking for it
    return np.require(rows, dtype, ["C", "A", "W"])


def as_rows(rows: Any, dtype: np.dtype[Any]) -> Any:
    """A block of rows that are an array or CSR in canonical form."""
    return rows.astype(dtype, copy=False) if hasattr(rows, "tocsr") else as_block(rows, dtype)


def joined(parts: list[Any]) -> Any:
    """Rows one below the other, as an array or CSR."""
    if hasattr(parts[0], "tocsr"):
        from scipy.sparse import vstack

        return vstack(parts, format="csr")
    return np.concatenate(parts)


class ArraySource:
    """A view of an ndarray or memmap; what has another dtype or order is converted a block at a time."""

    names: list[str] | None = None
    sparse = False

    def __init__(self, X: np.ndarray, dtype: Any = None) -> None:
        if X.ndim != 2:
            raise ValueError(f"expected a table (2-D array, rows are objects), got {X.ndim}-D of shape {X.shape}")
        self.X, self.shape, self.dtype = X, X.shape, block_dtype(X.dtype, dtype)

    def read(self, start: int, stop: int) -> np.ndarray:
        return as_block(self.X[start:stop], self.dtype)


class SparseSource:
    """Rows of a sparse matrix in its canonical form, with or without stored zeros; never made dense."""

    names: list[str] | None = None
    sparse = True

    def __init__(self, X: Any, dtype: Any = None, *, zeros: bool = False) -> None:
        self.X = canonical(X, zeros=zeros)
        self.shape, self.dtype = self.X.shape, block_dtype(X.dtype, dtype)

    def read(self, start: int, stop: int) -> Any:
        return self.X[start:stop].astype(self.dtype, copy=False)

    def select(self, chosen: np.ndarray) -> SparseSource:
        """The chosen rows alone, stored zeros as they were."""
        source = copy(self)
        source.X, source.shape = self.X[chosen], (len(chosen), self.shape[1])
        return source
