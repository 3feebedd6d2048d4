"""One pass over all rows: how many each cluster and each group inside it has."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.parts.recipe import Recipe
from unmix.io.data_set.data_set import DataSet
from unmix.io.data_set.over_files import Run, over_files


class PlacedRows(NamedTuple):
    """Label, confidence and way of some rows; None for what was not asked for."""

    labels: np.ndarray
    confidence: np.ndarray | None
    paths: np.ndarray | None


class Counted(NamedTuple):
    """Rows of each label, of each way down the tree, and where rows are kept their labels."""

    sizes: np.ndarray
    ways: dict[str, int]
    placed: list[PlacedRows]


def count_rows(data: DataSet, recipe: Recipe, k: int) -> Counted:
    """Of all rows; those that were looked at count as what was found for them. Labels stay on a cluster."""
    keep = data.client is None
    parts: list[Counted] = over_files(data, _count, (recipe, k, keep), recipe.found_rows)
    sizes, ways = parts[0].sizes, Counter(parts[0].ways)
    for part in parts[1:]:
        sizes = sizes + part.sizes
        ways.update(part.ways)
    return Counted(sizes, dict(ways), [rows for part in parts for rows in part.placed])


def _count(run: Run, shared: tuple[Recipe, int, bool], share: np.ndarray) -> Counted:
    recipe, k, keep = shared
    kept: list[PlacedRows] = []
    sizes, ways = np.zeros(k, np.int64), Counter[str]()
    for own in range(len(run.files)):
        for first, frame in run.frames(own):
            placed = place(recipe, frame, first, share, sure=keep)
            kept += [placed] if keep else []
            sizes += np.bincount(placed.labels[placed.labels >= 0], minlength=k)
            if placed.paths is not None:
                ways.update(placed.paths[placed.labels >= 0].tolist())
    return Counted(sizes, dict(ways), kept)


def place(recipe: Recipe, frame: pl.DataFrame, first: int, share: np.ndarray, sure: bool = False) -> PlacedRows:
    """Rows of a frame that begins with row ``first``; their confidence, which takes many models, if asked for."""
    X, keep, labels = recipe.labels(frame)
    confidence = recipe.confidence(X, keep, labels) if sure else None
    paths = recipe.paths(X, keep, labels)
    numbers = recipe.found_rows[share]
    inside = share[(numbers >= first) & (numbers < first + frame.height)]
    where = recipe.found_rows[inside] - first
    labels[where] = recipe.found_labels[inside]
    if confidence is not None:
        confidence[where] = recipe.found_confidence[inside]
    if paths is not None and recipe.found_ways is not None:
        paths[where] = recipe.found_ways[inside]
    return PlacedRows(labels, confidence, paths)
