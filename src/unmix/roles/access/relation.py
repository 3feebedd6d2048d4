"""A relation between names, such as users and roles, from pairs, mappings, matrices, frames and files, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.io.in_memory.masked import unmasked
from unmix.roles.access.access import Access, Name
from unmix.roles.access.folder import write_rows
from unmix.roles.access.from_rows import is_blank, joined, plain
from unmix.roles.access.permission import is_pair, unknown_name
from unmix.roles.access.read import file_rows, read

Kinds = tuple[str, str]


class Relation(NamedTuple):
    """Names of rows and columns, also of those without a pair, and the pairs."""

    rows: list[Name]
    columns: list[Name]
    pairs: list[tuple[Name, Name]]


def read_relation(source: Any, rows: Sequence[Name] | None, columns: Sequence[Name] | None, kinds: Kinds) -> Relation:
    """A relation from whatever is given; ``rows`` and ``columns`` name those of matrices, and all that there may be."""
    found = any_form(source, rows, columns, kinds)
    names = all_names(found.rows, rows, kinds[0]), all_names(found.columns, columns, kinds[1])
    return Relation(*names, list(dict.fromkeys(found.pairs)))


def any_form(source: Any, rows: Sequence[Name] | None, columns: Sequence[Name] | None, kinds: Kinds) -> Relation:
    if isinstance(source, Mapping):
        return from_mapping(source)
    if is_matrix(source):
        return from_matrix(source, rows, columns)
    if isinstance(source, str | Path):
        return from_file(Path(source), kinds)
    if isinstance(source, Sequence) and not len(source):
        return Relation([], [], [])
    return of_access(source if isinstance(source, Access) else read(source))


def all_names(found: list[Name], given: Sequence[Name] | None, kind: str) -> list[Name]:
    """The names given, among which all that were found have to be; without any, those found."""
    if given is None:
        return list(dict.fromkeys(found))
    names = dict.fromkeys(given)
    if len(names) < len(given):
        raise ValueError(f"Two {kind}s have one name; every {kind} needs a name of its own.")
    for name in found:
        if name not in names:
            raise ValueError(unknown_name(kind, name, names))
    return list(names)


def from_mapping(source: Mapping[Any, Any]) -> Relation:
    pairs = [(row, column) for row, held in source.items() for column in ([held] if isinstance(held, str) else held)]
    return Relation(list(source), [column for _, column in pairs], pairs)


def is_matrix(source: Any) -> bool:
    """Whether there are only rows and columns: numbers in an array, sparse matrix or pandas frame, lists of 0 and 1."""
    if sp.issparse(source):
        return True
    if hasattr(source, "iloc"):
        return all(dtype.kind in "bifu" for dtype in source.dtypes)
    if isinstance(source, list):
        return bool(source) and all(isinstance(line, list) and all(cell in (0, 1) for cell in line) for line in source)
    return isinstance(source, np.ndarray) and source.dtype.kind in "bifu"


def from_matrix(source: Any, rows: Sequence[Name] | None, columns: Sequence[Name] | None) -> Relation:
    if hasattr(source, "iloc"):
        rows, columns, source = list(source.index), list(source.columns), source.to_numpy()
    matrix = source if sp.issparse(source) else np.asarray(unmasked(source))
    return of_access(read(matrix, users=rows, permissions=columns))


def of_access(access: Access) -> Relation:
    return Relation(access.users, access.permissions, access.pairs())


def from_file(path: Path, kinds: Kinds) -> Relation:
    """Two columns, or three where the second name is (object, operation); a blank cell is a name without a pair."""
    found = Relation([], [], [])
    titles, numbered = file_rows(path)
    if titles is not None:
        return of_access(read(path))
    lines = [line for _, line in numbered]
    if lines and str(lines[0][0]).strip().casefold() == kinds[0]:
        lines = lines[1:]
    for line in lines:
        if len(line) not in (2, 3):
            raise ValueError(f"{str(path)!r} has a line of {len(line)} cells; give {kinds[0]} and {kinds[1]}.")
        name, other = line[0], line[1] if len(line) == 2 else joined(line[1], line[2])
        if not is_blank(name):
            found.rows.append(plain(name))
        if not is_blank(other):
            found.columns.append(plain(other))
        if not is_blank(name) and not is_blank(other):
            found.pairs.append((plain(name), plain(other)))
    return found


def write_relation(found: Relation, path: Path, kinds: Kinds) -> None:
    """Pairs as CSV, and with a blank cell what has none; pairs (object, operation) get a column each."""
    wide = bool(found.columns) and all(is_pair(name) for name in found.columns)
    blank = ("", "") if wide else ("",)
    used = {name for name, _ in found.pairs}, {name for _, name in found.pairs}
    split = (lambda name: tuple(name)) if wide else (lambda name: (name,))
    lines = [(row, *split(column)) for row, column in found.pairs]
    lines += [(row, *blank) for row in found.rows if row not in used[0]]
    lines += [("", *split(column)) for column in found.columns if column not in used[1]]
    write_rows(path, (kinds[0], *(("object", "operation") if wide else kinds[1:])), lines)
