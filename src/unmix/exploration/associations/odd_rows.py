"""Rows that stand out from the whole table, each with the column that makes it odd.

Every number of a row is compared with what its other numbers say, by the regression that a covariance holds:

    e_j = (Ω (x - u))_j / Ω_jj,   Ω = inverse covariance,   t_j = e_j / its spread

Inside clusters, where there are some. Mean and covariance are those of rows that are not odd themselves: three times,
rows far from the centre are left out and both are learned again. A long tail of many rows makes none of them odd.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri, ndtri

from unmix.exploration.columns.encode import NumberScale
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import TypicalRow
from unmix.exploration.groups.contrast import shown

MOST_ROWS = 5
FEWEST_ROWS = 30
MOST_LEARNED = 10_000  # rows that tell what is usual
FEWEST_VALUES = 8  # of a column
CHANCE = 0.03  # that some row of a table of normal laws is called odd
KEPT = 1e-3  # chance of a row of a normal law to be left out of the covariance
LEAST_VARIANCE = 1e-3
ROUNDS = 3
FARTHEST = 1e6  # spreads
TAIL = 0.1  # of the rows on each side, which tell how far values reach
LONGER = 1.3  # times the scale that the tail of a normal law has there


class Odd(NamedTuple):
    """A place among the rows and the features, and how many spreads the value lies from what the others say."""

    row: int
    feature: int
    away: float


def odd_rows(prepared: Prepared, labels: np.ndarray) -> list[TypicalRow]:
    """At most five, the oddest first."""
    some = _spread_out(prepared.X)
    features = [int(j) for j in np.flatnonzero(~prepared.category) if len(np.unique(some[:, j])) >= FEWEST_VALUES]
    if len(prepared.X) < FEWEST_ROWS or not features:
        return []
    X, holes = _unclipped(prepared)[:, features], prepared.holes[:, features]
    return [_record(prepared, odd, features[odd.feature], len(features) > 1) for odd in stand_out(X, holes, labels)]


def _unclipped(prepared: Prepared) -> np.ndarray:
    """The matrix with far values where they are: clipped, they would be as others."""
    X, feature = prepared.X.copy(), 0
    values = {column.name: kind.values for column, kind in zip(prepared.columns, prepared.kinds)}
    for scale in prepared.scales:
        if isinstance(scale, NumberScale) and np.isfinite([scale.low, scale.high]).any():
            with np.errstate(over="ignore"):
                free = replace(scale, low=-np.inf, high=np.inf).apply(values[scale.column])[:, 0]
            X[:, feature] = np.where(np.isnan(free), X[:, feature], np.clip(free, -FARTHEST, FARTHEST))
        feature += len(scale.features)
    return X


def stand_out(X: np.ndarray, holes: np.ndarray, labels: np.ndarray) -> list[Odd]:
    away = np.where(holes, 0.0, standardised(X, labels))
    some = _spread_out(away)
    below, above = limits(-some, len(X)), limits(some, len(X))
    worst = np.maximum(away / above, -away / below).argmax(axis=1)
    value = away[np.arange(len(X)), worst]
    most = np.maximum(value / above[worst], -value / below[worst])
    order = np.argsort(-most, kind="stable")[:MOST_ROWS]
    return [Odd(int(i), int(worst[i]), float(value[i])) for i in order if most[i] > 1]


def _spread_out(X: np.ndarray) -> np.ndarray:
    """So many rows as tell what is usual, at equal distances."""
    return X[:: max(len(X) // MOST_LEARNED, 1)]


def limits(away: np.ndarray, n: int) -> np.ndarray:
    """(d,) what the largest value of any column hardly exceeds among n rows, for tails of normal laws or longer ones.

    Of a tail that is longer than normal, the part beyond nine tenths of the rows falls off exponentially.
    """
    d = away.shape[1]
    normal = -float(ndtri(CHANCE / (2 * n * d))) * (1 + 5.0 / n)
    start, further = np.quantile(away, [1 - TAIL, 1 - TAIL / 2], axis=0)
    scale = (further - start) / np.log(2)
    usual = float(ndtri(1 - TAIL / 2) - ndtri(1 - TAIL)) / np.log(2)
    long = start + scale * np.log(2 * n * d * TAIL / CHANCE)
    return np.where(scale > LONGER * usual, np.maximum(normal, long), normal)


def standardised(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """(n, d): how far every value is from what the others of its row say, in spreads of that."""
    rows, which = _spread_out(X), _spread_out(labels)
    n, d = rows.shape
    kept = np.ones(n, bool)
    for round_ in range(ROUNDS + 1):
        centres = _centres(rows, which, kept, int(labels.max()) + 1)
        centred = rows - centres[which]
        covariance = centred[kept].T @ centred[kept] / kept.sum() + LEAST_VARIANCE * np.eye(d)
        inverse = np.linalg.inv(covariance)
        if round_ < ROUNDS:
            distance = np.einsum("ij,ij->i", centred @ inverse, centred)
            # the middle of the distances is that of the law, however much of the table is odd
            kept = distance <= chdtri(d, KEPT) * np.median(distance) / chdtri(d, 0.5)
    regress, ends = inverse / np.diag(inverse), (rows.min(axis=0), rows.max(axis=0))
    e = _beside(rows, centred, regress, ends)
    lowest, low, middle, high, highest = np.quantile(e, [0.05, 0.25, 0.5, 0.75, 0.95], axis=0)
    # nine tenths count too: of a column that is mostly zero the middle half has no width
    spread = np.maximum.reduce([(high - low) / 1.349, (highest - lowest) / 3.290, e[kept].std(axis=0)])
    away = _beside(X, X - centres[labels], regress, ends)
    return np.asarray((away - middle) / np.where(spread > 0, spread, np.inf))


def _beside(X: np.ndarray, centred: np.ndarray, regress: np.ndarray, ends: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """How far values are from what the others say, kept within the range of the column: 0 is never too high."""
    said = X - centred @ regress
    return np.asarray(X - np.clip(said, *ends))


def _centres(X: np.ndarray, labels: np.ndarray, kept: np.ndarray, k: int) -> np.ndarray:
    """(k, d): means of clusters over the rows kept.

    Medians of columns are off along directions in which rows hardly vary; they only serve to begin with.
    """
    middle = np.median if kept.all() else np.mean
    centres = np.zeros((k, X.shape[1]))
    for label in np.unique(labels):
        inside = labels == label
        centres[label] = middle(X[inside & kept] if (inside & kept).any() else X[inside], axis=0)
    return centres


def _record(prepared: Prepared, odd: Odd, feature: int, others: bool) -> TypicalRow:
    j = int(prepared.owner[feature])
    name, value = prepared.columns[j].name, prepared.kinds[j].values[odd.row]
    side = "above" if odd.away > 0 else "below"
    usual = "what its other columns say" if others else "the middle of all rows"
    reason = f"{name} {shown(float(value), float(value) / 100)}: {_sds(abs(odd.away))} sd {side} {usual}"
    values = {c.name: plain(k.values[odd.row]) for c, k in zip(prepared.columns, prepared.kinds) if c.used}
    return TypicalRow(int(prepared.rows[odd.row]), values, reason)


def _sds(away: float) -> str:
    return f"{away:.1f}" if away < 100 else "over 100"


def plain(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value
