"""Did the structure of a table change: groups that stayed, moved, appeared, vanished; shares that are others now.

Rows of both tables get the groups of the old model, then those of the new one. A group that only the new table has
would get hardly any old row by the new model; one that vanished gets hardly any new row by the old model. What is left
is compared group by group. Nothing is claimed that tables drawn again from the old one show too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.core.random import spawn
from unmix.exploration.assignment.assign import encoding_of
from unmix.exploration.assignment.encoding import Encoding
from unmix.exploration.assignment.familiarity import familiar, how_known
from unmix.exploration.assignment.storage import FILE
from unmix.exploration.comparison.moves import moves
from unmix.exploration.comparison.resampled import Differences, Rows, differences
from unmix.exploration.comparison.result import Comparison, GroupChange
from unmix.exploration.explore import explore
from unmix.exploration.findings.records import Findings
from unmix.exploration.groups.contrast import percent
from unmix.io.base.errors import TableError
from unmix.io.text.cells import table_decimal_comma

CLAIM = 0.01  # p below which a difference is claimed
_looks = 3  # at groups that appeared, that vanished, and at all others
_some_far = 0.02  # of the new rows
_hardly = 0.2  # of the share a group has in one table, below which it is not in the other


class Tables(NamedTuple):
    """Rows of the old and the new table with the groups of one model, the old one or the new one."""

    old: Rows
    new: Rows
    k: int


def compare(old: Any, new: Any, *, progress: Callable[[str], None] | None = None) -> Comparison:
    """Compare the structure of a table with that of an earlier one.

    Parameters
    ----------
    old : Findings, or path of a folder that `explore` wrote
    new : Findings or such a folder, or a table in any form that `explore` takes, explored as the old one was
    progress : callable, optional
        Called with a few words before each step of exploring a new table.

    Returns
    -------
    Comparison
        Prints as text; `changed`, `p_value`, `groups`, `to_dict()`.

    Examples
    --------
    >>> import numpy as np, unmix
    >>> rng = np.random.default_rng(0)
    >>> draw = lambda step: {"x": np.r_[rng.normal(0, 1, 80), rng.normal(9 + step, 1, 80)], "y": rng.normal(size=160)}
    >>> old = unmix.explore(draw(0))
    >>> unmix.compare(old, draw(0)).changed
    False
    >>> [(group.name, group.state) for group in unmix.compare(old, draw(2)).groups]
    [('lower x', 'stayed'), ('higher x', 'moved')]
    """
    before = encoding_of(old)
    now = new if _is_explored(new) else explore(new, progress=progress, **_settings(before))
    return compare_encodings(before, encoding_of(now), _values_of(now, before))


def _is_explored(new: Any) -> bool:
    if isinstance(new, Findings):
        return True
    if not isinstance(new, str | Path) or str(new) == "-":
        return False
    return Path(new).suffix == ".unmix" or any((Path(new) / name).is_file() for name in (FILE, "findings.json"))


def _settings(before: Encoding) -> dict[str, Any]:
    """What the old table was explored with; how many rows it had does not bind the new one."""
    return {name: value for name, value in before.settings.items() if name != "sample"}


def _values_of(now: Any, before: Encoding) -> pl.DataFrame | None:
    """Values of the kept rows of a new table in the old columns; None where only what was saved of it is at hand."""
    if not isinstance(now, Findings) or now.table is None:
        return None
    frame, numbers = now.table.sample.frame, now.encoding.kept.rows - 1
    return before.values(frame, table_decimal_comma(frame))[np.searchsorted(now.table.rows, numbers)]


def compare_encodings(before: Encoding, now: Encoding, values: pl.DataFrame | None = None) -> Comparison:
    """`values` are those of the new table's kept rows in the old columns, if `now` is not all that is at hand."""
    values = before.values(now.kept.values, False) if values is None else values
    lacking = [series.name for series in values if series.null_count() == len(series)]
    if len(lacking) == values.width:
        raise TableError(
            f"{now.source} has none of the columns that formed the groups of {before.source}; compare tables with the "
            "same columns."
        )
    by_old = Tables(
        Rows(before.standardised(before.kept.values), before.kept.labels, before.kept.blocks),
        Rows(before.standardised(values), before.predict(values)),
        len(before.names),
    )
    old_by_new = now.predict(now.values(before.kept.values, False))
    by_new = Tables(
        Rows(_nothing(old_by_new), old_by_new, before.kept.blocks),
        Rows(_nothing(now.kept.labels), now.kept.labels),
        len(now.names),
    )
    appeared = _only_in(by_new, now.names, "appeared")
    vanished = _only_in(by_old, before.names, "vanished")
    others, p = _others(by_old, before, values, appeared, vanished, now.kept.labels)
    _, far = how_known(familiar(before), before, values, by_old.new.labels)
    groups = [*sorted([*others, *vanished], key=lambda group: group.label), *appeared]
    return _result(before, now, groups, p, float(far[by_old.new.labels >= 0].mean()), lacking)


