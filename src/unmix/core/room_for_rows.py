"""Before all rows of files or of a cluster are brought into the memory of this process: whether they fit, in words."""

from __future__ import annotations

import warnings
from typing import Any

from unmix.core import memory

SAID_FROM = 2**30  # bytes from which on it is said that so much is brought here


def ask_for_room(shape: tuple[int, int], dtype: Any) -> None:
    """Refuse what does not fit into the memory that is free; say so of what is large."""
    need, free = shape[0] * shape[1] * dtype.itemsize, memory.free_bytes()
    rows = f"{shape[0]:,} rows of {shape[1]} columns take {in_words(need)}"
    if need > free:
        raise MemoryError(
            f"this method needs all rows in one memory: {rows}, and {in_words(free)} are free here; give some of the "
            "rows, or take a method that passes over blocks of rows (docs/scale.md)"
        )
    if need >= SAID_FROM:
        warnings.warn(f"all rows are brought into one memory: {rows}", UserWarning, stacklevel=4)


def in_words(size: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
