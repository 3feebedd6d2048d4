"""What shapes are found by: rows that are points in space, their distances, and partitions by K-means and mixtures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from unmix.core.random import spawn
from unmix.exploration.structure.evaluation_set import EvaluationSet, complete_rows
from unmix.exploration.structure.shapes.candidates import MOST_GROUPS
from unmix.exploration.structure.shapes.density_groups import MOST_ROWS
from unmix.validation.fits.refit import labels_of, size_of
from unmix.validation.selection.result import Selection as Choice

FEWEST_ROWS = 50


class Partitions(NamedTuple):
    """Places among the judged rows, their distances, and their labels for each number of clusters."""

    rows: np.ndarray
    distances: np.ndarray
    round_groups: Mapping[int, np.ndarray]
    gaussians: Mapping[int, np.ndarray]


def partitions_of(choice: Choice, evaluated: EvaluationSet, seed: int) -> Partitions | None:
    """None where rows are few, lie on a line, or hold categories, which are no points in space."""
    if evaluated.category.any() or evaluated.space.shape[1] < 2:
        return None
    rows = _different_rows(choice, evaluated, seed)
    if len(rows) < FEWEST_ROWS:
        return None
    X, everywhere = evaluated.space[rows], evaluated.space
    round_groups = {size_of(model) or 1: labels_of(model, everywhere)[rows] for model in choice.estimators}
    return Partitions(rows, cdist(X, X), round_groups, _gaussians(choice, len(everywhere), rows))


def _different_rows(choice: Choice, evaluated: EvaluationSet, seed: int) -> np.ndarray:
    """Rows without gaps that the criteria judged, no two the same, at most as many as have their distances told."""
    rows = np.intersect1d(choice.details["consensus"].rows, complete_rows(evaluated))
    rows = rows[np.unique(evaluated.space[rows], axis=0, return_index=True)[1]]
    if len(rows) > MOST_ROWS:
        rows = spawn(seed, 32).choice(rows, MOST_ROWS, replace=False)
    return np.sort(rows)


def _gaussians(choice: Choice, n: int, rows: np.ndarray) -> Mapping[int, np.ndarray]:
    seen, found = choice.details["consensus"], {}
    for k, labels in zip(seen.mixtures.sizes, seen.mixtures.labels):
        if k <= MOST_GROUPS:
            everywhere = np.zeros(n, dtype=int)
            everywhere[seen.rows] = labels
            found[k] = everywhere[rows]
    return found
