"""Two samples of the same kind, X′ and X″, and which object of one is which of the other:

MeasuredTwice   the same objects, measured again: the ideal
SplitFeatures   the same objects, by one half of their features and by the other
SplitObjects    one half of the objects and the other, each matched to the most similar
Replicate       the same objects with noise of known scale added, twice

Whatever varies between X′ and X″ is called noise, whatever stays is called signal: to choose a pairing is to choose
the question.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist


class Pair(NamedTuple):
    """Both samples, and the objects compared: row first_rows[i] of one is row second_rows[i] of the other."""

    first: np.ndarray
    second: np.ndarray
    first_rows: np.ndarray
    second_rows: np.ndarray


class Pairing(Protocol):
    """Draws pairs of samples from a table; `precomputed` says that X holds dissimilarities of all objects.

    `chance` says whether a cloud without groups would seem to carry bits, `random` whether draws differ.
    """

    chance: bool
    random: bool

    def draw(self, X: np.ndarray, rows: np.ndarray, rng: np.random.Generator, precomputed: bool) -> Pair: ...


@dataclass(frozen=True)
class MeasuredTwice:
    """The same objects measured a second time, independently: X is the first measurement, `second` the other.

    Valid if errors of the two measurements are independent. Not if both share an error, such as a common calibration
    of each object: what is shared counts as signal.

    Parameters
    ----------
    second : array of the shape of X, row i being object i
    """

    second: Any = field(repr=False)
    chance = False  # whether a cloud without groups would seem to carry bits
    random = False  # whether pairs differ from draw to draw

    def draw(self, X: np.ndarray, rows: np.ndarray, rng: np.random.Generator, precomputed: bool = False) -> Pair:
        second = self._second(X)
        return _same_objects(_part(X, rows, precomputed), _part(second, rows, precomputed))

    def complete(self, X: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Those of the rows that have no gap in either measurement."""
        gaps = np.isnan(X).any(axis=1) | np.isnan(self._second(X)).any(axis=1)
        if (~gaps[rows]).sum() < 2:
            raise ValueError("fewer than 2 objects have no missing values (NaN) in both measurements; fill them first")
        return rows[~gaps[rows]]

    def _second(self, X: np.ndarray) -> np.ndarray:
        second = np.asarray(self.second, dtype=X.dtype)
        if second.ndim != 2 or len(second) != len(X):
            raise ValueError(f"second has shape {second.shape} and X {X.shape}; row i of both must be the same object")
        if np.isinf(second).any():
            raise ValueError("second contains infinite values; fill or drop them in X and second")
        return second


