"""Access data from pairs, tables, frames, matrices and files; what is odd in them is reported, nothing is merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.core.canonical import canonical
from unmix.io.base.registry import format_of, reading
from unmix.io.given import as_data_set, is_many
from unmix.io.text.formula import unguard
from unmix.roles.access.access import Access, Name
from unmix.roles.access.from_rows import from_rows, is_blank, plain
from unmix.roles.access.grants import without_duplicates
from unmix.roles.access.groups import is_group_file, read_groups
from unmix.roles.access.joined import join_access
from unmix.roles.access.oddities import Problem, told_apart, unknown, without_attributes


def read(
    source: Any,
    *,
    attributes: Any = None,
    permission_attributes: Any = None,
    kind: str = "auto",
    header: bool | str = "auto",
    users: Sequence[Name] | None = None,
    permissions: Sequence[Name] | None = None,
    prefix: bool = False,
) -> Access:
    """Who has what.

    Parameters
    ----------
    source : path, pairs, mapping, frame or matrix, or a list of paths
        A file of any format of `unmix.io` (CSV, TSV, white space, Parquet, …); a directory as LDIF, or a list of groups
        with lines "group: ann, bob" (.ldif, .group), where groups are the permissions; (user, permission) pairs; a
        mapping of user to permissions; a pandas or polars frame; an array or sparse matrix with a row for each user.
        A folder or a pattern of files is one table; several files of a list, also of different formats, are joined.
    attributes, permission_attributes : path, frame or mapping of name to mapping, optional
        A table whose first column names users (or permissions). A column "description" of permissions is shown where
        they are named.
    kind : {"auto", "pairs", "table"}
        Two columns are pairs, more are a 0/1 table with the users in the first column, unless said otherwise; a list of
        grants with more columns is known by titles like "user" and "permission" and names instead of 0 and 1. Columns
        called "object" and "operation" beside the user make permissions that are pairs.
    header : bool or "auto"
        Whether the first line of a text file holds column names; found from words like "user" and "permission".
    users, permissions : names for the rows and columns of a matrix; by default 0, 1, 2, …
    prefix : bool
        Of several files: whether permissions start with the name of their file, so that equal names stay apart.

    Returns
    -------
    Access
        Its ``problems`` list duplicate pairs, blank cells, names that differ only in case or surrounding spaces, and
        attribute rows without a grant, names with different attributes, and a first line that may be a title.

    Examples
    --------
    >>> access = read([("Ann", "mail"), ("ann", "mail"), ("ann", "mail")])
    >>> [problem.kind for problem in access.problems]
    ['duplicate_pairs', 'alike_users']
    """
    if kind not in ("auto", "pairs", "table"):
        raise ValueError(f'kind is {kind!r}; it must be "auto", "pairs" or "table".')
    if is_several(source):
        parts = [read(one, kind=kind, header=header) for one in source]
        access = join_access(parts, [str(Path(one).name).split(".")[0] for one in source], prefix)
    elif isinstance(source, str | Path) and is_group_file(Path(source)):
        access = read_groups(Path(source))
    elif isinstance(source, Access):
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
        found = grants_in_files(source, kind)
        access = from_rows(*rows_of(source, header), kind, header) if found is None else found
    extra: list[Problem] = []
    for given, target, names, what in (
        (attributes, access.user_attributes, access.user_number, "user"),
        (permission_attributes, access.permission_attributes, access.permission_number, "permission"),
    ):
        if given is None or (isinstance(given, Mapping) and not given):
            continue
        table, contradicted = attribute_table(given)
        used = {name: row for name, row in table.items() if name in names}
        target.update(used)
        extra += unknown([name for name in table if name not in names], len(used), what)
        extra += told_apart(contradicted, what)
        if used and not any(used.values()):
            extra += without_attributes(what)
    access.problems = (*access.problems, *extra)
    return access


def grants_in_files(source: Any, kind: str) -> Access | None:
    """Of a folder, a pattern or a `DataSet` of typed columns with a row for each grant; None for all else."""
    from unmix.io.text.text_file import read_text

    if not is_many(source):
        return None
    data = as_data_set(source)
    if format_of(data.paths[0]).read is read_text and not data.listing.partitions[0]:
        return None  # its first line may be no title
    from unmix.roles.access.from_files import read_grants

    return read_grants(data, kind)


def is_several(source: Any) -> bool:
    """Whether a list of paths was given."""
    return isinstance(source, list | tuple) and bool(source) and all(isinstance(one, str | Path) for one in source)


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
    if is_many(source):
        return rows_of_files(source)
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
    from unmix.io.text.text_file import read_records, read_text

    found = format_of(path)
    if found.read is not read_text:
        return frame_rows(read_path(path).frame)
    with reading(path, found.name):
        return None, [(line, [unguard(cell) for cell in row]) for line, row in read_records(path)]


def rows_of_files(source: Any) -> tuple[list[Any] | None, list[tuple[int, list[Any]]]]:
    """One file below the other; the first line of a text is left out where it is that of the first file again."""
    from unmix.io.read import read_files
    from unmix.io.text.text_file import read_text

    data = as_data_set(source)
    if format_of(data.paths[0]).read is not read_text or data.listing.partitions[0]:
        return frame_rows(read_files(data).frame)
    first, *others = [file_rows(path)[1] for path in data.paths]
    return None, first + [row for rows in others for row in (rows[1:] if rows[0][1] == first[0][1] else rows)]


def frame_rows(frame: Any) -> tuple[list[Any], list[tuple[int, list[Any]]]]:
    """Rows of a pandas or polars frame; an index with names of its own is the column of users."""
    titles = list(frame.columns)
    if hasattr(frame, "iter_rows"):
        return titles, [(k, list(row)) for k, row in enumerate(frame.iter_rows(), 1)]
    if type(frame.index).__name__ != "RangeIndex":
        frame = frame.reset_index()
        titles = list(frame.columns)
    return titles, [(k, list(row)) for k, row in enumerate(frame.itertuples(index=False, name=None), 1)]


def attribute_table(source: Any) -> tuple[dict[Name, dict[str, Any]], list[Name]]:
    """Name to attributes, from a mapping, a frame or a file whose first column holds the names.

    Also the names of which it says different things, of which the last counts.
    """
    if isinstance(source, Mapping):
        return {name: dict(row) for name, row in source.items()}, []
    titles, lines = rows_of(source, True)
    if titles is None:
        titles, lines = (lines[0][1], lines[1:]) if lines else ([], [])
    found: dict[Name, dict[str, Any]] = {}
    contradicted: dict[Name, None] = {}
    for _, row in lines:
        if not is_blank(row[0]):
            name = plain(row[0])
            cells_by_title = {str(title): plain(cell) for title, cell in zip(titles[1:], row[1:])}
            if found.get(name, cells_by_title) != cells_by_title:
                contradicted[name] = None
            found[name] = cells_by_title
    return found, list(contradicted)
