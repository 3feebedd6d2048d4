"""Which files a folder, a pattern or a list stands for, in what order, and the values that names of folders give them.

Numbers in names count as numbers: part-2 comes before part-10. A folder ``year=2024`` gives all files below it the
column `year` (the "hive" form of a partitioned data set). Names that begin with a dot or an underscore are not data.
"""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from unmix.io.base.errors import NoSuchFileError, TableError
from unmix.io.base.registry import ending_of, endings, format_of, known
from unmix.io.given import is_pattern

NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
PARTITION = re.compile(r"([^=]+)=(.*)", re.DOTALL)


class Listing(NamedTuple):
    """What the files are called together, each file with its partition, and what was left out."""

    name: str
    root: Path
    paths: list[Path]
    partitions: list[dict[str, str | None]]
    warnings: list[str]


def list_files(source: Any) -> Listing:
    """Files in natural order; those of a list in its order. What makes no table is refused in a sentence."""
    parts = [_listed(one) for one in (source if isinstance(source, list | tuple) else [source])]
    found = Listing(
        parts[0].name if len(parts) == 1 else f"{parts[0].name} and {len(parts) - 1} more",
        parts[0].root if len(parts) == 1 else _common([part.root for part in parts]),
        [path for part in parts for path in part.paths],
        [values for part in parts for values in part.partitions],
        [said for part in parts for said in part.warnings],
    )
    _refuse_twice(found.paths)
    _refuse_other_formats(found)
    _refuse_other_keys(found)
    return found


def _listed(source: str | Path) -> Listing:
    if source == "":  # which a path takes for the folder one is in
        raise NoSuchFileError("An empty name names no file; '.' is the folder you are in.")
    path = Path(source)
    if is_pattern(source):
        paths = sorted(map(Path, glob.glob(str(source), recursive=True)), key=natural_key)
        paths, left = _data_files(paths, Path("."))
        if not paths:
            raise NoSuchFileError(f"No file of a table matches {source}; unmix reads {', '.join(endings())}.")
        return Listing(
            str(source), _common([one.parent for one in paths]), paths, [_values(one.parts[:-1]) for one in paths], []
        )
    if not path.is_dir():
        format_of(path)  # what is not there, or not known, is refused here
        return Listing(path.name, path.parent, [path], [_values(path.parts[:-1])], [])
    below = [Path(folder) / name for folder, _, names in os.walk(path, followlinks=True) for name in names]
    paths, left = _data_files(sorted(below, key=natural_key), path)
    if not paths:
        raise TableError(f"{path} is a directory without a table in it; unmix reads {', '.join(endings())}.")
    said = [f"{left} file{'s' * (left != 1)} in {path.name} of other kinds {'were' if left > 1 else 'was'} left out."]
    values = [_values(one.relative_to(path).parts[:-1]) for one in paths]
    return Listing(path.resolve().name or str(path), path, paths, values, said if left else [])


def natural_key(path: Path) -> tuple[list[Any], ...]:
    """Part by part of the path, numbers by their size."""
    return tuple(
        [int(word) if place % 2 else word for place, word in enumerate(re.split(r"(\d+)", part))] for part in path.parts
    )


def _data_files(paths: list[Path], root: Path) -> tuple[list[Path], int]:
    """Those with the ending of a table, and how many others there are; what is hidden is not counted."""
    shown = [one for one in paths if not _is_hidden(one, root) and one.is_file()]
    kept = [one for one in shown if ("table", ending_of(one)) in known()]
    return kept, len(shown) - len(kept)


def _is_hidden(path: Path, root: Path) -> bool:
    parts = path.relative_to(root).parts if path.is_relative_to(root) else (path.name,)
    return any(part.startswith((".", "_")) and "=" not in part and part != ".." for part in parts)


def _values(folders: tuple[str, ...]) -> dict[str, str | None]:
    found = [PARTITION.fullmatch(folder) for folder in folders]
    pairs = [(unquote(match[1]), unquote(match[2])) for match in found if match]
    return {key: None if value == NO_VALUE else value for key, value in pairs}


def _common(folders: list[Path]) -> Path:
    try:
        return Path(os.path.commonpath([folder.absolute() for folder in folders]))
    except ValueError:  # on different drives
        return folders[0]


def _refuse_twice(paths: list[Path]) -> None:
    counts = Counter(path.resolve() for path in paths)
    twice = [path for path in paths if counts[path.resolve()] > 1]
    if twice:
        raise TableError(f"{twice[0]} is given twice; give every file once.")


def _refuse_other_formats(found: Listing) -> None:
    names = [
        known()["table", ending_of(path)].name if ("table", ending_of(path)) in known() else "" for path in found.paths
    ]
    counts = Counter(names)
    if len(counts) > 1:
        named = ", ".join(f"{count} of {name or 'another kind'}" for name, count in counts.most_common())
        odd = next(path for path, name in zip(found.paths, names) if name != counts.most_common(1)[0][0])
        raise TableError(
            f"{found.name} holds files of several formats ({named}), the first other one is {odd}; give a pattern of "
            "those that belong together, such as 'FOLDER/**/*.parquet'."
        )


def _refuse_other_keys(found: Listing) -> None:
    first = list(found.partitions[0])
    for path, values in zip(found.paths, found.partitions):
        if list(values) != first:
            named, expected = (", ".join(keys) or "no partition" for keys in (values, first))
            raise TableError(
                f"{path} lies in folders that name {named}, where those of {found.paths[0]} name {expected}; all files "
                "of a data set need the same partition columns."
            )
