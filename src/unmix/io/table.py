"""Anything that holds a table, as a frame of polars: a path, standard input, an array, a pandas or polars frame."""

from __future__ import annotations

import difflib
import io
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.io.encoding import decode
from unmix.io.errors import TableError
from unmix.io.text_table import parse, unique_names

_text = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": None, ".dat": None}
_parquet = {".parquet", ".pq"}
_known = "unmix reads .csv, .tsv, .txt (also .gz), .parquet and .npy"


class Table(NamedTuple):
    """The frame, its name, the size of the file it came from, how it was read, and what the reader should know."""

    frame: pl.DataFrame
    name: str
    bytes: int | None
    how: str
    warnings: list[str]


def read(source: Any) -> Table:
    """Read a table from wherever it is."""
    if isinstance(source, (str, Path)):
        return read_bytes(sys.stdin.buffer.read(), "standard input") if str(source) == "-" else read_path(Path(source))
    if isinstance(source, pl.LazyFrame):
        source = source.collect()
    if isinstance(source, pl.DataFrame):
        return Table(source, "table", None, "a polars frame in memory", [])
    if type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns"):
        return _from_pandas(source)
    if hasattr(source, "toarray"):
        source = source.toarray()
    try:
        if isinstance(source, dict):
            return read(pl.DataFrame(source, strict=False))
        array = np.asarray(source)
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise TableError(f"A {type(source).__name__} cannot be read as a table ({reason}).") from None
    if array.ndim == 0:
        raise TableError(f"A {type(source).__name__} is no table; give a path, a data frame or an array.")
    return from_array(array, "table", None, "an array in memory")


def read_path(path: Path) -> Table:
    """Read a file by its extension."""
    if path.is_dir():
        raise TableError(f"{path} is a directory; give one file: {_known}.")
    if not path.exists():
        raise TableError(f"{path} does not exist{_near_names(path)}")
    suffix = (
        path.suffixes[-2].lower() if path.suffix.lower() == ".gz" and len(path.suffixes) > 1 else path.suffix.lower()
    )
    if path.is_file() and suffix not in _text and suffix not in _parquet and suffix != ".npy":
        given = f"the extension {suffix!r}" if suffix else "no extension"
        raise TableError(f"{path} has {given}; {_known}. A text table may also be piped: unmix explore - < {path.name}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror or error}.") from None
    return read_bytes(data, path.name, suffix)


def read_bytes(data: bytes, name: str, suffix: str = "") -> Table:
    """Read a file's content; what it is shows in its first bytes."""
    if not data.strip():
        raise TableError(f"{name} is empty; a table with a header line and at least two rows was expected.")
    if data.startswith(b"PAR1"):
        return _from_parquet(data, name)
    if data.startswith(b"\x93NUMPY"):
        return _from_npy(data, name)
    if suffix in _parquet:
        raise TableError(f"{name} is not a Parquet file: it does not start with the bytes PAR1.")
    if suffix == ".npy":
        raise TableError(f"{name} is not an npy file: save the array with numpy.save.")
    text = decode(data, name)
    table = parse(text.text, name, _text.get(suffix))
    warnings = ([text.warning] if text.warning else []) + table.warnings
    return Table(table.frame, name, len(data), f"{table.how}, {text.encoding}", warnings)


def _near_names(path: Path) -> str:
    """The files beside it with a similar name, most similar first."""
    try:
        names = [other.name for other in path.parent.iterdir() if other.is_file()]
    except OSError:
        return f" (nor does the directory {path.parent})."
    # by stems: names that share no more than their ending are not alike
    stems = {name: difflib.SequenceMatcher(None, Path(name).stem.lower(), path.stem.lower()).ratio() for name in names}
    near = sorted((name for name in names if stems[name] >= 0.6), key=lambda name: -stems[name])[:3]
    return "; did you mean " + " or ".join(str(path.parent / name) for name in near) + "?" if near else "."


def _from_parquet(data: bytes, name: str) -> Table:
    try:
        frame = pl.read_parquet(io.BytesIO(data), use_pyarrow=False)
    except Exception as error:  # polars raises errors of many kinds on a damaged file
        reason = str(error).splitlines()[0][:120]
        raise TableError(f"{name} starts like a Parquet file but cannot be read ({reason}).") from None
    return Table(frame, name, len(data), "Parquet", [])


def _from_npy(data: bytes, name: str) -> Table:
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except ValueError as error:
        if "Object arrays" in str(error) or "allow_pickle" in str(error):
            raise TableError(
                f"{name} holds Python objects; unpickling a file can run code, so it is refused: "
                "save numbers (array.astype(float)) or a Parquet file."
            ) from None
        raise TableError(f"{name} starts like an npy file but cannot be read ({error}).") from None
    except Exception as error:
        raise TableError(f"{name} starts like an npy file but cannot be read ({error}).") from None
    return from_array(array, name, len(data), "numpy array")


def from_array(array: np.ndarray, name: str, size: int | None, how: str) -> Table:
    """An array of one or two dimensions as a frame with numbered columns."""
    if array.dtype.names:
        return Table(pl.DataFrame({field: array[field] for field in array.dtype.names}), name, size, how, [])
    if array.ndim not in (1, 2):
        raise TableError(
            f"{name} is an array of {array.ndim} dimensions {array.shape}; two were expected: rows, columns."
        )
    if array.dtype.kind == "c":
        raise TableError(
            f"{name} holds complex numbers; real ones were expected: give real and imaginary parts as columns."
        )
    if array.dtype.kind not in "biufUSO":
        raise TableError(f"{name} holds values of type {array.dtype}; numbers or strings were expected.")
    array = array[:, None] if array.ndim == 1 else array
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype(np.float64)  # float16 and long double, which polars does not know
    names = [f"column {j + 1}" for j in range(array.shape[1])]
    columns = {given: _series(given, array[:, j]) for j, given in enumerate(names)}
    return Table(pl.DataFrame(columns), name, size, how, [])


def _from_pandas(source: Any) -> Table:
    warnings: list[str] = []
    names = unique_names([str(given) for given in source.columns], warnings)
    columns = {given: _series(given, source.iloc[:, j]) for j, given in enumerate(names)}
    return Table(pl.DataFrame(columns), "table", None, "a pandas frame in memory", warnings)


def _series(name: str, values: Any) -> pl.Series:
    """A column of an array or a pandas frame; objects that do not agree on a type become their text."""
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OS":
        return pl.Series(name, np.ascontiguousarray(values))
    try:
        if not isinstance(values, np.ndarray):
            return pl.from_pandas(values.reset_index(drop=True), nan_to_null=True).rename(name)
    except Exception:  # mixed objects, which Arrow refuses
        pass
    return pl.Series(
        name, [None if value is None or value != value else _as_text(value) for value in values], strict=False
    )


def _as_text(value: Any) -> str | None:
    if value is None or value is np.ma.masked or (isinstance(value, float) and np.isnan(value)):
        return None
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
