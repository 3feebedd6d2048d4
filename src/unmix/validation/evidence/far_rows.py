"""Rows so far out that they decide every scale: a slip of the keyboard, a code for "missing", another unit.

In some column fewer than four rows stand beyond a gap that is three times as wide as the range of all the others. A
cost that squares distances then describes these rows and nothing else, and fewer than four rows are no cluster. Columns
are looked at one by one, so units do not matter, and gaps are, so heavy tails rarely come under the rule.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import get_tags

from unmix.core.blocks import RowBlocks
from unmix.validation.evidence.gibbs import takes_dissimilarities
from unmix.validation.fits.no_structure import labels_rows
from unmix.validation.fits.refit import last_step
from unmix.validation.fits.sampled_rows import weight_keywords

FEW = 3  # rows beyond a gap, on either side
WIDER = 3.0  # the gap, in ranges of the other rows
MOST_SHARE = 0.05  # more far rows than this are a part of the table, not a slip


class SetAside(NamedTuple):
    """Weights in which far rows count nothing, and what the reader is told of them."""

    weights: np.ndarray | None
    words: list[str]


def set_aside(estimator: Any, X: np.ndarray, weights: np.ndarray | None) -> SetAside:
    """Leave far rows out of the clusters: they get the label of the nearest, and no say.

    Rows of counts are compared by their profiles, dissimilarities are no rows, a decomposition describes all of them.
    """
    model = last_step(estimator)
    if not labels_rows(estimator) or takes_dissimilarities(model) or _counts(model):
        return SetAside(weights, [])
    counted = np.ones(len(X)) if weights is None else weights
    far = np.zeros(len(X), dtype=bool)
    far[counted > 0] = far_rows(X[counted > 0])
    if not far.any():
        return SetAside(weights, [])
    return without(estimator, far, counted, weights)


def set_aside_in_blocks(estimator: Any, X: RowBlocks) -> SetAside:
    """As `set_aside`, of rows that are read block by block: one pass, and a second one where some are far."""
    model = last_step(estimator)
    if not labels_rows(estimator) or takes_dissimilarities(model) or _counts(model):
        return SetAside(None, [])
    ends = X.reduce(ends_of)
    cuts = ends.cuts()
    if np.isinf(cuts).all():
        return SetAside(None, [])
    far = X.map(beyond_cuts, cuts, ends.largest)
    few = 0 < far.sum() <= MOST_SHARE * len(far)
    return without(estimator, far, np.ones(len(far)), None) if few else SetAside(None, [])


def without(estimator: Any, far: np.ndarray, counted: np.ndarray, weights: np.ndarray | None) -> SetAside:
    """Far rows have no say where the estimator takes weights."""
    found = f"{in_words(far)} far from all others, by more than three times their range in some column"
    if not weight_keywords(estimator):
        name = type(last_step(estimator)).__name__
        return SetAside(weights, [f"{found}; {name} takes no weights, so drop what should not count."])
    return SetAside(np.where(far, 0.0, counted), [f"{found}; set aside."])


class Ends(NamedTuple):
    """Of each column (d,): the least and the largest few values (FEW + 1, d), from the ends, and how many there are."""

    rising: np.ndarray
    falling: np.ndarray
    known: np.ndarray

    @property
    def largest(self) -> np.ndarray:
        """The largest magnitude."""
        return np.maximum(np.abs(self.rising[0]), np.abs(self.falling[0]))

    def cuts(self) -> np.ndarray:
        """(2, d): beyond which a value of each column lies far, in units of its largest magnitude."""
        unit = np.where(self.largest > 0, self.largest, 1.0)
        columns = zip((self.rising / unit).T, (self.falling / unit).T, self.known)
        return np.array([_cuts(*column) for column in columns]).T

    def merge(self, other: Ends) -> Ends:
        rising = np.sort(np.concatenate([self.rising, other.rising]), axis=0)[: FEW + 1]
        falling = -np.sort(-np.concatenate([self.falling, other.falling]), axis=0)[: FEW + 1]
        return Ends(rising, falling, self.known + other.known)


def ends_of(block: np.ndarray, rows: None) -> Ends:
    X = np.asarray(block, dtype=np.float64)
    return Ends(_least(X), -_least(-X), (~np.isnan(X)).sum(axis=0))


def _least(X: np.ndarray) -> np.ndarray:
    """The FEW + 1 least values of each column, filled up with infinity where there are fewer."""
    beyond = np.full((FEW + 1, X.shape[1]), np.inf)
    return np.sort(np.concatenate([np.where(np.isnan(X), np.inf, X), beyond]), axis=0)[: FEW + 1]


def beyond_cuts(block: np.ndarray, rows: None, cuts: np.ndarray, largest: np.ndarray) -> np.ndarray:
    values = np.asarray(block, dtype=np.float64) / np.where(largest > 0, largest, 1.0)
    return np.asarray(((values < cuts[0]) | (values > cuts[1])).any(axis=1))


def _counts(model: Any) -> bool:
    return hasattr(model, "__sklearn_tags__") and get_tags(model).input_tags.positive_only


def in_words(far: np.ndarray) -> str:
    """Which rows, counted from 0 as in the table."""
    places = np.flatnonzero(far)
    named = ", ".join(str(place) for place in places[:5]) + (", …" if len(places) > 5 else "")
    return f"Row {named} lies" if len(places) == 1 else f"{len(places):,} rows ({named}) lie"


def far_rows(X: np.ndarray) -> np.ndarray:
    """A mask of the rows that are far out in some column; gaps (NaN) are no evidence. None where they are not few.

    >>> X = np.linspace(0, 1, 40)[:, None].repeat(2, axis=1)
    >>> X[7, 1] = 1e6
    >>> np.flatnonzero(far_rows(X))
    array([7])
    """
    far = np.zeros(len(X), dtype=bool)
    for column in np.asarray(X).T:
        far |= _beyond_gaps(column)
    return far if far.sum() <= MOST_SHARE * len(X) else np.zeros(len(X), dtype=bool)


def _beyond_gaps(column: np.ndarray) -> np.ndarray:
    """Which values lie beyond a gap at either end: as many as can be cut off, on either side at such a gap."""
    largest = float(np.nanmax(np.abs(column), initial=0.0))
    values = column.astype(np.float64) / (largest or 1.0)
    known = values[~np.isnan(values)]
    if len(known) <= 4 * FEW:
        return np.zeros(len(column), dtype=bool)
    known.partition([FEW, len(known) - 1 - FEW])
    rising, falling = np.sort(known[: FEW + 1]), np.sort(known[-FEW - 1 :])[::-1]
    lowest, highest = _cuts(rising, falling, len(known))
    return (values < lowest) | (values > highest)


def _cuts(rising: np.ndarray, falling: np.ndarray, n_known: int) -> tuple[float, float]:
    """The least and the largest value that are not cut off, from the ends of a column; infinite where none are."""
    if n_known <= 4 * FEW:
        return -np.inf, np.inf
    cuts = [
        (low + high, rising[low], falling[high])
        for low in range(FEW + 1)
        for high in range(FEW + 1)
        if _stand_apart(rising, falling, low, high)
    ]
    _, lowest, highest = max(cuts, default=(0, -np.inf, np.inf))
    return float(lowest), float(highest)


def _stand_apart(rising: np.ndarray, falling: np.ndarray, low: int, high: int) -> bool:
    """Whether so many at either end, and not none at both, are cut off by gaps wide enough for what is left."""
    rest = falling[high] - rising[low]
    below = low == 0 or rising[low] - rising[low - 1] > WIDER * rest
    above = high == 0 or falling[high - 1] - falling[high] > WIDER * rest
    return bool(rest > 0 and low + high > 0 and below and above)
