"""What annealing saw, as plain tables: quantities at each temperature, and the tree of splits."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.inference.prototypes.deterministic_annealing import COLUMNS, State


def temperature_path(state: State, unit: float) -> dict[str, np.ndarray]:
    """One array a quantity, from the highest temperature down; ``unit`` is the cost of 1 in the units of the data."""
    path = {name: state.table[:, i].copy() for i, name in enumerate(COLUMNS)}
    heat = np.zeros(len(state.table))
    if len(heat) > 1 and (np.diff(path["temperature"]) < 0).all():
        heat = np.gradient(path["cost"], path["temperature"])  # dE/dT
    for name in ("temperature", "cost", "free_energy"):
        path[name] = in_data_units(path[name], unit)
    for name in ("n_clusters", "iterations"):
        path[name] = path[name].astype(np.int64)
    return {**path, "specific_heat": heat}


def in_data_units(costs: np.ndarray, unit: float) -> np.ndarray:
    """Costs times the cost of 1, which may be beyond the largest number; nothing stays nothing."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(costs == 0, 0.0, costs * unit)


def split_tree(state: State, unit: float, labels: np.ndarray) -> dict[str, Any]:
    """Nodes numbered as in a linkage: leaves are the clusters, node k + s is what split s took apart.

    ``labels`` are the final numbers of the clusters in the state. Splits run from the last to the first, so that
    every node comes after its children.
    """
    splits = state.splits[::-1]
    k = len(labels)
    number = dict(zip(state.names.astype(int).tolist(), labels.tolist(), strict=True))
    children = np.empty((len(splits), 2), np.int64)
    for s, (_, _, parent, left, right) in enumerate(splits):
        children[s] = number[int(left)], number[int(right)]
        number[int(parent)] = k + s
    reached, predicted = (in_data_units(splits[:, i], unit) for i in (1, 0))
    return {"children": children, "temperatures": reached, "predicted": predicted}
