"""Columns of names that are measured again and again: with a column of times they name the row, as a share and its day.

Such names are whose a row is, not what was measured of it: groups that they form are the units themselves.
"""

from __future__ import annotations

import numpy as np

from unmix.exploration.columns.kinds import Kind

_naming = 0.95  # share of the rows that a unit and a time tell apart
_fewest_times = 3  # of a unit, on average
_fewest_rows = 12


def repeated_units(kinds: list[Kind]) -> dict[str, str]:
    """The names of such columns, each with that of the time that names the row with it."""
    times = [kind for kind in kinds if kind.form == "date" or kind.kind == "counter"]
    found: dict[str, str] = {}
    for unit in [kind for kind in kinds if kind.kind == "category"]:
        for time in times:
            if _name_rows(unit, time):
                found.setdefault(unit.values.name, time.values.name)
    return found


def _name_rows(unit: Kind, time: Kind) -> bool:
    n, n_units, n_times = len(unit.values), unit.values.n_unique(), time.values.n_unique()
    if n < _fewest_rows or n_units < 2 or n < _fewest_times * n_units or n_times > n / 2:
        return False
    who, when = (kind.values.rank("dense").fill_null(0).to_numpy().astype(np.int64) for kind in (unit, time))
    return len(np.unique(who * (n + 1) + when)) >= _naming * n
