"""Where rows are read from: arrays, sparse matrices, npy, Parquet and CSV files, dask collections.

A source reads any range of rows as one block: a C-ordered, writeable array of the wanted dtype, or a CSR array.
It travels to a worker as a small reference (for a file, its path) and reads there.
"""

from __future__ import annotations

import os
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from unmix.core.canonical import canonical

WINDOW_ENTRIES = 2**22  # entries decoded from a Parquet file at a time


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
        return single if wanted == np.float32 else double
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


class NpySource(ArraySource):
    """A .npy file, mapped into memory and read as its blocks are used. Pickled as its path."""

    def __init__(self, path: str | Path, dtype: Any = None) -> None:
        self.path = Path(path).resolve()
        # mode "c" gives writeable pages that never reach the file
        super().__init__(np.load(self.path, mmap_mode="c", allow_pickle=False), dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return NpySource, (self.path, self.dtype)


class ParquetSource:
    """A Parquet file or folder, decoded a window of rows at a time. Pickled as its path."""

    sparse = False

    def __init__(self, path: str | Path, dtype: Any = None) -> None:
        import polars

        self.path = Path(path).resolve()
        self._frame = polars.scan_parquet(self.path)
        schema = self._frame.collect_schema()
        self.names: list[str] | None = schema.names()
        self.shape: tuple[int, int] = (self._frame.select(polars.len()).collect().item(), len(schema))
        self.dtype = block_dtype(numeric_dtype(schema, self.path), dtype)
        # a power of two, so that windows hold whole leaves
        self._window = 2 ** max(14, int(np.log2(WINDOW_ENTRIES / max(1, self.shape[1]))))
        self._decoded: OrderedDict[int, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return open_parquet, (self.path, self.dtype)

    def read(self, start: int, stop: int) -> np.ndarray:
        first, last = start // self._window, (stop - 1) // self._window
        parts = [self._rows(w, start, stop) for w in range(first, last + 1)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _rows(self, window: int, start: int, stop: int) -> np.ndarray:
        offset = window * self._window
        return self._decode(window)[max(start - offset, 0) : stop - offset]

    def _decode(self, window: int) -> np.ndarray:
        with self._lock:
            if window not in self._decoded:
                rows = self._frame.slice(window * self._window, self._window).collect()
                self._decoded[window] = as_block(rows.cast(_polars_type(self.dtype)).to_numpy(order="c"), self.dtype)
                while len(self._decoded) > 2:
                    self._decoded.popitem(last=False)
            return self._decoded[window]


_opened: dict[tuple[str, int, str], ParquetSource] = {}


def open_parquet(path: Path, dtype: Any = None) -> ParquetSource:
    """On a worker: the same open file for every task, so that a window is decoded once a pass."""
    key = (str(path), os.stat(path).st_mtime_ns, str(dtype))
    if key not in _opened:
        _opened.clear()
        _opened[key] = ParquetSource(path, dtype)
    return _opened[key]


def spool_csv(path: str | Path, dtype: Any = None) -> NpySource:
    """A CSV file, parsed once as a stream into a temporary .npy file, which every pass then reads."""
    import polars

    frame = polars.scan_csv(path, separator="\t" if Path(path).suffix == ".tsv" else ",")
    schema = frame.collect_schema()
    numeric_dtype(schema, Path(path))
    n_rows = frame.select(polars.len()).collect().item()
    handle, spool = tempfile.mkstemp(prefix="unmix-", suffix=".npy")
    os.close(handle)
    out = np.lib.format.open_memmap(spool, mode="w+", dtype=np.float64, shape=(n_rows, len(schema)))
    start = 0
    for batch in frame.collect_batches(chunk_size=2**16, maintain_order=True):
        out[start : start + batch.height] = batch.cast(polars.Float64).to_numpy()
        start += batch.height
    out.flush()
    source = NpySource(spool, dtype)
    source.names = schema.names()
    weakref.finalize(source, _remove, spool)
    return source


def _remove(path: str) -> None:
    Path(path).unlink(missing_ok=True)


def numeric_dtype(schema: Any, path: Path) -> np.dtype[Any]:
    """The common type of all columns; a column that is not a number is named."""
    text = [name for name, kind in schema.items() if not (kind.is_numeric() or str(kind) in ("Boolean", "Null"))]
    if text:
        named = ", ".join(repr(name) for name in text[:5]) + (", …" if len(text) > 5 else "")
        raise TypeError(f"{path.name}: column {named} is not numeric; drop or encode it first ('unmix explore' does)")
    all_single = all(str(kind) == "Float32" for kind in schema.values())
    return np.dtype(np.float32 if all_single else np.float64)


def _polars_type(dtype: np.dtype[Any]) -> Any:
    import polars

    return polars.Float32 if dtype == np.float32 else polars.Float64


READERS: dict[str, Callable[..., Source]] = {
    ".npy": NpySource,
    ".parquet": ParquetSource,
    ".pq": ParquetSource,
    ".csv": spool_csv,
    ".tsv": spool_csv,
}


def open_path(path: str | Path, dtype: Any = None) -> Source:
    """The source for a file, chosen by its ending; every failure is one sentence that names the file."""
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"no such file: {path}")
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"{path.name}: cannot read files ending in {path.suffix!r}; known are {', '.join(READERS)}")
    try:
        return reader(path, dtype)
    except (TypeError, OSError):
        raise
    except Exception as error:  # the readers' own errors are many
        raise ValueError(f"{path.name} cannot be read as {path.suffix[1:]}: {error}") from error
