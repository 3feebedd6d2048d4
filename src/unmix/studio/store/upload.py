"""A file comes in: streamed to disk under a name that is only a name, and refused if it would unpack to too much."""

from __future__ import annotations

import filecmp
import gzip
import re
import shutil
import unicodedata
import zipfile
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

from unmix.io.base.errors import TableError
from unmix.io.base.registry import ending_of, endings
from unmix.studio.store.workspace import Workspace, new_id

MOST_UPLOAD = 10**9  # bytes
MOST_UNPACKED = 4 * 10**9  # bytes that a packed file may become
LONGEST_NAME = 120
DECISIONS = ".json"  # no table, but the decision file of a review, which the next mining takes
_piece = 2**20
_zipped = (".xlsx", ".xlsb", ".ods", ".npz")
_no_name = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|\u202a-\u202e\u2066-\u2069]')


def safe_name(given: str) -> str:
    """The last part of a path, without what means something to a system; a table's ending is asked for."""
    name = unicodedata.normalize("NFC", re.split(r"[/\\]", given)[-1])
    name = _no_name.sub("_", name.encode("utf-8", "replace").decode()).lstrip(". -").rstrip(". ")
    stem, dot, ending = name.rpartition(".")
    name = f"{stem[: LONGEST_NAME - len(ending)]}{dot}{ending}"
    if ending_of(Path(name)) not in (*endings(), DECISIONS) or not stem:
        raise TableError(
            f"{name[:80] or 'A file without a name'} is no table that unmix reads: {', '.join(endings())}."
        )
    return name


async def receive_table(workspace: Workspace, given: str, body: AsyncIterator[bytes], most: int = MOST_UNPACKED) -> str:
    """Write the body to the workspace; its identifier when it is whole, nothing if it is not."""
    key, name = new_id(), safe_name(given)
    folder = workspace.folder / "tables" / key
    folder.mkdir()
    try:
        with (folder / name).open("wb") as file:
            async for part in body:
                file.write(part)
        return keep_table(workspace, key, name, most)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def copy_table(workspace: Workspace, path: Path) -> str:
    """A file that the user named on the command line, brought into the workspace if it is not there yet."""
    if not path.is_file():
        raise TableError(f"There is no file {path}.")
    key, name = new_id(), safe_name(path.name)
    for table in workspace.select("tables", "file = ?", name):
        if filecmp.cmp(path, workspace.table_path(table), shallow=False):
            return str(table["id"])
    folder = workspace.folder / "tables" / key
    folder.mkdir()
    try:
        shutil.copyfile(path, folder / name)
        return keep_table(workspace, key, name)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def keep_table(workspace: Workspace, key: str, name: str, most: int = MOST_UNPACKED) -> str:
    path = workspace.folder / "tables" / key / name
    if path.stat().st_size == 0:
        raise TableError(f"{name} is empty; a table was expected.")
    if ending_of(path) == DECISIONS and not is_decision_file(path):
        raise TableError(
            f"{name} holds no decisions of a review, which are all that is taken as JSON; a table is taken as JSON "
            "lines (.jsonl), one row a line."
        )
    size = unpacked_bytes(path, most)
    if size > most:
        raise TableError(f"{name} would unpack to more than {most / 1e9:.3g} GB; give a part of it.")
    return workspace.insert("tables", id=key, file=name, bytes=size)


def is_decision_file(path: Path) -> bool:
    """By its beginning; mining reads it whole, and says what is wrong with it."""
    with path.open("rb") as file:
        return b'"unmix-role-decisions"' in file.read(4096)


def unpacked_bytes(path: Path, most: int) -> int:
    """How long the file is when it is read; counting ends where it is too much."""
    size = path.stat().st_size
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    try:
        if packed:
            return _gunzipped(path, most)
        if ending_of(path) in _zipped:
            with zipfile.ZipFile(path) as archive:
                return max(size, sum(member.file_size for member in archive.infolist()))
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise TableError(f"{path.name} cannot be unpacked ({error}).") from None
    return size


def _gunzipped(path: Path, most: int) -> int:
    seen = 0
    with gzip.open(path) as file:
        while seen <= most and (part := file.read(_piece)):
            seen += len(part)
    return seen
