"""Which source reads the data and which executor runs over it, decided in one visible place.

An explicit executor wins; else a dask collection runs on the active client, if there is one; everything else runs on
threads of this process.  dask is imported only when the user brought it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from unmix.core.blocks import LocalBlocks, RowBlocks
from unmix.core.execution import current_execution
from unmix.core.sources import ArraySource, Source, SparseSource
from unmix.io.given import names_files
from unmix.io.in_memory.masked import unmasked


def is_dask(X: Any) -> bool:
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr")


def as_blocks(X: Any, *, dtype: Any = None, zeros: bool = False) -> RowBlocks:
    """Wrap data without copying it; stored zeros of a sparse matrix are dropped unless ``zeros`` are to stay.

    ``X`` is an ndarray, a memmap, a scipy sparse matrix, the path of a file that `unmix.io` reads, a folder, a
    pattern or a list of files, a dask array or dataframe, or row blocks already.

    >>> import numpy as np
    >>> as_blocks(np.ones((20_000, 3))).n_leaves
    5
    """
    if hasattr(X, "reduce") and hasattr(X, "n_leaves"):
        return X  # type: ignore[no-any-return]
    client = current_execution().executor or (_active_client() if is_dask(X) else None)
    source = as_source(X, dtype, zeros=zeros)
    if client is None:
        return LocalBlocks(source)
    from unmix.core.dask_blocks import DaskBlocks

    return DaskBlocks(source, client)


def as_source(X: Any, dtype: Any = None, *, zeros: bool = False) -> Source:
    if names_files(X):
        from unmix.io.read import open_source  # an array needs no format

        return open_source(X, dtype)
    if is_dask(X):
        from unmix.core.dask_blocks import DaskSource

        return DaskSource(X, dtype, zeros=zeros)
    if hasattr(X, "tocsr"):
        return SparseSource(X, dtype, zeros=zeros)
    return ArraySource(np.asarray(unmasked(X)), dtype)


def _active_client() -> Any:
    """The client the user started; looked up only if distributed is loaded already."""
    if "distributed" not in sys.modules:
        return None
    try:
        return sys.modules["distributed"].default_client()
    except ValueError:
        return None
