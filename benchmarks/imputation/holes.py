"""Cells taken out of a table at random, never a whole row or column; and how wrong what was put in their place is."""

from typing import NamedTuple

import numpy as np

from unmix.io.mixed import Encoding

KEPT = 5  # cells that every column keeps


class Removed(NamedTuple):
    """The array with holes, and where cells were removed that are known."""

    array: np.ndarray
    cells: np.ndarray


def remove(full: np.ndarray, share: float, seed: int) -> Removed:
    """The share of the known cells, at random; a row that would lose all keeps one."""
    random = np.random.default_rng(seed)
    known = ~np.isnan(full)
    order = random.random(full.shape)
    cells = known & (order < share)
    emptied = known.any(axis=1) & ~(known & ~cells).any(axis=1)
    cells[emptied, np.where(known[emptied], order[emptied], -1.0).argmax(axis=1)] = False
    for j in np.flatnonzero((known & ~cells).sum(axis=0) < KEPT):
        cells[np.argsort(np.where(known[:, j], -order[:, j], 1.0))[:KEPT], j] = False
    return Removed(np.where(cells, np.nan, full), cells)


def errors(encoding: Encoding, full: np.ndarray, filled: np.ndarray, cells: np.ndarray) -> dict[str, float]:
    """By kind of column, means over columns: numbers in standard deviations, levels by the share that is wrong.

    Ordered levels also by their distance, in levels.
    """
    found: dict[str, list[float]] = {}
    for j, column in enumerate(encoding.columns):
        true, said = full[cells[:, j], j], filled[cells[:, j], j]
        if not len(true):
            continue
        if not column.has_levels:
            wrong = np.sqrt(np.mean((true - said) ** 2)) / np.nanstd(full[:, j])
            found.setdefault("number", []).append(wrong)
            continue
        found.setdefault(column.kind, []).append(np.mean(true != np.rint(said)))
        if column.kind == "ordered":
            found.setdefault("distance", []).append(np.mean(np.abs(true - np.rint(said))))
    return {kind: float(np.mean(values)) for kind, values in found.items()}
