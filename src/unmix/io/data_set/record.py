"""Which files a model has learned from, kept as JSON, so that files that came later are told from those it knows.

A file is known again by its size and time of writing, or by a digest of its bytes where only the time differs (a copy).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from unmix.core.storage.archive import replacing
from unmix.io.base.errors import TableError
from unmix.io.base.registry import reading
from unmix.io.data_set.facts import Facts, in_parallel

FORMAT, SCHEMA = "unmix files", 1
CHUNK = 2**22
Known = dict[str, dict[str, Any]]


def make_record(files: list[Facts], root: Path, client: Any = None) -> Known:
    """Of every file, by its name below the root: size, time, rows and digest."""
    digests = in_parallel(digest_of, [(file.path,) for file in files], client)
    return {
        name_of(file.path, root): {"size": file.stamp[0], "time": file.stamp[1], "rows": file.n_rows, "digest": digest}
        for file, digest in zip(files, digests, strict=True)
    }


def name_of(path: Path, root: Path) -> str:
    root = root.absolute()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def digest_of(path: Path) -> str:
    found = hashlib.blake2b(digest_size=16)
    with reading(path), path.open("rb") as file:
        while data := file.read(CHUNK):
            found.update(data)
    return found.hexdigest()


def write_record(known: Known, path: str | Path) -> None:
    document = {"format": FORMAT, "schema": SCHEMA, "files": known}
    with replacing(path) as file:
        file.write(json.dumps(document, indent=1).encode())


def read_record(path: str | Path) -> Known:
    if Path(path).exists() and not Path(path).is_file():
        raise TableError(f"{path} is no file but a folder, a pipe or a device; it is no record of files.")
    with reading(Path(path)):
        text = Path(path).read_text(encoding="utf-8")
    try:
        document = json.loads(text)
        files: Known = document["files"]
        if document["format"] != FORMAT or document["schema"] != SCHEMA:
            raise ValueError
        for entry in files.values():
            if {"size", "time", "rows", "digest"} - entry.keys():
                raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise TableError(f"{path} is no record of files; it is what DataSet.save_record writes.") from None
    return files


def new_files(paths: list[Path], root: Path, known: Known) -> list[int]:
    """Places of the files that are not known; one that was changed or is gone is refused."""
    names = [name_of(path.absolute(), root) for path in paths]
    gone = [name for name in known if name not in names]
    if gone:
        raise TableError(
            f"{gone[0]}{_more(gone)}, which the record names, {'is' if len(gone) == 1 else 'are'} no longer there: "
            "what was learned from it cannot be taken back; fit again from the start."
        )
    changed = [name for name, path in zip(names, paths) if name in known and not _is_same(path, known[name])]
    if changed:
        raise TableError(
            f"{changed[0]}{_more(changed)} changed since the record was made: what was learned from it cannot be taken "
            "back; fit again from the start."
        )
    return [place for place, name in enumerate(names) if name not in known]


def _is_same(path: Path, entry: dict[str, Any]) -> bool:
    with reading(path):
        status = path.stat()
    if status.st_size != entry["size"]:
        return False
    return status.st_mtime_ns == entry["time"] or digest_of(path) == entry["digest"]


def _more(names: list[str]) -> str:
    return f" and {len(names) - 1} more" if len(names) > 1 else ""
