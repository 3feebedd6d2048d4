"""A function of frames over all rows of a long table: of files where these are read, else batch by batch here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl

from unmix.io.data_set.over_files import Run, over_files
from unmix.io.long_table import LongTable

OfFrames = Callable[..., Any]


def over_rows(data: LongTable, f: OfFrames, *shared: Any) -> list[Any]:
    """``f(frames, *shared)`` of consecutive parts, in order; on the workers of a cluster where they read."""
    if data.files is None:
        return [f(data.batches(), *shared)]
    return over_files(data.files, _of_run, (f, shared))


def _of_run(run: Run, given: tuple[OfFrames, tuple[Any, ...]], share: None) -> Any:
    f, shared = given
    frames: Iterable[pl.DataFrame] = (frame for own in range(len(run.files)) for _, frame in run.frames(own))
    return f(frames, *shared)
