"""Whether a file can be read whole in the memory that is free, asked before it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from unmix.core.memory import free_bytes, in_words
from unmix.io.base.errors import TableError

# Bytes of memory at the peak for each byte of the file; of text measured, of the others what a copy or two takes.
TIMES = {"text": 8.0, "npy": 2.5, "npz": 2.5, "wav": 9.0, "JSON lines": 6.0, "Excel": 30.0}
PACKED = 6.0  # bytes that a byte of a packed text often is
CELL_BYTES, TEXT_BYTES = 16, 64  # of a column in Parquet or Arrow, where the file does not tell the size of its cells


class SupportsRead(Protocol):
    def read(self, size: int, /) -> bytes: ...


def needed_bytes(path: Path, name: str, scan: Any = None) -> float:
    """About how much memory reading a file of this format whole takes."""
    if not path.is_file():
        return 0.0
    if scan is not None and name not in TIMES:
        return _of_columns(scan(path))
    packed = PACKED if path.suffix.lower() == ".gz" else 1.0
    return TIMES.get(name, 2.0) * packed * path.stat().st_size


def _of_columns(frame: Any) -> float:
    import polars as pl

    if not isinstance(frame, pl.LazyFrame):
        return 0.0
    kinds = frame.collect_schema().dtypes()
    cells = sum(CELL_BYTES if kind.is_numeric() or kind.is_temporal() else TEXT_BYTES for kind in kinds)
    return float(cells) * frame.select(pl.len()).collect().item()


def fits(path: Path, name: str) -> bool:
    """Whether a file of this format may be read whole."""
    return needed_bytes(path, name) <= free_bytes()


def refuse_beyond_memory(path: Path, name: str, scan: Any = None) -> None:
    """A sentence now in place of a process that is killed later."""
    need, free = needed_bytes(path, name, scan), free_bytes()
    if need > free:
        raise TableError(
            f"{path.name} has {in_words(path.stat().st_size)}, and reading it whole takes about {in_words(need)} of "
            f"memory, where {in_words(free)} are free; save it as Parquet or npy, which are read in batches, or give "
            "some of its rows."
        )


def all_bytes(path: Path) -> bytes:
    """Of a file whose size was looked at, or of a pipe, which does not tell how much will come."""
    if path.is_file():
        return path.read_bytes()
    with path.open("rb") as pipe:
        return read_bounded(pipe, path.name)


def read_bounded(pipe: SupportsRead, name: str) -> bytes:
    """All that comes from a pipe or out of a packed file, if memory can hold what is made of it."""
    most = int(free_bytes() / TIMES["text"])
    data = pipe.read(most + 1)
    if len(data) > most:
        raise TableError(
            f"{name} holds more than can be read whole in the memory that is free; save it to a file first, as "
            "CSV or Parquet, which are then read in batches."
        )
    return data


def refuse_rows_beyond_memory(data: Any) -> None:
    """The same of all rows of a data set together, by the types of its columns."""
    height, width = data.shape
    texts = len(data.text_columns())
    need, free = float(height) * (CELL_BYTES * (width - texts) + TEXT_BYTES * texts), free_bytes()
    if need > free:
        raise TableError(
            f"{data.name} has {height:,} rows, and reading them whole takes about {in_words(need)} of memory, where "
            f"{in_words(free)} are free; give some of its files or columns (unmix.io.DataSet)."
        )
