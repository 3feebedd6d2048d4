"""Approximation set coding as a criterion: the bits a clustering cost with K clusters draws from data, K by K.

Every labelling is a solution; relabelled ones cost the same and stay together in the sets, so nothing has to be
matched. Solutions of few objects are listed; of more they are counted by entropies where the cost has prototypes
(entropic_sets.py), else by sampling (level_counts.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from unmix.costs.base import HasMoves, HasPrototypes, n_objects
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.enumerate import enumerate_labellings
from unmix.validation.agreement.pairing import Pairing
from unmix.validation.approximation.entropic_sets import entropic_approximation_sets, no_information
from unmix.validation.approximation.level_counts import sampled_approximation_sets
from unmix.validation.approximation.sets import ApproximationSets, approximation_sets, types_of
from unmix.validation.criteria.base import Evaluation, Score
from unmix.validation.criteria.settings import at_least
from unmix.validation.evidence.gibbs import refuse_extreme
from unmix.validation.fits.refit import canonical_rows, in_parallel, sizes_of
from unmix.validation.fits.sampled_rows import counted

MOST_ENUMERATED = 5000  # labellings that are written down rather than counted
SAMPLED = 40  # rows that are looked at where labellings have to be sampled
METHODS = ("auto", "list", "entropy", "sample")
PRIORS = ("sizes", "uniform")
N_STANDARD_ERRORS = 2.0  # errors by which the most bits must surpass those of a smaller K


@dataclass(frozen=True)
class ApproximationSetCoding:
    """Which number of clusters lets a cost draw the most bits from data that also hold in other data of the kind?

    The value is the information content, the mean over pairs of samples; its error is that of the mean, of a single
    pair that of the finite number of objects. The choice is the smallest K whose bits are within two errors of the
    most: clusters that nothing distinguishes add no bits, and take none away. Counting by entropy leaves out powers of
    the number n of objects, so that another log2(n) / 2 bits for each cluster more do not count.

    Parameters
    ----------
    cost : a cost of unmix.costs, default=SquaredDistance()
        What is judged is the cost, not the fit: of the estimator only the number of clusters is used.
    pair : `MeasuredTwice` or another pairing, or a function of (X, rng), default=matched_halves
        Two measurements of the same objects in the same order. By default each row of one half of the rows is matched
        with a row of the other half, at least total distance: what differs between neighbours then counts as noise, and
        that neighbours share their place as signal, with groups or without. So halves tell how finely rows can be cut
        replicably; for the number of groups give two measurements.
    n_pairs : pairs of samples.
    max_rows : larger tables are judged on as many rows, drawn anew for each pair; at most 40 where labellings have to
        be sampled.
    prior : {"sizes", "uniform"}, default="sizes"
        What a labelling is told from: the same objects in another order, so that clusters keep their sizes, or all K^n
        labellings. By the latter more clusters than there are seem to carry more: one group of two that takes one of
        K names, the other any of the rest, carries log2 K - log2(K - 1) / 2 bits an object, without end.
    method : {"auto", "list", "entropy", "sample"}, default="auto"
        "list" writes all labellings down, "entropy" needs a cost with prototypes and is exact for many objects,
        "sample" needs one with moves. "auto" is the first of these, in that order, that is possible.
    n_walkers, sweeps : for counting by sampling; more is more exact, see `sampled_approximation_sets`.

    Notes
    -----
    Time by entropy grows as n_pairs × objects × K × features, about 20 levels × 40 steps; by sampling as n_pairs ×
    n_walkers × sweeps × objects² × log K.

    Examples
    --------
    >>> from unmix.cluster import KMeans
    >>> from unmix.validation import MeasuredTwice, select
    >>> rng = np.random.default_rng(0)
    >>> objects = 5.0 * np.eye(3, 4)[np.arange(90) % 3]
    >>> X, again = (objects + rng.normal(size=objects.shape) for _ in range(2))
    >>> select(KMeans(), X, range(1, 6), ApproximationSetCoding(pair=MeasuredTwice(again)), random_state=0).best_params
    {'n_clusters': 3}
    """

    cost: Any = None
    pair: Pairing | Callable[[np.ndarray, np.random.Generator], tuple[Any, Any]] | None = None
    n_pairs: int = 5
    max_rows: int = 400
    prior: str = "sizes"
    method: str = "auto"
    n_walkers: int = 100
    sweeps: int = 5

    name = "approximation set coding"
    higher_is_better = True

    def __post_init__(self) -> None:
        at_least(self, n_pairs=1, max_rows=2, n_walkers=2, sweeps=1)
        for name, choices in (("method", METHODS), ("prior", PRIORS)):
            if getattr(self, name) not in choices:
                raise ValueError(f"{name}={getattr(self, name)!r} is not known; choose one of {', '.join(choices)}")
        if not (self.pair is None or callable(self.pair) or hasattr(self.pair, "draw")):
            raise TypeError(f"pair={self.pair!r} pairs no samples; give MeasuredTwice(…) or a function of (X, rng)")

    @property
    def allow_nan(self) -> bool:
        """Of objects measured twice those without gaps are picked here, where both measurements are at hand."""
        return hasattr(self.pair, "complete")

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None) -> Score:
        return self.evaluate_grid([estimator], X, rng, sample_weight).scores[0]

    def evaluate_grid(
        self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None
    ) -> Evaluation:
        """All grid points on the same pairs; details are an `ApproximationSets` for each, (grid points, pairs)."""
        sizes = sizes_of(estimators, "ApproximationSetCoding")
        random = getattr(self.pair, "random", True)
        seeds = [int(seed) for seed in rng.integers(2**31, size=self.n_pairs if random else 1)]
        most = min(self.max_rows, SAMPLED) if self._sampled(sizes) else self.max_rows
        pairs = [self._pair(X, most, np.random.default_rng(seed), sample_weight) for seed in seeds]
        jobs = [(k, pair, seed) for k in sizes for pair, seed in zip(pairs, seeds)]

        def sets(i: int) -> ApproximationSets:
            k, (first, second), seed = jobs[i]
            return replace(self.measure(first, second, k, np.random.default_rng(seed)), members=None)

        found = in_parallel(sets, len(jobs), self.name)
        table = [found[i : i + len(seeds)] for i in range(0, len(found), len(seeds))]
        scores = [Score(float(np.mean([each.bits for each in row])), _error(parts_of(row))) for row in table]
        counted_roughly = [len(each.rows) for row in table for each in row if each.rows is not None]
        left_out = np.log2(max(counted_roughly)) / 2 if counted_roughly else 0.0  # powers of n: the root for each size
        return Evaluation(scores, smallest_of_the_best(scores, sizes, left_out), table)

    def measure(self, first: Any, second: Any, k: int, rng: np.random.Generator) -> ApproximationSets:
        """The whole curve of one pair of samples, exact where all labellings can be listed.

        `ApproximationSets.decode` of the answer draws labellings that both samples agree on at the best precision.
        """
        cost = SquaredDistance() if self.cost is None else self.cost
        n, other = n_objects(first), n_objects(second)
        if n != other:
            raise ValueError(f"the samples hold {n} and {other} objects; pair them one by one")
        if isinstance(cost, SquaredDistance) and isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
            first, second, unit = _same_unit(first, second)
            sets = self._measure(cost, first, second, k, rng)
            return replace(sets, levels=sets.levels * unit**2)
        return self._measure(cost, first, second, k, rng)

    def _measure(self, cost: Any, first: Any, second: Any, k: int, rng: np.random.Generator) -> ApproximationSets:
        if k == 1:
            return no_information(n_objects(first), 1)
        method, by_type = self._method(cost, k, n_objects(first)), self.prior == "sizes"
        if method == "list":
            one, two = (enumerate_labellings(cost, data, k, 1.0) for data in (first, second))
            sets = approximation_sets(one.costs, two.costs, types_of(one.labellings, k) if by_type else None)
            return replace(sets, members=replace(sets.members, labellings=one.labellings))  # type: ignore[type-var]
        if method == "entropy":
            seed = int(rng.integers(2**31 - 10))
            return entropic_approximation_sets(cost, first, second, k, by_type=by_type, seed=seed)
        return sampled_approximation_sets(
            cost, first, second, k, rng, n_walkers=self.n_walkers, sweeps=self.sweeps, by_type=by_type
        )

    def _method(self, cost: Any, k: int, n: int) -> str:
        if self.method == "list" or (self.method == "auto" and k**n <= MOST_ENUMERATED):
            return "list"
        if self.method in ("auto", "entropy") and isinstance(cost, HasPrototypes):
            return "entropy"
        if self.method == "entropy":
            raise TypeError(f"{type(cost).__name__} has no prototypes; use method='sample', or few objects")
        if not isinstance(cost, HasMoves):
            raise TypeError(f"{type(cost).__name__} has no moves of single objects to sample by; give fewer objects")
        return "sample"

    def _sampled(self, sizes: Sequence[int]) -> bool:
        cost = SquaredDistance() if self.cost is None else self.cost
        return self._method(cost, max(sizes), self.max_rows) == "sample"

    def _pair(self, X: np.ndarray, most: int, rng: np.random.Generator, weights: Any) -> tuple[Any, Any]:
        rows = canonical_rows(X, len(X), rng) if weights is None else counted(np.asarray(weights), 10 * len(X), rng)
        if hasattr(self.pair, "complete"):
            rows = self.pair.complete(X, rows)
        rows = np.sort(rng.permutation(rows)[:most])
        if hasattr(self.pair, "draw"):
            pair = self.pair.draw(X, rows, rng, False)
            return pair.first[pair.first_rows], pair.second[pair.second_rows]
        return (self.pair or matched_halves)(X[rows], rng)


def parts_of(found: Sequence[ApproximationSets]) -> np.ndarray:
    """What bits are the sum of, for their error: means over pairs; of one pair, where it tells, n bits of objects."""
    if len(found) == 1 and found[0].rows is not None:
        return found[0].rows * len(found[0].rows)
    return np.array([each.bits for each in found])


def smallest_of_the_best(scores: Sequence[Score], sizes: Sequence[int], left_out: float = 0.0) -> int:
    """The smallest K within two errors of the most bits, and within what counting left out for each cluster more."""
    best = max(range(len(sizes)), key=lambda i: scores[i].value)
    enough = scores[best].value - N_STANDARD_ERRORS * np.nan_to_num(scores[best].error)
    near = (i for i, k in enumerate(sizes) if scores[i].value >= enough - left_out * max(sizes[best] - k, 0))
    return min(near, key=lambda i: sizes[i])


def _same_unit(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Rows around their mean (squares of large coordinates would lose the differences), at most 1, and the unit."""
    for data in (first, second):
        refuse_extreme(data)
    one, two = (np.asarray(data, np.float64) - data.mean(axis=0, dtype=np.float64) for data in (first, second))
    unit = float(max(np.abs(one).max(initial=0), np.abs(two).max(initial=0))) or 1.0
    return one / unit, two / unit, unit


def matched_halves(X: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two halves of the rows, the second in the order that brings its rows nearest to those of the first.

    Valid where neighbours are as good as repeated measurements: several rows a cluster, and few columns.
    """
    rows, half = rng.permutation(len(X)), len(X) // 2
    first, second = X[rows[:half]], X[rows[half : 2 * half]]
    _, partner = linear_sum_assignment(cdist(first, second, "sqeuclidean"))
    return first, second[partner]


def _error(values: np.ndarray) -> float:
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
