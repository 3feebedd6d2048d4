"""Arrays of NumPy from npy and npz files, and sparse matrices that scipy saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from unmix.core.sources import SparseSource
from unmix.io.errors import TableError
from unmix.io.npy_source import NpySource
from unmix.io.table import Table, as_table, from_array


def read_npy(path: Path) -> Table:
    return from_array(load(path), path.name, "numpy array")


def load(path: Path) -> Any:
    """What a file of NumPy holds; Python objects are not unpickled."""
    try:
        return np.load(path, allow_pickle=False)
    except ValueError as error:
        if "Object arrays" not in str(error) and "allow_pickle" not in str(error):
            raise
        raise TableError(
            f"{path.name} holds Python objects; unpickling a file can run code, so it is refused: "
            "save numbers (array.astype(float)) or a Parquet file."
        ) from None


def open_npy(path: Path, dtype: Any = None) -> NpySource | None:
    """Numbers are read in place, what else an array may hold as a table."""
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    return NpySource(path, dtype) if array.dtype.kind in "fiub" and array.ndim in (1, 2) else None


def read_npz(path: Path) -> Table:
    """The one array of a file, or several of one dimension side by side."""
    matrix = _sparse(path)
    if matrix is not None:
        return from_array(matrix.toarray(), path.name, "sparse matrix")
    with load(path) as file:
        arrays = {name: file[name] for name in file.files}
    if len(arrays) == 1:
        return from_array(next(iter(arrays.values())), path.name, "numpy array")
    if arrays and all(array.ndim == 1 for array in arrays.values()) and len(set(map(len, arrays.values()))) == 1:
        return as_table(arrays)
    held = ", ".join(f"{name} {array.shape}" for name, array in arrays.items()) or "nothing"
    raise TableError(f"{path.name} holds {held}; one array, or columns of one length were expected: save one alone.")


def open_npz(path: Path, dtype: Any = None) -> SparseSource | None:
    matrix = _sparse(path)
    return None if matrix is None else SparseSource(matrix, dtype)


def _sparse(path: Path) -> Any:
    """The matrix scipy.sparse.save_npz wrote, or None."""
    with load(path) as file:
        if "format" not in file.files or "shape" not in file.files:
            return None
    from scipy.sparse import load_npz

    return load_npz(path)
