"""Whether a file format reads back what was written, whole and in blocks."""

from __future__ import annotations

import gc
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from unmix.checks.evidence import Examined, require
from unmix.io.base.registry import Format
from unmix.io.in_memory.table import as_table
from unmix.io.matrix import as_matrix

Write = Callable[[pl.DataFrame, Path], Any]
N_LONG = 66_000  # rows: more than 2¹⁶, where counters and windows end


def check_reader(
    found: Format, write: Write, *, text: bool = True, missing: bool = True, names: bool = True
) -> list[str]:
    """Write tables with ``write(frame, path)``, read them with a format, and compare every cell.

    Parameters
    ----------
    found : Format
        As `unmix.io.register` returns it.
    write : callable
        ``write(frame, path)`` puts a polars frame into a file of this format.
    text, missing, names : bool
        Whether the format can hold columns of words, missing values, and names of columns.

    Returns
    -------
    list of str
        What was checked. A promise that is not kept raises an AssertionError that says which.

    Examples
    --------
    >>> import unmix.io
    >>> from unmix.checks import check_reader
    >>> parquet = next(found for found in unmix.io.formats() if found.name == "Parquet")
    >>> check_reader(parquet, lambda frame, path: frame.write_parquet(path))
    ['tables', 'again', 'anew', 'files', 'blocks', 'precision', 'pickle', 'threads']
    """
    require(isinstance(found, Format), f"{found!r} is no format; give what unmix.io.register returned")
    with _own_folder() as folder:
        frames = tables(text, missing)
        # in a name with what a search pattern would be made of
        paths = {name: folder / f"{name} [1]*{found.endings[0]}" for name in frames}
        for name, frame in frames.items():
            _write(write, frame, paths[name], name)
        before = _contents(folder)
        with _left_as_it_was(found.name, folder):
            for name, frame in frames.items():
                _check_table(found, paths[name], frame, names)
            _check_again(found, paths, frames, names)
        done = ["tables", "again", "anew", "files"]
        if found.open is not None:
            done += [*_check_blocks(found, paths["many"], frames["many"], names)]
        gc.collect()
        _check_files(before, _contents(folder), found.name)
        _check_anew(found, paths["few"], frames, write, names)
        for name in frames:
            _check_last_line(found, paths[name], frames[name])
    return done


@contextmanager
def _own_folder() -> Iterator[Path]:
    """A folder in which temporary files are made too, so that what is left there was left by this reader."""
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="unmix-check-") as folder:
        try:
            tempfile.tempdir = folder
            yield Path(folder)
        finally:
            tempfile.tempdir = before


@contextmanager
def _left_as_it_was(name: str, folder: Path) -> Iterator[None]:
    """A block after which the working folder is the same and no file of the folder is held open."""
    before = os.getcwd()
    try:
        yield
    finally:
        after = os.getcwd()
        os.chdir(before)
    assert after == before, f"{name}: reading changed the working folder to {after!r}"
    gc.collect()
    held = [path for path in _open_files() if Path(path).is_relative_to(folder.resolve())]
    assert not held, f"{name}: reading left {Path(held[0]).name!r} open; read it within a with statement"


def _open_files() -> list[str]:
    """Paths that this process holds open, where the system tells."""
    handles = Path("/proc/self/fd")
    return [os.readlink(handle) for handle in handles.iterdir() if handle.is_symlink()] if handles.is_dir() else []


def tables(text: bool, missing: bool) -> dict[str, pl.DataFrame]:
    """Small tables in which every slip shows: names out of order, all digits used, rows that are alike or empty."""
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(40, 4)) * 10.0 ** rng.integers(-12, 12, (40, 4)) + 1 / 3
    found = {
        "few": pl.DataFrame(wide, schema=["mass", "b", "Länge", "a"]),
        "one row": pl.DataFrame({"z": [0.1], "a": [-2.5]}),
        "one column": pl.DataFrame({"only": [3.5, -1.0, 2.25]}),
        "alike": pl.DataFrame({"b": [7.5, 7.5, -1.25, 7.5], "a": [0.5, 0.5, 2.0, 0.5]}),
        "far apart": pl.DataFrame({"v": [-2.5e-200, 3.5e200, -1.5e-9, 1e15 + 0.125], "u": [4.0, -1e-300, 0.5, 2e9]}),
        "many": pl.DataFrame(rng.normal(size=(20_000, 3)), schema=["x2", "x1", "x3"]),
        "long": pl.DataFrame({"n": np.arange(N_LONG) / 8}),
    }
    if missing:
        found["gaps"] = pl.DataFrame(
            {
                "p": [None, 0.0, None, 1.5, 2.5],
                "q": [1.25, None, None, 7.5, None],
                "r": [1.0, 2.5, None, 0.5, 9.0],  # nothing is known of the third row
            }
        )
    if text:
        # the last is one cell in two lines to `str.splitlines`, and in one to a file
        words = ["ann", "b, c", 'say "hi"', "größe", "x;y", "o'k", "e-f", "007", "g\u2028h"]
        found["words"] = pl.DataFrame({"who": words, "value": [0.5, -1.5, 2.0, 3.25, 4.0, 5.5, 6.5, -7.0, 8.5]})
    return found


def _write(write: Write, frame: pl.DataFrame, path: Path, name: str) -> None:
    with Examined(f"write(frame, path) of {_described(name)}"):
        write(frame, path)


