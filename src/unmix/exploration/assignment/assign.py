"""New rows get the groups of a table that was explored: `unmix.assign`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import polars as pl

from unmix.core.execution import execution
from unmix.core.random import spawn
from unmix.core.storage.archive import replacing
from unmix.decomposition import PCA
from unmix.exploration.assignment.encoding import Encoding
from unmix.exploration.assignment.familiarity import Familiar, familiar, how_known
from unmix.exploration.assignment.remarks import Seen, check_columns
from unmix.exploration.assignment.storage import read_encoding
from unmix.exploration.columns.imputation import Filling
from unmix.exploration.findings.label_file import label_frame, write_label_file
from unmix.exploration.findings.records import Findings
from unmix.io.base.errors import TableError
from unmix.io.data_set.data_set import DataSet
from unmix.io.given import names_files
from unmix.io.long_table import LongTable, read_rows
from unmix.io.text.cells import table_decimal_comma

_most_at_once = 100_000  # rows; of a longer table batches are read one after the other


@dataclass
class Assignment:
    """Groups of new rows.

    labels : ndarray of shape (n_rows,), group of each row, -1 for a row without any usable value
    names : names of the groups, by label
    confidence : ndarray of shape (n_rows,), between 0 and 1; 0 for a row that lies far from all that were seen
    far : ndarray of shape (n_rows,), whether it does
    notes : what the table has that the explored one did not, or lacks
    """

    source: str
    labels: np.ndarray
    names: list[str]
    confidence: np.ndarray
    far: np.ndarray
    notes: list[str] = field(default_factory=list)
    ids: pl.Series | None = field(default=None, repr=False)
    batches: Callable[[], Iterator[pl.DataFrame]] | None = field(default=None, repr=False)

    def frame(self) -> pl.DataFrame:
        """One line a row: row, its name if there is one, cluster, name of the cluster, confidence, far."""
        return label_frame(self.labels, self.confidence, self.names, self.ids).with_columns(far=pl.Series(self.far))

    def save(self, path: str | Path, with_columns: bool = False) -> Path:
        """Write `frame` as CSV, with the columns of the table beside it on request, whole or not at all."""
        with replacing(path) as file:
            self.write(file, with_columns)
        return Path(path)

    def write(self, file: BinaryIO, with_columns: bool = False) -> None:
        """As `save`, into an open file."""
        write_label_file(self.frame(), file, self.batches if with_columns else None)

    def counts(self) -> list[int]:
        """How many rows each group got."""
        return np.bincount(self.labels[self.labels >= 0], minlength=len(self.names)).tolist()

    def __repr__(self) -> str:
        lines = [f"{self.source}: {len(self.labels):,} rows assigned to {len(self.names)} groups"]
        counted = enumerate(zip(self.names, self.counts()))
        lines += [f"  {g}  {name}: {count:,} row{'s' * (count != 1)}" for g, (name, count) in counted]
        return "\n".join(lines + [f"Note: {note}" for note in self.said()])

    def said(self) -> list[str]:
        """The notes, and how many rows lie far or got no group."""
        return self.notes + rows_said(int(self.far.sum()), int((self.labels < 0).sum()))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{g}</td><td>{escape(name)}</td><td>{count:,}</td></tr>"
            for g, (name, count) in enumerate(zip(self.names, self.counts()))
        )
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.said())
        head = f"<p>{escape(self.source)}: {len(self.labels):,} rows</p>"
        return f"{head}<table><tr><th>cluster</th><th>name</th><th>rows</th></tr>{rows}</table><ul>{notes}</ul>"


def assign(
    explored: Any, table: Any, *, id: str | None = None, out: str | Path | None = None, client: Any = None
) -> Any:
    """Give the rows of a table the groups of one that was explored.

    Columns are matched by name and read, scaled and filled exactly as when the table was explored: the same table again
    gets the same groups.

    Parameters
    ----------
    explored : Findings, or path of a folder that `explore` wrote or of the model.unmix in it
    table : path, "-" for standard input, pandas or polars frame, array, dict of columns
    id : str, optional
        The column that names the rows; that of the explored table if not given.
    out : path of a folder, optional
        For a table in files: labels go to Parquet files of the same names below it, and not into this process.
    client : dask.distributed.Client, optional
        A cluster whose workers read the files and write the labels; it needs `out`.

    Returns
    -------
    Assignment
        `labels`, `names`, `confidence`, `far`, `notes`, `frame()`, `save(path)`; with `out` an `AssignedFiles` of
        `names`, `counts`, `n_far`, `notes`.

    Examples
    --------
    >>> import numpy as np, unmix
    >>> rng = np.random.default_rng(0)
    >>> table = {"height": np.r_[rng.normal(0, 1, 60), rng.normal(9, 1, 40)], "noise": rng.normal(size=100)}
    >>> findings = unmix.explore(table)
    >>> new = unmix.assign(findings, {"height": [0.5, 8.0, 40.0], "noise": [0.0, 1.0, 0.0]})
    >>> new.labels.tolist(), new.far.tolist()
    ([0, 1, 1], [False, False, True])
    """
    if out is not None or client is not None:
        return _to_files(explored, table, id, out, client)
    encoding = encoding_of(explored)
    data = read_rows(table, _most_at_once, spawn(0, 14))
    notes = check_columns(encoding, data.sample.frame.columns)
    encoding = able_to_fill(encoding, data.sample.frame.columns)
    known, seen = familiar(encoding), Seen(encoding)
    decimal_comma = table_decimal_comma(data.sample.frame)
    parts = [place_rows(encoding, known, seen, batch, decimal_comma) for batch in _batches(data)]
    labels, confidence, far = (np.concatenate(part) for part in zip(*parts))
    ids = _ids(data, id, encoding.settings.get("id"))
    return Assignment(
        data.sample.name, labels, encoding.names, confidence, far, notes + list(seen.sentences()), ids, data.batches
    )


def _to_files(explored: Any, table: Any, id: str | None, out: str | Path | None, client: Any) -> Any:
    from unmix.exploration.assignment.in_files import assign_files

    if out is None or not names_files(table) or str(table) == "-":
        raise TableError("out and client are for a table in files: give its path, and a folder for the labels as out.")
    with execution(executor=client):
        return assign_files(explored, DataSet(table), out, id=id)


def encoding_of(explored: Any) -> Encoding:
    """Of findings, or of a folder that they were saved in."""
    if isinstance(explored, Findings):
        if explored.encoding is None:
            raise TableError("These findings do not say how rows were encoded; explore the table again.")
        encoding: Encoding = explored.encoding
        return encoding
    if isinstance(explored, str | Path):
        return read_encoding(explored)
    raise TableError(
        f"A {type(explored).__name__} was given; findings, or the folder they were saved in, was expected."
    )


def rows_said(n_far: int, n_without: int) -> list[str]:
    """How many rows lie far, or got no group, where some do."""
    far = f"{_rows(n_far, 'lies', 'lie')} far from all that were seen: a group there means little."
    without = f"{_rows(n_without, 'has', 'have')} no value in any column that formed the groups, and no group."
    return ([far] if n_far else []) + ([without] if n_without else [])


def _rows(count: int, one: str, many: str) -> str:
    return f"1 row {one}" if count == 1 else f"{count:,} rows {many}"


def place_rows(
    encoding: Encoding, known: Familiar, seen: Seen, batch: pl.DataFrame, decimal_comma: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    values = encoding.values(batch, decimal_comma)
    seen.look_at(values)
    labels = encoding.predict(values)
    confidence, far = how_known(known, encoding, values, labels)
    return labels, np.where(far, 0.0, confidence), far


def _batches(data: LongTable) -> Iterator[pl.DataFrame]:
    """A whole table at once: cells that can be read in two ways follow the others of their column."""
    return iter([data.sample.frame]) if data.is_whole else data.batches()


def able_to_fill(encoding: Encoding, found: list[str]) -> Encoding:
    """A column that is not there is filled from the others, also where the explored table had no gaps to learn from."""
    lacking = any(column.name not in found for column in encoding.columns)
    if not lacking or encoding.filling.pca is not None or len(encoding.columns) == 1:
        return encoding
    X = encoding.standardised(encoding.kept.values)
    rank = max(1, min(X.shape[1] // 2, len(X) - 1, 10))
    return replace(encoding, filling=Filling(PCA(rank, missing="ignore", random_state=0).fit(X)))


def ids_column(found: list[str], given: str | None, usual: str | None) -> str | None:
    """The column that names the rows: the one given, or that of the explored table where it is there too."""
    if given is not None and given not in found:
        raise TableError(f"id: there is no column {given!r} in the table.")
    return given or (usual if usual in found else None)


def _ids(data: LongTable, given: str | None, usual: str | None) -> pl.Series | None:
    name = ids_column(data.sample.frame.columns, given, usual)
    return None if name is None else pl.concat([batch[name] for batch in data.batches()])
