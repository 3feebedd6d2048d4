"""What a worker does: the leaves of a few aligned subtrees, in order, and the sum of each subtree."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import Rows, run_leaf, take_rows
from unmix.core.plan import Plan
from unmix.core.sources import Source, as_rows, joined
from unmix.core.summation.tree import TreeSum
from unmix.core.threads import one_blas_thread


class Pass:
    """What is the same for every task of a pass. A plain object, so that dask carries it without looking inside."""

    def __init__(self, kind: str, f: Callable[..., Any], plan: Plan, dtype: np.dtype[Any], several: bool) -> None:
        self.kind, self.f, self.plan, self.dtype = kind, f, plan, dtype
        self.several = several  # whether the aligned rows came as a tuple
        self.shared: tuple[Any, ...] = ()
        self.seed: int | None = None
        self.leaves_per_node = 1


class Result(NamedTuple):
    """Of a task: the row-aligned part, which may stay where it is, and the nodes of the sum."""

    rows: np.ndarray | None
    nodes: list[Any]


class PieceSource:
    """Rows that are on the worker already, addressed by their place in the whole table."""

    names: list[str] | None = None
    sparse = False  # not asked for on a worker

    def __init__(self, piece: Any, start: int, dtype: np.dtype[Any]) -> None:
        self.piece, self.start, self.dtype, self.shape = piece, start, dtype, piece.shape

    def read(self, start: int, stop: int) -> Any:
        rows = self.piece[start - self.start : stop - self.start]
        return as_rows(rows, self.dtype)


def run_subtrees(data: Any, task: Pass, start: int, leaves: tuple[int, int], *aligned: Any) -> Result:
    """``data`` is a source, or a piece beginning at row ``start``; ``aligned`` are arrays or results with rows."""
    arrays = tuple(np.require(a.rows if isinstance(a, Result) else a, None, ["A", "W"]) for a in aligned)
    rows: Rows = arrays if task.several else arrays[0] if arrays else None
    source = as_piece(data, start, task.dtype)
    keep_memory()
    parts, nodes = [], []
    with one_blas_thread():
        for first in range(*leaves, task.leaves_per_node):
            total = TreeSum()
            for leaf in range(first, min(first + task.leaves_per_node, leaves[1])):
                result = run_leaf(task.f, source, task.plan, leaf, rows, task.shared, task.seed, offset=start)
                part, stats = {"map": (result, None), "reduce": (None, result)}.get(task.kind) or result
                parts.append(part)
                total.push(stats)
            nodes.append(total.total())
    return Result(None if task.kind == "reduce" else joined(parts), nodes)


@cache
def keep_memory() -> None:
    """Let malloc hold on to a few freed blocks. dask's nanny tells it to give back all at once, and a pass, which frees
    and takes the same small arrays leaf by leaf, then spends half its time on page faults.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):  # no glibc, nothing to mend
        return
    for trim_or_map_threshold in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
        mallopt(trim_or_map_threshold, 2**26)


def as_piece(data: Any, start: int, dtype: np.dtype[Any]) -> Source:
    return data if hasattr(data, "read") else PieceSource(data, start, dtype)


def take_wanted(data: Any, start: int, dtype: np.dtype[Any], wanted: np.ndarray) -> np.ndarray:
    return take_rows(as_piece(data, start, dtype), wanted)


def nodes_of(result: Result) -> list[Any]:
    return result.nodes


def rows_of(result: Result) -> Any:
    return result.rows


def identity(block: Any, rows: Any) -> Any:
    return block
