"""Five defects planted on purpose, each with the part of the harness that must report it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.faults import archives, cells, order, power, readers
from tests.faults.odd_tables import hostile_arrays
from tests.faults.part import Case, Part


class Planted(NamedTuple):
    """What is broken, how, and which part sees it."""

    defect: Callable[[], AbstractContextManager[Any]]
    part: Part


def nothing(*_: Any, **__: Any) -> None:
    """What a guard does that was removed."""


def removed_guard() -> AbstractContextManager[Any]:
    """The header of an array is believed, whatever the file holds."""
    return patch("unmix.io.readers.arrays._check_size", nothing)


def lost_sync() -> AbstractContextManager[Any]:
    """Results take their name before they are on disk."""
    return patch("unmix.core.storage.folder.sync_file", nothing)


def wrong_merge_order() -> AbstractContextManager[Any]:
    """Statistics of blocks are added as threads finish, the last one first, where there are several threads."""
    import unmix.core.blocks as blocks

    in_order = blocks.run_in_order

    def backwards(work: Any, n: int, keep: Callable[[int, Any], None], n_threads: int) -> None:
        kept: list[tuple[int, Any]] = []
        in_order(work, n, lambda leaf, result: kept.append((leaf, result)), n_threads)
        for leaf, result in reversed(kept) if n_threads > 1 else kept:
            keep(leaf, result)

    return patch.object(blocks, "run_in_order", backwards)


def unescaped_cell() -> AbstractContextManager[Any]:
    """Text goes into pages as it is."""
    return patch("unmix.report.drawing.markup.escape", lambda text, quote=True: text)


def unchecked_shape() -> AbstractContextManager[Any]:
    """Attributes of a model file are taken as they come."""
    return patch("unmix.shell.persistence.check_fitted", nothing)


def few_models(folder: Path, short: bool) -> Iterator[Case]:
    with patch.object(archives, "subjects", lambda short: ["KMeans"]):
        yield from archives.models(folder, short)


def few_arrays(folder: Path, short: bool) -> Iterator[Case]:
    for case, name, data in hostile_arrays():
        yield case, readers.tried(folder, name, data)


PLANTED: dict[str, Planted] = {
    "removed guard": Planted(removed_guard, few_arrays),
    "lost fsync": Planted(lost_sync, power.power),
    "wrong merge order": Planted(wrong_merge_order, order.order),
    "unescaped cell": Planted(unescaped_cell, cells.cells),
    "unchecked shape": Planted(unchecked_shape, few_models),
}
