"""Odd and mutated files to every reader: a table, the same by both ways of reading, or one sentence."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.faults.odd_tables import binaries, corpus, hostile_arrays
from tests.faults.part import Case, is_sentence, short_of
from unmix.io import TableError, as_matrix, open_source, read_table

TOKENS = (b'"', b"\x00", b",", b";", b"\t", b"\r", b"\n\n", b"\xef\xbb\xbf", b"\xff", b"1e999", b"#", b"NA", b"'", b"{")


def problem_of(path: Path) -> str | None:
    """What is wrong with how a file is taken; None if nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found: list[Any] = []
        for read in (_whole, _in_blocks):
            try:
                found.append(read(path))
            except Exception as error:
                if not isinstance(error, TableError) and "is not numeric" not in str(error):
                    return short_of(error)
                if not is_sentence(str(error)):
                    return f"not a sentence: {short_of(error)}"
                found.append(None)
    whole, blocks = found
    if whole is not None and blocks is not None and not np.array_equal(whole, blocks, equal_nan=True):
        return "read whole and in blocks it holds different numbers"
    return None


def _whole(path: Path) -> Any:
    table = read_table(path)
    return np.asarray(as_matrix(table).values, np.float64)


def _in_blocks(path: Path) -> Any:
    source = open_source(path)
    rows = source.read(0, source.shape[0])
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, np.float64)


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """A few spans cut out, doubled or changed, a few tokens put in."""
    out = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        place = int(rng.integers(0, len(out) + 1))
        span = int(rng.integers(1, 12))
        how = int(rng.integers(4))
        if how == 0:
            del out[place : place + span]
        elif how == 1:
            out[place:place] = out[place : place + span]
        elif how == 2:
            out[place:place] = TOKENS[int(rng.integers(len(TOKENS)))]
        elif place < len(out):
            out[place] = int(rng.integers(256))
    return bytes(out)


def readers(folder: Path, short: bool) -> Iterator[Case]:
    """The corpus as it is, then mutations of it."""
    files, headers = list(corpus()), list(hostile_arrays())
    for case, name, data in files[::9] + headers if short else files:
        yield f"reading {case}", tried(folder, name, data)
    rng = np.random.default_rng(0)
    for number in range(60 if short else 3000):
        case, name, data = files[int(rng.integers(len(files)))]
        yield f"reading mutation {number} of {case}", tried(folder, name, mutated(data[:4000], rng))
    whole = list(binaries().items())
    for number in range(40 if short else 2000):
        name, data = whole[number % len(whole)]
        yield f"reading {name} with bytes changed, {number}", tried(folder, name, flipped(data, rng))


def flipped(data: bytes, rng: np.random.Generator) -> bytes:
    """A few bytes changed, half of them near the end, where files of columns say what they hold."""
    out = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        back = int(rng.integers(1, len(out) + 1)) if rng.random() < 0.5 else int(rng.integers(1, min(400, len(out))))
        out[-back] = int(rng.choice([0, 255, 127, 128, int(rng.integers(256)), out[-back] ^ 1]))
    return bytes(out)


def tried(folder: Path, name: str, data: bytes) -> str | None:
    path = folder / name
    path.write_bytes(data)
    problem = problem_of(path)
    path.unlink()
    return problem
