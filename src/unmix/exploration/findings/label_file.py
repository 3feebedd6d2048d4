"""labels.csv: one line a row of the table, in its order, with its cluster and what that cluster is called.

Cluster, name and confidence stay empty for a row that was left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

import numpy as np
import polars as pl

from unmix.io.text.formula import guard_frame

OURS = {"row", "cluster", "name", "confidence", "far"}


def label_frame(
    labels: np.ndarray, confidence: np.ndarray, names: Sequence[str], ids: pl.Series | None = None,
    paths: np.ndarray | None = None,
) -> pl.DataFrame:  # fmt: skip
    """Row number from 1, name of the row where there is one, cluster, name of the cluster, confidence.

    `paths` are the ways down the tree of groups, a column where there is one.
    """
    frame = pl.DataFrame({"row": np.arange(1, len(labels) + 1), "cluster": labels})
    called = pl.Series("name", list(names), dtype=pl.String)
    placed = labels >= 0
    columns = [called.gather(np.where(placed, labels, 0)), pl.Series("confidence", confidence)]
    frame = frame.with_columns(columns)
    empty = pl.when(pl.Series(placed))
    frame = frame.with_columns(empty.then(pl.col(name)).alias(name) for name in ("cluster", "name", "confidence"))
    if paths is not None:
        frame.insert_column(2, pl.Series("level", [way or None for way in paths], dtype=pl.String))
    if ids is None:
        return frame
    return frame.insert_column(1, ids.rename(ids.name if ids.name not in frame.columns else f"{ids.name} (id)"))


def write_label_file(
    frame: pl.DataFrame, file: BinaryIO, batches: Callable[[], Iterator[pl.DataFrame]] | None = None
) -> None:
    """The frame as CSV; beside it, batch by batch, the columns of the table itself where `batches` gives them."""
    if batches is None:
        guard_frame(frame).write_csv(file, float_precision=4)
        return
    start = 0
    for batch in batches():
        own = frame[start : start + batch.height].with_columns(pl.col(pl.Float64).round(4))
        both = pl.concat([own, beside(batch, set(frame.columns))], how="horizontal")
        guard_frame(both).write_csv(file, include_header=start == 0)
        start += batch.height


def beside(batch: pl.DataFrame, taken: set[str]) -> pl.DataFrame:
    """The columns of the table; one that is called as ours is told apart, and the one that names the rows is there."""
    named = batch.drop([name for name in batch.columns if name in taken - OURS])
    return named.rename({name: f"{name} (input)" for name in named.columns if name in OURS & taken})