@dataclass(frozen=True)
class SplitFeatures:
    """The same objects seen by two disjoint sets of features.

    Valid if every feature shows the same groups with errors of its own, as repeated readings, channels or many genes
    do. Not if features carry different structure: where one half shows groups that the other does not, nothing
    agrees although each half is clear. Not if single features repeat each other's errors.

    Parameters
    ----------
    columns : pair of lists of column indices, optional
        The two sets; by default two halves drawn at random, anew for each pair.
    """

    columns: tuple[Any, Any] | None = None
    chance = False
    random = True

    def draw(self, X: np.ndarray, rows: np.ndarray, rng: np.random.Generator, precomputed: bool = False) -> Pair:
        d = X.shape[1]
        if precomputed or d < 2:
            what = "dissimilarities" if precomputed else f"{d} feature"
            raise ValueError(f"X has {what}, which cannot be split by features; use SplitObjects() or MeasuredTwice()")
        columns = self.columns
        if columns is None:
            mixed = rng.permutation(d)
            columns = np.sort(mixed[: d // 2]), np.sort(mixed[d // 2 :])
        return _same_objects(*(np.ascontiguousarray(X[np.ix_(rows, np.asarray(part))]) for part in columns))


@dataclass(frozen=True)
class SplitObjects:
    """Two random halves of the objects; every object of the second half is taken for the most similar of the first.

    Valid if objects are drawn independently and lie densely, so that the nearest is a fair repetition. Not for few
    objects in many dimensions, where the nearest is far; not for time series or other rows that depend on each other.
    Neighbours share their place: any cloud, with groups or without, can be cut replicably into many pieces, so
    `PosteriorAgreement` compares with clouds without groups when it chooses K by this pairing.

    Parameters
    ----------
    metric : str or callable, default="euclidean"
        What "similar" means, as in ``scipy.spatial.distance.cdist``; not used for given dissimilarities.
    one_to_one : bool, default=False
        Match at least total distance, no object twice: for small halves. Where a group has more objects in one half
        than in the other, some are matched across groups. Needs all distances between the halves.
    """

    metric: Any = "euclidean"
    one_to_one: bool = False
    chance = True
    random = True

    def draw(self, X: np.ndarray, rows: np.ndarray, rng: np.random.Generator, precomputed: bool = False) -> Pair:
        if len(rows) < 4:
            raise ValueError(f"X has {len(rows)} rows, too few for two halves; measure the objects twice instead")
        mixed = rng.permutation(len(rows))  # of places: the order of rows is kept, since their values may decide it
        one, two = rows[np.sort(mixed[: len(rows) // 2])], rows[np.sort(mixed[len(rows) // 2 :])]
        if precomputed:
            distance = np.asarray(X[np.ix_(two, one)])
            match = _one_to_one(distance) if self.one_to_one else np.nanargmin(distance, axis=1)
        else:
            match = self._nearest(X[one], X[two])
        return Pair(_part(X, one, precomputed), _part(X, two, precomputed), match, np.arange(len(two)))

    def _nearest(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        if self.one_to_one:
            return _one_to_one(cdist(two, one, self.metric))
        from sklearn.neighbors import NearestNeighbors

        search = NearestNeighbors(n_neighbors=1, metric=self.metric).fit(one)
        return search.kneighbors(two, return_distance=False)[:, 0]


@dataclass(frozen=True)
class Replicate:
    """The objects of X with fresh Gaussian noise of known standard deviation, twice.

    Valid if X is exact compared with the noise that matters, for example a simulation, or if one asks what would
    survive such noise. Not as a replacement of a second measurement: noise already in X is in both samples, so it
    counts as signal.

    Parameters
    ----------
    noise : float or array of d floats
        Standard deviation, in units of X.
    """

    noise: Any
    chance = False
    random = True

    def draw(self, X: np.ndarray, rows: np.ndarray, rng: np.random.Generator, precomputed: bool = False) -> Pair:
        noise = np.asarray(self.noise, dtype=float)
        if not np.isfinite(noise).all() or (noise < 0).any():
            raise ValueError(f"noise={self.noise!r}: give standard deviations from 0 up, in units of X")
        part = _part(X, rows, precomputed)
        return _same_objects(*(self._noisy(part, noise, rng, precomputed) for _ in range(2)))

    def _noisy(self, X: np.ndarray, noise: np.ndarray, rng: np.random.Generator, precomputed: bool) -> np.ndarray:
        added = noise * rng.standard_normal(X.shape)
        if precomputed:  # dissimilarities stay symmetric, at least 0, and 0 to oneself
            added = (np.triu(added, 1) + np.triu(added, 1).T) * ~np.eye(len(X), dtype=bool)
            return np.maximum(X + added, 0).astype(X.dtype)
        return (X + added).astype(X.dtype)


def _same_objects(first: np.ndarray, second: np.ndarray) -> Pair:
    rows = np.arange(len(first))
    return Pair(first, second, rows, rows)


def _part(X: np.ndarray, rows: np.ndarray, precomputed: bool) -> np.ndarray:
    return np.ascontiguousarray(X[np.ix_(rows, rows)] if precomputed else X[rows])


def _one_to_one(distance: np.ndarray) -> np.ndarray:
    """The column for every row, at least total distance; a row more than columns takes its nearest."""
    match = np.argmin(distance, axis=1)
    rows, columns = linear_sum_assignment(distance)
    match[rows] = columns
    return match
