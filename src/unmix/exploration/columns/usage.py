"""Which columns form the clusters, which only describe them, which are left out; each with its sentence.

Numbers form the clusters.  Categories do so only where numbers are few: one-hot columns split a table along their own
levels whatever the rest does, and a category that was kept aside is an independent check of what the numbers found.
"""

from __future__ import annotations

from unmix.exploration.columns.kinds import Kind, max_levels
from unmix.exploration.findings.records import Column
from unmix.io.errors import TableError

max_missing = 0.6
category_options = ("auto", "use", "describe")


def decide_usage(columns: list[Column], kinds: list[Kind], n_rows: int, categories: str = "auto") -> None:
    """Set `used` and the first words of `what` on every column."""
    if categories not in category_options:
        raise TableError(f"categories={categories!r} is not known; expected one of {', '.join(category_options)}.")
    n_numeric = sum(column.kind == "numeric" and _filled(column, n_rows) for column in columns)
    n_category = sum(_can_be_encoded(column, n_rows) for column in columns)
    form = categories == "use" or (categories == "auto" and (n_numeric < 2 or n_numeric < n_category))
    for column, kind in zip(columns, kinds):
        column.used, column.what = _usage(column, kind, n_rows, form)
    if not any(column.used for column in columns):
        raise TableError(_nothing_left(columns))


def _filled(column: Column, n_rows: int) -> bool:
    return column.n_missing <= max_missing * n_rows


def _can_be_encoded(column: Column, n_rows: int) -> bool:
    return column.kind in ("category", "boolean") and column.n_unique <= max_levels and _filled(column, n_rows)


def _usage(column: Column, kind: Kind, n_rows: int, categories_form: bool) -> tuple[bool, str]:
    if column.kind in ("constant", "id", "text"):
        return False, f"left out: {kind.why}"
    if column.kind == "date":
        return False, "left out: a date says when, not what"
    if not _filled(column, n_rows):
        return False, f"left out: {column.n_missing} of {n_rows} values are missing (limit {100 * max_missing:.0f} %)"
    if column.kind == "numeric":
        return True, "used as a number"
    if column.n_unique > max_levels:
        return False, f"kept aside: {column.n_unique} levels are too many to encode (limit {max_levels})"
    if not categories_form:
        return False, "kept aside: describes the clusters, which the numbers form"
    if column.kind == "boolean":
        return True, "used as yes/no"
    return True, f"one-hot encoded, {column.n_unique} levels"


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
