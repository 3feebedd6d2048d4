"""Clusters inside clusters as an indented tree, where there is more than one level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from unmix.core.percent import whole_percent

if TYPE_CHECKING:
    from unmix.exploration.findings.records import Level


def tree_lines(levels: Sequence[Level]) -> list[str]:
    """A line a cluster, as deep as the tree; none where none splits."""
    if not any(level.children for level in levels):
        return []
    return [line for level in levels for line in _lines(level, 1)]


def _lines(level: Level, depth: int) -> Iterator[str]:
    sure = level.children and level.probability is not None
    chance = f" ({whole_percent(level.probability)} that it splits at all)" if sure else ""
    rows = f"{level.size:,} row{'s' * (level.size != 1)}"
    yield f"{'  ' * depth}{level.path}  {level.name}, {rows}: {level.sentence}{chance}"
    for child in level.children:
        yield from _lines(child, depth + 1)
