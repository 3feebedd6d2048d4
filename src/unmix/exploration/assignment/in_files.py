"""New rows in many files get their groups where they are read: labels as Parquet files, counts for the reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.assignment.assign import able_to_fill, encoding_of, ids_column, place_rows, rows_said
from unmix.exploration.assignment.encoding import Encoding
from unmix.exploration.assignment.familiarity import Familiar, familiar
from unmix.exploration.assignment.remarks import Seen, check_columns
from unmix.exploration.findings.label_file import beside, label_frame
from unmix.exploration.parts.writing import part_path, write_part
from unmix.io.data_set.data_set import DataSet
from unmix.io.data_set.over_files import Run, over_files
from unmix.io.text.cells import table_decimal_comma


@dataclass
class AssignedFiles:
    """Groups of new rows, written to files: how many rows each group got, and what is odd."""

    source: str
    folder: Path
    names: list[str]
    counts: list[int]
    n_far: int
    n_without: int
    notes: list[str] = field(default_factory=list)

    def said(self) -> list[str]:
        return self.notes + rows_said(self.n_far, self.n_without)

    def __repr__(self) -> str:
        n = sum(self.counts) + self.n_without
        lines = [f"{self.source}: {n:,} rows assigned to {len(self.names)} groups"]
        counted = enumerate(zip(self.names, self.counts))
        lines += [f"  {g}  {name}: {count:,} row{'s' * (count != 1)}" for g, (name, count) in counted]
        return "\n".join(lines + [f"Note: {note}" for note in self.said()])


class _Task(NamedTuple):
    """What every worker needs."""

    encoding: Encoding
    known: Familiar
    decimal_comma: bool
    id: str | None
    folder: Path
    root: Path
    with_columns: bool


class _Done(NamedTuple):
    counts: np.ndarray
    n_far: int
    n_without: int
    seen: Seen


def assign_files(
    explored: Any, table: DataSet, folder: str | Path, *, id: str | None = None, with_columns: bool = False
) -> AssignedFiles:
    """As `assign`, of rows that are in files; labels go to Parquet files of the same names below ``folder``."""
    encoding = encoding_of(explored)
    first = next(table.batches())
    notes = check_columns(encoding, first.columns)
    encoding = able_to_fill(encoding, first.columns)
    named = ids_column(first.columns, id, encoding.settings.get("id"))
    folder, root = Path(folder).absolute(), table.listing.root.absolute()
    task = _Task(encoding, familiar(encoding), table_decimal_comma(first), named, folder, root, with_columns)
    parts: list[_Done] = over_files(table, _assign, task)
    seen = parts[0].seen
    for part in parts[1:]:
        seen.add(part.seen)
    counts = np.sum([part.counts for part in parts], axis=0).tolist()
    n_far, n_without = sum(part.n_far for part in parts), sum(part.n_without for part in parts)
    return AssignedFiles(table.name, folder, encoding.names, counts, n_far, n_without, notes + list(seen.sentences()))


def _assign(run: Run, task: _Task, share: None) -> _Done:
    seen, counts, n_far, n_without = Seen(task.encoding), np.zeros(len(task.encoding.names), np.int64), 0, 0
    for own, file in enumerate(run.files):
        frames = []
        for first, frame in run.frames(own):
            labels, confidence, far = place_rows(task.encoding, task.known, seen, frame, task.decimal_comma)
            counts += np.bincount(labels[labels >= 0], minlength=len(counts))
            n_far, n_without = n_far + int(far.sum()), n_without + int((labels < 0).sum())
            frames.append(_lines(task, frame, first, labels, confidence, far))
        if frames:
            write_part(pl.concat(frames), part_path(task.folder, file.path, task.root))
    return _Done(counts, n_far, n_without, seen)


def _lines(
    task: _Task, frame: pl.DataFrame, first: int, labels: np.ndarray, confidence: np.ndarray, far: np.ndarray
) -> pl.DataFrame:
    ids = None if task.id is None else frame[task.id]
    lines = label_frame(labels, confidence, task.encoding.names, ids)
    lines = lines.with_columns(pl.col("row") + first, far=pl.Series(far))
    return pl.concat([lines, beside(frame, set(lines.columns))], how="horizontal") if task.with_columns else lines
