"""Every file format once: how its files are known, how one is read whole, and how its rows are read in blocks.

A format is found by its first bytes where these say what it is, else by the ending of the name.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from unmix.core.storage.full_disk import NO_ROOM
from unmix.io.base.errors import NoSuchFileError, TableError

KINDS = {"table": "a table", "image": "an image"}
OBJECT = re.compile(r"<\S+ object at 0x\w+>")  # tells a reader nothing


class Format(NamedTuple):
    """``read(path)`` gives all of a file; ``open(path, dtype)`` a source of its rows, or None to have it read whole.

    ``scan(path)`` gives its columns as they are without loading them, or None; ``head(path)`` what else is known then.
    """

    name: str
    endings: tuple[str, ...]
    read: Callable[[Path], Any]
    open: Callable[[Path, Any], Any] | None = None
    signature: bytes = b""
    kind: str = "table"
    folders: bool = False
    scan: Callable[[Path], Any] | None = None
    head: Callable[[Path], Any] | None = None


_formats: dict[tuple[str, str], Format] = {}


def known() -> dict[tuple[str, str], Format]:
    """Formats by kind and ending; those of the package are loaded when the first is asked for."""
    import_module("unmix.io.builtin_formats")
    return _formats


def register(
    name: str,
    endings: str | tuple[str, ...],
    read: Callable[[Path], Any],
    *,
    open: Callable[[Path, Any], Any] | None = None,
    signature: bytes = b"",
    kind: str = "table",
    folders: bool = False,
    scan: Callable[[Path], Any] | None = None,
    head: Callable[[Path], Any] | None = None,
    replace: bool = False,
) -> Format:
    """Make a file format known to `fit(path)`, `explore`, `select`, `roles` and `separate`.

    Parameters
    ----------
    name : str
        As in a sentence: "Parquet".
    endings : str or tuple of str
        Endings of file names, such as ``".parquet"``.
    read : callable
        ``read(path)`` returns the table: a polars or pandas frame, a dict of columns, an array, or a `Table` where row
        names or warnings go with it. Cells of text are looked at as those of a CSV file are. For an image, its pixels.
    open : callable, optional
        ``open(path, dtype)`` returns a source (`unmix.core.sources.Source`) that reads rows in blocks without loading
        the file, or None where this file has to be read whole.
    signature : bytes, optional
        How every file of this format begins; it then is known under any name.
    kind : {"table", "image"}
    folders : bool
        Whether a folder may be such a "file".
    scan : callable, optional
        ``scan(path)`` returns a polars LazyFrame, or an array mapped into memory, of which `explore` reads some rows to
        look at and then all in batches; or None where this file has to be read whole.
    head : callable, optional
        ``head(path)`` returns a `Table` without rows, for what is scanned: how it is written, warnings, row names.
    replace : bool
        Whether an ending that is known already goes to this format.

    Examples
    --------
    >>> import unmix.io
    >>> def read(path):
    ...     lines = path.read_text().splitlines()
    ...     return {"key": [line.split("=")[0] for line in lines], "value": [line.split("=")[1] for line in lines]}
    >>> found = unmix.io.register("key = value", ".pairs", read)
    >>> unmix.io.unregister(".pairs")
    """
    endings = (endings,) if isinstance(endings, str) else tuple(endings)
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; it must be one of {', '.join(map(repr, KINDS))}.")
    if not callable(read) or not all(part is None or callable(part) for part in (open, scan, head)):
        raise TypeError("read, and open, scan and head if given, must be callable: read(path) returns the table.")
    for ending in endings:
        if not ending.startswith(".") or len(ending) < 2 or ending != ending.lower():
            raise ValueError(f"{ending!r} is no ending; give a dot and small letters, such as '.parquet'.")
        if (kind, ending) in known() and not replace:
            name = known()[kind, ending].name
            raise ValueError(f"{ending!r} is known already, as {name}; give replace=True to read it otherwise.")
    found = Format(name, endings, read, open, signature, kind, folders, scan, head)
    known().update({(kind, ending): found for ending in endings})
    return found


def unregister(ending: str, kind: str = "table") -> None:
    """Forget an ending."""
    known().pop((kind, ending), None)


def formats(kind: str = "table") -> list[Format]:
    """All formats of a kind, in the order they were registered."""
    return list(dict.fromkeys(found for (its, _), found in known().items() if its == kind))


def endings(kind: str = "table") -> list[str]:
    """The endings by which files of a kind are known, such as ``.csv``."""
    return [ending for its, ending in known() if its == kind]


def ending_of(path: Path) -> str:
    """The ending in small letters, that of the packed file for .gz."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return suffixes[-2] if len(suffixes) > 1 and suffixes[-1] == ".gz" else "".join(suffixes[-1:])


