"""Access data from pairs, tables, frames, matrices and files; what is odd in them is reported, nothing is merged."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.core.canonical import canonical
from unmix.io.dialect import missing_words
from unmix.io.formula import unguard
from unmix.io.registry import format_of, reading
from unmix.roles.access.access import Access, Name
from unmix.roles.access.grants import without_duplicates
from unmix.roles.access.oddities import Problem, alike_names, blank_rows, possible_header, repeated, unknown

USER_WORDS = (
    "user", "account", "employee", "person", "subject", "identity", "login",
    "nutzer", "konto", "mitarbeiter", "utilisateur", "compte", "usuario", "utente", "gebruiker",
)  # fmt: skip
PERMISSION_WORDS = (
    "perm", "entitlement", "right", "access", "privilege", "grant", "resource", "group", "role",
    "recht", "zugriff", "rolle", "gruppe", "droit", "accès", "rôle", "acceso", "grupo", "diritt", "toegang",
)  # fmt: skip
YES, NO = {"1", "true", "yes", "x"}, {"0", "false", "no", *missing_words}

BINARY_NUMBER = re.compile(r"^[+]?([01])[.,]0*$")


def read(
    source: Any,
    *,
    attributes: Any = None,
    permission_attributes: Any = None,
    kind: str = "auto",
    header: bool | str = "auto",
    users: Sequence[Name] | None = None,
    permissions: Sequence[Name] | None = None,
) -> Access:
    """Who has what.

    Parameters
    ----------
    source : path, pairs, mapping, frame or matrix
        A file of any format of `unmix.io` (CSV, TSV, white space, Parquet, …); (user, permission) pairs; a mapping of
        user to permissions; a pandas or polars frame; an array or sparse matrix with a row for each user.
    attributes, permission_attributes : path, frame or mapping of name to mapping, optional
        A table whose first column names users (or permissions).
    kind : {"auto", "pairs", "table"}
        Two columns are pairs, more are a 0/1 table with the users in the first column, unless said otherwise; a list of
        grants with more columns is known by titles like "user" and "permission" and names instead of 0 and 1. Columns
        called "object" and "operation" beside the user make permissions that are pairs.
    header : bool or "auto"
        Whether the first line of a text file holds column names; found from words like "user" and "permission".
    users, permissions : names for the rows and columns of a matrix; by default 0, 1, 2, …

    Returns
    -------
    Access
        Its ``problems`` list duplicate pairs, blank cells, names that differ only in case or surrounding spaces, and
        attribute rows without a grant, and a first line that may be a title.

    Examples
    --------
    >>> access = read([("Ann", "mail"), ("ann", "mail"), ("ann", "mail")])
    >>> [problem.kind for problem in access.problems]
    ['duplicate_pairs', 'alike_users']
    """
    if kind not in ("auto", "pairs", "table"):
        raise ValueError(f'kind is {kind!r}; it must be "auto", "pairs" or "table".')
    if isinstance(source, Access):
        access = Access(
            source.users,
            source.permissions,
            source.matrix,
            user_attributes=source.user_attributes,
            permission_attributes=source.permission_attributes,
            problems=source.problems,
        )
    elif sp.issparse(source) or (isinstance(source, np.ndarray) and source.dtype.kind in "bifu"):
        access = from_matrix(source, users, permissions)
    else:
        titles, lines = rows_of(source, header)
        access = from_rows(titles, lines, kind, header)
    extra: list[Problem] = []
    for given, target, names, what in (
        (attributes, access.user_attributes, access.user_number, "user"),
        (permission_attributes, access.permission_attributes, access.permission_number, "permission"),
    ):
        if given is not None:
            table = attribute_table(given)
            target.update({name: row for name, row in table.items() if name in names})
            extra += unknown([name for name in table if name not in names], what)
    access.problems = (*access.problems, *extra)
    return access


def from_matrix(matrix: Any, users: Sequence[Name] | None, permissions: Sequence[Name] | None) -> Access:
    """A matrix of zeros and ones."""
    if len(matrix.shape) != 2:
        raise ValueError(f"The access matrix has {len(matrix.shape)} dimensions; it needs users × permissions.")
    matrix = without_duplicates(matrix)
    sparse: bool = sp.issparse(matrix)
    matrix = canonical(matrix) if sparse else matrix
    values = matrix.data if sparse else matrix
    if not np.isin(values, (0, 1)).all():
        raise ValueError("The access matrix holds values other than 0 and 1; give 1 where a user has a permission.")
    n, m = matrix.shape
    return Access(range(n) if users is None else users, range(m) if permissions is None else permissions, matrix)


def rows_of(source: Any, header: bool | str) -> tuple[list[Any] | None, list[tuple[int, list[Any]]]]:
    """Column titles (None if there are none or it is not known) and numbered rows of cells."""
    if isinstance(source, str | Path):
        return file_rows(Path(source))
    if hasattr(source, "columns"):
        return frame_rows(source)
    if isinstance(source, Mapping):
        source = [(user, permission) for user, held in source.items() for permission in held]
    try:
        return [], [(k, list(row)) for k, row in enumerate(source, 1)]
    except TypeError:
        raise TypeError(
            f"Cannot read access data from {type(source).__name__}; give pairs, a table, a matrix or a path."
        ) from None


def file_rows(path: Path) -> tuple[list[Any] | None, list[tuple[int, list[Any]]]]:
    """Text as it stands, with the apostrophes of the export undone; files with titles of their own by their columns."""
    from unmix.io.read import read_path
    from unmix.io.text_file import read_records, read_text

    found = format_of(path)
    if found.read is not read_text:
        return frame_rows(read_path(path).frame)
    with reading(path, found.name):
        return None, [(line, [unguard(cell) for cell in row]) for line, row in read_records(path)]


def frame_rows(frame: Any) -> tuple[list[Any], list[tuple[int, list[Any]]]]:
    """Rows of a pandas or polars frame; an index with names of its own is the column of users."""
    titles = list(frame.columns)
    if hasattr(frame, "iter_rows"):
        return titles, [(k, list(row)) for k, row in enumerate(frame.iter_rows(), 1)]
    if type(frame.index).__name__ != "RangeIndex":
        frame = frame.reset_index()
        titles = list(frame.columns)
    return titles, [(k, list(row)) for k, row in enumerate(frame.itertuples(index=False, name=None), 1)]


def from_rows(titles: list[Any] | None, lines: list[tuple[int, list[Any]]], kind: str, header: bool | str) -> Access:
    """Pairs or a table, as the number of columns says."""
    guessed = titles is None and header == "auto"
    # as R writes tables: the title of the first column is left out
    short = titles is None and len(lines) > 1 and {len(row) for _, row in lines[1:]} == {len(lines[0][1]) + 1}
    if titles is None and lines and (header is True or (guessed and (short or looks_like_titles(lines[0][1])))):
        titles, lines = [""] * short + lines[0][1], lines[1:]
    if not lines:
        raise ValueError("The access data hold no rows; give at least one user with one permission.")
    width = len(titles) if titles else len(lines[0][1])
    for number, row in lines:
        if len(row) != width:
            raise ValueError(
                f"Row {number} has {len(row)} cells where the first has {width}; every row needs the same."
            )
    if width < 2:
        raise ValueError("The access data have one column; give user and permission, or a table with a row per user.")
    if kind == "auto" and titles and width > 2 and (three := triple_columns(titles)):
        user, object_, operation = three
        return from_pair_rows([(number, [row[user], joined(row[object_], row[operation])]) for number, row in lines])
    if kind == "auto" and titles and width > 2 and (two := pair_columns(titles, lines)):
        return from_two_columns(titles, lines, two)
    if kind == "auto":
        kind = "pairs" if width == 2 else "table"
    if kind == "table":
        return from_table(titles, lines)
    access = from_pair_rows(lines)
    if guessed and titles is None:
        access.problems = (*possible_header(lines), *access.problems)
    return access


def pair_columns(titles: list[Any], lines: list[tuple[int, list[Any]]]) -> tuple[int, int] | None:
    """Where user and permission stand in a list of grants with more columns, by their titles; None if it is a table."""
    words = [str(title).strip().casefold() for title in titles]
    user = next((k for k, word in enumerate(words) if any(part in word for part in USER_WORDS)), None)
    held = next((k for k, word in enumerate(words) if k != user and any(p in word for p in PERMISSION_WORDS)), None)
    if user is None or held is None:
        return None
    marks = {mark_of(row[held]) for _, row in lines}
    return None if marks <= YES | NO else (user, held)


def triple_columns(titles: list[Any]) -> tuple[int, int, int] | None:
    """Where user (or role), object and operation stand in a list of grants whose permissions are pairs."""
    words = [str(title).strip().casefold() for title in titles]
    if "object" not in words or "operation" not in words:
        return None
    two = words.index("object"), words.index("operation")
    named = (*USER_WORDS, "role")
    who = (k for k, word in enumerate(words) if k not in two and any(part in word for part in named))
    first = next(who, None)
    return None if first is None else (first, *two)


def joined(object_: Any, operation: Any) -> Any:
    """A permission that is a pair; blank where a part of it is."""
    return None if is_blank(object_) or is_blank(operation) else (plain(object_), plain(operation))


def from_two_columns(titles: list[Any], lines: list[tuple[int, list[Any]]], two: tuple[int, int]) -> Access:
    """Pairs from two of several columns; the others are told, not used."""
    access = from_pair_rows([(number, [row[two[0]], row[two[1]]]) for number, row in lines])
    rest = [str(title) for k, title in enumerate(titles) if k not in two]
    sentence = (
        f"Read as pairs of {str(titles[two[0]])!r} and {str(titles[two[1]])!r}; not used: {', '.join(rest[:5])}"
        + (f" and {len(rest) - 5} more." if len(rest) > 5 else ".")
    )
    access.problems = (Problem("columns_not_used", len(rest), tuple(rest[:5]), sentence), *access.problems)
    return access


def looks_like_titles(row: list[Any]) -> bool:
    """Whether a first line names columns: a word for users and one for permissions, or for users before many others."""
    words = [str(cell).strip().casefold() for cell in row]
    user = any(word in words[0] for word in USER_WORDS) or words[0] in ("", "id", "name")
    if len(words) == 2:
        return user and any(word in words[1] for word in PERMISSION_WORDS)
    return any(mark_of(word) not in YES | NO for word in words[1:])


def from_pair_rows(lines: list[tuple[int, list[Any]]]) -> Access:
    pairs, empty, again, seen = [], [], [], set()
    for number, row in lines:
        if len(row) != 2:
            raise ValueError(f"Row {number} has {len(row)} cells; pairs have two, the user and the permission.")
        pair = (plain(row[0]), plain(row[1]))
        if is_blank(pair[0]) or is_blank(pair[1]):
            empty.append(number)
        elif pair in seen:
            again.append(pair)
        else:
            seen.add(pair)
            pairs.append(pair)
    if not pairs:
        raise ValueError("Every row of the access data has a blank cell; give at least one user with one permission.")
    access = Access.of_pairs(pairs)
    problems = repeated(again) + blank_rows(empty)
    access.problems = (*problems, *alike_names(access.users, "user"), *alike_names(access.permissions, "permission"))
    return access


def from_table(titles: list[Any] | None, lines: list[tuple[int, list[Any]]]) -> Access:
    """A table of zeros and ones with the users in the first column."""
    width = len(lines[0][1])
    permissions = [plain(title) for title in titles[1:]] if titles else list(range(1, width))
    users, entries, empty = [], [], []
    for number, row in lines:
        if is_blank(row[0]):
            empty.append(number)
            continue
        users.append(plain(row[0]))
        entries.append([yes(cell, number) for cell in row[1:]])
    found = Access(users, permissions, np.array(entries, bool).reshape(len(users), width - 1))
    found.problems = (*blank_rows(empty), *alike_names(users, "user"), *alike_names(permissions, "permission"))
    return found


def yes(cell: Any, number: int) -> bool:
    text = mark_of(cell)
    if text in YES:
        return True
    if text in NO:
        return False
    raise ValueError(
        f"Row {number} holds {cell!r} where a table has 0 or 1; for user-permission pairs give two columns only."
    )


def mark_of(cell: Any) -> str:
    """A cell of a table of yes and no as one word; 1.0 and 1,00 are 1."""
    text = "" if is_blank(cell) else str(cell).strip().casefold()
    return BINARY_NUMBER.sub(r"\1", text)


def plain(cell: Any) -> Any:
    """Numpy scalars as Python values; names otherwise untouched."""
    return cell.item() if isinstance(cell, np.generic) else cell


def is_blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell) or (isinstance(cell, str) and not cell.strip())


def attribute_table(source: Any) -> dict[Name, dict[str, Any]]:
    """Name to attributes, from a mapping, a frame or a file whose first column holds the names."""
    if isinstance(source, Mapping):
        return {name: dict(row) for name, row in source.items()}
    titles, lines = rows_of(source, True)
    if titles is None:
        titles, lines = (lines[0][1], lines[1:]) if lines else ([], [])
    found: dict[Name, dict[str, Any]] = {}
    for _, row in lines:
        if not is_blank(row[0]):
            found[plain(row[0])] = {str(title): plain(cell) for title, cell in zip(titles[1:], row[1:])}
    return found
