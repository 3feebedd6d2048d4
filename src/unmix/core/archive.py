"""One file of JSON and plain arrays: written whole or not at all, read without running anything.

A zip file with ``document.json`` and ``0.npy``, ``1.npy``, …; arrays are read with pickle refused, and the document
carries the SHA-256 of every array, so that a file put together from two others is noticed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

MOST_BYTES = 2**36  # what a file may unpack to; more is taken for an attack


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A file to write to that takes the name ``path`` only when it is complete and on disk."""
    path = Path(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)  # mkstemp makes it private
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_archive(path: str | Path, document: dict[str, Any], arrays: Sequence[np.ndarray]) -> None:
    packed = [_pack(array) for array in arrays]
    document = {**document, "arrays": [hashlib.sha256(data).hexdigest() for data in packed]}
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("document.json", json.dumps(document, allow_nan=False, indent=1))
        for i, data in enumerate(packed):
            archive.writestr(f"{i}.npy", data)


def read_archive(path: str | Path) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The document and its arrays; ValueError or BadZipFile if the file is anything else."""
    with zipfile.ZipFile(path) as archive:
        if sum(info.file_size for info in archive.infolist()) > MOST_BYTES:
            raise ValueError("it unpacks to more than any model")
        try:
            document = json.loads(archive.read("document.json"))
            digests = document["arrays"]
            packed = [archive.read(f"{i}.npy") for i in range(len(digests))]
        except (KeyError, TypeError, UnicodeDecodeError) as error:
            raise ValueError(f"it lacks {error}") from error
    for data, digest in zip(packed, digests, strict=True):
        if hashlib.sha256(data).hexdigest() != digest:
            raise ValueError("an array in it was changed after it was written")
    return document, [np.load(io.BytesIO(data), allow_pickle=False) for data in packed]


def _pack(array: np.ndarray) -> bytes:
    if array.dtype.hasobject:
        raise TypeError("an array of Python objects cannot be saved; convert it to numbers or strings")
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()
