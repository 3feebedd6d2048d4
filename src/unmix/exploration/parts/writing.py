"""Labels as Parquet files, one for each file of the input, in folders of the same names; written where it is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from unmix.core.storage.archive import replacing
from unmix.exploration.findings.label_file import beside, label_frame
from unmix.exploration.parts.counting import PlacedRows, place
from unmix.exploration.parts.recipe import Recipe
from unmix.io.data_set.data_set import DataSet
from unmix.io.data_set.over_files import Run, over_files
from unmix.io.data_set.record import name_of


@dataclass
class Parts:
    """What is left to be done for labels: the rows, how they are placed, what clusters and rows are called."""

    data: DataSet
    recipe: Recipe
    names: list[str]
    id: str | None = None
    placed: PlacedRows | None = None  # what was found already, where no cluster keeps it

    def write(self, folder: Path, with_columns: bool = False) -> list[Path]:
        """Labels of all files below ``folder``, which every worker must see under this path."""
        root = self.data.listing.root.absolute()
        shared = (self, folder.absolute(), root, with_columns)
        return [path for paths in over_files(self.data, _write, shared, self.recipe.found_rows) for path in paths]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"data": None}  # a worker has its files

    def frame(self, frame: pl.DataFrame, first: int, share: np.ndarray, with_columns: bool) -> pl.DataFrame:
        """The lines of labels.csv for some rows."""
        placed = self._of_rows(first, first + frame.height)
        placed = place(self.recipe, frame, first, share, sure=True) if placed is None else placed
        ids = None if self.id is None else frame[self.id]
        labels = label_frame(placed.labels, placed.confidence, self.names, ids, placed.paths)
        labels = labels.with_columns(pl.col("row") + first)
        return pl.concat([labels, beside(frame, set(labels.columns))], how="horizontal") if with_columns else labels

    def _of_rows(self, start: int, stop: int) -> PlacedRows | None:
        if self.placed is None:
            return None
        return PlacedRows(*(None if part is None else part[start:stop] for part in self.placed))


def _write(run: Run, shared: tuple[Parts, Path, Path, bool], share: np.ndarray) -> list[Path]:
    parts, folder, root, with_columns = shared
    paths = []
    for own, file in enumerate(run.files):
        frames = [parts.frame(frame, first, share, with_columns) for first, frame in run.frames(own)]
        if frames:
            paths.append(part_path(folder, file.path, root))
            write_part(pl.concat(frames), paths[-1])
    return paths


def part_path(folder: Path, path: Path, root: Path) -> Path:
    name = Path(name_of(path, root))
    return folder / (name if not name.is_absolute() else Path(name.name)).with_suffix(".parquet")


def write_part(frame: pl.DataFrame, path: Path) -> None:
    """Whole or not at all: a task may be run a second time on another worker."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        frame.write_parquet(file)
