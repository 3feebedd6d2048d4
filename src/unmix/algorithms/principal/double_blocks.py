"""Row blocks of single precision, read in double: where one row is so far out that single precision drowns the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.core.blocks import RowBlocks, Rows


def _on_read(block: Any, rows: Any, f: Callable[..., Any], *shared: Any) -> Any:
    return f(block.astype(np.float64), rows, *shared)


class DoubleBlocks:
    """The same table in double precision, converted a block at a time."""

    def __init__(self, X: RowBlocks) -> None:
        self.X, self.dtype = X, np.dtype(np.float64)
        self.shape, self.names, self.sparse, self.n_leaves = X.shape, X.names, X.sparse, X.n_leaves

    def reduce(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> Any:
        return self.X.reduce(_on_read, f, *shared, rows=rows, seed=seed)

    def map(self, f: Callable[..., Any], *shared: Any, rows: Rows = None, seed: int | None = None) -> np.ndarray:
        return self.X.map(_on_read, f, *shared, rows=rows, seed=seed)

    def step(self, f: Callable[..., Any], rows: Rows, *shared: Any) -> tuple[np.ndarray, Any]:
        return self.X.step(_on_read, rows, f, *shared)

    def take(self, indices: Any) -> np.ndarray:
        return self.X.take(indices).astype(np.float64)

    def select(self, chosen: np.ndarray) -> DoubleBlocks:
        return DoubleBlocks(self.X.select(chosen))

    def gather(self) -> Any:
        return self.X.gather().astype(np.float64)
