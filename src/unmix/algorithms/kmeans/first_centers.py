"""First centres that the caller brings: an array, or a function of the rows that is asked once for every start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.algorithms.kmeans.multi_start import sample_size
from unmix.algorithms.rows.sample import draw_sample
from unmix.core.arguments import as_numbers
from unmix.core.blocks import RowBlocks
from unmix.core.random import derive


def given_centers(centers: Any, k: int, columns: int) -> np.ndarray:
    """Centres as float64 of their own, checked: compiled loops take them as they are."""
    found = np.array(as_numbers(centers.toarray() if hasattr(centers, "toarray") else centers, "init"))
    if found.ndim != 2 or len(found) != k:
        raise ValueError(
            f"The shape of the initial centers {found.shape} does not match the number of clusters {k}: "
            f"let init be of shape {(k, columns)}"
        )
    if found.shape[1] != columns:
        raise ValueError(
            f"The shape of the initial centers {found.shape} does not match the number of features of the data "
            f"{columns}: let init be of shape {(k, columns)}"
        )
    if not np.isfinite(found).all():
        raise ValueError("init holds NaN or infinity; give finite centres")
    return found


def from_function(
    init: Callable[..., Any], X: RowBlocks, weights: np.ndarray | None, seed: int
) -> Callable[[int, int], np.ndarray]:
    """Centres for k clusters and the number of the start; the function is shown all rows, or a sample of many."""

    def start(k: int, turn: int) -> np.ndarray:
        size = sample_size(X.shape[1], k)
        rows = X.gather() if X.shape[0] <= size else draw_sample(X, weights, size, seed).blocks.gather()
        drawn = np.random.RandomState(derive(seed, 5, turn))
        return given_centers(init(rows, k, random_state=drawn), k, X.shape[1])

    return start
