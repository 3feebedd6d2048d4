"""Rows that are there several times: one piece of evidence each, whatever their number.

Equal rows are copies where a column all but names the row and columns, were they unrelated, would hardly ever agree in
all. Rounded columns of few values, in which equal rows are different rows of the same place, do neither.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NAMING_SHARE = 0.5  # of the different rows, at least, are told apart by one column
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
    if m == n or finest < max(NAMING_SHARE * m, X.shape[1] + 2):
        return None
    equal = _pairs(np.bincount(which.ravel()))
    unrelated = np.prod([_pairs(counts) / _pairs(np.array([n])) for counts in levels]) * _pairs(np.array([n]))
    if equal <= BEYOND_CHANCE * unrelated:
        return None
    order = np.argsort(first)
    return Copies(first[order], np.argsort(order)[which.ravel()])


def _pairs(counts: np.ndarray) -> float:
    return float((counts * (counts - 1.0) / 2).sum())
