"""The columns that names of folders give: whole numbers, else numbers, else text, as all files together say."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

WHOLE = re.compile(r"[+-]?\d{1,18}")
Value = int | float | str | None


class PartitionColumn(NamedTuple):
    """Its name, its type in words of polars, and the value of each file."""

    name: str
    kind: str
    values: tuple[Value, ...]

    @property
    def is_number(self) -> bool:
        return self.kind in ("Int64", "Float64")


def partition_columns(partitions: Sequence[dict[str, str | None]], taken: Sequence[str]) -> list[PartitionColumn]:
    """One for every key; a column that the files hold themselves is read from them."""
    keys = [key for key in partitions[0] if key not in taken]
    return [_column(key, [values[key] for values in partitions]) for key in keys]


def _column(name: str, words: list[str | None]) -> PartitionColumn:
    given = [word for word in words if word is not None]
    if given and all(WHOLE.fullmatch(word) for word in given):
        return PartitionColumn(name, "Int64", tuple(None if word is None else int(word) for word in words))
    if given and all(_is_number(word) for word in given):
        return PartitionColumn(name, "Float64", tuple(None if word is None else float(word) for word in words))
    return PartitionColumn(name, "String", tuple(words))


def _is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False
