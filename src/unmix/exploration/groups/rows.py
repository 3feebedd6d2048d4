"""Rows that stand for a group, rows between two groups, and rows that are odd in theirs, each with the reason.

typical      nearest to the group's mean
borderline   nearly half of the way from the group's mean to that of another
odd          a number farther from the group's mean than chance takes one of all its rows, in its standard deviations
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from unmix.exploration.columns.kinds import Kind
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Column, TypicalRow
from unmix.exploration.groups.contrast import shown

_most = 3  # rows of each sort
_most_values = 40  # cells shown of a row
_half_way = 0.4  # of the way to the mean of another group
_on_the_way = 0.25  # of the way from one mean to the other, from which on a number lies between them
_unsure = 0.8  # confidence below which a row is borderline where groups are not round
_least_odd, _chance = 3.0, 0.05
_round = 0.9  # share of rows nearest to the mean of their group, from which means tell what lies between


class GroupRows(NamedTuple):
    typical: list[TypicalRow]
    borderline: list[TypicalRow]
    odd: list[TypicalRow]


class Layout(NamedTuple):
    """Means of the groups and distance of every row to each; `round` says whether these tell the groups apart."""

    means: np.ndarray
    distance: np.ndarray
    round: bool


def rows_of_groups(
    prepared: Prepared, labels: np.ndarray, confidence: np.ndarray, k: int
) -> list[GroupRows]:  # fmt: skip
    """Rows of each sort for each group."""
    layout = _layout(prepared.X, labels, k)
    full = ~np.asarray(prepared.holes.any(axis=1))
    for column, kind in zip(prepared.columns, prepared.kinds):
        if column.used and column.form != "numeric" and column.n_missing:
            full &= kind.values.is_not_null().to_numpy()
    return [_rows_of(prepared, layout, np.flatnonzero(labels == g), g, confidence, full) for g in range(k)]


def _layout(X: np.ndarray, labels: np.ndarray, k: int) -> Layout:
    means = np.stack([X[labels == g].mean(axis=0) if (labels == g).any() else np.zeros(X.shape[1]) for g in range(k)])
    squares = ((X - means[labels]) ** 2).sum(axis=1)  # ||x - m||² by differences for the own group
    away = (X**2).sum(axis=1)[:, None] - 2 * X @ means.T + (means**2).sum(axis=1)
    distance = np.sqrt(np.maximum(away, 0.0))
    distance[np.arange(len(X)), labels] = np.sqrt(squares)
    return Layout(means, distance, bool((distance.argmin(axis=1) == labels).mean() >= _round))


def _rows_of(
    prepared: Prepared, layout: Layout, members: np.ndarray, g: int, confidence: np.ndarray, full: np.ndarray
) -> GroupRows:
    """Rows without gaps stand for a group first, since a filled value is no one's value."""
    nearest = members[np.lexsort((layout.distance[members, g], ~full[members]))][:_most]
    typical = [_row(prepared, i) for i in nearest]
    if len(layout.means) == 1:
        return GroupRows(typical, [], _odd(prepared, members, "the mean of all rows"))
    find = _between if layout.round else _undecided
    return GroupRows(typical, find(prepared, layout, members, g, confidence), _odd(prepared, members, "its cluster"))


def _between(
    prepared: Prepared, layout: Layout, members: np.ndarray, g: int, confidence: np.ndarray
) -> list[TypicalRow]:
    """place = ½ + (d_own² - d_other²) / 2 ||m_own - m_other||²: how far on the way from its mean to the other."""
    squares, means = layout.distance[members] ** 2, layout.means
    width = ((means - means[g]) ** 2).sum(axis=1)
    width[g] = np.inf
    place = 0.5 + (squares[:, [g]] - squares) / (2 * np.maximum(width, 1e-300))
    place[:, g] = -np.inf
    other, nearest = place.argmax(axis=1), place.max(axis=1)
    chosen = [p for p in np.argsort(-nearest, kind="stable")[:_most] if nearest[p] >= _half_way]
    return [_row(prepared, members[p], _why_between(prepared, layout, members[p], g, int(other[p]))) for p in chosen]


