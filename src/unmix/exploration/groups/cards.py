"""A card for each cluster: its size, a name made of what sets it apart, and rows that stand for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.exploration.columns.kinds import Kind
from unmix.exploration.findings.records import Cluster, Column, Distinct, TypicalRow
from unmix.exploration.groups.contrast import contrasts
from unmix.exploration.structure.clustering import Clustering

_typical = 3
_most_values = 40  # cells shown of a typical row


def make_cards(
    clustering: Clustering, X: np.ndarray, columns: list[Column], kinds: list[Kind], rows: np.ndarray, logs: set[str]
) -> list[Cluster]:
    """`rows[i]` is the number in the table of row i of X, and of the values in `kinds`."""
    k = clustering.selection.chosen_k
    groups = [clustering.labels == label for label in range(k)]
    distinct = [contrasts(columns, kinds, inside, logs) if k > 1 else [] for inside in groups]
    cards = []
    for label, (inside, name) in enumerate(zip(groups, name_clusters(distinct))):
        typical = _nearest(X, inside, clustering.centers[label], kinds, columns)
        cards.append(
            Cluster(
                label, int(inside.sum()), float(inside.mean()), name, clustering.stability[label],
                float(clustering.confidence[inside].mean()), distinct[label],
                [TypicalRow(int(rows[i]), _values(i, columns, kinds)) for i in typical],
            )
        )  # fmt: skip
    return cards


def name_clusters(distinct: list[list[Distinct]]) -> list[str]:
    """The strongest trait of a cluster, and its next one that clusters of the same strongest trait do not share."""
    if len(distinct) == 1:
        return ["all rows"]
    traits = [[_trait(item) for item in items] for items in distinct]
    names = []
    for label, own in enumerate(traits):
        siblings = [other for j, other in enumerate(traits) if j != label and other and own and other[0] == own[0]]
        shared = {trait for other in siblings for trait in other}
        second = [trait for trait in own[1:] if trait not in shared] or own[1:]
        names.append(", ".join(own[:1] + second[:1]) or "no column stands out")
    return names


def _trait(item: Distinct) -> str:
    if item.level is not None:
        return f"{item.column} = {item.level}"
    return f"{'higher' if item.effect > 0 else 'lower'} {item.column}"


def _nearest(
    X: np.ndarray, inside: np.ndarray, center: np.ndarray, kinds: list[Kind], columns: list[Column]
) -> np.ndarray:
    """Rows nearest to the centre; rows without gaps first, since a filled value is no one's value."""
    gaps = np.zeros(len(X), bool)
    for column, kind in zip(columns, kinds):
        if column.used:
            gaps |= kind.values.is_null().to_numpy()
    members = np.flatnonzero(inside)
    distance = ((X[members] - center) ** 2).sum(axis=1)
    return members[np.lexsort((distance, gaps[members]))][:_typical]


def _values(i: int, columns: list[Column], kinds: list[Kind]) -> dict[str, Any]:
    order = sorted(range(len(columns)), key=lambda j: (not columns[j].used, j))[:_most_values]
    return {columns[j].name: _plain(kinds[j].values[int(i)]) for j in sorted(order)}


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value
