"""Row blocks on a dask cluster: the same leaves, the same tree, the same bits, by plain futures on the user's client.

A task is an aligned subtree of the leaves, so how many leaves go into one changes no result.  Data reach a task as a
reference it can read again, on any worker: a file's path, or the dask collection's own graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from dask import delayed

from unmix.core.blocks import RowResult, Rows, run_leaf, slice_rows, take_rows
from unmix.core.plan import Plan, plan_leaves
from unmix.core.sources import Source, as_block, block_dtype
from unmix.core.threads import one_blas_thread
from unmix.core.tree import FAN_IN, TreeSum

TASKS_PER_THREAD = 3  # enough that a slow worker does not hold up a pass
CACHED_SHARE = 0.5  # a collection up to this share of the cluster's memory is kept there between passes


class DaskSource:
    """A dask array or dataframe, read by computing slices of it."""

    def __init__(self, X: Any, dtype: Any = None) -> None:
        self.names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        if hasattr(X, "to_dask_array"):
            X = X.to_dask_array(lengths=True)
        if X.ndim != 2:
            raise ValueError(f"expected a table (2-D array, rows are objects), got {X.ndim}-D of shape {X.shape}")
        if np.isnan(X.shape[0]):
            X = X.compute_chunk_sizes()
        self.X = X
        self.shape, self.dtype = (int(X.shape[0]), int(X.shape[1])), block_dtype(X.dtype, dtype)

    def read(self, start: int, stop: int) -> np.ndarray:
        return as_block(self.X[start:stop].compute(scheduler="synchronous"), self.dtype)


class PieceSource:
    """On a worker: the rows of one task, already there, addressed by their place in the whole table."""

    names: list[str] | None = None

    def __init__(self, piece: Any, start: int, dtype: np.dtype[Any]) -> None:
        self.piece, self.start, self.dtype, self.shape = piece, start, dtype, piece.shape

    def read(self, start: int, stop: int) -> Any:
        rows = self.piece[start - self.start : stop - self.start]
        return rows if hasattr(rows, "tocsr") else as_block(rows, self.dtype)


class DaskBlocks:
    """Leaves of a source, worked on by the workers of a cluster."""

    def __init__(self, source: Source, client: Any) -> None:
        self.source, self.client = source, client
        self.shape, self.dtype, self.names = source.shape, source.dtype, source.names
        self.plan: Plan = plan_leaves(*source.shape)
        self._leaves_per_task = task_size(self.plan.n_leaves, sum(client.nthreads().values()))
        self._pieces: list[Any] | None = None

    @property
    def n_leaves(self) -> int:
        return self.plan.n_leaves

    def reduce(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> Any:
        total = TreeSum()
        for _, (_, node) in self._run("reduce", f, shared, rows, seed):
            total.push(node)
        return total.total()

    def map(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> np.ndarray:
        out = RowResult(self._task_plan)
        for task, (part, _) in self._run("map", f, shared, rows, seed):
            out.put(task, part)
        return out.array

    def step(self, f: Callable[..., Any], rows: Rows, *shared: Any) -> tuple[np.ndarray, Any]:
        out, total = RowResult(self._task_plan), TreeSum()
        for task, (part, node) in self._run("step", f, shared, rows, None):
            out.put(task, part)
            total.push(node)
        return out.array, total.total()

    def take(self, indices: Any) -> np.ndarray:
        """Only the rows that are asked for leave the workers."""
        wanted = np.asarray(indices, dtype=np.intp)
        tasks = wanted // self._task_plan.rows_per_leaf
        out = np.empty((len(wanted), self.shape[1]), self.dtype)
        for task in np.unique(tasks):
            here = tasks == task
            start, _ = self._task_plan.bounds(int(task))
            (future,) = self._submit(_take, [(self._data()[task], start, self.dtype, wanted[here])])
            out[here] = future.result()
        return out

    def gather(self) -> Any:
        return self.map(_identity)

    @property
    def _task_plan(self) -> Plan:
        return Plan(self.plan.n_rows, self.plan.rows_per_leaf * self._leaves_per_task)

    def _data(self) -> list[Any]:
        """What each task reads from: its rows on the workers, or a source that reads them where it runs."""
        if self._pieces is None:
            if isinstance(self.source, DaskSource):
                self._pieces = self._cut(self.source.X)
            elif hasattr(self.source, "path"):
                self._pieces = [self.source] * self._task_plan.n_leaves
            else:  # in the driver's memory: part of the graph, so that a lost worker's share can be sent again
                parts = [delayed(self.source.read(*bounds), pure=False) for bounds in self._task_plan]
                self._pieces = list(self.client.compute(parts))
        return self._pieces

    def _cut(self, X: Any) -> list[Any]:
        """One piece a task. What fits is kept on the workers; dask makes a lost piece again from its graph."""
        chunks = tuple(stop - start for start, stop in self._task_plan)
        pieces = list(X.rechunk((chunks, (X.shape[1],))).to_delayed().ravel())
        memory = sum(w["memory_limit"] or 0 for w in self.client.scheduler_info(n_workers=-1)["workers"].values())
        return list(self.client.compute(pieces)) if X.nbytes <= CACHED_SHARE * memory else pieces

    def _run(
        self, kind: str, f: Callable[..., Any], shared: tuple[Any, ...], rows: Rows, seed: int | None
    ) -> Iterator[tuple[int, Any]]:
        sealed = Sealed((kind, f, self.dtype, self.plan, shared, seed))
        tasks = []
        for task, data in enumerate(self._data()):
            start, stop = self._task_plan.bounds(task)
            leaves = (task * self._leaves_per_task, -(-stop // self.plan.rows_per_leaf))
            tasks.append((data, sealed, start, leaves, slice_rows(rows, start, stop)))
        futures = self._submit(run_task, tasks)
        for first in range(0, len(futures), FAN_IN):  # a few at a time: all nodes at once might not fit
            yield from enumerate(self.client.gather(futures[first : first + FAN_IN]), first)

    def _submit(self, f: Callable[..., Any], tasks: list[tuple[Any, ...]]) -> list[Any]:
        """Plain futures where the pieces are futures or sources; else one graph that drops a piece after its use."""
        if hasattr(tasks[0][0], "dask"):
            return list(self.client.compute([delayed(f, pure=False)(*task) for task in tasks]))
        return list(self.client.map(f, *zip(*tasks, strict=True), pure=False))


class Sealed:
    """Keeps dask from looking for tasks inside what it only has to carry."""

    def __init__(self, value: Any) -> None:
        self.value = value


def task_size(n_leaves: int, n_threads: int) -> int:
    """Leaves a task: the largest aligned subtree that still leaves every thread a few tasks."""
    size = 1
    while -(-n_leaves // (size * FAN_IN)) >= TASKS_PER_THREAD * n_threads:
        size *= FAN_IN
    return size


def run_task(data: Any, sealed: Sealed, start: int, leaves: tuple[int, int], rows: Rows) -> tuple[Any, Any]:
    """On a worker: every leaf of one subtree, in order. Returns (row-aligned result, node of the sum)."""
    kind, f, dtype, plan, shared, seed = sealed.value
    source: Source = data if hasattr(data, "read") else PieceSource(data, start, dtype)
    parts, total = [], TreeSum()
    with one_blas_thread():
        for leaf in range(*leaves):
            result = run_leaf(f, source, plan, leaf, rows, shared, seed, offset=start)
            part, stats = {"map": (result, None), "reduce": (None, result)}.get(kind) or result
            parts.append(part)
            total.push(stats)
    return (None if kind == "reduce" else np.concatenate(parts)), total.total()


def _take(data: Any, start: int, dtype: np.dtype[Any], wanted: np.ndarray) -> np.ndarray:
    return take_rows(data if hasattr(data, "read") else PieceSource(data, start, dtype), wanted)


def _identity(block: Any, rows: Any) -> Any:
    return block
