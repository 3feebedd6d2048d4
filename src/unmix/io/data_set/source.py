"""The rows of many files as one matrix of numbers, read where it is used: on threads here, or on workers of a cluster.

A worker gets the list of files, how many rows each has, and when it was written; a file that was written to since is
refused.  Columns that are not asked for are not read, nor are row groups of Parquet outside the window in use.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

from unmix.core.sources import as_block
from unmix.io.base.registry import format_of, reading
from unmix.io.data_set.facts import Facts, check_unchanged, scanned_columns
from unmix.io.data_set.opened import open_whole
from unmix.io.data_set.partition import PartitionColumn
from unmix.io.data_set.windows import Piece, Window, make_windows
from unmix.io.sources.scan_source import WINDOW_ENTRIES, polars_type

WINDOWS_KEPT = 2


class FilesSource:
    """Columns ``names`` of all files, those of the partitions among them; ``first`` is the row they begin with.

    Pickled as what it was made of.
    """

    sparse = False

    def __init__(
        self, files: list[Facts], partitions: list[PartitionColumn], names: list[str] | None, width: int, dtype: Any,
        first: int = 0,
    ) -> None:  # fmt: skip
        self.files, self.partitions, self.names, self.first = files, partitions, names, first
        self.path: Path = files[0].path  # says that the rows are in files
        self.shape: tuple[int, int] = (sum(one.n_rows for one in files), width)
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self._windows = make_windows([one.n_rows for one in files], max(1, WINDOW_ENTRIES // max(1, width)), first)
        self._firsts = [window.first for window in self._windows]
        self._decoded: OrderedDict[int, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return FilesSource, (self.files, self.partitions, self.names, self.shape[1], self.dtype, self.first)

    def part(self, start: int, stop: int) -> FilesSource:
        """The files that hold these rows, addressed as before: all that a task on a worker needs to be told."""
        ends = self.first + np.cumsum([file.n_rows for file in self.files])
        chosen = slice(int(np.searchsorted(ends, start, "right")), int(np.searchsorted(ends, stop)) + 1)
        partitions = [column._replace(values=column.values[chosen]) for column in self.partitions]
        first = self.first if chosen.start == 0 else int(ends[chosen.start - 1])
        return FilesSource(self.files[chosen], partitions, self.names, self.shape[1], self.dtype, first)

    def read(self, start: int, stop: int) -> np.ndarray:
        parts = []
        place = bisect_right(self._firsts, start) - 1
        while start < stop:
            window = self._windows[place]
            parts.append(self._decode(place)[start - window.first : stop - window.first])
            start, place = window.stop, place + 1
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _decode(self, place: int) -> np.ndarray:
        with self._lock:
            if place not in self._decoded:
                while len(self._decoded) >= WINDOWS_KEPT:
                    self._decoded.popitem(last=False)
                self._decoded[place] = self._read(self._windows[place])
            self._decoded.move_to_end(place)
            return self._decoded[place]

    def _read(self, window: Window) -> np.ndarray:
        out = np.empty((window.stop - window.first, self.shape[1]), self.dtype)
        at = 0
        for piece in window.pieces:
            end = at + piece.stop - piece.start
            self._fill(out[at:end], piece)
            at = end
        return out

    def _fill(self, out: np.ndarray, piece: Piece) -> None:
        """One file's rows, and beside them the values its folders are named for."""
        file = self.files[piece.file]
        check_unchanged(file.path, file.stamp)
        given = {column.name: column.values[piece.file] for column in self.partitions}
        own = [j for j, name in enumerate(self.names or range(self.shape[1])) if name not in given]
        held = None if self.names is None else [self.names[j] for j in own]
        out[:, own] = rows_of(file, held, piece.start, piece.stop, self.dtype)
        for j, name in enumerate(self.names or ()):
            if name in given:
                out[:, j] = np.nan if given[name] is None else given[name]


def rows_of(file: Facts, names: list[str] | None, start: int, stop: int, dtype: np.dtype[Any]) -> np.ndarray:
    """Rows of one file, of these columns in this order."""
    frame = scanned_columns(file.path)
    if frame is None:
        source = open_whole(file.path, file.stamp, names)
        rows = source.read(start, stop)
        order = None if names is None or list(names) == source.names else [source.names.index(name) for name in names]
        return as_block(rows if order is None else rows[:, order], dtype)
    with reading(file.path, format_of(file.path).name):
        chosen = frame.select(names) if names else frame.select([])
        rows = chosen.slice(start, stop - start).collect()
        return as_block(rows.cast(polars_type(dtype)).to_numpy(order="c"), dtype)
