"""Bits of a pair with what bins lose: of numbers z, w on normal scores, of which w = r z + e,

    I(z; w) = -½ log₂(1 - r²) + I(z; e) (+ what e lacks to a normal law, which is left out),

the first part exact for normal laws, the second by bins of z and e. It takes a w without many equal values: of few
values, w and z could both be read off e. Other pairs have the bits of their levels.
The standard error is that of the mean over rows of log₂ p(a, b) / p(a) p(b), and what bits vary by in null tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.exploration.associations.coding import Coded, code_numbers
from unmix.exploration.associations.tables import entropy, table_of

FEW_EQUAL = 0.06  # share of rows with one value: half a bin


class Refined(NamedTuple):
    """Bits, their standard error over independent rows, and the bits of them that lie along a line of the scores."""

    bits: float
    error: float
    linear: float
    correlation: float


class Line(NamedTuple):
    """Rows in which both columns are given: levels of both, normal scores of which w = r z + e, and who is z.

    `kind`: "levels" where one has no scores, or w too many equal ones; "whole" where no e is left; "line".
    """

    a: np.ndarray
    b: np.ndarray
    z: np.ndarray
    w: np.ndarray
    swapped: bool
    r: float
    kind: str


def line_of(left: Coded, i: int, right: Coded, j: int) -> Line:
    a, b, z, w = left.codes[:, i], right.codes[:, j], left.scores[:, i], right.scores[:, j]
    given = (a >= 0) & (b >= 0)
    a, b, z, w = a[given], b[given], z[given], w[given]
    if not (np.isfinite(z).all() and np.isfinite(w).all()):
        return Line(a, b, z, w, False, 0.0, "levels")
    swapped = _largest_tie(z) < _largest_tie(w)
    if swapped:
        z, w = w, z
    r = _correlation(z, w)
    kind = "whole" if 1 - r**2 < 1 / len(z) else "levels" if _largest_tie(w) > FEW_EQUAL else "line"
    return Line(a, b, z, w, swapped, r, kind)


def rest_of(line: Line) -> np.ndarray:
    """e in units of its spread."""
    return np.asarray((line.w - line.r * line.z) / np.sqrt(1 - line.r**2))


def refine(left: Coded, i: int, right: Coded, j: int, bits: float, spread: float) -> Refined:
    """`bits` of the levels, beyond chance, and what they vary by in null tables."""
    line = line_of(left, i, right, j)
    a, z, w, r = line.b if line.swapped else line.a, line.z, line.w, line.r
    plain = _error(_pointwise(line.a, line.b), spread)
    if line.kind == "whole":
        return Refined(max(bits, _most(z, w)), plain, _most(z, w), r)
    if not np.isfinite(z).all():
        return Refined(bits, plain, 0.0, 0.0)
    along = float(-0.5 * np.log2(1 - r**2) - 1 / (2 * np.log(2) * len(z)))
    if line.kind == "levels":
        return Refined(bits, plain, along, r)
    rest, values = _beside(a, rest_of(line))
    ratios = (z**2 + w**2 - (z**2 - 2 * r * z * w + w**2) / (1 - r**2)) / (2 * np.log(2))
    return Refined(min(max(along + rest, bits), _most(z, w)), _error(ratios + values, spread), along, r)


def _beside(a: np.ndarray, e: np.ndarray) -> tuple[float, np.ndarray]:
    """Bits that levels and what a line leaves have in common, beyond chance, and their values for the rows."""
    bins = code_numbers(e).codes
    return beyond_chance(table_of(a, bins)), _pointwise(a, bins)


def beyond_chance(table: np.ndarray) -> float:
    """Bits that counts of two columns show, less what independent ones would show on average."""
    return _mutual(table) - _freedom(table) / (2 * np.log(2) * table.sum())


def share_of(left: Coded, i: int, right: Coded, j: int, bits: float) -> float:
    """Bits that the levels share over those of the column that has fewer, what chance gives taken from both."""
    return share_in(table_of(left.codes[:, i], right.codes[:, j]), bits)


def share_in(table: np.ndarray, bits: float) -> float:
    by_chance = max(_mutual(table) - bits, 0.0)
    fewer = min(entropy(table.sum(axis=0)), entropy(table.sum(axis=1))) - by_chance
    return float(np.clip(bits / fewer, 0.0, 1.0)) if fewer > 0 else 0.0


def _correlation(z: np.ndarray, w: np.ndarray) -> float:
    z, w = z - z.mean(), w - w.mean()
    norm = float(np.sqrt((z @ z) * (w @ w)))
    return float(np.clip(z @ w / norm, -1.0, 1.0)) if norm > 0 else 0.0


def _largest_tie(z: np.ndarray) -> float:
    return float(np.unique(z, return_counts=True)[1].max() / len(z))


def _most(z: np.ndarray, w: np.ndarray) -> float:
    """No column tells more of another than the bits of its different values."""
    return min(entropy(np.unique(column, return_counts=True)[1]) for column in (z, w))


def _mutual(table: np.ndarray) -> float:
    return entropy(table.sum(axis=0)) + entropy(table.sum(axis=1)) - entropy(table)


def _freedom(table: np.ndarray) -> int:
    return (int((table.sum(axis=0) > 0).sum()) - 1) * (int((table.sum(axis=1) > 0).sum()) - 1)


def _pointwise(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    table = table_of(a, b)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_ratio = np.log2(table * table.sum() / (table.sum(axis=1)[:, None] * table.sum(axis=0)))
    return np.asarray(log_ratio[a, b])


def _error(values: np.ndarray, spread: float) -> float:
    return float(np.sqrt(values.var() / max(len(values), 1) + spread**2))
