"""A table as a matrix of numbers: every column by its only meaning, NaN for missing, row names left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.io.in_memory.table import Table
from unmix.io.text.cells import number_column, table_decimal_comma


class Matrix(NamedTuple):
    """Names of the columns, values (n, d), and sentences about cells that were not plain numbers."""

    names: list[str]
    values: np.ndarray
    notes: list[str]


def as_matrix(table: Table) -> Matrix:
    """The columns of a table as numbers; one that holds text or dates is refused by name."""
    notes: list[str] = []
    decimal_comma = table_decimal_comma(table.frame)
    kept = [name for name in table.frame.columns if name != table.row_names]
    columns = {name: number_column(table.frame[name], decimal_comma, notes) for name in kept}
    refuse_text([name for name, values in columns.items() if values is None], table.name)
    found = [values for values in columns.values() if values is not None]
    single = bool(found) and all(values.dtype == np.float32 for values in found)
    stacked = np.empty((table.frame.height, len(kept)), np.float32 if single else np.float64)
    for j, values in enumerate(found):
        stacked[:, j] = values
    return Matrix(kept, stacked, notes)


def refuse_text(names: list[str], source: str) -> None:
    if names:
        shown = ", ".join(repr(name) for name in names[:5]) + (", …" if len(names) > 5 else "")
        raise TypeError(f"{source}: column {shown} is not numeric; drop or encode it first ('unmix explore' does)")
