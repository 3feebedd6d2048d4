"""What dots, commas and spaces in a column of numbers mean: decided for each column, from the cells that are clear.

A mark between thousands stands in groups of three after one to three digits: 1,234,567 or 1.234.567 or 1 234 567 or
1'234'567. So 5.6, 0.125 and 1,037.50 have a decimal dot, and 5,1 and 1.037,50 a decimal comma, whatever stands beside
them; only 1,234 and 1.234 could be either. These follow the clear cells of their column, else the other columns of the
table, else the custom of machines (dot decimal, comma between thousands). In a column with clear cells of both customs
each clear cell is read for itself and the open ones are left out; so are those with a mark between thousands that is
missing in other cells, as in 12345.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

_exponent = r"([eE][+-]?\d+)?$"
_start = r"^[+-]?[1-9]\d{0,2}"
_decimal = {".": rf"^[+-]?(\d+\.\d*|\.\d+){_exponent}", ",": rf"^[+-]?\d*,\d+{_exponent}"}
_open = {".": _start + r"\.\d{3}$", ",": _start + r",\d{3}$"}
# Groups of thousands by the other mark: several of them, or one with the decimal mark after it.
_grouped = {
    ".": rf"{_start}((,\d{{3}}){{2,}}|(,\d{{3}})+\.\d*{_exponent[:-1]})$",
    ",": rf"{_start}((\.\d{{3}}){{2,}}|(\.\d{{3}})+,\d+{_exponent[:-1]})$",
}
_spaces = " \u00a0\u2009\u202f'\u2019"
_spaced = r"^[+-]?\d{1,3}(" + "|".join(rf"({mark}\d{{3}})+" for mark in _spaces) + r")([.,]\d+)?$"
_long = r"^[+-]?\d{5,}([.,]\d*)?$"
_other = {".": ",", ",": "."}


class Marks(NamedTuple):
    """Cells without spaces between thousands, and which of them are what; ``open`` ones have one mark and 3 digits."""

    text: pl.Series
    spaced: pl.Series
    decimal: dict[str, pl.Series]
    grouped: dict[str, pl.Series]
    open: dict[str, pl.Series]

    def clear(self, mark: str) -> bool:
        """Is there a cell in which this must be the decimal mark?"""
        return bool(self.decimal[mark].any() or self.grouped[mark].any())

    def separates(self, mark: str) -> bool:
        """Can this stand between thousands in the open cells?  Not where others of five digits go without it."""
        return bool(self.grouped[_other[mark]].any() or not _matches(self.text, _long).any())


def marks_of(cells: pl.Series) -> Marks:
    """Sort the cells of a column by what their marks can mean."""
    text = cells.str.replace("^\u2212", "-")
    spaced = _matches(text, _spaced)
    if spaced.any():
        without = text.str.replace_all(f"[{_spaces}]", "")
        text = text.zip_with(~spaced, without)
    decimal, grouped, open_ = {}, {}, {}
    for mark in ".,":
        # Beside a space between thousands another mark is not needed for that: it is decimal.
        open_[mark] = _matches(text, _open[mark]) & (not spaced.any())
        decimal[mark] = _matches(text, _decimal[mark]) & ~open_[mark]
        grouped[mark] = _matches(text, _grouped[mark])
    return Marks(text, spaced, decimal, grouped, open_)


def _matches(text: pl.Series, pattern: str) -> pl.Series:
    return text.str.contains(pattern).fill_null(False)


def decimal_mark(marks: Marks) -> str | None:
    """The decimal mark of a column if its clear cells agree, "both" if they do not, None if there are none."""
    comma, dot = marks.clear(","), marks.clear(".")
    if comma and dot:
        return "both"
    return "," if comma else "." if dot else None


class Reading(NamedTuple):
    """Cells as text with a decimal dot (null where it cannot be told), what was done, and what could be otherwise."""

    text: pl.Series
    notes: list[str]
    doubts: list[str]
    torn: bool  # marks contradict each other


def read_marks(cells: pl.Series, decimal_comma: bool) -> Reading:
    """Every cell by its only meaning, open ones by the column and then by the table (``decimal_comma``)."""
    marks = marks_of(cells)
    mark = decimal_mark(marks)
    decimal = mark or ("," if decimal_comma else ".")
    if mark is None and not marks.open[","].any() and not marks.separates("."):
        decimal = "."  # the column's own cells count for more than other columns
    left = [one for one in ".," if marks.open[one].any() and one != decimal and not marks.separates(one)]
    torn = mark == "both" or bool(left) or (mark is None and marks.open["."].any() and marks.open[","].any())
    text = marks.text
    for one in ".,":
        text = text.zip_with(~marks.grouped[one], text.str.replace_all(_other[one], "", literal=True))
    text = text.zip_with(~(marks.decimal[","] | marks.grouped[","]), text.str.replace(",", ".", literal=True))
    for one in ".,":
        text = _read_open(text, marks.open[one], one, None if torn else decimal)
    return Reading(text, _notes(marks, None if torn else decimal), _doubts(cells, marks, mark, decimal, torn), torn)


def _read_open(text: pl.Series, open_: pl.Series, mark: str, decimal: str | None) -> pl.Series:
    if decimal is None:
        return text.set(open_, None)
    return text.zip_with(~open_, text.str.replace(mark, "." if mark == decimal else "", literal=True))


def _notes(marks: Marks, decimal: str | None) -> list[str]:
    notes = []
    if marks.clear(",") or (decimal == "," and marks.open[","].any()):
        notes.append("the comma was read as decimal mark")
    for mark, words in ((".", "commas"), (",", "dots")):
        if marks.grouped[mark].any() or (decimal == mark and marks.open[_other[mark]].any()):
            notes.append(f"{words} between thousands were dropped")
    if marks.spaced.any():
        notes.append("spaces or apostrophes between thousands were dropped")
    return notes


def _doubts(cells: pl.Series, marks: Marks, mark: str | None, decimal: str, torn: bool) -> list[str]:
    """What the reader should check: marks that contradict each other, and open cells that no clear one decides."""
    opened = cells.filter(marks.open["."] | marks.open[","])
    if torn:
        return [_contradiction(cells, marks, mark, opened)]
    # 1.234 with a decimal dot is the custom of machines, and not worth a word.
    if mark is not None or not len(opened) or (decimal == "." and not marks.open[","].any()):
        return []
    own = "," if "," in opened[0] else "."
    shown = opened[0].replace(own, "." if own == decimal else "")
    why = "as in the table's other columns" if decimal == "," else "as nothing in the table says otherwise"
    return [f"{opened[0]!r} was read as {shown}, {why}"]


def _contradiction(cells: pl.Series, marks: Marks, mark: str | None, opened: pl.Series) -> str:
    said = []
    if mark == "both":
        shown = [cells.filter(marks.decimal[one] | marks.grouped[one])[0] for one in ".,"]
        said.append(f"both {shown[0]!r} and {shown[1]!r} occur, with different decimal marks; each was read by its own")
    if len(opened):
        said.append(f"cells such as {opened[0]!r} could have a decimal mark or one between thousands and were not read")
    return "; ".join(said)