def _undecided(
    prepared: Prepared, layout: Layout, members: np.ndarray, g: int, confidence: np.ndarray
) -> list[TypicalRow]:
    """Where groups are long or nested, means do not tell what lies between: rows that do not keep their group do."""
    chosen = members[np.argsort(confidence[members], kind="stable")][:_most]
    return [
        _row(prepared, i, f"in another cluster in {100 * (1 - confidence[i]):.0f} % of refits")
        for i in chosen
        if confidence[i] < _unsure
    ]


def _why_between(prepared: Prepared, layout: Layout, i: int, g: int, other: int) -> str:
    """The number that goes farthest from what is usual in its group towards what is usual in the other."""
    here, there = layout.means[g], layout.means[other]
    step = there - here
    place = np.divide(prepared.X[i] - here, step, out=np.zeros(len(step)), where=step != 0)
    numbers = ~prepared.category & ~prepared.holes[i] & (place > _on_the_way)
    as_near = f"as near to cluster {other}"
    if not numbers.any():
        return as_near
    best = int(np.where(numbers, np.abs(step) * np.minimum(place, 1.0), -1.0).argmax())
    j = int(prepared.owner[best])
    usual = "is as usual there" if place[best] < 1.5 else "goes even beyond what is usual there"
    where = "lies between" if place[best] < 1 - _on_the_way else usual
    return f"{as_near}: {prepared.columns[j].name} {_shown_cell(prepared.columns[j], prepared.kinds[j], i)} {where}"


def _odd(prepared: Prepared, members: np.ndarray, whole: str) -> list[TypicalRow]:
    """At most as many as one chance in twenty lets one of all numbers of a normal group go as far."""
    features = np.flatnonzero(~prepared.category)
    if len(members) < 10 or not len(features):
        return []
    X = np.where(prepared.holes[members][:, features], np.nan, prepared.X[members][:, features])
    with np.errstate(invalid="ignore", divide="ignore"):
        away = (X - np.nanmean(X, axis=0)) / np.nanstd(X, axis=0)
    away = np.nan_to_num(away, nan=0.0, posinf=0.0, neginf=0.0)
    limit = max(_least_odd, -float(ndtri(_chance / (2 * away.size))))
    most = np.abs(away).argmax(axis=1)
    size = np.abs(away)[np.arange(len(away)), most]
    chosen = [p for p in np.argsort(-size, kind="stable")[:_most] if size[p] > limit]
    whys = [_why_odd(prepared, members[p], int(features[most[p]]), float(away[p, most[p]])) for p in chosen]
    return [_row(prepared, members[p], f"{why} {whole}") for p, why in zip(chosen, whys)]


def _why_odd(prepared: Prepared, i: int, feature: int, value: float) -> str:
    j = int(prepared.owner[feature])
    cell = _shown_cell(prepared.columns[j], prepared.kinds[j], i)
    return f"{prepared.columns[j].name} {cell}: {abs(value):.1f} sd {'above' if value > 0 else 'below'}"


def _row(prepared: Prepared, i: int, reason: str = "") -> TypicalRow:
    return TypicalRow(int(prepared.rows[i]), _values(i, prepared.columns, prepared.kinds), reason)


def _values(i: int, columns: list[Column], kinds: list[Kind]) -> dict[str, Any]:
    order = sorted(range(len(columns)), key=lambda j: (not columns[j].used, j))[:_most_values]
    return {columns[j].name: _plain(kinds[j].values[int(i)]) for j in sorted(order)}


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def _shown_cell(column: Column, kind: Kind, i: int) -> str:
    value = float(kind.values[int(i)])
    return shown(value, float(column.summary["std"]) / 10)
