"""Rows that stand out from the whole table, each with the column that makes it odd.

Every number of a row is compared with what its other numbers say, by the regression that a covariance holds:

    e_j = (Ω (x - u))_j / Ω_jj,   Ω = inverse covariance,   t_j = e_j / its spread

Inside clusters, where there are some. Mean and covariance are those of rows that are not odd themselves: three times,
rows far from the centre are left out and both are learned again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import chdtri, ndtri

from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import TypicalRow
from unmix.exploration.groups.contrast import shown

MOST_ROWS = 5
FEWEST_ROWS = 30
FEWEST_VALUES = 8  # of a column
CHANCE = 0.03  # that some row of a table of normal laws is called odd
KEPT = 1e-3  # chance of a row of a normal law to be left out of the covariance
LEAST_VARIANCE = 1e-3
ROUNDS = 3


class Odd(NamedTuple):
    """A place among the rows and the features, and how many spreads the value lies from what the others say."""

    row: int
    feature: int
    away: float


def odd_rows(prepared: Prepared, labels: np.ndarray) -> list[TypicalRow]:
    """At most five, the oddest first."""
    features = [int(j) for j in np.flatnonzero(~prepared.category) if len(np.unique(prepared.X[:, j])) >= FEWEST_VALUES]
    if len(prepared.X) < FEWEST_ROWS or not features:
        return []
    X, holes = prepared.X[:, features], prepared.holes[:, features]
    return [_record(prepared, odd, features[odd.feature], len(features) > 1) for odd in stand_out(X, holes, labels)]


def stand_out(X: np.ndarray, holes: np.ndarray, labels: np.ndarray) -> list[Odd]:
    away = np.where(holes, 0.0, standardised(X, labels))
    n, d = away.shape
    limit = -float(ndtri(CHANCE / (2 * n * d))) * (1 + 5.0 / n)
    worst = np.abs(away).argmax(axis=1)
    most = np.abs(away[np.arange(n), worst])
    order = np.argsort(-most, kind="stable")[:MOST_ROWS]
    return [Odd(int(i), int(worst[i]), float(away[i, worst[i]])) for i in order if most[i] > limit]


def standardised(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """(n, d): how far every value is from what the others of its row say, in spreads of that."""
    n, d = X.shape
    kept = np.ones(n, bool)
    for round_ in range(ROUNDS + 1):
        centred = _centred(X, labels, kept)
        covariance = centred[kept].T @ centred[kept] / kept.sum() + LEAST_VARIANCE * np.eye(d)
        inverse = np.linalg.inv(covariance)
        if round_ < ROUNDS:
            distance = np.einsum("ij,ij->i", centred @ inverse, centred)
            # the middle of the distances is that of the law, however much of the table is odd
            kept = distance <= chdtri(d, KEPT) * np.median(distance) / chdtri(d, 0.5)
    e = centred @ inverse / np.diag(inverse)
    low, middle, high = np.quantile(e, [0.25, 0.5, 0.75], axis=0)
    spread = np.maximum((high - low) / 1.349, e[kept].std(axis=0))
    return np.asarray((e - middle) / np.where(spread > 0, spread, np.inf))


def _centred(X: np.ndarray, labels: np.ndarray, kept: np.ndarray) -> np.ndarray:
    centred = X.copy()
    for label in np.unique(labels):
        inside = labels == label
        rows = inside & kept
        # Medians of columns are off along directions in which rows hardly vary; they only serve to begin with.
        centred[inside] -= (np.median if kept.all() else np.mean)(X[rows if rows.any() else inside], axis=0)
    return centred


def _record(prepared: Prepared, odd: Odd, feature: int, others: bool) -> TypicalRow:
    j = int(prepared.owner[feature])
    name, value = prepared.columns[j].name, prepared.kinds[j].values[odd.row]
    side = "above" if odd.away > 0 else "below"
    usual = "what its other columns say" if others else "the middle of all rows"
    reason = f"{name} {shown(float(value), float(value) / 100)}: {abs(odd.away):.1f} sd {side} {usual}"
    values = {c.name: plain(k.values[odd.row]) for c, k in zip(prepared.columns, prepared.kinds) if c.used}
    return TypicalRow(int(prepared.rows[odd.row]), values, reason)


def plain(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value
