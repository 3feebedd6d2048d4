"""The first rows of a stream, kept until there are enough of them to choose centres among.

Centres chosen among the first few rows depend on how the stream is cut. So rows are kept, equal ones as one of larger
weight, until there are 40 for every cluster and as many different ones as clusters; centres are chosen anew whenever
what is kept has doubled.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans.far_rows import stack
from unmix.algorithms.kmeans.multi_start import FEW_PER_CLUSTER
from unmix.core.random import spawn


class FirstRows(NamedTuple):
    """Different rows, the weight of each, and of how much weight the centres were last chosen."""

    rows: Any
    weights: np.ndarray
    chosen_of: float = 0.0


def gathered(kept: dict[str, Any] | None, rows: Any, weights: np.ndarray | None) -> FirstRows:
    """What an estimator has kept, a plain dict that can be saved, with further rows."""
    own = np.ones(rows.shape[0]) if weights is None else weights
    if kept is None:
        return different(rows, own, 0.0)
    first = FirstRows(**kept)
    return different(stack(first.rows, rows), np.concatenate([first.weights, own]), first.chosen_of)


def to_keep(first: FirstRows, k: int) -> dict[str, Any] | None:
    """What an estimator keeps for the next call; None once there are enough rows."""
    if are_enough(first, k):
        return None
    chosen_of = float(first.weights.sum()) if is_due(first, k) else first.chosen_of
    return first._replace(chosen_of=chosen_of)._asdict()


def different(rows: Any, weights: np.ndarray, chosen_of: float) -> FirstRows:
    """Equal rows as one, told by their place along a line drawn at random; in the order in which they came."""
    _, first, which = np.unique(rows @ spawn(0).random(rows.shape[1]), return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    return FirstRows(rows[first[order]], np.bincount(which, weights)[order], chosen_of)


def is_due(first: FirstRows, k: int) -> bool:
    """Whether centres are to be chosen anew."""
    return bool(first.weights.sum() >= 2 * first.chosen_of) or are_enough(first, k)


def are_enough(first: FirstRows, k: int) -> bool:
    return bool(first.rows.shape[0] >= k and first.weights.sum() >= FEW_PER_CLUSTER * k)
