"""Whether something names files: a path, a folder, a pattern such as ``"sales/*.parquet"``, or a list of these.

Light, because everything that takes data asks it first; the room of data sets, one above, is looked up by name.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

MAGIC = "*?["  # what makes a pattern of a name


def names_files(X: Any) -> bool:
    """Anything that is read from files."""
    return isinstance(X, str | Path) or is_many(X)


def is_many(X: Any) -> bool:
    """A folder, a pattern, a list of paths or a `DataSet`; one file, whatever its name, is none of them."""
    if isinstance(X, str | Path):
        return str(X) != "-" and (_is_folder(Path(X)) or is_pattern(X))
    return are_paths(X) or getattr(X, "is_data_set", False) is True


def as_data_set(X: Any) -> Any:
    """The `DataSet` of what `is_many`."""
    return import_module("unmix.io.data_set.data_set").as_data_set(X)


def are_paths(X: Any) -> bool:
    """A list of names of which at least one can only be that of a file; a list of other words is a column."""
    if not isinstance(X, list | tuple) or not X or not all(isinstance(one, str | Path) for one in X):
        return False
    return any(isinstance(one, Path) or is_many(one) or _has_known_ending(one) for one in X)


def is_pattern(X: str | Path) -> bool:
    return any(sign in str(X) for sign in MAGIC) and not _exists(Path(X))


def _has_known_ending(name: str) -> bool:
    from unmix.io.base.registry import ending_of, endings

    return ending_of(Path(name)) in endings()


def _is_folder(path: Path) -> bool:
    """A folder that is no "file" of a format of its own."""
    try:
        if not path.is_dir():
            return False
    except (OSError, ValueError):  # a name may be too long to be asked for
        return False
    from unmix.io.base.registry import ending_of, known

    found = known().get(("table", ending_of(path)))
    return found is None or not found.folders


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
