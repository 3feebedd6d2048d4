"""A right reader passes; every planted mutant of it is caught, and the sentence says what is wrong."""

import json
import os
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from unmix.checks import check_reader
from unmix.core.sources import ArraySource
from unmix.io import Table, formats
from unmix.io.base.registry import Format


def write(frame, path):
    path.write_text(json.dumps({"names": frame.columns, "rows": frame.rows()}), encoding="utf-8")


def read(path):
    content = json.loads(path.read_text(encoding="utf-8"))
    return pl.DataFrame(content["rows"], schema=content["names"], orient="row", infer_schema_length=None)


class Rows(ArraySource):
    """The format in blocks, read again wherever it is unpickled."""

    def __init__(self, path, dtype=None):
        self.path, frame = path, read(path)
        super().__init__(frame.to_numpy(), dtype)
        self.names = frame.columns

    def __reduce__(self):
        return type(self), (self.path, self.dtype)


def made(read=read, open=Rows):
    return Format("JSON table", (".table",), read, open)


def test_a_right_reader_passes():
    done = ["tables", "again", "anew", "files"]
    assert check_reader(made(open=None), write) == done
    assert check_reader(made(), write) == [*done, "blocks", "precision", "pickle", "threads"]


WRITERS = {
    "text": lambda frame, path: frame.write_csv(path),
    "Parquet": lambda frame, path: frame.write_parquet(path, row_group_size=777),
    "Arrow": lambda frame, path: frame.write_ipc(path),
    "JSON lines": lambda frame, path: frame.write_ndjson(path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_formats_of_the_package_pass(name):
    found = next(found for found in formats() if found.name == name)
    assert check_reader(found, WRITERS[name])[0] == "tables"


def numbered(frame):
    return frame.rename({name: f"column {j}" for j, name in enumerate(frame.columns)})


class Remembers:
    """Keeps what it read, by path."""

    def __init__(self):
        self.kept = {}

    def __call__(self, path):
        if path not in self.kept:
            self.kept[path] = read(path)
        return self.kept[path]


class Mixes:
    """Gives from the second reading on what it read first."""

    first = None

    def __call__(self, path):
        if self.first is None or "one row" not in path.name:
            self.first = read(path) if self.first is None else self.first
            return read(path)
        return self.first


def leaves_a_copy(path):
    path.with_suffix(".copy").write_bytes(path.read_bytes())
    return read(path)


def leaves_a_spool(path):
    tempfile.mkstemp(prefix="unmix-", suffix=".npy")
    return read(path)


def writes_back(path):
    path.write_bytes(path.read_bytes() + b" ")
    return read(path)


def takes_for_a_pattern(path):
    return read(next(iter(path.parent.glob(path.name))))


def ends_elsewhere(path):
    os.chdir(path.parent)
    return read(path)


def stays_open(path):
    HELD.append(path.open("rb"))
    return read(path)


def knows_the_size(path):
    """Takes a file of the same name and size for the one it has read."""
    return SEEN.setdefault((path.name, path.stat().st_size), read(path))


def cell(frame):
    return frame.with_columns(pl.selectors.string().str.strip_chars_start("0"))


HELD, SEEN = [], {}
ROWS = {
    "loses empty rows": (lambda frame: frame.filter(~pl.all_horizontal(pl.all().is_null())), "4 rows were read of 5"),
    "takes equal rows for one": (lambda frame: frame.unique(maintain_order=True), "2 rows were read of 4"),
    "ends at 2**16": (lambda frame: frame[: 2**16], "65536 rows were read of 66000"),
    "takes small numbers for zero": (
        lambda frame: frame.with_columns(pl.selectors.float().map_elements(lambda v: v if abs(v) > 1e-12 else 0.0)),
        "'far apart'",
    ),
    "leading zeros": (cell, "words of column 'who'"),
}


def write_lines(frame, path):
    rows = [json.dumps(row, ensure_ascii=False) for row in (frame.columns, *frame.iter_rows())]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def lines_to_frame(lines):
    names, *rows = (json.loads(line) for line in lines if line)
    return pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


LINES = {
    "needs the end of the last line": (lambda text: text.split("\n")[:-1], "without the end of its last line: 39 rows"),
    "breaks lines within cells": (str.splitlines, "'words'.*raises"),
}


def split_by(split):
    return made(lambda path: lines_to_frame(split(path.read_text(encoding="utf-8"))), None)


def test_a_right_reader_of_lines_passes():
    assert "tables" in check_reader(split_by(lambda text: text.split("\n")), write_lines)


@pytest.mark.parametrize("name", LINES)
def test_wrong_readers_of_lines_are_caught(name):
    broken, sentence = LINES[name]
    with pytest.raises(AssertionError, match=sentence):
        check_reader(split_by(broken), write_lines)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not tell which files are open")
def test_a_file_that_stays_open_is_told():
    with pytest.raises(AssertionError, match=r"left '.*' open"):
        check_reader(made(stays_open, None), write)


READERS = {
    **{name: (lambda path, change=change: change(read(path)), words) for name, (change, words) in ROWS.items()},
    "changes the working folder": (ends_elsewhere, "changed the working folder"),
    "knows files by name and size": (knows_the_size, "row 1, column 1"),
    "loses the first row": (lambda path: read(path)[1:], "39 rows were read of 40"),
    "loses the last row": (lambda path: read(path)[:-1], "39 rows"),
    "loses rows of missing values": (lambda path: read(path).drop_nulls(), "rows were read"),
    "sorts columns": (lambda path: read(path).select(sorted(read(path).columns)), "named"),
    "numbers columns": (lambda path: numbered(read(path)), "named"),
    "turns rows around": (lambda path: read(path)[::-1], "row 1, column 1"),
    "missing is zero": (lambda path: read(path).fill_null(0), "missing values"),
    "zero is missing": (
        lambda path: read(path).with_columns(pl.when(pl.selectors.float() != 0).then(pl.selectors.float())),
        "missing values",
    ),
    "single precision": (lambda path: read(path).with_columns(pl.selectors.float().cast(pl.Float32)), "expected"),
    "two digits": (lambda path: read(path).with_columns(pl.selectors.float().round(2)), "expected"),
    "takes signs away": (lambda path: read(path).with_columns(pl.selectors.float().abs()), "expected"),
    "columns change places": (
        lambda path: pl.DataFrame(dict(zip(read(path).columns, read(path).get_columns()[::-1]))),
        "words|expected|text|not numeric",
    ),
    "small letters": (lambda path: read(path).rename(str.lower), "named"),
    "words cut at a comma": (
        lambda path: read(path).with_columns(pl.selectors.string().str.split(",").list.first()),
        "words",
    ),
    "keeps what it read": (Remembers(), "row 1, column 1"),
    "mixes files up": (Mixes(), "named|rows"),
    "leaves a copy": (leaves_a_copy, "left .*copy"),
    "leaves a spool": (leaves_a_spool, "left 'unmix-"),
    "writes into the file": (writes_back, "changed"),
    "a column of row names": (lambda path: Table(read(path), row_names=read(path).columns[0]), "named"),
}


@pytest.mark.parametrize("name", READERS)
def test_wrong_readers_are_caught(name):
    wrong, sentence = READERS[name]
    with pytest.raises((AssertionError, TypeError), match=sentence):
        check_reader(made(wrong, None), write)


def test_a_name_is_no_pattern():
    with pytest.raises((AssertionError, StopIteration)):
        check_reader(made(takes_for_a_pattern, None), write)


class OneRowTooMany(Rows):
    def read(self, start, stop):
        return super().read(start, stop + 1)


class FromTheTop(Rows):
    def read(self, start, stop):
        return super().read(0, stop - start)


class OnlyDouble(Rows):
    def __init__(self, path, dtype=None):
        super().__init__(path)


class ByColumns(Rows):
    def read(self, start, stop):
        return np.asfortranarray(super().read(start, stop))


class OneShared(Rows):
    """One buffer for all blocks of a size, so that threads write over each other, and a short block keeps old rows."""

    def read(self, start, stop):
        self.buffer = getattr(self, "buffer", np.zeros((20_000, 3)))
        self.buffer[: min(stop - start, 4000)] = super().read(start, stop)[:4000]
        return self.buffer[: stop - start]


class Stays(Rows):
    """Cannot go to a worker."""

    def __reduce__(self):
        raise TypeError("cannot pickle an open file")


class Elsewhere(Rows):
    """Comes back empty-handed from pickling."""

    def __reduce__(self):
        return ArraySource, (np.zeros((20_000, 3)),)


class NoNames(Rows):
    def __init__(self, path, dtype=None):
        super().__init__(path, dtype)
        self.names = ["a", "b", "c"]


class WrongShape(Rows):
    def __init__(self, path, dtype=None):
        super().__init__(path, dtype)
        self.shape = (self.shape[0] + 1, self.shape[1])


SOURCES = [OneRowTooMany, FromTheTop, OnlyDouble, ByColumns, OneShared, Stays, Elsewhere, NoNames, WrongShape]


@pytest.mark.parametrize("wrong", [*SOURCES, lambda path, dtype: None])
def test_wrong_sources_are_caught(wrong):
    with pytest.raises((AssertionError, TypeError), match=r"in blocks|pickle"):
        check_reader(made(open=wrong), write)


WITHOUT_NAMES = [name for name in READERS if name not in ("small letters", "numbers columns")]


@pytest.mark.parametrize("name", WITHOUT_NAMES)
def test_wrong_readers_are_caught_without_names(name):
    with pytest.raises((AssertionError, TypeError)):
        check_reader(made(READERS[name][0], None), write, names=False)


def test_formats_of_numbers_alone_are_told_how_to_be_checked():
    def numbers(frame, path):
        write(frame.cast(pl.Float64), path)

    with pytest.raises(AssertionError, match="'words', which text=False leaves out, raises"):
        check_reader(made(), numbers)
    assert "tables" in check_reader(made(), numbers, text=False)
    with pytest.raises(AssertionError, match="names=False leaves names out"):
        check_reader(made(lambda path: numbered(read(path)), None), write)
    assert "tables" in check_reader(made(lambda path: numbered(read(path)), None), write, names=False)
    with pytest.raises(AssertionError, match=r"is no format; give what unmix\.io\.register returned"):
        check_reader(read, write)
