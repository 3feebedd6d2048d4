"""What is known of a file before its rows are read: how many, of which columns, and when and how long it was written.

Asked on the workers of a cluster where there is one, so that the driver opens no file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from unmix.core.execution import current_execution
from unmix.io.base.errors import NoRowsError, TableError
from unmix.io.base.registry import format_of, reading

FILES_A_TASK = 16
NUMBERS = ("Int", "UInt", "Float")  # how names of types begin that go together


class Facts(NamedTuple):
    """``kinds`` are the types of the columns; ``names`` are empty where the format has none."""

    path: Path
    n_rows: int
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    stamp: tuple[int, int]  # size in bytes, time of writing in ns
    width: int
    row_names: str | None = None  # the column of a text that only names or counts its rows


def facts_of_all(
    paths: Sequence[Path], numbers: bool, client: Any = None, columns: Sequence[str] | None = None
) -> list[Facts]:
    """Of every file, in order; refused where columns differ. With ``numbers`` text is read for its numbers.

    Of text these columns alone, if any are named. Types are those that a column has in all files together.
    """
    found = in_parallel(facts_of_some, [(part, numbers, columns) for part in _parts(paths)], client)
    facts = [one for part in found for one in part]
    for one in facts[1:]:
        _refuse_difference(facts[0], one)
    kinds = _common_kinds(facts)
    return [one._replace(kinds=tuple(kinds[name] for name in one.names) or one.kinds) for one in facts]


def _common_kinds(facts: Sequence[Facts]) -> dict[str, str]:
    """Of every named column: its type where it has a value, of numbers the one that holds them all."""
    import polars as pl

    kinds: dict[str, dict[str, None]] = {}
    for names, types in dict.fromkeys((one.names, one.kinds) for one in facts):
        for name, kind in zip(names, types):
            kinds.setdefault(name, {}).setdefault(kind)
    found = {}
    for name, seen in kinds.items():
        given = [kind for kind in seen if kind != "Null"] or ["Null"]
        if len(given) > 1:
            frames = [pl.DataFrame(schema={"x": getattr(pl, kind)}) for kind in given]
            given = [str(pl.concat(frames, how="vertical_relaxed").schema["x"])]
        found[name] = given[0]
    return found


class Weight(NamedTuple):
    """What a result weighs, and what is asked of the weight of all before they leave the workers."""

    of: Callable[[Any], int]
    ask: Callable[[int], None]


def in_parallel(
    f: Callable[..., Any],
    calls: Sequence[tuple[Any, ...]],
    client: Any = None,
    *shared: Any,
    weight: Weight | None = None,
) -> list[Any]:
    """On the workers of a cluster, or on threads here; results in order. What is ``shared`` comes last, sent once."""
    if client is not None:
        # by a task of its own, so that dask can make it again where its worker is lost
        sent = [client.submit(itself, part, pure=False) for part in shared]
        given = [*map(list, zip(*calls, strict=True)), *([part] * len(calls) for part in sent)]
        results = client.map(f, *given, pure=False)
        if weight is not None:
            weight.ask(sum(client.gather(client.map(weight.of, results, pure=False))))
        return list(client.gather(results))
    with ThreadPoolExecutor(min(current_execution().n_threads, len(calls))) as pool:
        return list(pool.map(lambda call: f(*call, *shared), calls))


def itself(value: Any) -> Any:
    return value


def _parts(paths: Sequence[Path]) -> list[list[Path]]:
    return [list(paths[first : first + FILES_A_TASK]) for first in range(0, len(paths), FILES_A_TASK)]


def facts_of_some(paths: list[Path], numbers: bool, columns: Sequence[str] | None = None) -> list[Facts]:
    found = []
    for path in paths:
        with naming(path):
            try:
                found.append(facts_of(path, numbers, columns))
            except NoRowsError as error:  # a header and nothing below: columns, and no type of their own
                names = tuple(name for name in error.names if columns is None or name in columns)
                found.append(Facts(path, 0, names, ("Null",) * len(names), stamp_of(path), len(names)))
    return found


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """What is said of a file names its folder too: partitions hold many of one name."""
    try:
        yield
    except (TableError, TypeError) as error:
        said, kind = str(error), TableError if isinstance(error, TableError) else TypeError
        raise kind(said if str(path) in said else said.replace(path.name, str(path), 1)) from None


def facts_of(path: Path, numbers: bool = False, columns: Sequence[str] | None = None) -> Facts:
    import polars as pl

    stamp, frame = stamp_of(path), scanned_columns(path)
    if frame is not None:
        with reading(path, format_of(path).name):
            schema = frame.collect_schema()
            n_rows = int(frame.select(pl.len()).collect().item())
        return Facts(path, n_rows, tuple(schema.names()), tuple(map(str, schema.dtypes())), stamp, len(schema))
    if numbers:
        from unmix.io.data_set.opened import open_whole

        source = open_whole(path, stamp, columns)
        if source.sparse:
            raise TableError(f"{path} holds a sparse matrix; files that make one table must be dense: give it alone.")
        names = tuple(name for name in source.names or () if columns is None or name in columns)
        width = len(names) or source.shape[1]
        kind = "Float32" if source.dtype == "float32" else "Float64"
        return Facts(path, source.shape[0], names, (kind,) * width, stamp, width)
    from unmix.io.read import read_path

    table = read_path(path)
    kinds = tuple(map(str, table.frame.dtypes))
    return Facts(path, table.frame.height, tuple(table.frame.columns), kinds, stamp, len(kinds), table.row_names)


def scanned_columns(path: Path) -> Any:
    """Typed columns that polars reads in place, as those of Parquet and Arrow; None for other formats."""
    import polars as pl

    found = format_of(path)
    if found.scan is None or found.head is not None:
        return None
    with reading(path, found.name):
        frame = found.scan(path)
    return frame if isinstance(frame, pl.LazyFrame) else None


def stamp_of(path: Path) -> tuple[int, int]:
    with reading(path):
        status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def check_unchanged(path: Path, stamp: tuple[int, int]) -> None:
    """A file that was written to since its rows were counted would give a table that never was."""
    try:
        same = stamp_of(path) == stamp
    except TableError as error:
        raise TableError(
            f"{str(error).rstrip('.')}; it was there when its rows were counted: every process that reads needs it "
            "under this path."
        ) from None
    if not same:
        raise TableError(f"{path} was changed while it was in use: fit again, when nobody writes to it.")


def _refuse_difference(first: Facts, other: Facts) -> None:
    if other.names == first.names and other.width == first.width and _same_kinds(first.kinds, other.kinds):
        return
    if len(set(first.names)) and set(other.names) != set(first.names):
        missing = [name for name in first.names if name not in other.names]
        extra = [name for name in other.names if name not in first.names]
        difference = f"lacks column {missing[0]!r}, which" if missing else f"has a column {extra[0]!r}, which"
        has = "has" if missing else "lacks"
        raise TableError(f"{other.path} {difference} {first.path} {has}; files of one table need the same columns.")
    if other.width != first.width:
        raise TableError(
            f"{other.path} has {other.width} columns, {first.path} has {first.width}; files of one table need the same."
        )
    for name, kind in zip(first.names, first.kinds):
        found = other.kinds[other.names.index(name)]
        if not _same_kinds((kind,), (found,)):
            raise TableError(
                f"{other.path} holds column {name!r} as {found}, {first.path} as {kind}; files of one table need the "
                "same types: write it again as one of them."
            )


def _same_kinds(first: Sequence[str], other: Sequence[str]) -> bool:
    """A column without any value has no type of its own, and numbers go together."""
    alike = (
        a == b or "Null" in (a, b) or (a.startswith(NUMBERS) and b.startswith(NUMBERS)) for a, b in zip(first, other)
    )
    return len(first) == len(other) and all(alike)
