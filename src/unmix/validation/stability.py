"""Stability: would the same clusters be found again in other data of the same kind?

r = mean over resamples of d(φ(X'), Z'),   φ carries the clustering of one resample to the rows of another
stab = 1 - r / r_rand,                     r_rand = the same with the labels shuffled: (K - 1)/K for equal sizes

1: no row changes its cluster; 0: as inconsistent as labels drawn at random (Lange, Roth, Braun and Buhmann 2004).
d is `clustering_distance`, so the names of clusters do not count; resamples are drawn from the rows in an order that
their values decide, so neither does the order of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from unmix.validation.base import Evaluation, Score, best_index
from unmix.validation.distance import clustering_distance, match_labels
from unmix.validation.refit import canonical_rows, in_parallel, labels_of, refit, size_of, transfer


class StabilityDetails(NamedTuple):
    """One model's stability.

    `distances[s]` is r in resample s, `random` is r_rand. `rows[i]` is how often row i kept its cluster, NaN for a row
    no resample judged; `clusters[c]` the mean of `rows` over cluster c of the model, in the order of its labels.
    """

    score: Score
    distances: np.ndarray
    random: float
    rows: np.ndarray
    clusters: np.ndarray


class _Resample(NamedTuple):
    distance: float
    random: float
    kept: np.ndarray  # how many fits of this resample agree with the model, for each row
    judged: np.ndarray  # of how many


@dataclass(frozen=True)
class Stability:
    """How well a clustering repeats itself on perturbed data.

    Parameters
    ----------
    perturb : "split", "subsample" or "noise"
        "split": two halves without a common row; the clustering of one half is carried to the other by `predict`, or by
        the nearest row where the model has no `predict`. "subsample": two random parts compared on the rows in both.
        "noise": all rows twice, with Gaussian noise added.
    n_resamples : pairs of fits; the standard error is over them.
    fraction : of the rows in each subsample.
    noise : standard deviation of the noise in units of each column's.
    max_rows : larger tables are judged on a random subset of this many rows.
    enough : the choice is K = 1 if no K reaches this value; else the largest K within one error of the best.

    Notes
    -----
    K = 1 repeats itself trivially and has no value. High stability alone is no proof of clusters: an elongated cloud is
    halved the same way each time. `Separation` asks that question.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> X, y = blobs(120, 2, 3, random_state=0)
    >>> Stability().evaluate(KMeans(3, n_init=5).fit(X), X, np.random.default_rng(0)).value
    1.0
    """

    perturb: str = "split"
    n_resamples: int = 20
    fraction: float = 0.8
    noise: float = 0.1
    max_rows: int = 2000
    enough: float = 0.8

    name = "stability"
    higher_is_better = True

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator) -> Score:
        return self.measure(estimator, X, rng).score

    def evaluate_grid(self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator) -> Evaluation:
        seed = int(rng.integers(2**31))
        details = [self.measure(estimator, X, np.random.default_rng(seed)) for estimator in estimators]
        scores = [detail.score for detail in details]
        return Evaluation(scores, self._choose(scores, [size_of(estimator) for estimator in estimators]), details)

    def measure(self, estimator: Any, X: np.ndarray, rng: np.random.Generator) -> StabilityDetails:
        """The score and what it is made of, down to single rows; `estimator` is fitted on X."""
        if self.perturb not in _perturbations:
            raise ValueError(f"perturb={self.perturb!r} is not known; give one of {sorted(_perturbations)}")
        rows = canonical_rows(X, self.max_rows, rng)
        labels, data = labels_of(estimator, X), X[rows]
        seeds = rng.integers(2**31, size=self.n_resamples)

        def resample(s: int) -> _Resample:
            return self._resample(estimator, data, labels[rows], np.random.default_rng(seeds[s]))

        trivial = len(np.unique(labels)) < 2 or (size_of(estimator) or 0) >= len(data) // 2
        done = [] if trivial else in_parallel(resample, self.n_resamples, "resamples")
        return _summarise(done, labels, rows)

    def _resample(self, estimator: Any, X: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> _Resample:
        common, first, second, kept, judged = _perturbations[self.perturb](self, estimator, X, labels, rng)
        shuffled = clustering_distance(first[common], rng.permutation(second[common]))
        return _Resample(clustering_distance(first[common], second[common]), shuffled, kept, judged)

    def _choose(self, scores: Sequence[Score], sizes: Sequence[int | None]) -> int | None:
        best = best_index(scores, self.higher_is_better)
        if best is None:
            return sizes.index(1) if 1 in sizes else None
        if None in sizes:
            return best
        values = np.array([score.value for score in scores])
        if values[best] < self.enough and 1 in sizes:
            return sizes.index(1)
        near = values >= values[best] - scores[best].error
        return max(np.flatnonzero(near).tolist(), key=lambda i: sizes[i] or 0)


def _split(settings: Stability, estimator: Any, X: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> tuple:
    order = rng.permutation(len(X))
    half = [np.sort(order[: len(X) // 2]), np.sort(order[len(X) // 2 :])]
    views = [_view(estimator, X, rows, everywhere=True, rng=rng) for rows in half]
    return (half[1], *views, *_agreement(views, labels))


def _subsample(
    settings: Stability, estimator: Any, X: np.ndarray, labels: np.ndarray, rng: np.random.Generator
) -> tuple:
    size = min(len(X), max(2, round(settings.fraction * len(X))))
    parts = [np.sort(rng.choice(len(X), size, replace=False)) for _ in range(2)]
    views = [_view(estimator, X, rows, everywhere=False, rng=rng) for rows in parts]
    return (np.arange(len(X)), *views, *_agreement(views, labels))


def _noise(settings: Stability, estimator: Any, X: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> tuple:
    rows, scale = np.arange(len(X)), settings.noise * X.std(axis=0)
    noisy = [X + (scale * rng.standard_normal(X.shape)).astype(X.dtype, copy=False) for _ in range(2)]
    views = [_view(estimator, data, rows, everywhere=False, rng=rng) for data in noisy]
    return (rows, *views, *_agreement(views, labels))


_perturbations = {"split": _split, "subsample": _subsample, "noise": _noise}


def _view(estimator: Any, X: np.ndarray, rows: np.ndarray, *, everywhere: bool, rng: np.random.Generator) -> np.ndarray:
    """Labels from a fit on some rows: carried to all rows, or -1 outside."""
    part = X[rows]
    model = refit(estimator, part, int(rng.integers(2**31)))
    own = labels_of(model, part)
    view = np.full(len(X), -1)
    if everywhere:
        others = np.setdiff1d(np.arange(len(X)), rows, assume_unique=True)
        view[others] = transfer(model, part, own, X[others])
    view[rows] = own
    return view


def _agreement(views: Sequence[np.ndarray], labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    kept, judged = np.zeros(len(labels)), np.zeros(len(labels))
    for view in views:
        known = view != -1
        kept += known & (match_labels(view, labels) == labels)
        judged += known
    return kept, judged


def _summarise(done: list[_Resample], labels: np.ndarray, rows: np.ndarray) -> StabilityDetails:
    by_row = np.full(len(labels), np.nan)
    if done:
        kept, judged = sum(r.kept for r in done), sum(r.judged for r in done)
        by_row[rows] = np.where(judged > 0, kept / np.maximum(judged, 1), np.nan)
    done = [r for r in done if np.isfinite(r.distance)]  # two resamples may have no labelled row in common
    distance = np.array([r.distance for r in done])
    random = float(np.mean([r.random for r in done])) if done else float("nan")
    score = Score(float("nan"))
    if random > 0:
        error = distance.std(ddof=1) / np.sqrt(len(done)) / random if len(done) > 1 else np.nan
        score = Score(float(1 - distance.mean() / random), float(error))
    names = np.unique(labels[labels != -1])
    clusters = [by_row[(labels == name) & np.isfinite(by_row)] for name in names]
    return StabilityDetails(
        score, distance, random, by_row, np.array([c.mean() if len(c) else np.nan for c in clusters])
    )
