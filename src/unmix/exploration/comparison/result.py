"""What changed between two tables, as plain records, in words and in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from unmix.exploration.findings.json_values import json_value
from unmix.exploration.findings.summary import printable


@dataclass
class Moved:
    """A column in which a group lies elsewhere: its mean (share of a level) before and now, and the difference.

    `low`, `high` bound the difference with 95 %; for a column whose logarithm was taken these are ratios now / before.
    `effect` is the difference in standard deviations within the group; `p_value` is corrected for all of them.
    """

    column: str
    before: float
    now: float
    low: float
    high: float
    effect: float
    p_value: float
    sentence: str
    level: str | None = None


@dataclass
class GroupChange:
    """One group of the old table, or one that only the new one has."""

    label: int  # among the old groups, or among the new ones where it appeared
    name: str
    state: str  # stayed | moved | appeared | vanished
    share_before: float
    share_now: float
    share_p_value: float
    share_changed: bool
    moved: list[Moved] = field(default_factory=list)
    sentence: str = ""


@dataclass
class Comparison:
    """Whether the structure of a table changed: prints as text; `groups`, `changed`, `p_value`, `to_dict()`."""

    old: str
    new: str
    n_old: int
    n_new: int
    k_old: int
    k_new: int
    changed: bool
    p_value: float  # of the largest difference, against tables drawn again from the old one
    sentence: str
    groups: list[GroupChange]
    far: float  # share of new rows that lie far from all that were seen
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values."""
        tree: dict[str, Any] = json_value(self)
        return tree

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{printable(self.old)} ({self.n_old:,} rows) → {printable(self.new)} ({self.n_new:,} rows)"
        yield self.sentence
        yield ""
        for group in self.groups:
            yield f"  {group.state:<9} {printable(group.name, 60)}: {group.sentence}"
            yield from (f"            - {printable(moved.sentence, 140)}" for moved in group.moved)
        yield from (f"Note: {printable(note, 300)}" for note in self.notes)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{group.state}</td><td>{escape(group.name)}</td><td>{escape(group.sentence)}"
            + "".join(f"<br>{escape(moved.sentence)}" for moved in group.moved)
            + "</td></tr>"
            for group in self.groups
        )
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes)
        return f"<p><b>{escape(self.sentence)}</b></p><table>{rows}</table><ul>{notes}</ul>"
