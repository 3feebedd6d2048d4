"""Row-aligned numbers in a temporary file: the codes of many rows take no memory between two passes.

A pass reads and writes them leaf by leaf.  The file is not mapped, because pages of a map count as memory of the
process; it has no name, and is gone with the array.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

LEAST_BYTES = 2**26  # fewer stay in memory
PART = 2**16  # rows that are looked at together outside a pass
SPARE = 4  # room that the disk must have, in such arrays: a pass reads some and writes another


class RowFile:
    """An array of which runs of rows are read and written; ``np.asarray`` brings all of it here."""

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape, self.dtype = shape, np.dtype(dtype)
        self._row = int(np.prod(shape[1:])) * self.dtype.itemsize
        self._file: Any = tempfile.TemporaryFile(prefix="unmix-", buffering=0)  # noqa: SIM115 - as long as the array
        self._lock = threading.Lock()
        weakref.finalize(self, self._file.close)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice) -> np.ndarray:
        start, stop, _ = rows.indices(len(self))
        out = np.empty((max(stop - start, 0), *self.shape[1:]), self.dtype)
        left = out.data.cast("B") if out.size else memoryview(b"")
        with self._lock:
            self._file.seek(start * self._row)
            while left:
                count = self._file.readinto(left)
                if not count:
                    raise OSError(f"a temporary file in {tempfile.gettempdir()} ended early")
                left = left[count:]
        return out

    def __setitem__(self, rows: slice, part: np.ndarray) -> None:
        start, _, _ = rows.indices(len(self))
        left = np.ascontiguousarray(part, self.dtype).data.cast("B") if part.size else memoryview(b"")
        with self._lock:
            self._file.seek(start * self._row)
            while left:
                left = left[self._write(left) :]

    def _write(self, left: memoryview) -> int:
        try:
            return int(self._file.write(left))
        except OSError as error:
            raise OSError(
                error.errno,
                f"results of {len(self):,} rows could not be written to {tempfile.gettempdir()} ({error.strerror}); "
                "make room there, or name another folder in the environment variable TMPDIR",
            ) from error

    def gather(self) -> np.ndarray:
        return self[:]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.gather(), dtype)


Aligned = np.ndarray | RowFile


def empty_rows(shape: tuple[int, ...], dtype: Any, on_disk: bool) -> Aligned:
    """Room for an entry a row; a file if that is long, is wanted on disk, and the disk has the room."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    if not on_disk or size < LEAST_BYTES:
        return np.empty(shape, dtype)
    try:
        if shutil.disk_usage(tempfile.gettempdir()).free > SPARE * size:
            return RowFile(shape, dtype)
    except OSError:  # no folder to write to
        pass
    return np.empty(shape, dtype)


def like(rows: Aligned, width: int) -> Aligned:
    """Room for ``width`` numbers a row, in the kind of place where these rows are."""
    shape = (len(rows), width)
    return RowFile(shape, rows.dtype) if isinstance(rows, RowFile) else np.empty(shape, rows.dtype)


def here(rows: Any) -> Aligned:
    """Rows that this process can read a part of; what is on a cluster comes here."""
    return rows if isinstance(rows, RowFile) else np.asarray(rows)


def as_type(rows: Any, dtype: Any) -> Aligned:
    """The same numbers in another precision, in the kind of place where they are."""
    found = here(rows)
    if not isinstance(found, RowFile):
        return found.astype(dtype)
    out = RowFile(found.shape, dtype)
    for place, part in parts(found):
        out[place] = part
    return out


class RowFileSource:
    """Rows of a file as a table; what a pass over it keeps goes to a file too."""

    sparse = False
    names: list[str] | None = None

    def __init__(self, rows: RowFile) -> None:
        self.path, self._rows = tempfile.gettempdir(), rows
        self.shape, self.dtype = (rows.shape[0], rows.shape[1]), rows.dtype

    def read(self, start: int, stop: int) -> np.ndarray:
        return self._rows[start:stop]


def parts(rows: Any) -> Iterator[tuple[slice, np.ndarray]]:
    """Runs of rows and where they stand."""
    found = here(rows)
    for start in range(0, len(found), PART):
        place = slice(start, start + PART)
        yield place, found[place]
