"""Approximation set coding as a criterion: the bits a clustering cost with K clusters draws from data, K by K.

Every labelling is a solution; relabelled ones cost the same and stay together in the sets, so nothing has to be
matched. Solutions of few objects are listed, of more they are counted by sampling (level_counts.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from unmix.costs.base import HasMoves, n_objects
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.enumerate import enumerate_labellings
from unmix.validation.approximation_sets import ApproximationSets, approximation_sets
from unmix.validation.base import Evaluation, Score
from unmix.validation.level_counts import sampled_approximation_sets
from unmix.validation.refit import in_parallel, sizes_of
from unmix.validation.settings import at_least

LISTED = 5000  # labellings that are written down rather than sampled


@dataclass(frozen=True)
class ApproximationSetCoding:
    """Which number of clusters lets a cost draw the most bits from data that also hold in other data of the kind?

    The value is the information content, the mean over pairs of samples; its error is that of the mean. The choice is
    the smallest K whose bits are within one error (of the difference, pair by pair) of the most.

    Parameters
    ----------
    cost : a cost of unmix.costs with moves of single objects, default=SquaredDistance()
        What is judged is the cost, not the fit: of the estimator only the number of clusters is used.
    pair : function of (X, rng), default=matched_halves
        Two measurements of the same objects in the same order. By default each row of one half of the rows is matched
        with a row of the other half, at least total distance: what differs between neighbours then counts as noise, and
        that neighbours share their place as signal, with groups or without. So halves tell how finely rows can be cut
        replicably; for the number of groups give two measurements.
    n_pairs : pairs of samples; 1 gives no error.
    max_rows : larger tables are judged on as many rows, drawn anew for each pair.
    n_walkers, sweeps : for counting by sampling; more is more exact, see `sampled_approximation_sets`.

    Notes
    -----
    Time grows as n_pairs × n_walkers × sweeps × objects² × log K; sets of tens of objects, not thousands.

    Examples
    --------
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> from unmix.validation import select
    >>> X, y = blobs(60, 2, 2, random_state=0)
    >>> coding = ApproximationSetCoding(n_pairs=3, max_rows=24)
    >>> select(KMeans(), X, [1, 2], coding, random_state=0).best_params
    {'n_clusters': 2}
    """

    cost: Any = None
    pair: Callable[[np.ndarray, np.random.Generator], tuple[Any, Any]] | None = None
    n_pairs: int = 5
    max_rows: int = 40
    n_walkers: int = 100
    sweeps: int = 5

    name = "approximation set coding"
    higher_is_better = True

    def __post_init__(self) -> None:
        at_least(self, n_pairs=1, max_rows=2, n_walkers=2, sweeps=1)

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator) -> Score:
        return self.evaluate_grid([estimator], X, rng).scores[0]

    def evaluate_grid(self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator) -> Evaluation:
        """All grid points on the same pairs; details are the bits, (grid points, pairs)."""
        sizes = sizes_of(estimators, "ApproximationSetCoding")
        seeds = [int(seed) for seed in rng.integers(2**31, size=self.n_pairs)]
        pairs = [self._pair(X, np.random.default_rng(seed)) for seed in seeds]
        jobs = [(k, pair, seed) for k in sizes for pair, seed in zip(pairs, seeds)]

        def bits(i: int) -> float:
            k, (first, second), seed = jobs[i]
            return self.measure(first, second, k, np.random.default_rng(seed)).bits

        table = np.array(in_parallel(bits, len(jobs), self.name)).reshape(len(sizes), self.n_pairs)
        scores = [Score(float(row.mean()), _error(row)) for row in table]
        best = int(table.mean(axis=1).argmax())
        behind = table[best] - table
        near = [i for i, row in enumerate(behind) if row.mean() <= np.nan_to_num(_error(row))]
        return Evaluation(scores, min(near, key=lambda i: sizes[i]), table)

    def measure(self, first: Any, second: Any, k: int, rng: np.random.Generator) -> ApproximationSets:
        """The whole curve of one pair of samples, exact where all labellings can be listed."""
        cost = SquaredDistance() if self.cost is None else self.cost
        n, other = n_objects(first), n_objects(second)
        if n != other:
            raise ValueError(f"the samples hold {n} and {other} objects; pair them one by one")
        if k**n <= LISTED:
            return approximation_sets(*(enumerate_labellings(cost, data, k, 1.0).costs for data in (first, second)))
        if not isinstance(cost, HasMoves):
            raise TypeError(f"{type(cost).__name__} has no moves of single objects to sample by; give fewer objects")
        return sampled_approximation_sets(cost, first, second, k, rng, n_walkers=self.n_walkers, sweeps=self.sweeps)

    def _pair(self, X: np.ndarray, rng: np.random.Generator) -> tuple[Any, Any]:
        rows = rng.permutation(len(X))[: self.max_rows]
        return (self.pair or matched_halves)(X[rows], rng)


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
