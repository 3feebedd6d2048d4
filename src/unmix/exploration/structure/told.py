"""What shapes are told by: rows that are points in space, their distances, and how K-means and Gaussians part them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from unmix.core.random import spawn
from unmix.exploration.structure.judged import Judged, complete_rows
from unmix.exploration.structure.shapes.candidates import MOST_GROUPS
from unmix.exploration.structure.shapes.density_groups import MOST_ROWS
from unmix.validation.fits.refit import labels_of, size_of
from unmix.validation.selection.result import Selection as Choice

FEWEST_ROWS = 50


class Told(NamedTuple):
    """Places among the judged rows, their distances, and their labels for each number of clusters."""

    rows: np.ndarray
    distances: np.ndarray
    round_groups: Mapping[int, np.ndarray]
    gaussians: Mapping[int, np.ndarray]


def tell(choice: Choice, judged: Judged, seed: int) -> Told | None:
    """None where rows are few, lie on a line, or hold categories, which are no points in space."""
    if judged.category.any() or judged.space.shape[1] < 2:
        return None
    rows = _different_rows(choice, judged, seed)
    if len(rows) < FEWEST_ROWS:
        return None
    X, everywhere = judged.space[rows], judged.space
    round_groups = {size_of(model) or 1: labels_of(model, everywhere)[rows] for model in choice.estimators}
    return Told(rows, cdist(X, X), round_groups, _gaussians(choice, len(everywhere), rows))


def _different_rows(choice: Choice, judged: Judged, seed: int) -> np.ndarray:
    """Rows without gaps that the criteria judged, no two the same, at most as many as have their distances told."""
    rows = np.intersect1d(choice.details["consensus"].rows, complete_rows(judged))
    rows = rows[np.unique(judged.space[rows], axis=0, return_index=True)[1]]
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
