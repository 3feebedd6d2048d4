"""Stability: would the same clusters be found again in other data of the same kind?

r = mean over resamples of d(φ(X'), Z'),   φ carries the clustering of one resample to the rows of another
stab = 1 - r / r_rand,                     r_rand = the same for random labellings with clusters of the same sizes:
                                           (K - 1)/K for equal ones
inconsistency, the index against random labellings, = r / r_rand = 1 - stab

1: no row changes its cluster; 0: as inconsistent as labels drawn at random (Lange, Roth, Braun and Buhmann 2004).
d is `clustering_distance`, so the names of clusters do not count; resamples are drawn from the rows in an order that
their values decide, so neither does the order of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from unmix.validation.criteria.base import Evaluation, Score, best_index
from unmix.validation.criteria.settings import at_least, between, one_of
from unmix.validation.evidence.resampled.carry import check_transfer
from unmix.validation.evidence.resampled.distance import distance_beside_chance, match_labels
from unmix.validation.evidence.resampled.perturb import PERTURBATIONS, Table
from unmix.validation.evidence.resampled.quick_split import Resample, split_sizes
from unmix.validation.fits.quick import cluster_numbers, stands_in
from unmix.validation.fits.refit import in_parallel, labels_of, size_of
from unmix.validation.fits.sampled_rows import counted_rows


class StabilityDetails(NamedTuple):
    """One model's stability.

    `distances[s]` is r in resample s, `random` is r_rand and `random_error` its standard error. `rows[i]` is how often
    row i kept its cluster, NaN for a row no resample judged; `clusters[c]` the mean of `rows` over cluster c of the
    model, in the order of its labels.
    """

    score: Score
    distances: np.ndarray
    random: float
    rows: np.ndarray
    clusters: np.ndarray
    random_error: float = float("nan")

    @property
    def inconsistency(self) -> Score:
        """Inconsistency against random labellings, r / r_rand: 0 the same each time, 1 no better than chance."""
        return Score(1 - self.score.value, self.score.error)


@dataclass(frozen=True)
class Stability:
    """Stability of a clustering: how far clusterings of perturbed data agree, beyond random labellings.

    Parameters
    ----------
    perturb : "split", "subsample" or "noise"
        "split": two halves without a common row; the clustering of one half is carried to the other. "subsample": two
        random parts compared on the rows in both. "noise": all rows twice, with Gaussian noise added.
    n_resamples : pairs of fits; the standard error is over them.
    fraction : of the rows in each subsample.
    noise : standard deviation of the noise in units of each column's.
    max_rows : larger tables are judged on a random subset of this many rows.
    transfer : "auto", "predict", "nearest", "prototype" or a classifier
        How labels are carried to other rows: by the model's own `predict` ("auto": where it has one, else "nearest");
        from the nearest labelled row; from the nearest mean of a cluster; or by any classifier of scikit-learn, which
        is trained on the labelled half. The best one is that which the model would agree with: a poor one adds its own
        mistakes to r.
    n_random : random labellings drawn for each resample.
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
    transfer: Any = "auto"
    n_random: int = 5

    name = "stability"
    higher_is_better = True

    def __post_init__(self) -> None:
        at_least(self, n_resamples=1, max_rows=2, n_random=1)
        between(self, "fraction", 0, 1, closed=True)
        if self.fraction == 0:
            raise ValueError("fraction=0 leaves no rows to fit; give a number above 0")
        between(self, "noise", 0, np.finfo(float).max, closed=True)
        between(self, "enough", -np.inf, np.inf)
        one_of(self, perturb=sorted(PERTURBATIONS))

    def allow_nan(self, estimator: Any) -> bool:
        """Resampled rows may have gaps where the model's own predict carries labels."""
        return self.perturb != "noise" and hasattr(estimator, "predict")

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None) -> Score:
        return self.measure(estimator, X, rng, sample_weight).score

    def evaluate_grid(
        self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None
    ) -> Evaluation:
        details = self._measure_all(estimators, X, np.random.default_rng(int(rng.integers(2**31))), sample_weight)
        scores = [detail.score for detail in details]
        sizes, found = [size_of(estimator) for estimator in estimators], [len(detail.clusters) for detail in details]
        return Evaluation(scores, self._choose(scores, sizes, found), details)

    def measure(
        self, estimator: Any, X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None
    ) -> StabilityDetails:
        """The score and what it is made of, down to single rows; `estimator` is fitted on X.

        A weight is a repetition: resamples are drawn from rows that stand there as often as they count, so that copies
        of a row can come into both halves. Rows of weight 0 are as if absent.
        """
        return self._measure_all([estimator], X, rng, sample_weight)[0]

    def _measure_all(
        self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator, sample_weight: Any
    ) -> list[StabilityDetails]:
        """Every model on the same resamples."""
        for estimator in estimators:
            check_transfer(self.transfer, estimator)
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        present = np.ones(len(X), dtype=bool) if weight is None else weight > 0
        rows = counted_rows(X, weight, self.max_rows, rng)
        labels, data = [labels_of(estimator, X) for estimator in estimators], X[rows]
        seeds = rng.integers(2**31, size=self.n_resamples)
        judged = [
            i
            for i, (estimator, z) in enumerate(zip(estimators, labels))
            if len(np.unique(z[present])) > 1 and (size_of(estimator) or 0) < len(rows) // 2
        ]
        tables = [Table(data, labels[i][rows]) for i in judged]
        done = dict(zip(judged, self._resample_all([estimators[i] for i in judged], tables, seeds)))
        return [_summarise(done.get(i, []), z, rows, present) for i, z in enumerate(labels)]

    def _resample_all(
        self, estimators: Sequence[Any], tables: Sequence[Table], seeds: np.ndarray
    ) -> list[list[Resample]]:
        if self._quickly(estimators, tables):
            sizes, labels = cluster_numbers(estimators), np.array([table.labels for table in tables])

            def split(s: int) -> list[Resample]:
                return split_sizes(tables[0].X, sizes, labels, self.n_random, np.random.default_rng(seeds[s]))

            by_split = in_parallel(split, self.n_resamples, "resamples")
            return [list(of_model) for of_model in zip(*by_split)]

        def resamples(estimator: Any, table: Table) -> list[Resample]:
            def resample(s: int) -> Resample:
                return self._resample(estimator, table, np.random.default_rng(seeds[s]))

            return in_parallel(resample, self.n_resamples, "resamples")

        return [resamples(estimator, table) for estimator, table in zip(estimators, tables)]

    def _quickly(self, estimators: Sequence[Any], tables: Sequence[Table]) -> bool:
        """Whether all models are K-means, which one compiled call fits with every number of clusters."""
        own_transfer = isinstance(self.transfer, str) and self.transfer in ("auto", "predict")
        if not tables or self.perturb != "split" or not own_transfer:
            return False
        X = tables[0].X
        return stands_in(estimators, X, len(X) // 2)

    def _resample(self, estimator: Any, table: Table, rng: np.random.Generator) -> Resample:
        common, first, second = PERTURBATIONS[self.perturb](self, estimator, table, rng)
        kept, judged = _agreement([first, second], table)
        found, chance = distance_beside_chance(first[common], second[common], None, self.n_random, rng)
        return Resample(found, chance, kept, judged)

    def _choose(self, scores: Sequence[Score], sizes: Sequence[int | None], found: Sequence[int]) -> int | None:
        best = best_index(scores, self.higher_is_better)
        if best is None:
            return sizes.index(1) if 1 in sizes else None
        if None in sizes:
            return best
        values = np.array([score.value for score in scores])
        if values[best] < self.enough and 1 in sizes:
            return sizes.index(1)
        near = values >= values[best] - scores[best].error
        return max(np.flatnonzero(near).tolist(), key=lambda i: found[i])  # asked for three, it may have found two


def _agreement(views: Sequence[np.ndarray], table: Table) -> tuple[np.ndarray, np.ndarray]:
    labels = table.labels
    kept, judged = np.zeros(len(labels)), np.zeros(len(labels))
    for view in views:
        known = view != -1
        kept += known & (match_labels(view, labels) == labels)
        judged += known
    return kept, judged


def _summarise(done: list[Resample], labels: np.ndarray, rows: np.ndarray, present: np.ndarray) -> StabilityDetails:
    by_row = np.full(len(labels), np.nan)
    if done:
        # a row may stand among the rows several times, as often as it counts
        kept = np.bincount(rows, np.sum([r.kept for r in done], axis=0), len(labels))
        judged = np.bincount(rows, np.sum([r.judged for r in done], axis=0), len(labels))
        by_row = np.where(judged > 0, kept / np.maximum(judged, 1), np.nan)
    done = [r for r in done if np.isfinite(r.distance)]  # two resamples may have no labelled row in common
    distances, chance = (np.array([getattr(r, name) for r in done]) for name in ("distance", "random"))
    random, random_error = _mean_and_error(chance)
    score = Score(float("nan"))
    if random > 0:
        mean, error = _mean_and_error(distances)
        # d(r / r_rand): both are means over resamples.
        score = Score(1 - mean / random, float(np.hypot(error, mean / random * random_error) / random))
    weight = np.bincount(rows, minlength=len(labels))
    clusters = []
    for name in np.unique(labels[(labels != -1) & present]):
        seen = (labels == name) & np.isfinite(by_row) & (weight > 0)
        clusters.append(np.average(by_row[seen], weights=weight[seen]) if seen.any() else np.nan)
    return StabilityDetails(score, distances, random, by_row, np.array(clusters), random_error)


def _mean_and_error(values: np.ndarray) -> tuple[float, float]:
    if not len(values):
        return float("nan"), float("nan")
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(values.mean()), float(error)
