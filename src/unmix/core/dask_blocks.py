"""Row blocks on a dask cluster: the same leaves, the same tree, the same bits, by plain futures on the user's client.

A task is a run of aligned subtrees of the leaves, so how many leaves go into one changes no result.  Data reach a
task as a reference it can read again, on any worker: a file's path, or the dask collection's own graph.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

import numpy as np
from dask import delayed

from unmix.core.blocks import RowResult
from unmix.core.canonical import canonical
from unmix.core.memory import ask_for_room
from unmix.core.plan import Plan, plan_leaves
from unmix.core.selected import select_rows
from unmix.core.sources import Source, as_rows, block_dtype, joined
from unmix.core.subtree import Pass, identity, nodes_of, rows_of, run_subtrees, take_wanted
from unmix.core.summation.tree import FAN_IN, TreeSum
from unmix.core.warning_filters import without_warnings
from unmix.core.worker_versions import check_versions

TASKS_PER_THREAD = 3  # enough that a slow worker does not hold up a pass
NODES_AT_ONCE = 32  # nodes that come to the driver together: all at once might not fit
CACHED_SHARE = 0.5  # a collection up to this share of the cluster's memory is kept there between passes


class DaskSource:
    """A dask array, of arrays or of sparse matrices, or a dataframe, read by computing slices of it."""

    def __init__(self, X: Any, dtype: Any = None, *, zeros: bool = False) -> None:
        self.names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        if hasattr(X, "to_dask_array"):
            X = X.to_dask_array(lengths=True)
        if X.ndim != 2:
            raise ValueError(f"expected a table (2-D array, rows are objects), got {X.ndim}-D of shape {X.shape}")
        if np.isnan(X.shape[0]):
            X = X.compute_chunk_sizes()
        self.sparse = hasattr(X._meta, "tocsr")
        self.X = canonical_chunks(X, zeros) if self.sparse else X
        self.shape, self.dtype = (int(X.shape[0]), int(X.shape[1])), block_dtype(X.dtype, dtype)

    def read(self, start: int, stop: int) -> Any:
        return as_rows(self.X[start:stop].compute(scheduler="synchronous"), self.dtype)

    def select(self, chosen: np.ndarray) -> DaskSource:
        """The chosen rows alone."""
        source = copy(self)
        source.X, source.shape = self.X[chosen], (len(chosen), self.shape[1])
        return source


def canonical_chunks(X: Any, zeros: bool) -> Any:
    """Chunks of whole rows in canonical form, which slices of rows and rows joined keep."""
    whole = X.rechunk({1: -1})
    return whole.map_blocks(canonical, zeros=zeros, dtype=X.dtype, meta=canonical(X._meta))


class RemoteRows:
    """Row-aligned results that stay on the workers; a lost part is made again by dask from what it came from."""

    def __init__(self, client: Any, futures: list[Any]) -> None:
        self.client, self.futures = client, futures

    def gather(self) -> np.ndarray:
        with told_of_loss():
            return np.concatenate(self.client.gather(self.client.map(rows_of, self.futures, pure=False)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.gather(), dtype)


class DaskBlocks:
    """Leaves of a source, worked on by the workers of a cluster."""

    def __init__(self, source: Source, client: Any) -> None:
        check_versions(client)
        self.source, self.client = source, client
        self.shape, self.dtype = source.shape, source.dtype
        self.names, self.sparse = source.names, source.sparse
        self.plan: Plan = plan_leaves(*source.shape)
        self._leaves_per_node, self._leaves_per_task = task_size(self.plan.n_leaves, sum(client.nthreads().values()))
        self._pieces: list[Any] | None = None
        self._sent: list[tuple[Any, list[Any]]] = []

    @property
    def n_leaves(self) -> int:
        return self.plan.n_leaves

    def reduce(self, f: Callable[..., Any], *shared: Any, rows: Any = None, seed: int | None = None) -> Any:
        total = TreeSum()
        for result in self._stream(self._run("reduce", f, shared, rows, seed)):
            push_all(total, result.nodes)
        return total.total()

    def map(self, f: Callable[..., Any], *shared: Any, rows: Any = None, seed: int | None = None) -> np.ndarray:
        out = RowResult(self._task_plan)
        for task, result in enumerate(self._stream(self._run("map", f, shared, rows, seed))):
            out.put(task, result.rows)
        return out.array

    def step(self, f: Callable[..., Any], rows: Any, *shared: Any) -> tuple[Any, Any]:
        """The new rows stay on the workers, for the next step; ``np.asarray`` brings them here."""
        results, total = self._run("step", f, shared, rows, None), TreeSum()
        for nodes in self._stream(self.client.map(nodes_of, results, pure=False)):
            push_all(total, nodes)
        return RemoteRows(self.client, results), total.total()

    def take(self, indices: Any) -> np.ndarray:
        """Only the rows that are asked for leave the workers."""
        wanted = np.asarray(indices, dtype=np.intp)
        tasks = wanted // self._task_plan.rows_per_leaf
        out = np.empty((len(wanted), self.shape[1]), self.dtype)
        asked = [int(task) for task in np.unique(tasks)]
        calls = [
            (self._data()[task], self._task_plan.bounds(task)[0], self.dtype, wanted[tasks == task]) for task in asked
        ]
        with told_of_loss():
            found = self.client.gather(self._submit(take_wanted, calls))
        for task, rows in zip(asked, found, strict=True):
            out[tasks == task] = rows
        return out

    def gather(self) -> Any:
        if self._is_here:
            return self.source.read(0, self.shape[0])
        if self.sparse:
            results = self._run("map", identity, (), None, None)
            return joined([result.rows for result in self._stream(results)])
        ask_for_room(self.shape, self.dtype)
        return self.map(identity)

    def select(self, chosen: np.ndarray) -> DaskBlocks:
        return DaskBlocks(select_rows(self.source, chosen), self.client)

    @property
    def _is_here(self) -> bool:
        """Whether the data are in the memory of this process, not in files or on the workers."""
        return not isinstance(self.source, DaskSource) and getattr(self.source, "path", None) is None

    @property
    def _task_plan(self) -> Plan:
        return Plan(self.plan.n_rows, self.plan.rows_per_leaf * self._leaves_per_task)

    def _data(self) -> list[Any]:
        """What each task reads from: its rows on the workers, or a source that reads them where it runs."""
        if self._pieces is None:
            if isinstance(self.source, DaskSource):
                self._pieces = self._cut(self.source.X)
            elif self._is_here:  # part of the graph, so that a lost worker's share can be sent again
                parts = [delayed(self.source.read(*bounds), pure=False) for bounds in self._task_plan]
                self._pieces = list(self.client.compute(parts))
            else:
                self._pieces = [part_of(self.source, *bounds) for bounds in self._task_plan]
        return self._pieces

    def _cut(self, X: Any) -> list[Any]:
        """One piece a task. What fits is kept on the workers; dask makes a lost piece again from its graph."""
        chunks = tuple(stop - start for start, stop in self._task_plan)
        pieces = list(X.rechunk((chunks, (X.shape[1],))).to_delayed().ravel())
        memory = sum(w["memory_limit"] or 0 for w in self.client.scheduler_info(n_workers=-1)["workers"].values())
        return list(self.client.compute(pieces)) if X.nbytes <= CACHED_SHARE * memory else pieces

    def _run(self, kind: str, f: Callable[..., Any], shared: tuple[Any, ...], rows: Any, seed: int | None) -> list[Any]:
        task = Pass(kind, f, self.plan, self.dtype, several=isinstance(rows, tuple))
        task.shared, task.seed, task.leaves_per_node = shared, seed, self._leaves_per_node
        aligned = () if rows is None else rows if isinstance(rows, tuple) else (rows,)
        columns = [self._send(array) for array in aligned]
        calls = []
        for number, data in enumerate(self._data()):
            start, stop = self._task_plan.bounds(number)
            leaves = (number * self._leaves_per_task, -(-stop // self.plan.rows_per_leaf))
            calls.append((data, task, start, leaves, *(column[number] for column in columns)))
        return self._submit(run_subtrees, calls)

    def _send(self, rows: Any) -> list[Any]:
        """The parts of a row-aligned array, on the workers. An array that comes again is not sent again."""
        if isinstance(rows, RemoteRows):
            return rows.futures
        for array, futures in self._sent:
            if array is rows:
                return futures
        parts = [delayed(rows[start:stop], pure=False) for start, stop in self._task_plan]
        # once, so that it need not be sent again
        with without_warnings(UserWarning, message="Sending large graph"):
            self._sent = [*self._sent[-3:], (rows, list(self.client.compute(parts)))]
        return self._sent[-1][1]

    def _stream(self, futures: list[Any]) -> Iterator[Any]:
        for first in range(0, len(futures), NODES_AT_ONCE):
            with told_of_loss():
                part = self.client.gather(futures[first : first + NODES_AT_ONCE])
            yield from part

    def _submit(self, f: Callable[..., Any], tasks: list[tuple[Any, ...]]) -> list[Any]:
        """Plain futures where the pieces are futures or sources; else one graph that drops a piece after its use."""
        if hasattr(tasks[0][0], "dask"):
            return list(self.client.compute([delayed(f, pure=False)(*task) for task in tasks]))
        return list(self.client.map(f, *zip(*tasks, strict=True), pure=False))


def part_of(source: Any, start: int, stop: int) -> Any:
    """What a task has to be told of a source: of one of many files those that it reads, of others all."""
    return source.part(start, stop) if hasattr(source, "part") else source


@contextmanager
def connected(address: str, timeout: float = 20.0) -> Iterator[Any]:
    """A client of the cluster at an address; what is not there, or not of these versions, is refused in a sentence."""
    from distributed import Client

    try:
        asyncio.run(_knock(address, timeout))
        client = Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        why = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise ConnectionError(
            f"no dask scheduler answers at {address} ({why}); start one with dask scheduler, and give the address it "
            "prints, such as tcp://10.0.0.1:8786"
        ) from None
    with client:
        if not client.nthreads():
            raise ConnectionError(
                f"the dask scheduler at {address} has no workers; start some with dask worker {address}"
            )
        check_versions(client)
        yield client


async def _knock(address: str, timeout: float) -> None:
    """Whether a scheduler answers there: a client that finds none leaves a thread behind, in which the next one may
    wait for it in vain.
    """
    from distributed.comm import connect
    from distributed.security import Security

    comm = await connect(address, timeout=timeout, **Security().get_connection_args("client"))
    await comm.close()


@contextmanager
def told_of_loss() -> Iterator[None]:
    """A cluster that was restarted, closed, or lost all workers of a task, in one sentence that says how to go on."""
    from distributed import CancelledError, KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    try:
        yield
    except (CancelledError, FutureCancelledError, KilledWorker, CommClosedError) as error:
        raise ConnectionError(
            f"the cluster lost the work of this fit ({type(error).__name__}: {str(error)[:120]}): it was restarted or "
            "closed, or its workers were killed again and again; start it anew and fit again, and with "
            "unmix.execution(checkpoint=PATH) around both fits the second goes on where the first was"
        ) from error


def push_all(total: TreeSum, nodes: list[Any]) -> None:
    for node in nodes:
        total.push(node)


def task_size(n_leaves: int, n_threads: int) -> tuple[int, int]:
    """Leaves a node of the sum: the largest aligned subtree that still leaves every thread a few. Leaves a task: so
    many of these in a row that every thread has a few tasks and the scheduler not more of them.
    """
    node, wanted = 1, TASKS_PER_THREAD * n_threads
    while -(-n_leaves // (node * FAN_IN)) >= wanted:
        node *= FAN_IN
    return node, node * max(1, -(-n_leaves // node) // wanted)
