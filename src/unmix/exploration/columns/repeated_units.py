"""Columns of names that are measured again and again: with a column of times they name the row, as a share and its day.

Such names are whose a row is, not what was measured of it: groups that they form are the units themselves. A time is a
date, a counter, or numbers that nearly every unit runs through, as the ages at which children were measured. Units may
have numbers too, that were given in the order of the table.
"""

from __future__ import annotations

import numpy as np

from unmix.exploration.columns.kinds import Kind
from unmix.exploration.columns.names import is_unit
from unmix.exploration.columns.scales import appear_ascending

_naming = 0.95  # share of the rows that a unit and a time tell apart
_fewest_times = 3  # of a unit, on average
_fewest_rows = 12
_fewest_units = 8  # that run through the same numbers
_filled = 0.8  # share of units at times, from which on they are the same times


def repeated_units(kinds: list[Kind]) -> dict[str, str]:
    """The names of such columns, each with the clause that says why."""
    times, numbers = _times(kinds), [kind for kind in kinds if kind.form == "numeric"]
    found: dict[str, str] = {}
    for unit in [kind for kind in kinds if kind.kind in ("category", "code")]:
        name, n_units = unit.values.name, unit.values.n_unique()
        by = [time for time in times if _name_rows(unit, time)]
        by += [number for number in numbers if _name_rows(unit, number) and _run_through(unit, number)]
        if by:
            found[name] = f"with {by[0].values.name!r} it names the row"
        elif is_unit(name) and _fewest_units <= n_units <= len(unit.values) / 2:
            found[name] = "it tells whose a row is"
    return found


def numbered_units(kinds: list[Kind]) -> dict[str, str]:
    """Whole numbers that with a time name the row, and ascend as the times of each do, with the name of the time."""
    found: dict[str, str] = {}
    times = _times(kinds)
    for unit in [kind for kind in kinds if times and kind.kind in ("numeric", "count", "ordered")]:
        x = unit.values.drop_nulls().to_numpy()
        if len(x) < len(unit.values) or not (x == np.floor(x)).all() or not appear_ascending(x):
            continue
        for time in times:
            if _name_rows(unit, time) and _ascend(*_ranks(unit, time)):
                found.setdefault(unit.values.name, time.values.name)
    return found


def _times(kinds: list[Kind]) -> list[Kind]:
    return [kind for kind in kinds if kind.form == "date" or kind.kind == "counter"]


def _ranks(unit: Kind, time: Kind) -> tuple[np.ndarray, np.ndarray]:
    who, when = (kind.values.rank("dense").fill_null(0).to_numpy().astype(np.int64) for kind in (unit, time))
    return who, when


def _name_rows(unit: Kind, time: Kind) -> bool:
    n, n_units, n_times = len(unit.values), unit.values.n_unique(), time.values.n_unique()
    if n < _fewest_rows or n_units < 2 or n < _fewest_times * n_units or n_times > n / 2:
        return False
    who, when = _ranks(unit, time)
    return len(np.unique(who * (n + 1) + when)) >= _naming * n


def _run_through(unit: Kind, numbers: Kind) -> bool:
    """Whether nearly every unit has nearly all of the same few numbers, in ascending order."""
    n_units, n_times = unit.values.n_unique(), numbers.values.n_unique()
    few = n_units >= _fewest_units and n_times >= _fewest_times
    return few and len(unit.values) >= _filled * n_units * n_times and _ascend(*_ranks(unit, numbers))


def _ascend(who: np.ndarray, when: np.ndarray) -> bool:
    """Whether rows of one unit stand in the order of their times."""
    order = np.argsort(who, kind="stable")
    same = np.diff(who[order]) == 0
    return bool((np.diff(when[order])[same] > 0).mean() >= _naming) if same.any() else False
