"""Numbers that follow from other columns: copies in another unit or form, and linear combinations.

copy      x = a + b f(y),  f one of y, y², √y, log y, 1/y, e^y        within what rounding allows
sum       x = a + Σ b_j y_j  of columns before it                     within what rounding allows

Rounding allows half a unit of the last decimal on either side, so nothing is called derived because it is merely close.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

_most_rows = 1000  # on which relations are looked for
_most_columns = 200
_fewest_rows = 12
_coarse = 0.05  # of a standard deviation: columns rounded more roughly agree by chance
_agreeing = 0.995  # share of rows that must fit
_exact = 1e-7  # of a standard deviation: without any rounding between them
_fewest_values = 6  # different ones in an exact relation
_near = 0.999  # correlation from which a copy is looked at closely
_forms: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "": lambda y: y, "the square of ": np.square, "the root of ": np.sqrt, "the logarithm of ": np.log,
    "the reciprocal of ": np.reciprocal, "the exponential of ": np.exp,
}  # fmt: skip


def find_derived(columns: list[pl.Series]) -> dict[int, str]:
    """The columns that follow from others, by their place, each with the reason in words."""
    columns = columns[:_most_columns]
    n = len(columns[0]) if columns else 0
    if len(columns) < 2 or n < _fewest_rows:
        return {}
    rows = np.unique(np.linspace(0, n - 1, min(n, _most_rows)).astype(int))
    X = np.column_stack([series.gather(rows).to_numpy().astype(float) for series in columns])
    names = [series.name for series in columns]
    found = copies(X, names)
    return found | sums(X, names, set(found))


def copies(X: np.ndarray, names: list[str]) -> dict[int, str]:
    """Columns that are another one in another unit or form, each with the sentence that says so."""
    grids: dict[int, float] = {}
    found: dict[int, str] = {}
    with np.errstate(all="ignore"):
        for said, form in _forms.items():
            near = np.argwhere(np.abs(_correlations(form(X), X)) > _near)
            for i, j in [(int(i), int(j)) for i, j in near if i != j]:
                if {i, j} & set(found):
                    continue
                for place in (i, j):
                    grids.setdefault(place, _grid(X[:, place]))
                if _fits(X[:, i], X[:, j], form, grids[i], grids[j]):
                    copy = _copy_of_the_two(i, j, names)
                    found[copy] = _copy_words(said, names[i], names[j], copy == j)
    return found


def _copy_of_the_two(i: int, j: int, names: list[str]) -> int:
    """The one that is called after the other, as logwage is after wage; else the later."""
    for one, other in ((i, j), (j, i)):
        if names[one].lower() in names[other].lower() and len(names[one]) < len(names[other]):
            return other
    return max(i, j)


def _copy_words(form: str, source: str, result: str, forward: bool) -> str:
    """`result` is the form of `source`; the words are said of `result` (forward) or of `source`."""
    if not form:
        return f"{(source if forward else result)!r} in another unit"
    return f"{form}{source!r}" if forward else f"{result!r} is {form}it"


def _correlations(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Of every column of A with every one of B, over the rows in which both are given."""
    ma, mb = np.isfinite(A), np.isfinite(B)
    a, b = _centred(A, ma), _centred(B, mb)
    n = ma.T.astype(float) @ mb
    cross = a.T @ b - (a.T @ mb) * (ma.T @ b) / n
    spread = ((a**2).T @ mb - (a.T @ mb) ** 2 / n) * (ma.T @ b**2 - (ma.T @ b) ** 2 / n)
    enough = n >= np.maximum(_fewest_rows, 0.5 * np.maximum(ma.sum(0)[:, None], mb.sum(0)))
    # a form that is not defined for a tenth of the column (the log of 0) is not the column's form
    enough &= (ma.sum(0)[:, None] >= 0.9 * n) & (spread > 0)
    return np.where(enough, cross / np.sqrt(spread), 0.0)


