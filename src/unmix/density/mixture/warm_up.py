"""The first rows of a stream are kept until there are enough to start a mixture from.

A start on few rows binds components to chance groups of them, and no later batch frees them. So rows are kept up to
160 for every component, or 40 for each of its parameters per column if that is more, and the mixture is fitted to all
that are kept whenever they have doubled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn
from unmix.density.mixture.parameters import FAMILIES

ROWS_PER_COMPONENT = 160
ROWS_PER_PARAMETER = 40
MOST_NUMBERS = 2**24  # kept, however many columns there are
STARTS = 5  # at least: on so few rows they cost little


class Kept(NamedTuple):
    """Rows with their weights, and how many of them the mixture was fitted to."""

    rows: np.ndarray
    weights: np.ndarray | None
    fitted: int


def enough_rows(covariance_type: str, k: int, d: int) -> int:
    free = 0 if covariance_type == "fixed" else FAMILIES[covariance_type]().n_parameters(k, d)
    wanted = max(ROWS_PER_COMPONENT * k, ROWS_PER_PARAMETER * (k + -(-free // d)))
    return max(k, min(wanted, MOST_NUMBERS // d))


def join(kept: Kept | None, rows: np.ndarray, weights: np.ndarray | None) -> Kept:
    if kept is None:
        return Kept(rows, weights, 0)
    if weights is not None or kept.weights is not None:
        parts = [np.ones(len(r)) if w is None else w for r, w in ((kept.rows, kept.weights), (rows, weights))]
        weights = np.concatenate(parts)
    return Kept(np.concatenate([kept.rows, rows]), weights, kept.fitted)


def repeated(kept: Kept, least: int) -> tuple[np.ndarray, np.ndarray | None]:
    """The rows kept and their weights, over and over if there are fewer than a mixture can be fitted to."""
    n = len(kept.rows)
    if n >= least:
        return kept.rows, kept.weights
    again = np.arange(least) % n
    return kept.rows[again], None if kept.weights is None else kept.weights[again]


def is_due(kept: Kept, enough: int) -> bool:
    """Whether the mixture is to be fitted anew to the rows kept."""
    return len(kept.rows) >= min(enough, 2 * kept.fitted)


def in_batches(X: RowBlocks, weights: np.ndarray | None, size: int | None, seed: int, step: int) -> list[np.ndarray]:
    """Numbers of the rows of each batch: all that count in one, or up to ``size`` each in an order drawn anew."""
    there = np.arange(X.shape[0]) if weights is None else np.flatnonzero(weights)
    if size is None or size >= len(there):
        return [there]
    parts = np.array_split(spawn(seed, step).permutation(there), -(-len(there) // size))
    return [np.sort(part) for part in parts]


def gather(
    X: RowBlocks, weights: np.ndarray | None, kept: Kept | None, batches: list[np.ndarray], enough: int, seed: int
) -> tuple[Kept, list[np.ndarray]]:
    """Batches joined to the rows kept until there are enough; of a large one a sample, and it stays in the list."""
    batches = list(batches)
    while batches and (kept is None or len(kept.rows) < enough):
        rows, large = batches[0], len(batches[0]) > 2 * enough
        if large:
            rows = np.sort(spawn(seed, 1).choice(rows, enough, replace=False))
        kept = join(kept, X.take(rows), None if weights is None else weights[rows])
        if large:
            break
        batches.pop(0)
    assert kept is not None, "there is a batch"
    return kept, batches
