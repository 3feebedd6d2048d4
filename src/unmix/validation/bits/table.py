"""A table as the ledger reads it: numbers, columns of few levels, categories, and how finely each is written."""

from __future__ import annotations

from os import PathLike
from typing import Any, NamedTuple

import numpy as np

MOST_LEVELS = 12  # a column of numbers with no more values, often repeated, is one of levels
LEAST_ROWS = 40
LEAST_VALUES = 20  # of a column
PRECISION = 0.01  # of the spread of a column of numbers: how finely the ledger writes it


class LedgerTable(NamedTuple):
    """Rows that are judged; which columns have levels, and which of these no order; names; what was left out."""

    X: np.ndarray
    levelled: np.ndarray
    unordered: np.ndarray
    names: list[str]
    notes: list[str]
    rows: np.ndarray  # of the table given

    @property
    def non_negative(self) -> bool:
        return not self.levelled.any() and bool(np.nanmin(self.X) >= 0)


def ledger_table(X: Any, max_rows: int, rng: np.random.Generator) -> LedgerTable:
    array, names, kinds = _read(X)
    _check_rows(len(array))
    table = ledger_columns(array, names, kinds, max_rows, rng)
    _check_columns(len(table.names))
    return table


def ledger_columns(
    array: np.ndarray, names: list[str], kinds: list[str], max_rows: int, rng: np.random.Generator
) -> LedgerTable:
    """Of numbers and numbers of levels (n, d), with NaN for gaps, the columns that vary and the rows to judge by."""
    notes = []
    lively = np.array([_is_lively(column[np.isfinite(column)]) for column in array.T], bool)
    if not lively.all():
        dull = [name for name, live in zip(names, lively) if not live]
        notes.append(f"Left out, as they hold one value alone or fewer than {LEAST_VALUES}: {', '.join(dull)}.")
    array, kinds = array[:, lively], [kind for kind, live in zip(kinds, lively) if live]
    rows = np.flatnonzero(np.isfinite(array).any(axis=1))
    if 0 < len(rows) < len(array):
        notes.append(f"{len(array) - len(rows)} rows without any value were left out.")
    if len(rows) > max_rows:
        notes.append(f"Judged on {max_rows:,} of {len(rows):,} rows, drawn at random.")
        rows = np.sort(rng.choice(rows, max_rows, replace=False))
    kept = array[rows]
    levelled = np.array([_has_levels(column, kind) for column, kind in zip(kept.T, kinds)], bool)
    unordered = np.array([kind == "category" for kind in kinds], bool)
    return LedgerTable(kept, levelled, unordered, [n for n, live in zip(names, lively) if live], notes, rows)


def precision_of(X: np.ndarray, levelled: np.ndarray) -> np.ndarray:
    """(d,) what a cell is written to: a hundredth of the standard deviation of the middle; 1 for levels."""
    from unmix.validation.bits.margins import robust_spread

    return np.where(levelled, 1.0, PRECISION * robust_spread(X)[1])


def gaps_of(X: np.ndarray) -> np.ndarray:
    """(d,) typical distance of neighbouring values where values repeat, else 0: narrower laws code the rounding."""
    return np.array([_gap(column[np.isfinite(column)]) for column in X.T])


def _is_lively(values: np.ndarray) -> bool:
    return len(values) >= LEAST_VALUES and bool((values != values[0]).any())


def _gap(values: np.ndarray) -> float:
    distinct = np.unique(values)
    return float(np.median(np.diff(distinct))) if 1 < len(distinct) < 0.9 * len(values) else 0.0


def _has_levels(column: np.ndarray, kind: str) -> bool:
    if kind in ("category", "ordered", "boolean"):
        return True
    seen = column[np.isfinite(column)]
    distinct = len(np.unique(seen))
    return distinct <= MOST_LEVELS and distinct * 4 <= len(seen)


def _read(X: Any) -> tuple[np.ndarray, list[str], list[str]]:
    if hasattr(X, "toarray"):  # sparse
        X = X.toarray()
    if isinstance(X, np.ndarray | list | tuple) and np.asarray(X).dtype.kind in "biuf":
        array = np.asarray(X, dtype=np.float64)
        if array.ndim != 2:
            raise ValueError(f"X has shape {array.shape}; a table of rows and columns was expected")
        if np.isinf(array).any():
            raise ValueError("X holds infinite values; make them missing (NaN), or take their rows out")
        d = array.shape[1]
        return array, [f"column {j}" for j in range(d)], ["number"] * d
    from unmix.io.mixed import encode_columns  # polars is loaded where there is a frame

    encoding = encode_columns(str(X) if isinstance(X, PathLike) else X)
    return encoding.encode(X), encoding.names, encoding.kinds


def _check_rows(n: int) -> None:
    if n < LEAST_ROWS:
        raise ValueError(
            f"X has {n} rows; the ledger holds rows out and learns from the others: give at least {LEAST_ROWS}"
        )


def _check_columns(d: int) -> None:
    if d < 2:
        raise ValueError(
            f"X has {d} column{'s' * (d != 1)} with more than one value; the ledger looks at what columns "
            "have to do with each other: give at least two"
        )
