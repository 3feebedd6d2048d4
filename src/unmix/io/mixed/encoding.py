"""A mixed table as one array of numbers, a column for a column, and the frame that such an array stands for.

numbers, counts   as they are                categories, ordered   0 … L-1, the number of the level
dates             days since 1 January 1970  truth values          0 and 1
missing           NaN
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from unmix.io.base.errors import TableError
from unmix.io.mixed.column import Column, Level, level_numbers, plain_numbers
from unmix.io.mixed.kinds import described
from unmix.io.mixed.restore import filled_frame, restored_frame
from unmix.io.mixed.source import Declared, is_pandas, typed_columns


class Encoding(NamedTuple):
    """What is known of the columns of a table, and the library its frame was of."""

    library: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def kinds(self) -> list[str]:
        return [column.kind for column in self.columns]

    def encode(self, frame: Any) -> np.ndarray:
        """The array of a frame with the same columns, in any order.  Levels never seen before count as missing."""
        given = typed_columns(frame)
        self._check_names(list(given))
        unknown: list[str] = []
        encoded = [_encoded(column, given[column.name], unknown) for column in self.columns]
        if unknown:
            warnings.warn(f"Unknown levels count as missing: {'; '.join(unknown)}.", UserWarning, stacklevel=2)
        return np.column_stack(encoded)

    def decode(self, array: np.ndarray, like: Any = None, *, rounded: bool = False) -> Any:
        """The frame that an array of encoded numbers stands for.

        Its library, types, index and order of columns are those of ``like``, else of the frame that was encoded first.
        Level numbers go to the nearest level.  Whole numbers stay whole numbers if all are whole; ``rounded`` makes
        them so in columns that held whole ones alone.
        """
        values = self._checked(array)
        if like is not None:
            self._check_names(list(typed_columns(like)))
        return restored_frame(self.columns, values, self.library, like, rounded)

    def fill(self, frame: Any, array: np.ndarray, *, rounded: bool = False) -> Any:
        """The frame with its holes filled by what the array says; cells that are there stay as they are."""
        return filled_frame(frame, self.decode(array, frame, rounded=rounded))

    def to_plain(self) -> dict[str, Any]:
        """Lists, text and numbers alone, from which `from_plain` makes the encoding again."""
        columns = [{**c._asdict(), "levels": list(c.levels), "declared": list(c.declared)} for c in self.columns]
        return {"library": self.library, "columns": columns}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Encoding:
        columns = [
            Column(**{**c, "levels": tuple(c["levels"]), "declared": tuple(c["declared"])}) for c in plain["columns"]
        ]
        return cls(plain["library"], tuple(columns))

    def _checked(self, array: np.ndarray) -> np.ndarray:
        values = np.asarray(array, dtype=np.float64)
        if values.ndim != 2 or values.shape[1] != len(self.columns):
            raise TableError(f"An array of shape {values.shape} was given; {len(self.columns)} columns were expected.")
        return values

    def _check_names(self, given: list[str]) -> None:
        lost = [name for name in self.names if name not in given]
        added = [name for name in given if name not in self.names]
        if lost:
            raise TableError(
                f"{_listed(lost)} {_is(lost)} not among the columns {_listed(given)}; give the columns of the fit."
            )
        if added:
            raise TableError(f"{_listed(added)} {_is(added)} no column of the fit; drop what the model does not know.")


def encode_columns(frame: Any, kinds: Mapping[Any, str | Sequence[Level]] | None = None) -> Encoding:
    """Decide for each column of a table how it becomes numbers.

    The type of a column says its kind: numbers are numbers (also whole ones, and 0 and 1), truth values booleans, text
    and unordered categories categories, ordered categories of pandas and Enums of polars ordered ones, dates dates.

    Parameters
    ----------
    frame : frame of pandas or polars, dict of columns, array, path
        Text files are read for what their cells say; frames are taken as they are typed.
    kinds : dict, optional
        By the name of a column its kind, "number", "count", "boolean", "category", "ordered" or "date", where the type
        does not say it; or the levels of an ordered one from low to high.

    Returns
    -------
    Encoding

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"age": [31, None, 54], "size": ["S", "L", None], "ill": [True, False, None]})
    >>> encoding = encode_columns(frame, kinds={"size": ["S", "M", "L"]})
    >>> encoding.kinds
    ['number', 'ordered', 'boolean']
    >>> encoding.encode(frame)
    array([[31.,  0.,  1.],
           [nan,  1.,  0.],
           [54., nan, nan]])
    """
    given = typed_columns(frame)
    asked = {str(name): kind for name, kind in (kinds or {}).items()}
    strange = [name for name in asked if name not in given]
    if strange:
        raise TableError(f"kinds names {_listed(strange)}, which is not among the columns {_listed(list(given))}.")
    columns = tuple(described(name, column, asked.get(name)) for name, column in given.items())
    return Encoding("pandas" if is_pandas(frame) else "polars", columns)


def _encoded(column: Column, given: Declared, unknown: list[str]) -> np.ndarray:
    if not column.has_levels:
        return plain_numbers(column, given.series)
    codes, others = level_numbers(column, given.series)
    if others:
        unknown.append(f"{column.name!r} holds {_listed([str(level) for level in others])}")
    return codes


def _listed(names: list[str], most: int = 5) -> str:
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