def _described(name: str) -> str:
    """Which table it is, and how a format that cannot hold it is checked without."""
    left_out = {"words": ", which text=False leaves out,", "gaps": ", which missing=False leaves out,"}.get(name, "")
    return f"the table {name!r}{left_out}"


def _check_table(found: Format, path: Path, frame: pl.DataFrame, named: bool) -> None:
    what = f"{found.name}, {_described(path.name.split(' [')[0])}"
    with Examined(what):
        table = as_table(found.read(path))
    names = [name for name in table.frame.columns if name != table.row_names]
    if not named and len(names) == frame.width:
        frame = frame.rename(dict(zip(frame.columns, names)))
    remedy = "; names=False leaves names out" if named else ""
    assert names == frame.columns, f"{what}: columns are named {names}, expected {frame.columns}{remedy}"
    assert table.frame.height == frame.height, f"{what}: {table.frame.height} rows were read of {frame.height}"
    words = [name for name in names if frame[name].dtype == pl.String]
    for name in words:
        read = table.frame[name].to_list()
        assert read == frame[name].to_list(), f"{what}: words of column {name!r} came back as {read}"
    values = as_matrix(table._replace(frame=table.frame.drop(words))).values
    _same(values, frame.drop(words).to_numpy(), what)


def _same(read: np.ndarray, written: np.ndarray, what: str) -> None:
    gaps = np.isnan(written)
    assert read.shape == written.shape, f"{what}: shape {read.shape}, expected {written.shape}"
    assert np.array_equal(np.isnan(read), gaps), f"{what}: missing values are not where they were written"
    differ = ~((read == written) | gaps)
    if differ.any():
        i, j = np.argwhere(differ)[0]
        raise AssertionError(f"{what}: row {i + 1}, column {j + 1} is {read[i, j]!r}, expected {written[i, j]!r}")


def _check_again(found: Format, paths: dict[str, Path], frames: dict[str, pl.DataFrame], named: bool) -> None:
    """Nothing is carried over from one reading to the next."""
    for name in ("few", "one row", "few"):
        _check_table(found, paths[name], frames[name], named)


def _check_anew(found: Format, path: Path, frames: dict[str, pl.DataFrame], write: Write, named: bool) -> None:
    """A file that was written over is read as it is now, also where its name and its size are the same."""
    for frame in (frames["few"][::-1], frames["one column"]):
        path.unlink()
        write(frame, path)
        _check_table(found, path, frame, named)
    path.unlink()
    write(frames["few"], path)


def _check_last_line(found: Format, path: Path, frame: pl.DataFrame) -> None:
    """Of a text whose last line has no end: the same table, or an error; never one without its last row."""
    content = path.read_bytes()
    if not content.endswith(b"\n") or b"\0" in content:
        return
    path.write_bytes(content.removesuffix(b"\n").removesuffix(b"\r"))
    try:
        rows = as_table(found.read(path)).frame.height
    except Exception:  # refused, in whatever words
        return
    words = f"{found.name}, {_described(path.name.split(' [')[0])}, without the end of its last line"
    require(rows == frame.height, f"{words}: {rows} rows were read of {frame.height}, and nothing was said")


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _check_files(before: dict[str, bytes], after: dict[str, bytes], name: str) -> None:
    gone, left = sorted(before.keys() - after.keys()), sorted(after.keys() - before.keys())
    assert not gone, f"{name}: reading took {gone[0]!r} away"
    assert not left, f"{name}: reading left {left[0]!r} behind"
    changed = [file for file in before if before[file] != after[file]]
    assert not changed, f"{name}: reading changed {changed[0]!r}"


def _check_blocks(found: Format, path: Path, frame: pl.DataFrame, named: bool) -> list[str]:
    written, what = frame.to_numpy(), f"{found.name}, in blocks"
    assert found.open is not None
    source = found.open(path, None)
    assert source is not None, f"{what}: a table of numbers alone was not opened"
    assert tuple(source.shape) == written.shape, f"{what}: shape {source.shape}, expected {written.shape}"
    right = not named or source.names in (None, frame.columns)
    assert right, f"{what}: names {source.names}, expected {frame.columns}"
    ranges = [(0, 1), (0, len(written)), (4095, 4097), (17_000, 20_000), (5, 5000), (0, 1), (19_999, 20_000)]
    for start, stop in ranges:
        _check_block(source, written, start, stop, what)
    single = found.open(path, np.float32)
    assert single.dtype == np.float32, f"{what}: asked for float32, the source says {single.dtype}"
    _check_block(single, written.astype(np.float32), 10, 300, f"{what}, single precision")
    there = pickle.loads(pickle.dumps(source))
    _check_block(there, written, 10, 300, f"{what}, after pickling")
    with ThreadPoolExecutor(4) as pool:
        threads = pool.map(
            lambda rows: _check_block(source, written, rows[0], rows[1], f"{what}, in threads"), ranges * 4
        )
        assert len(list(threads)) == 4 * len(ranges)
    return ["blocks", "precision", "pickle", "threads"]


def _check_block(source: Any, written: np.ndarray, start: int, stop: int, what: str) -> None:
    block = source.read(start, stop)
    block = block.toarray() if hasattr(block, "tocsr") else block
    assert block.dtype == written.dtype, f"{what}: a block has {block.dtype}, expected {written.dtype}"
    assert block.flags.carray, f"{what}: a block is not in C order, aligned and writeable"
    _same(block, written[start:stop], f"{what}, rows {start} to {stop}")
