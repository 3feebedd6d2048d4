"""A function of one frame after another over all files, on the workers of a cluster or on threads here.

Which files go together into a task depends on their rows alone, so that sums of what tasks return have the same bits
on any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.core.execution import execution
from unmix.core.threads import one_blas_thread
from unmix.io.data_set.data_set import FRAME_ROWS, DataSet
from unmix.io.data_set.facts import Facts, Weight, in_parallel
from unmix.io.data_set.frames import frame_of
from unmix.io.data_set.partition import PartitionColumn

TASK_ROWS = 2**18


class Run(NamedTuple):
    """Consecutive files: what a task reads. ``place`` is the number of the first, ``start`` its first row."""

    files: list[Facts]
    partitions: list[PartitionColumn]
    names: list[str]
    place: int
    start: int

    def frames(self, own: int) -> Iterator[tuple[int, pl.DataFrame]]:
        """The rows of one of its files, each frame with the number of its first row in the table."""
        file = self.files[own]
        first = self.start + sum(other.n_rows for other in self.files[:own])
        for start in range(0, file.n_rows, FRAME_ROWS):
            stop = min(start + FRAME_ROWS, file.n_rows)
            yield first + start, frame_of(file, own, self.names, self.partitions, start, stop)


def over_files(
    data: DataSet, f: Callable[..., Any], shared: Any, rows: np.ndarray | None = None, weight: Weight | None = None
) -> list[Any]:
    """``f(run, shared, its share of rows)`` for every task, in order; ``rows`` are numbers of rows, rising."""
    runs = make_runs(data)
    shares = [None if rows is None else _within(rows, run) for run in runs]
    calls = [(f, run, share) for run, share in zip(runs, shares)]
    return in_parallel(_work, calls, data.client, shared, weight=weight)


def make_runs(data: DataSet) -> list[Run]:
    runs: list[Run] = []
    first, start, height = 0, 0, 0
    for place, file in enumerate(data.files):
        if height and height + file.n_rows > TASK_ROWS:
            runs.append(_run(data, first, place, start))
            first, start, height = place, start + height, 0
        height += file.n_rows
    return [*runs, _run(data, first, len(data.files), start)]


def _run(data: DataSet, first: int, stop: int, start: int) -> Run:
    partitions = [column._replace(values=column.values[first:stop]) for column in data.partitions]
    return Run(data.files[first:stop], partitions, data.columns, first, start)


def _within(rows: np.ndarray, run: Run) -> np.ndarray:
    """Places of the numbers that lie in a run."""
    stop = run.start + sum(file.n_rows for file in run.files)
    return np.arange(*np.searchsorted(rows, [run.start, stop]))


def _work(f: Callable[..., Any], run: Run, share: np.ndarray | None, shared: Any) -> Any:
    with execution(threads=1), one_blas_thread():
        return f(run, shared, share)
