"""The rows of a data set placed in their files: counts now, labels when they are written."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.parts.counting import Counted, PlacedRows, count_rows
from unmix.exploration.parts.recipe import Recipe, Ways, make_recipe
from unmix.exploration.structure.all_rows import make_refits
from unmix.exploration.structure.clustering import Clustering, resamples_of
from unmix.io.data_set.data_set import DataSet
from unmix.io.long_table import LongTable
from unmix.io.text.cells import table_decimal_comma


class PlacesInFiles(NamedTuple):
    """As `Places`; on a cluster without an entry a row: labels are written file by file."""

    recipe: Recipe
    counts: Counted
    labels: np.ndarray
    confidence: np.ndarray
    paths: np.ndarray | None

    def sizes(self, k: int) -> np.ndarray:
        return self.counts.sizes

    def counted(self) -> dict[str, int]:
        if self.recipe.ways is not None:
            return self.counts.ways
        return {str(label): int(size) for label, size in enumerate(self.counts.sizes) if size}


def place_in_files(
    data: LongTable, files: DataSet, prepared: Prepared, clustering: Clustering, seed: int, ways: Ways | None
) -> PlacesInFiles:
    """One pass over all rows."""
    k = clustering.selection.chosen_k
    n_refits = resamples_of(clustering.model, data.height) if k > 1 and not data.is_whole else 0
    refits = make_refits(clustering.seen(prepared.X), clustering, n_refits, seed)
    recipe = make_recipe(prepared, clustering, refits, ways, table_decimal_comma(data.sample.frame), data.rows)
    counts = count_rows(files, recipe, k)
    return PlacesInFiles(recipe, counts, *_joined(counts.placed))


def _joined(placed: list[PlacedRows]) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    if not placed:
        return np.empty(0, int), np.empty(0), None
    labels, confidence, paths = zip(*placed)
    return np.concatenate(labels), np.concatenate(confidence), None if paths[0] is None else np.concatenate(paths)
