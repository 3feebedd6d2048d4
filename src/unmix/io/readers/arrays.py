"""Arrays of NumPy from npy and npz files, and sparse matrices that scipy saved."""

from __future__ import annotations

import errno
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from unmix.core.memory import free_bytes
from unmix.core.sources import SparseSource
from unmix.io.base.errors import TableError
from unmix.io.in_memory.table import Table, as_table, from_array
from unmix.io.sources.npy_source import NpySource


def read_npy(path: Path) -> Table:
    return from_array(load_npy(path), path.name, "numpy array")


def load_npy(path: Path, mmap_mode: Any = None) -> np.ndarray:
    """The array of an npy file, whose header is believed only as far as the file goes."""
    with _refusing_objects(path):
        _check_size(path)
        return np.load(path, mmap_mode, allow_pickle=False)  # type: ignore[no-any-return]


def _check_size(path: Path) -> None:
    """A header that promises more than follows is found out before memory is asked for."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(file)
        start, held = file.tell(), path.stat().st_size
    if not dtype.hasobject and math.prod(shape) * dtype.itemsize > held - start:
        raise TableError(
            f"{path.name} says it holds an array of shape {shape} of {dtype}, but only {held - start} bytes follow: "
            "it was cut short or damaged; save it again."
        )


@contextmanager
def _refusing_objects(path: Path) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        if not any(words in str(error) for words in ("Object arrays", "allow_pickle", "Python objects")):
            raise
        raise TableError(
            f"{path.name} holds Python objects; unpickling a file can run code, so it is refused: "
            "save numbers (array.astype(float)) or a Parquet file."
        ) from None


def scan_npy(path: Path) -> np.ndarray | None:
    """The file mapped into memory; None for what is no table of numbers."""
    array = load_npy(path, "r")
    return array if array.dtype.kind in "fiub" and array.ndim in (1, 2) else None


def open_npy(path: Path, dtype: Any = None) -> NpySource | None:
    """Numbers are read in place, what else an array may hold as a table."""
    return None if scan_npy(path) is None else NpySource(path, dtype)


def read_npz(path: Path) -> Table:
    """The one array of a file, or several of one dimension side by side."""
    arrays = _arrays(path)
    if is_sparse(arrays):
        return from_array(_dense(load_sparse(path), path), path.name, "sparse matrix")
    if len(arrays) == 1:
        return from_array(next(iter(arrays.values())), path.name, "numpy array")
    if arrays and all(array.ndim == 1 for array in arrays.values()) and len(set(map(len, arrays.values()))) == 1:
        return as_table(arrays)
    held = ", ".join(f"{name} {array.shape}" for name, array in arrays.items()) or "nothing"
    raise TableError(f"{path.name} holds {held}; one array, or columns of one length were expected: save one alone.")


def open_npz(path: Path, dtype: Any = None) -> SparseSource | None:
    return SparseSource(load_sparse(path), dtype) if is_sparse(_arrays(path)) else None


def _arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with _refusing_objects(path), path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            _check_room(archive, path)
            return {name: archive[name] for name in archive.files}
    except MemoryError:
        raise TableError(f"{path.name} holds an array that takes more memory than there is; save it again.") from None
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        raise TableError(f"{path.name} is damaged: its parts are not where its list says; save it again.") from None


def _check_room(archive: Any, path: Path) -> None:
    """The list of an archive tells what it unpacks to, and no more than that is unpacked."""
    need = sum(member.file_size for member in archive.zip.infolist())
    if need > (free := free_bytes()):
        raise TableError(
            f"{path.name} unpacks to {need / 1e9:.1f} GB, where {free / 1e9:.1f} GB of memory are free; save less."
        )


def is_sparse(arrays: dict[str, np.ndarray]) -> bool:
    """Whether scipy.sparse.save_npz wrote them."""
    return {"format", "shape", "data"} <= arrays.keys()


def load_sparse(path: Path) -> Any:
    """The matrix, once all its places are known to lie inside it: scipy's compiled loops would write where they say."""
    from scipy.sparse import load_npz

    matrix = load_npz(path)
    if hasattr(matrix, "check_format"):  # CSR, CSC, BSR; a COO matrix is looked at as it is made
        matrix.check_format(full_check=True)
    if (width := 8 * matrix.shape[1]) > (free := free_bytes()):
        raise TableError(
            f"{path.name} says it has {matrix.shape[1]} columns, a row of which takes {width / 1e9:.1f} GB of memory, "
            f"where {free / 1e9:.1f} GB are free; save it with fewer columns."
        )
    return matrix


def _dense(matrix: Any, path: Path) -> np.ndarray:
    """As a table that is read whole, if memory can hold it."""
    if (need := 8.0 * matrix.shape[0] * matrix.shape[1]) > (free := free_bytes()):
        raise TableError(
            f"{path.name} holds a sparse matrix of shape {matrix.shape}, which as a table takes {need / 1e9:.1f} GB of "
            f"memory, where {free / 1e9:.1f} GB are free; give some of its rows or columns."
        )
    return matrix.toarray()  # type: ignore[no-any-return]
