"""Files that polars does not scan, opened once in a process and kept, as text is parsed into a temporary file."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_opened: dict[tuple[Any, ...], Any] = {}
_lock = threading.RLock()  # the collector may run `forget` in the midst of `open_whole`, in the same thread


def open_whole(path: Path, stamp: tuple[int, int], columns: Sequence[str] | None = None) -> Any:
    """A source of all rows of a file in double precision, the same as long as the file is not written to.

    Where others than the ``columns`` asked for hold text, of these alone.
    """
    from unmix.io.read import open_source

    place = (str(path), stamp)
    with _lock:
        for key in (place, (*place, *sorted(columns or ()))):
            if key in _opened:
                return _opened[key]
        try:
            found = _opened[place] = open_source(path)
        except TypeError:  # of columns that are no numbers
            if columns is None:
                raise
            found = _of_columns(path, columns)
            _opened[(*place, *sorted(found.names))] = found
        return found


def _of_columns(path: Path, columns: Sequence[str]) -> Any:
    from unmix.io.read import in_whole, read_path

    table = read_path(path)
    return in_whole(table._replace(frame=table.frame.select(name for name in table.frame.columns if name in columns)))


def forget(paths: list[Path]) -> None:
    """Let go of files that are no longer in use, with what was parsed of them."""
    names = {str(path) for path in paths}
    with _lock:
        for key in [key for key in _opened if key[0] in names]:
            del _opened[key]
