"""A file of columns (Parquet, Arrow), decoded a window of rows at a time."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from unmix.core.sources import as_block, block_dtype
from unmix.io.base.errors import TableError
from unmix.io.base.registry import reading

WINDOW_ENTRIES = 2**22  # entries decoded at a time


class ScanSource:
    """What polars scans, of columns of numbers alone. Pickled as its path."""

    sparse = False

    def __init__(self, path: str | Path, dtype: Any, scan: Callable[..., Any]) -> None:
        import polars

        self.path, self.scan = Path(path).resolve(), scan
        self._frame = scan(self.path)
        schema = self._frame.collect_schema()
        self.names: list[str] | None = schema.names()
        self.shape: tuple[int, int] = (self._frame.select(polars.len()).collect().item(), len(schema))
        self.dtype = block_dtype(common_dtype(schema), dtype)
        # a power of two, so that windows hold whole leaves
        self._window = 2 ** max(14, int(np.log2(WINDOW_ENTRIES / max(1, self.shape[1]))))
        self._decoded: OrderedDict[int, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return open_once, (self.path, self.dtype, self.scan)

    def read(self, start: int, stop: int) -> np.ndarray:
        first, last = start // self._window, max(stop - 1, start) // self._window
        parts = [self._rows(w, start, stop) for w in range(first, last + 1)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _rows(self, window: int, start: int, stop: int) -> np.ndarray:
        offset = window * self._window
        return self._decode(window)[max(start - offset, 0) : stop - offset]

    def _decode(self, window: int) -> np.ndarray:
        with self._lock:
            if window not in self._decoded:
                with reading(self.path):
                    self._decoded[window] = self._numbers(window * self._window)
                while len(self._decoded) > 2:
                    self._decoded.popitem(last=False)
            return self._decoded[window]

    def _numbers(self, offset: int) -> np.ndarray:
        """The rows of a window, as many as the file says it has."""
        rows = self._frame.slice(offset, self._window).collect()
        if rows.height != (expected := min(self._window, self.shape[0] - offset)):
            raise TableError(f"{self.path.name} is damaged: it holds {rows.height} rows where it says {expected}.")
        return as_block(rows.cast(polars_type(self.dtype)).to_numpy(order="c"), self.dtype)


_opened: dict[tuple[str, int, str], ScanSource] = {}


def open_once(path: Path, dtype: Any, scan: Callable[..., Any]) -> ScanSource:
    """On a worker: the same open file for every task, so that a window is decoded once a pass."""
    key = (str(path), os.stat(path).st_mtime_ns, str(dtype))
    if key not in _opened:
        _opened.clear()
        _opened[key] = ScanSource(path, dtype, scan)
    return _opened[key]


def all_numbers(schema: Any) -> bool:
    return all(kind.is_numeric() or str(kind) in ("Boolean", "Null") for kind in schema.values())


def common_dtype(schema: Any) -> np.dtype[Any]:
    """float32 where every column is."""
    return np.dtype(np.float32 if all(str(kind) == "Float32" for kind in schema.values()) else np.float64)


def polars_type(dtype: np.dtype[Any]) -> Any:
    import polars

    return polars.Float32 if dtype == np.float32 else polars.Float64
