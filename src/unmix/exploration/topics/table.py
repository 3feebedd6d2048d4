"""A table with the topics of its texts as further columns, in the rows looked at and in all batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from unmix.exploration.columns.control import Control, nearest
from unmix.exploration.topics.model import Topics, fit_topics
from unmix.io.base.errors import TableError
from unmix.io.long_table import LongTable


def with_topics(data: LongTable, columns: tuple[str, ...], control: Control, seed: int) -> tuple[LongTable, Control]:
    """Shares of topics describe clusters; they form them where the column of texts is among those to use."""
    frame, found = data.sample.frame, []
    for name in columns:
        if name not in frame.columns:
            raise TableError(f"topics: there is no column {name!r}{nearest(name, frame.columns)}")
        found.append(fit_topics(frame[name], seed, frame.columns))
    sample = data.sample._replace(frame=_widened(frame, found))

    def batches() -> Iterator[pl.DataFrame]:
        return (_widened(batch, found) for batch in data.batches())

    return data._replace(sample=sample, batches=batches, files=None), _told(control, found)


def _widened(frame: pl.DataFrame, found: list[Topics]) -> pl.DataFrame:
    return pl.concat([frame, *(topics.shares(frame[topics.column]) for topics in found)], how="horizontal")


def _told(control: Control, found: list[Topics]) -> Control:
    """What is said of a column of texts holds for its topics."""
    forming = [name for topics in found if topics.column in control.use for name in topics.names]
    others = [name for topics in found if topics.column not in control.use for name in topics.names]
    texts = [topics.column for topics in found]
    changed: dict[str, Any] = {
        "use": (*(name for name in control.use if name not in texts), *forming),
        "describe": (*control.describe, *others),
        "types": {**control.types, **dict.fromkeys(forming + others, "numeric")},
    }
    return Control(**{**vars(control), **changed})