def known_format(path: Path, kind: str) -> Format | None:
    """The format of a file that is there, by its first bytes or its ending; None if neither is known."""
    found = known().get((kind, ending_of(path)))
    with reading(path):  # a name may be too long to be asked for
        if path.is_dir() and found and found.folders:
            return found
        if path.is_dir():
            raise TableError(f"{path} is a directory; give one file: unmix reads {', '.join(endings(kind))}.")
        if not path.exists():
            raise NoSuchFileError(f"There is no file {path}{_near_names(path)}")
    start = _first_bytes(path)
    signed = (other for other in formats(kind) if other.signature and start.startswith(other.signature))
    return next(signed, found)


def format_of(path: Path, kind: str = "table") -> Format:
    """The format of a file; what is not there or not known is refused in a sentence."""
    found = known_format(path, kind)
    if found is None:
        raise TableError(_unknown(path, kind))
    if path.is_dir():
        return found
    start = _first_bytes(path)
    if not start.strip() and path.is_file():
        raise TableError(f"{path.name} is empty; {KINDS[kind]} was expected.")
    if not start.startswith(found.signature):
        article = "an" if found.name[0] in "AEIOUaeioun" else "a"
        raise TableError(f"{path.name} is not {article} {found.name} file: it does not begin with {found.signature!r}.")
    return found


def _first_bytes(path: Path) -> bytes:
    if not path.is_file():  # a pipe gives its bytes once
        return b" "
    with reading(path), path.open("rb") as file:
        return file.read(4096)


def _unknown(path: Path, kind: str) -> str:
    ending = ending_of(path)
    given = f"the extension {ending!r}" if ending else "no extension"
    other = next((its for its, its_ending in known() if its_ending == ending and its != kind), None)
    if other:
        return f"{path} has {given}, which is {KINDS[other]} and not {KINDS[kind]}."
    hint = f" A text table may also be piped: unmix explore - < {path.name}" if kind == "table" else ""
    return f"{path} has {given}; unmix reads {', '.join(endings(kind))}.{hint}"


def _near_names(path: Path) -> str:
    """The files beside it with a similar name, most similar first."""
    try:
        names = [other.name for other in path.parent.iterdir() if other.is_file()]
    except OSError:
        return f" (nor is there a directory {path.parent})."
    # by stems: names that share no more than their ending are not alike
    stems = {name: difflib.SequenceMatcher(None, Path(name).stem.lower(), path.stem.lower()).ratio() for name in names}
    near = sorted((name for name in names if stems[name] >= 0.6), key=lambda name: -stems[name])[:3]
    return "; did you mean " + " or ".join(str(path.parent / name) for name in near) + "?" if near else "."


@contextmanager
def reading(path: Path, name: str = "") -> Iterator[None]:
    """Every failure of a reader as one sentence that names the file; what is one already, and bugs of types, pass."""
    try:
        yield
    except (TableError, TypeError, MemoryError):
        raise
    except OSError as error:
        if error.filename is None and error.errno in NO_ROOM:
            raise  # of the temporary folder, not of this file
        raise TableError(f"{path} cannot be read: {error.strerror or error}.") from None
    except BaseException as error:  # the readers' own errors are many, and a panic of polars is no Exception
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(".")
        reason = OBJECT.sub("an expression", reason)
        raise TableError(f"{path.name} cannot be read{name and ' as ' + name} ({reason}).") from error
