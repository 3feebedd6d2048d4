"""What form a table has, where it is sure: a plain table stays one unless every value fits another form.

dissimilarities   as many rows as columns of numbers, symmetric, 0 on the diagonal and above 0 beside it
counts            whole numbers, most of them 0 and 1 the most frequent other; or rows that all add up to the same
binary            0 and 1 alone, mostly 0, in many columns
signals           many rows of few channels in which neighbours are alike, and that come back to their middle often
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.io.base.errors import TableError
from unmix.io.text.cells import number_column, table_decimal_comma

ASKED = "as asked"  # the reason of a form that the user gave
FORMS = ("auto", "table", "counts", "binary", "dissimilarities", "signals")
_fewest_objects = 8
_fewest_words, _least_zeros, _least_ones = 20, 0.6, 0.3
_fewest_bins, _least_sum = 8, 20
_fewest_flags, _fewest_users, _least_off = 8, 20, 0.6
_fewest_samples, _most_channels, _alike, _longest_swing = 1000, 64, 0.5, 40
_glance = 2000  # rows that tell most tables
_other_columns = 2  # that are no numbers: with more it is a table
_window = 50  # samples among which neighbours are compared
_symmetric = 1e-6  # of the largest entry: as far as decimals were written


class Form(NamedTuple):
    """The form, why, the columns that hold the values, and these as numbers (n, d)."""

    name: str
    reason: str = ""
    columns: tuple[str, ...] = ()
    values: np.ndarray = np.empty((0, 0))


def recognise(frame: pl.DataFrame, names: str | None = None, asked: str = "auto") -> Form:
    """The form of a table; `names` is the column that only names the rows, `asked` the form the user says it has."""
    if asked not in FORMS:
        raise TableError(f"as_={asked!r} is not known; expected one of {', '.join(FORMS)}.")
    if asked == "table" or frame.height < 2:
        return Form("table")
    long = frame.height > _glance and frame.width < frame.height
    if asked == "auto" and long and recognise(frame.head(_glance), names).name == "table":
        return Form("table")  # every value has to fit, those of the first rows too
    columns, values = _numbers(frame, names, _other_columns if asked == "auto" else frame.width)
    if not columns:
        return _refused(asked, "it has no column of numbers") if asked != "auto" else Form("table")
    reasons = {form: look(values) for form, look in _looks.items() if asked in ("auto", form)}
    if asked != "auto":
        needed = _needs[asked](values)
        if needed:
            return _refused(asked, needed)
        return Form(asked, ASKED, columns, values)
    if frame.width - len(columns) > _other_columns:
        return Form("table")
    found = next(((form, why) for form, why in reasons.items() if why), None)
    return Form("table") if found is None else Form(*found, columns, values)


def _refused(asked: str, why: str) -> Form:
    raise TableError(f"The table cannot be read as {asked}: {why}. Leave the form out, or give as_='table'.")


def _numbers(frame: pl.DataFrame, names: str | None, most: int) -> tuple[tuple[str, ...], np.ndarray]:
    """The columns of numbers, none if more than `most` are others; the one that names the rows is such another."""
    comma = table_decimal_comma(frame)
    found: dict[str, np.ndarray] = {}
    for seen, series in enumerate(frame):
        values = None if series.name == names else number_column(series, comma, [])
        if values is not None:
            found[series.name] = values
        elif seen - len(found) >= most:  # all that comes after could be numbers and would not matter
            return (), np.empty((frame.height, 0))
    if not found:
        return (), np.empty((frame.height, 0))
    return tuple(found), np.column_stack(list(found.values())).astype(float)


def _why_dissimilarities(D: np.ndarray) -> str:
    if len(D) < _fewest_objects or _not_dissimilarities(D):
        return ""
    return f"{len(D)} rows and as many columns, symmetric, with 0 on the diagonal"


def _not_dissimilarities(D: np.ndarray) -> str:
    if D.shape[0] != D.shape[1]:
        return f"it has {D.shape[0]} rows and {D.shape[1]} columns of numbers, and a square table was expected"
    given = D[np.isfinite(D)]
    if not len(given) or np.isinf(D).any() or given.min() < 0:
        return "dissimilarities are finite and not below 0"
    size = _symmetric * given.max()
    if not (np.abs(np.nan_to_num(np.diagonal(D))) <= size).all():
        return "an object has dissimilarity 0 to itself, and the diagonal is not 0"
    if not np.array_equal(np.isnan(D), np.isnan(D.T)) or not (np.abs(np.nan_to_num(D - D.T)) <= size).all():
        return "it is not symmetric"
    return "" if np.nanmedian(D) > 0 else "most of its entries are 0"


def _why_counts(X: np.ndarray) -> str:
    if _not_counts(X) or X.max() <= 1 or not _whole(X):
        return ""
    sums = X.sum(axis=1)
    if X.shape[1] >= _fewest_bins and sums.min() == sums.max() >= _least_sum:
        return f"whole numbers, and every row adds up to {sums[0]:,.0f}"
    ones, twos, threes = (float(np.equal(X, value).mean()) for value in (1, 2, 3))
    zeros = float((X == 0).mean())
    falling = ones >= twos >= threes and ones >= _least_ones * (1 - zeros)
    if X.shape[1] < _fewest_words or zeros < _least_zeros or not falling:
        return ""
    return f"whole numbers in {X.shape[1]} columns, {100 * zeros:.0f} % of them 0, and small ones the most frequent"


def _not_counts(X: np.ndarray) -> str:
    if not np.isfinite(X).all() or X.min() < 0:
        return "counts are not missing and not below 0"
    if X.shape[1] < 2 or not X.any():
        return "at least two columns that count something were expected"
    return ""


def _why_binary(X: np.ndarray) -> str:
    many = len(X) >= _fewest_users and X.shape[1] >= _fewest_flags
    if not many or _not_binary(X) or (X == 0).mean() < _least_off:
        return ""
    return f"all {X.shape[1]} columns are 0 or 1, and {100 * (X == 0).mean():.0f} % of the cells are 0"


def _not_binary(X: np.ndarray) -> str:
    return "" if np.isin(X, (0, 1)).all() else "its cells are not 0 and 1 alone"


def _why_signals(X: np.ndarray) -> str:
    n, d = X.shape
    if n < _fewest_samples or _not_signals(X) or not 2 <= d <= _most_channels + 1:
        return ""
    X = X[:, ~_even(X)]
    if X.shape[1] < 2 or _whole(X) or not (X.std(axis=0) > 0).all():
        return ""
    near, above = _like_the_one_before(X), np.median(X, axis=0) < X
    swings = (above[1:] != above[:-1]).sum(axis=0)
    if near.min() < _alike or swings.min() < n / _longest_swing:
        return ""
    return f"{X.shape[1]} channels of {n:,} samples, each like the one before it and back at its middle often"


def _like_the_one_before(X: np.ndarray) -> np.ndarray:
    """Correlation of neighbours inside a typical short window: rows sorted by groups are alike only across windows."""
    n = len(X) // _window
    parts = X[: n * _window].reshape(n, _window, -1)
    centred = parts - parts.mean(axis=1, keepdims=True)
    together = (centred[:, 1:] * centred[:, :-1]).sum(axis=1)
    return np.asarray(np.median(together / np.maximum((centred**2).sum(axis=1), 1e-300), axis=0))


def _whole(X: np.ndarray) -> bool:
    return bool(np.equal(X, np.floor(X)).all())


def _not_signals(X: np.ndarray) -> str:
    return "" if np.isfinite(X).all() else "signals have no gaps"


def _even(X: np.ndarray) -> np.ndarray:
    """Columns that only count samples or tell their time."""
    steps = np.diff(X, axis=0)
    return np.asarray((steps[:1] > 0).all(axis=0) & (np.abs(steps - steps[:1]) <= 1e-3 * steps[:1]).all(axis=0))


_looks = {
    "dissimilarities": _why_dissimilarities, "counts": _why_counts, "binary": _why_binary, "signals": _why_signals,
}  # fmt: skip
_needs = {
    "dissimilarities": _not_dissimilarities, "counts": _not_counts, "binary": _not_binary, "signals": _not_signals,
}  # fmt: skip
