"""One file of JSON and plain arrays: written whole or not at all, read without running anything.

A zip file, not compressed, with ``document.json``, ``0.npy``, ``1.npy``, … and ``digest``. The document carries the
SHA-256 of every array, and ``digest`` that of the document: a file that was damaged, cut or put together from others is
noticed. Somebody who changes a file on purpose can write new digests: what is read is data of a stranger all the same.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from unmix.core.memory import memory_bytes

MOST_WORDS = 300  # letters of a reason; that of a damaged file may quote all that is in it
DOCUMENT, DIGEST = "document.json", "digest"
PLAIN_KINDS = "biufcmMSU"  # of entries that are no programs: truths, numbers, dates, text


class ArchiveError(ValueError):
    """A file that is no archive of ours."""


# What reading a file that is anything else may raise.
REFUSALS = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, MemoryError, RecursionError, OSError,
    NotImplementedError, RuntimeError, EOFError, zipfile.BadZipFile, struct.error, zlib.error,
)  # fmt: skip


def reason(error: BaseException) -> str:
    """Why a file was refused, in words also where the error has none."""
    if isinstance(error, MemoryError):
        return "it asks for more memory than there is"
    if isinstance(error, OverflowError):
        return f"a number in it is too large ({error})"
    if isinstance(error, RecursionError):
        return "its values are nested too deeply"
    text = str(error) or type(error).__name__
    return text if len(text) <= MOST_WORDS else f"{text[:MOST_WORDS]} …"


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A file to write to that takes the name ``path`` only when it is complete and on disk."""
    path = followed(Path(path))
    refuse_device(path)
    with _told_as(path):
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
            sync_folder(path.parent)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def followed(path: Path) -> Path:
    """Where a link leads, as for whoever opens it: a file that took the place of the link would hide what it names."""
    if not path.is_symlink():
        return path
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise ValueError(f"{path} is a link that leads to itself; give the name of a file.")
    return target


def refuse_device(path: Path) -> None:
    """A file that takes the name of a device, a pipe or a socket would end what others use: /dev/null above all."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise ValueError(f"{path} is a device or a pipe, which a file must not replace; give the name of a file.")


def sync_folder(folder: Path) -> None:
    """A new name is on disk only when its folder is; some systems cannot be asked for that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _told_as(path: Path) -> Iterator[None]:
    """What the system refuses, as one sentence about the file that was to be written."""
    try:
        yield
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        sentence = (
            f"{path} could not be written ({why}); what stood there is unchanged: make room or choose another place"
        )
        raise OSError(error.errno, sentence) from error


def write_archive(path: str | Path, document: dict[str, Any], arrays: Sequence[np.ndarray]) -> None:
    packed = [_pack(array) for array in arrays]
    document = {**document, "arrays": [_digest(data) for data in packed]}
    text = json.dumps(document, allow_nan=False, indent=1).encode()
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        members: dict[str, bytes | str] = {DOCUMENT: text, DIGEST: _digest(text)}
        members |= {f"{i}.npy": data for i, data in enumerate(packed)}
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)  # of 1980, not of now: the same state, the same bytes


def read_archive(path: str | Path) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The document and its arrays; one of REFUSALS if the file is anything else."""
    if not os.path.isfile(path):
        raise ArchiveError("it is no file but a folder, a pipe or a device, which may never end")
    with zipfile.ZipFile(path) as archive:
        _check_members(archive.infolist(), os.path.getsize(path))
        try:
            text, digest = archive.read(DOCUMENT), archive.read(DIGEST)
            if _digest(text).encode() != digest:
                raise ArchiveError("it was changed after it was written")
            document = json.loads(text)
            digests = document["arrays"]
            packed = [archive.read(f"{i}.npy") for i in range(len(digests))]
        except (KeyError, TypeError, UnicodeDecodeError) as error:
            raise ArchiveError(f"it lacks {error}") from error
        if len(archive.namelist()) != len(packed) + 2:
            raise ArchiveError("it holds more than it says")
    if [_digest(data) for data in packed] != digests:
        raise ArchiveError("an array in it was changed after it was written")
    return document, [_unpack(data) for data in packed]


def _check_members(members: Sequence[zipfile.ZipInfo], size: int) -> None:
    """Plain members once each, that fill no more than the file, and a file that memory can hold twice."""
    if any(member.compress_type != zipfile.ZIP_STORED or member.flag_bits & 1 for member in members):
        raise ArchiveError("its parts are compressed or encrypted, which unmix never writes")
    if sum(member.file_size for member in members) > size or len({m.filename for m in members}) < len(members):
        raise ArchiveError("its parts overlap")
    if 2 * size > (most := memory_bytes()):
        raise ArchiveError(f"it has {size / 2**30:.1f} GiB, too much for the {most / 2**30:.1f} GiB of this machine")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _pack(array: np.ndarray) -> bytes:
    if array.dtype.hasobject:
        raise TypeError("an array of Python objects cannot be saved; convert it to numbers or strings")
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _unpack(data: bytes) -> np.ndarray:
    """The array in the bytes of an npy file, whose header is believed only if it asks for the bytes that follow."""
    buffer = io.BytesIO(data)
    version = np.lib.format.read_magic(buffer)
    read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in read_header:
        raise ArchiveError(f"an array in it has the format {version}, which unmix never writes")
    shape, by_column, dtype = read_header[version](buffer)
    if dtype.kind not in PLAIN_KINDS or dtype.itemsize == 0:
        raise ArchiveError(f"an array in it holds {dtype}, neither numbers nor text")
    if math.prod(shape) * dtype.itemsize != len(data) - buffer.tell() or min(shape, default=0) < 0:
        raise ArchiveError(f"an array in it says it has the shape {shape}, but not as many entries")
    flat = np.frombuffer(data, dtype, offset=buffer.tell()) if math.prod(shape) else np.empty(0, dtype)
    array = flat.reshape(shape, order="F" if by_column else "C")
    return array.astype(dtype.newbyteorder("="), order="K", copy=True)
