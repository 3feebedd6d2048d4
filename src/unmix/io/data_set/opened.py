"""Files that polars does not scan, opened once in a process and kept, as text is parsed into a temporary file."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

_opened: dict[tuple[str, tuple[int, int]], Any] = {}
_lock = threading.RLock()  # the collector may run `forget` in the midst of `open_whole`, in the same thread


def open_whole(path: Path, stamp: tuple[int, int]) -> Any:
    """A source of all rows of a file in double precision, the same as long as the file is not written to."""
    from unmix.io.read import open_source

    key = (str(path), stamp)
    with _lock:
        found = _opened.get(key)
        if found is None:
            found = _opened[key] = open_source(path)
        return found


def forget(paths: list[Path]) -> None:
    """Let go of files that are no longer in use, with what was parsed of them."""
    names = {str(path) for path in paths}
    with _lock:
        for key in [key for key in _opened if key[0] in names]:
            del _opened[key]
