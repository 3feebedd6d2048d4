"""Which columns form the clusters, which only describe them, which are left out; each with its sentence.

Numbers form the clusters.  Categories do so too where there are at least as many of them: latent classes of numbers and
categories are found far better by both.  Where they are fewer they are kept aside, as an independent check of what the
numbers found. Names that are measured again and again are whose a row is, and form none.
What is no measurement (names, counters, dates, copies of other columns, targets) is set aside.
"""

from __future__ import annotations

from unmix.exploration.columns.control import Control
from unmix.exploration.columns.following import find_following
from unmix.exploration.columns.kinds import Kind
from unmix.exploration.columns.repeated_units import repeated_units
from unmix.exploration.columns.scales import max_levels
from unmix.exploration.findings.records import Column
from unmix.io.base.errors import TableError

max_missing = 0.6
category_options = ("auto", "use", "describe")
_no_measurement = ("constant", "id", "text", "counter", "date", "calendar", "derived", "target")


def decide_usage(
    columns: list[Column], kinds: list[Kind], n_rows: int, categories: str = "auto", control: Control | None = None
) -> None:
    """Set `used`, `describes` and the first words of `what` on every column."""
    if categories not in category_options:
        raise TableError(f"categories={categories!r} is not known; expected one of {', '.join(category_options)}.")
    control = control or Control()
    open_ = [(column, kind) for column, kind in zip(columns, kinds) if _asked(column, control) is None]
    aside = _not_needed(open_, kinds, n_rows, categories)
    n_numeric = sum(_is_measured(column, n_rows) and column.name not in aside for column, _ in open_)
    n_category = sum(_can_be_encoded(column, n_rows) and column.name not in aside for column, _ in open_)
    form = categories == "use" or (categories == "auto" and (n_numeric < 2 or n_numeric <= n_category))
    for column, kind in zip(columns, kinds):
        column.used, column.what = _asked(column, control) or _usage(column, kind, n_rows, form)
        if column.name in aside and column.used and _asked(column, control) is None:
            column.used, column.what = False, f"kept aside: {aside[column.name]}"
        column.describes = column.kind != "derived" and column.name not in control.drop
    if not any(column.used for column in columns):
        raise TableError(_nothing_left(columns))


def _not_needed(open_: list[tuple[Column, Kind]], kinds: list[Kind], n_rows: int, categories: str) -> dict[str, str]:
    """Columns that tell whose a row is, or what another one tells, each with why."""
    aside = repeated_units(kinds) if categories == "auto" else {}
    usable = [
        kind
        for column, kind in open_
        if column.name not in aside and (_is_measured(column, n_rows) or _can_be_encoded(column, n_rows))
    ]
    if categories == "describe":
        usable = [kind for kind in usable if kind.form == "numeric"]
    return aside | find_following(usable, [kind for kind in kinds if kind.form == "date"])


def _asked(column: Column, control: Control) -> tuple[bool, str] | None:
    """What the user wants of a column; None where it is left to its kind."""
    said = {control.id: "names the rows", control.group: "names the unit a row belongs to"}
    said[control.order] = "gives the order of the rows"
    if column.name in control.drop:
        return False, "left out, as asked"
    if column.name in control.describe:
        return False, "kept aside: describes the clusters, as asked"
    if column.name in said and column.name not in control.use:
        return False, f"kept aside: {said[column.name]}, as asked"
    if not control.use:
        return None
    if column.name not in control.use:
        return False, "kept aside: not among the columns to use"
    return _asked_for(column)


def _asked_for(column: Column) -> tuple[bool, str]:
    if column.kind == "constant":
        return False, f"left out: {column.reason}"
    if column.form == "numeric":
        return True, "used as a number, as asked"
    if column.n_unique > max_levels:
        raise TableError(
            f"Column {column.name!r} has {column.n_unique} levels, too many to form clusters (limit {max_levels}); "
            "describe clusters by it instead, or drop it."
        )
    return True, "used as yes/no, as asked" if column.form == "boolean" else _one_hot(column)


def _one_hot(column: Column) -> str:
    return f"one-hot encoded, {column.n_unique} levels"


def _filled(column: Column, n_rows: int) -> bool:
    return column.n_missing <= max_missing * n_rows


def _is_measured(column: Column, n_rows: int) -> bool:
    return column.form == "numeric" and column.kind not in _no_measurement and _filled(column, n_rows)


def _can_be_encoded(column: Column, n_rows: int) -> bool:
    levels = column.form in ("category", "boolean") and column.kind not in _no_measurement
    return levels and column.n_unique <= max_levels and _filled(column, n_rows)


def _usage(column: Column, kind: Kind, n_rows: int, categories_form: bool) -> tuple[bool, str]:
    if column.kind in _no_measurement:
        return False, _set_aside(column, kind)
    if not _filled(column, n_rows):
        gaps = f"{column.n_missing:,} of {n_rows:,} values are missing"
        return False, f"left out: {gaps} (limit {100 * max_missing:.0f} %)"
    if column.form == "numeric":
        return True, "used as a number"
    if column.n_unique > max_levels:
        return False, f"kept aside: {column.n_unique} levels are too many to encode (limit {max_levels})"
    if not categories_form:
        return False, "kept aside: describes the clusters, which the numbers form"
    return True, "used as yes/no" if column.form == "boolean" else _one_hot(column)


def _set_aside(column: Column, kind: Kind) -> str:
    if column.kind == "date":
        return "left out: a date says when, not what"
    if column.kind == "calendar":
        return f"left out: {kind.why}; it says when, not what"
    return f"{'kept aside' if column.kind == 'target' else 'left out'}: {kind.why}"


def _nothing_left(columns: list[Column]) -> str:
    if all(column.n_unique == 0 for column in columns):
        return "Every value of the table is missing; at least one column with values was expected."
    if all(column.kind == "constant" for column in columns):
        return "Every column is constant, so rows cannot differ; at least one column that varies was expected."
    reasons = "; ".join(f"{column.name!r} {column.what}" for column in columns[:4])
    more = f"; and {len(columns) - 4} more" if len(columns) > 4 else ""
    hint = (
        " Columns are cut at commas, semicolons, tabs or pipes: is another character meant?"
        if len(columns) == 1
        else ""
    )
    return f"No column holds numbers or categories that rows could be compared by ({reasons}{more}).{hint}"
