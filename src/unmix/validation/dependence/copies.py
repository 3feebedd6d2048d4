"""Rows that are there several times: one piece of evidence each, whatever their number.

Equal rows are copies where columns, were they unrelated, would hardly ever agree in all, and where a column all but
names the row, or rows that agree in all other columns are equal in the one that tells most rows apart far more often
than they are one step from each other there: rounding puts different rows on neighbouring values as often as on one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NAMING_SHARE = 0.5  # of the different rows, at least, are told apart by one column
FEWEST_VALUES = 12  # of that column
BEYOND_A_STEP = 3.0  # times as many pairs that are equal there as are one step apart
BEYOND_CHANCE = 10.0  # times as many equal pairs as of unrelated columns


class Copies(NamedTuple):
    """One row for each that is there several times, in the order of their first, and for every row which it is."""

    first: np.ndarray  # (m,)
    which: np.ndarray  # (n,)


def find_copies(X: np.ndarray) -> Copies | None:
    """The different rows of X, if equal ones are copies; None where all differ, or equal ones are rounded alike."""
    n = len(X)
    levels = [np.unique(column, return_counts=True)[1] for column in X.T]
    finest = max(len(counts) for counts in levels)
    if finest == n:
        return None
    _, first, which = np.unique(X, axis=0, return_index=True, return_inverse=True)
    m = len(first)
    if m == n or finest < X.shape[1] + 2:
        return None
    equal, pairs = _pairs(np.bincount(which.ravel())), _pairs(np.array([n]))
    alike = np.array([_pairs(counts) / pairs for counts in levels])
    if equal <= BEYOND_CHANCE * alike.prod() * pairs:
        return None
    if finest < NAMING_SHARE * m and equal < BEYOND_A_STEP * _one_step_apart(X, int(np.argmin(alike))):
        return None
    order = np.argsort(first)
    return Copies(first[order], np.argsort(order)[which.ravel()])


def _one_step_apart(X: np.ndarray, finest: int) -> float:
    """Pairs of rows that are neighbours in one column and equal in all others; infinite where few values are."""
    values, step = np.unique(X[:, finest], return_inverse=True)
    if X.shape[1] < 2 or len(values) < FEWEST_VALUES:
        return np.inf
    others = np.unique(np.delete(X, finest, axis=1), axis=0, return_inverse=True)[1]
    places, counts = np.unique(np.stack([others.ravel(), step.ravel()], axis=1), axis=0, return_counts=True)
    near = (np.diff(places[:, 0]) == 0) & (np.diff(places[:, 1]) == 1)
    return float(counts[:-1][near] @ counts[1:][near])


def _pairs(counts: np.ndarray) -> float:
    return float((counts * (counts - 1.0) / 2).sum())