def _nothing(labels: np.ndarray) -> np.ndarray:
    return np.empty((len(labels), 0))


def _only_in(tables: Tables, names: list[str], state: str) -> list[GroupChange]:
    """Groups of which one table has hardly any row."""
    old, new = (side._replace(X=_nothing(side.labels)).only(side.labels >= 0) for side in (tables.old, tables.new))
    found = differences(old, new, tables.k, spawn(0, 15))
    before, now = _shares(old.labels, tables.k), _shares(new.labels, tables.k)
    gone = (before < _hardly * now) if state == "appeared" else (now < _hardly * before)
    return [
        GroupChange(
            int(g), names[g], state, float(before[g]), float(now[g]), float(found.share_p[g]), True,
            sentence=f"{percent(before[g])} of the old rows, {percent(now[g])} of the new ones",
        )
        for g in np.flatnonzero(gone & (found.share_p < CLAIM))
    ]  # fmt: skip


def _others(
    tables: Tables, before: Encoding, values: pl.DataFrame, appeared: list[GroupChange], vanished: list[GroupChange],
    own: np.ndarray,
) -> tuple[list[GroupChange], float]:  # fmt: skip
    """Groups that both tables have, among the rows that are in such groups, and p of their largest difference."""
    left_out = [-1, *(group.label for group in vanished)]
    in_old = ~np.isin(tables.old.labels, left_out)
    in_new = ~np.isin(tables.new.labels, left_out) & ~np.isin(own, [group.label for group in appeared])
    if not in_old.any() or not in_new.any():
        return [], 1.0
    old, new = tables.old.only(in_old), tables.new.only(in_new)
    found = differences(old, new, tables.k, spawn(0, 16))
    cells = before.kept.values.filter(pl.Series(in_old)), values.filter(pl.Series(in_new))
    kept = [g for g in range(tables.k) if g not in left_out]
    return [_group(before, g, old, new, cells, found) for g in kept], found.p


def _group(
    before: Encoding, g: int, old: Rows, new: Rows, cells: tuple[pl.DataFrame, pl.DataFrame], found: Differences
) -> GroupChange:
    then, now = (float((side.labels == g).mean()) for side in (old, new))
    moved = moves(before, g, old, new, cells, found.mean_p[g], CLAIM)
    changed = bool(found.share_p[g] < CLAIM)
    share = f"{percent(then)} → {percent(now)}" if changed else percent(now)
    state, p = "moved" if moved else "stayed", float(found.share_p[g])
    return GroupChange(g, before.names[g], state, then, now, p, changed, moved, f"{share} of the rows")


def _shares(labels: np.ndarray, k: int) -> np.ndarray:
    return np.bincount(labels, minlength=k) / max(len(labels), 1)


def _result(
    before: Encoding, now: Encoding, groups: list[GroupChange], p: float, far: float, lacking: list[str]
) -> Comparison:
    single = [group.share_p_value for group in groups if group.state in ("appeared", "vanished")]
    p = min(1.0, _looks * min([p, *single]))
    changed = any(group.state != "stayed" or group.share_changed for group in groups)
    notes = [f"Column {name!r} was used before but not now, and was not compared." for name in lacking]
    if before.kept.dependence:
        notes.append(f"Rows depend on each other {before.kept.dependence}: tables were drawn by blocks of such rows.")
    if len(before.names) != len(now.names) and not changed:
        notes.append(
            f"{now.source} by itself is cut into {len(now.names)} instead of {len(before.names)}, but its rows fall "
            "into the old groups as before: a finer or coarser cut, not another structure."
        )
    if far >= _some_far:
        notes.append(f"{percent(far)} of the new rows lie far from all old ones.")
    return Comparison(
        before.source, now.source, before.n_rows, now.n_rows, len(before.names), len(now.names), changed, p,
        _in_words(groups, changed, p), groups, far, notes,
    )  # fmt: skip


def _in_words(groups: list[GroupChange], changed: bool, p: float) -> str:
    if not changed:
        return f"No change beyond chance: tables drawn again from the old one differ as much (p = {p:.2g})."
    counts = {state: sum(group.state == state for group in groups) for state in ("appeared", "vanished", "moved")}
    said = [f"{count} group{'s' * (count > 1)} {state}" for state, count in counts.items() if count]
    shares = sum(group.share_changed for group in groups if group.state in ("stayed", "moved"))
    said += [f"{shares} share{'s' * (shares > 1)} changed"] if shares else []
    sure = "p < 0.01" if p < 0.01 else f"p = {p:.2g}"
    return f"The structure changed: {', '.join(said)} ({sure} against tables drawn again from the old one)."
