"""Rows that come as a stream, written once to a temporary npy file, which every pass then reads.

The file is written, not mapped, until it is whole: a full disk then is an error that can be told, where a write into a
mapped page would end the process. It goes with the source or the process; one whose process was killed is removed by a
later one.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from unmix.core.storage.abandoned import remove_abandoned
from unmix.core.storage.full_disk import NO_ROOM
from unmix.io.sources.npy_source import NpySource

ABANDONED = r"unmix-(\d+)-\w+\.npy"


def spool(parts: Iterable[np.ndarray], n_columns: int, dtype: Any, names: list[str] | None) -> NpySource:
    """A source that reads the rows of all parts; the file goes with it, or at once if anything fails."""
    remove_abandoned(Path(tempfile.gettempdir()), ABANDONED)
    handle, name = tempfile.mkstemp(prefix=f"unmix-{os.getpid()}-", suffix=".npy")
    try:
        with os.fdopen(handle, "wb") as file:
            _write(file, parts, n_columns, np.dtype(dtype))
        source = NpySource(name, dtype)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise OSError(error.errno, _full(name)) from None
        raise
    source.names = names
    weakref.finalize(source, _remove, name)
    return source


def _write(file: BinaryIO, parts: Iterable[np.ndarray], n_columns: int, dtype: np.dtype[Any]) -> None:
    _write_header(file, (0, n_columns), dtype)
    n_rows = 0
    for part in parts:
        n_rows += len(part)
        file.write(np.ascontiguousarray(part, dtype).data)
    file.seek(0)
    _write_header(file, (n_rows, n_columns), dtype)


def _write_header(file: BinaryIO, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
    """NumPy leaves room for the first number to grow, so that the header takes as many bytes whatever it is."""
    header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)


def _full(name: str) -> str:
    return (
        f"the temporary folder {Path(name).parent} is full, and the numbers of the table are kept there while it is "
        "used; set TMPDIR to a folder with more room, or save the table as Parquet or npy, which are read in place"
    )


def _remove(path: str) -> None:
    Path(path).unlink(missing_ok=True)
