"""Every row of a table on the map of its run, as bytes that a page draws: how many, x, y, row, cluster.

uint32 n, float32 x (n), float32 y (n), uint32 row from 1 (n), int16 cluster (n); little end first, cluster -1 of rows
without one; rows that were left out are not there.
The plane is that of the map in the findings: the first two principal components of the rows that were looked at.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from unmix.core.random import spawn
from unmix.io.text.cells import table_decimal_comma

MOST_POINTS = 2_000_000  # drawn at random of longer tables


def write_points(question: Any, folder: Path, to: Path) -> int:
    """How many points there are."""
    x, y = on_the_plane(question)
    labels = pl.read_csv(folder / "labels.csv", columns=["cluster"])["cluster"].fill_null(-1).to_numpy()
    shown = np.flatnonzero(np.isfinite(x))
    if len(shown) > MOST_POINTS:
        shown = np.sort(spawn(question.seed, 8).choice(shown, MOST_POINTS, replace=False))
    to.parent.mkdir(exist_ok=True)
    scratch = to.with_name(f"{to.name}.part")
    numbers = [x[shown].astype("<f4"), y[shown].astype("<f4"), (shown + 1).astype("<u4"), labels[shown].astype("<i2")]
    scratch.write_bytes(b"".join(part.tobytes() for part in (np.array([len(shown)], "<u4"), *numbers)))
    scratch.replace(to)
    return len(shown)


def on_the_plane(question: Any) -> tuple[np.ndarray, np.ndarray]:
    """Both coordinates of every row of the table, NaN where it was left out."""
    from unmix.exploration.structure.evaluation_set import look_at_rows
    from unmix.exploration.structure.spectrum import principal_components

    data, prepared, seed = question.data, question.prepared, question.seed
    looked_at = look_at_rows(prepared, seed)
    found = principal_components(
        prepared.X, prepared.owner, prepared.features, seed, prepared.holes, looked_at.ordered, looked_at.apart
    )
    places = np.full((data.height, 2), np.nan)
    if not data.is_whole:
        _place_others(data, prepared, found, places)
    places[data.rows] = np.nan
    m = min(2, found.scores.shape[1])
    places[prepared.rows - 1, :m] = found.scores[:, :m]
    if m == 1:
        places[:, 1] = spawn(seed, 7).uniform(-1, 1, data.height)  # spread at random, to keep points apart
    return places[:, 0], places[:, 1]


def _place_others(data: Any, prepared: Any, found: Any, places: np.ndarray) -> None:
    decimal_comma, start, axes = table_decimal_comma(data.sample.frame), 0, found.directions[:2]
    for batch in data.batches():
        X, keep = prepared.encode_more(batch, decimal_comma)
        places[start + np.flatnonzero(keep), : len(axes)] = (X[keep] - found.mean) @ axes.T
        start += batch.height
