"""Groups as the temperature falls: at first all rows are one, then one after the other takes itself apart.

`SoftKMeans` follows the free energy down from the temperature at which one cluster is best, and keeps where each group
split. A cut at temperature T joins the clusters of the end of the path that had not parted at T: groups of a tree,
which a row between two of them need not have followed. The larger part of a split keeps the label.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

MOST_GROUPS = 10


def path_of(X: np.ndarray, features: list[str], seed: int) -> list[dict[str, Any]]:
    """One record for each number of groups, one group first: from which temperature on it holds, labels, names.

    Temperatures are shares of the first one at which anything splits, 2 λ_max of the covariance.
    """
    from unmix.cluster import SoftKMeans
    from unmix.exploration.structure.alternatives import short_names

    most = min(MOST_GROUPS, len(np.unique(X, axis=0)))
    model: Any = SoftKMeans(most, refine="lloyd", random_state=seed)  # type: ignore[no-untyped-call]
    model.fit(X)
    splits, k = model.hierarchy_, len(model.cluster_centers_)
    found = []
    for labels, temperature in cuts(np.asarray(model.labels_), splits["children"], splits["temperatures"], k):
        m = int(labels.max()) + 1
        names = short_names(X, labels, m, features) if m > 1 else ["all rows"]
        sizes = np.bincount(labels, minlength=m).tolist()
        found.append({"k": m, "temperature": temperature, "labels": labels.tolist(), "sizes": sizes, "names": names})
    first = found[1]["temperature"] if len(found) > 1 else 1.0
    return [cut | {"temperature": None if i == 0 else cut["temperature"] / first} for i, cut in enumerate(found)]


def cuts(leaf: np.ndarray, children: np.ndarray, seen: np.ndarray, k: int) -> Iterator[tuple[np.ndarray, float]]:
    """Labels of the rows and the temperature below which they hold, from one group to all `k`."""
    size = np.bincount(leaf, minlength=k)
    members = [[c] for c in range(k)]
    for a, b in children:
        members.append(members[a] + members[b])
    temperatures = np.maximum.accumulate(seen) if len(seen) else seen  # a split inside a group comes after its own
    active = {len(members) - 1: 0}
    yield labelled(leaf, active, members, k), float("inf")
    for i in range(len(children) - 1, -1, -1):
        label = active.pop(k + i)
        larger, smaller = sorted(map(int, children[i]), key=lambda node: -int(size[members[node]].sum()))
        active |= {larger: label, smaller: len(active) + 1}
        yield labelled(leaf, active, members, k), float(temperatures[i])


def labelled(leaf: np.ndarray, active: dict[int, int], members: list[list[int]], k: int) -> np.ndarray:
    label = np.zeros(k, int)
    for node, own in active.items():
        label[members[node]] = own
    return label[leaf]