def _centred(A: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and largest value 1, 0 where nothing is given."""
    a = np.where(given, A, 0.0)
    a = np.where(given, a - a.sum(axis=0) / np.maximum(given.sum(axis=0), 1), 0.0)
    return a / np.maximum(np.abs(a).max(axis=0), 1e-300)


def _grid(x: np.ndarray) -> float:
    """The unit of the last digit that is written or kept in single precision; 0 where there is no end to them."""
    given = x[np.isfinite(x)]
    largest = np.abs(given).max(initial=0.0)
    return max(_decimal_grid(given, largest), _single_grid(given, largest))


def _single_grid(given: np.ndarray, largest: float) -> float:
    """Of numbers that were once kept in single precision, and perhaps written with nine digits."""
    if not 1e-30 < largest < 1e30 or np.abs(given - given.astype(np.float32)).max() > 1e-9 * largest:
        return 0.0
    return float(np.spacing(np.float32(largest)))


def _decimal_grid(given: np.ndarray, largest: float) -> float:
    first = np.floor(np.log10(largest)) if largest > 0 else 0.0
    for digits in range(11):
        unit = 10.0 ** (first - digits)
        if np.abs(given / unit - np.round(given / unit)).max(initial=0) < 1e-4:
            return float(unit)
    return 0.0


def _fits(x: np.ndarray, y: np.ndarray, form: Callable, grid_x: float, grid_y: float) -> bool:
    """Is y = a + b form(x) to within rounding of both, and is rounding fine enough to tell?"""
    given = np.isfinite(form(x)) & np.isfinite(y)
    fx, y = form(x[given]), y[given]
    unit, scale = np.abs(fx).max() or 1.0, y.std()
    b, a = np.polyfit(fx / unit, y, 1)
    change = np.abs(form(x[given] + grid_x / 2) - fx) / unit
    slack = 0.51 * grid_y + 1.02 * np.abs(b) * np.where(np.isfinite(change), change, 0.0) + 1e-7 * scale
    return _explained(np.abs(y - a - b * fx / unit), slack, y)


def _explained(miss: np.ndarray, slack: np.ndarray, y: np.ndarray) -> bool:
    """Does y agree exactly, or to within a slack from rounding that is fine enough to tell?"""
    scale = y.std()
    if len(np.unique(y)) >= _fewest_values and (miss <= _exact * scale).all():
        return True
    return bool(np.median(slack) <= _coarse * scale and (miss <= 1.5 * slack).mean() >= _agreeing)


def sums(X: np.ndarray, names: list[str], leave_out: set[int]) -> dict[int, str]:
    """Columns that are linear combinations of two or more earlier ones."""
    kept = [j for j in range(X.shape[1]) if j not in leave_out and np.isfinite(X[:, j]).mean() >= 0.9]
    rows = np.isfinite(X[:, kept]).all(axis=1)
    if len(kept) < 3 or rows.sum() < max(_fewest_rows, 3 * len(kept)):
        return {}
    X = X[rows]
    centred = X - X.mean(axis=0)
    spread = np.maximum(np.abs(centred).max(axis=0), 1e-300)
    basis = np.empty((len(X), 0))
    used: list[int] = []
    found: dict[int, str] = {}
    for j in kept:
        z = centred[:, j] / spread[j]
        rest = z - basis @ (basis.T @ z)
        rest -= basis @ (basis.T @ rest)  # once more, for what rounding left
        if len(used) > 1 and rest.std() < _coarse * z.std():
            why = _combined(X, used, j, names)
            if why:
                found[j] = why
                continue
        if np.linalg.norm(rest) > 1e-9 * np.linalg.norm(z):
            basis, used = np.column_stack([basis, rest / np.linalg.norm(rest)]), [*used, j]
    return found


def _combined(X: np.ndarray, used: list[int], j: int, names: list[str]) -> str | None:
    """The sentence, if column j is a combination of some of the used ones to within rounding."""
    A = X[:, used] - X[:, used].mean(axis=0)
    unit = np.abs(A).max(axis=0)
    y = X[:, j] - X[:, j].mean()
    weights = np.linalg.lstsq(A / unit, y, rcond=1e-10)[0] / unit
    parts = [i for i, weight in enumerate(weights) if abs(weight) * A[:, i].std() > 0.01 * y.std()]
    A, weights = A[:, parts], np.linalg.lstsq(A[:, parts] / unit[parts], y, rcond=1e-10)[0] / unit[parts]
    slack = 0.51 * _grid(X[:, j]) + 0.51 * sum(abs(w) * _grid(X[:, used[i]]) for i, w in zip(parts, weights))
    if len(parts) < 2 or not _explained(np.abs(y - A @ weights), np.array([slack + _exact * y.std()]), y):
        return None
    shown = ", ".join(repr(names[used[i]]) for i in parts[:4]) + (", …" if len(parts) > 4 else "")
    return f"a linear combination of {shown}"
