"""Row blocks: the one way data is read, whether it sits in memory, on disk or on a cluster.

An algorithm says what to do with one block of rows; `RowBlocks` applies it to all of them and adds the statistics
up in a fixed order.  All state stays with the caller between passes, so a lost worker costs a pass at most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from unmix.core.aligned.row_file import empty_rows
from unmix.core.execution import current_execution
from unmix.core.memory import ask_for_room
from unmix.core.plan import Plan, plan_leaves
from unmix.core.random import spawn
from unmix.core.selected import runs, select_rows
from unmix.core.sources import ArraySource, Source, as_block
from unmix.core.summation.tree import TreeSum
from unmix.core.threads import one_blas_thread, run_in_order

Rows = np.ndarray | tuple[np.ndarray, ...] | None


class RowBlocks(Protocol):
    """A table cut into leaves. Block functions are module-level ``f(block, rows, *shared)``.

    ``rows`` is the block's share of row-aligned arrays given as ``rows=``, else None.  With ``seed=``, a generator
    that belongs to the leaf comes last.  Neither block nor rows are ever written to; what is returned is fresh.
    """

    shape: tuple[int, int]
    dtype: np.dtype[Any]
    names: list[str] | None
    sparse: bool

    @property
    def n_leaves(self) -> int: ...

    def reduce(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> Any:
        """The sum over leaves of ``f(block, rows, *shared)``, a NamedTuple of things that add."""

    def map(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> np.ndarray:
        """``f(block, rows, *shared)`` for every leaf, one array row a row of the table."""

    def step(self, f: Callable[..., Any], rows: Rows, *shared: Any) -> tuple[np.ndarray, Any]:
        """``f(block, rows, *shared) -> (new rows, statistics)``: a map and a reduce in one pass.

        On a cluster the new rows stay there, and many rows of a table on disk go to disk; hand them to the next step,
        or ask for them with ``np.asarray``.
        """

    def take(self, indices: Any) -> np.ndarray:
        """The named rows, dense, in the order asked for."""

    def gather(self) -> Any:
        """All rows in memory."""

    def select(self, chosen: np.ndarray) -> RowBlocks:
        """Row blocks of the chosen rows alone, given in rising order; cut as if the others had never been there."""


class LocalBlocks:
    """Leaves of a source, worked on by threads of this process."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.shape, self.dtype = source.shape, source.dtype
        self.names, self.sparse = source.names, source.sparse
        self.plan: Plan = plan_leaves(*source.shape)

    @property
    def n_leaves(self) -> int:
        return self.plan.n_leaves

    def reduce(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> Any:
        total = TreeSum()
        self._each(f, shared, rows, seed, lambda leaf, stats: total.push(stats))
        return total.total()

    def map(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> np.ndarray:
        out = RowResult(self.plan)
        self._each(f, shared, rows, seed, out.put)
        return out.array

    def step(self, f: Callable[..., Any], rows: Rows, *shared: Any) -> tuple[np.ndarray, Any]:
        out, total = RowResult(self.plan, on_disk=getattr(self.source, "path", None) is not None), TreeSum()

        def keep(leaf: int, pair: tuple[np.ndarray, Any]) -> None:
            out.put(leaf, pair[0])
            total.push(pair[1])

        self._each(f, shared, rows, None, keep)
        return out.array, total.total()

    def take(self, indices: Any) -> np.ndarray:
        return take_rows(self.source, indices)

    def gather(self) -> Any:
        if not self.sparse and not isinstance(self.source, ArraySource) and getattr(self.source, "path", None):
            ask_for_room(self.shape, self.dtype)
        return self.source.read(0, self.shape[0])

    def select(self, chosen: np.ndarray) -> LocalBlocks:
        return LocalBlocks(select_rows(self.source, chosen))

    def _each(
        self, f: Callable[..., Any], shared: tuple[Any, ...], rows: Rows, seed: int | None, keep: Callable[..., None]
    ) -> None:
        def work(leaf: int) -> Any:
            return run_leaf(f, self.source, self.plan, leaf, rows, shared, seed)

        with one_blas_thread():
            run_in_order(work, self.n_leaves, keep, current_execution().n_threads)


def run_leaf(
    f: Callable[..., Any],
    source: Source,
    plan: Plan,
    leaf: int,
    rows: Rows,
    shared: tuple[Any, ...],
    seed: int | None,
    offset: int = 0,
) -> Any:
    """Apply ``f`` to one leaf; ``rows`` begin at row ``offset`` of the table."""
    start, stop = plan.bounds(leaf)
    generator = () if seed is None else (spawn(seed, leaf),)
    return f(source.read(start, stop), slice_rows(rows, start - offset, stop - offset), *shared, *generator)


def slice_rows(rows: Rows, start: int, stop: int) -> Rows:
    if isinstance(rows, tuple):
        return tuple(array[start:stop] for array in rows)
    return None if rows is None else rows[start:stop]


def take_rows(source: Source, indices: Any) -> np.ndarray:
    if isinstance(source, ArraySource):
        return as_block(source.X[np.asarray(indices, dtype=np.intp)], source.dtype)
    wanted = np.asarray(indices, dtype=np.intp)
    out = np.empty((len(wanted), source.shape[1]), source.dtype)
    for places in runs(wanted):
        first = int(wanted[places[0]])
        rows = source.read(first, int(wanted[places[-1]]) + 1)[wanted[places] - first]
        out[places] = rows.toarray() if hasattr(rows, "toarray") else rows
    return out


class RowResult:
    """Row-aligned results, written straight to their place in one array."""

    def __init__(self, plan: Plan, on_disk: bool = False) -> None:
        self._plan, self._on_disk = plan, on_disk
        self.array: Any = np.empty(0)

    def put(self, leaf: int, part: np.ndarray) -> None:
        if leaf == 0:
            self.array = empty_rows((self._plan.n_rows, *part.shape[1:]), part.dtype, self._on_disk)
        start, stop = self._plan.bounds(leaf)
        self.array[start:stop] = part
