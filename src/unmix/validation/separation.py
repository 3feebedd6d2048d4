"""Are there clusters at all, and how many stand apart: valleys between clusters, against tables without clusters.

For every K the clusters are joined wherever no valley deeper than c lies between them; the number of groups is

    K* = max over K of (1 + number of spanning valleys of the K-clustering deeper than c)

c is what the deepest valley over all K reaches in reference tables that have one mode and the data's covariance, sent
through the same fits: with probability 1 - level a table without clusters yields K* = 1 (a max-statistic, so trying
many K costs nothing extra). Because only valleys count, heavy tails and skewness make no clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from unmix.validation.base import Evaluation, Score
from unmix.validation.reference import Reference, undo_rounding, uniform_reference
from unmix.validation.refit import canonical_rows, in_parallel, labels_of, refit, size_of
from unmix.validation.valley import spanning_valleys, valley_depths


class SeparationDetails(NamedTuple):
    """What the criterion saw.

    `groups[i]`, `shallowest[i]`, `deepest[i]` belong to grid point i (NaN where it has one cluster only).
    `level_depth` is c; `chance` the deepest valley over the grid in each reference table; `p_value` that of the data's.
    """

    n_groups: int
    groups: list[int]
    shallowest: list[float]
    deepest: list[float]
    level_depth: float
    chance: np.ndarray
    p_value: float
    n_rows: int


@dataclass(frozen=True)
class Separation:
    """Count the clusters that a valley in the density sets apart from all others.

    The value at K is the shallowest valley among the K clusters in units of c, the depth chance reaches in a table
    without clusters: above 1, all K clusters are real. Its error is the spread of the references in the same units.
    K = 1 has no valley and no value, and is the choice where no K shows one. The choice is the largest number of
    groups seen at any K, after merging clusters that no valley separates; so it can be right where the clustering
    at that very K is not.

    Parameters
    ----------
    n_references : reference tables, each fitted at every grid point.
    level : chance of seeing clusters in a table without any.
    max_rows : larger tables are judged on a random subset of this many rows.
    reference : function (X) -> function (rng) -> table, default `uniform_reference`. Give your own where chance means
        something else, as with categories coded in 0 and 1.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from unmix.datasets import gaussian
    >>> from unmix.validation import Separation, select
    >>> select(KMeans(n_init=2), gaussian(100, random_state=0), [1, 2, 3], Separation(), random_state=0).best_params
    {'n_clusters': 1}
    """

    n_references: int = 20
    level: float = 0.01
    max_rows: int = 2000
    reference: Callable[[np.ndarray], Reference] = uniform_reference

    name = "separation"
    higher_is_better = True

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator) -> Score:
        return self.evaluate_grid([estimator], X, rng).scores[0]

    def evaluate_grid(self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator) -> Evaluation:
        sizes = [size_of(estimator) for estimator in estimators]
        if None in sizes:
            raise TypeError(f"{type(estimators[0]).__name__} has neither n_clusters nor n_components; Separation needs one")
        rows = canonical_rows(X, self.max_rows, rng)
        smooth = undo_rounding(X[rows], rng)
        data = [spanning_valleys(valley_depths(smooth, labels_of(model, X)[rows])) for model in estimators]
        chance = self._chance([model for model, size in zip(estimators, sizes) if size > 1], X[rows], rng)
        details = self._judge(data, sizes, chance, len(rows))
        scores = [
            Score(low / details.level_depth, chance.std() / details.level_depth) if np.isfinite(low) else Score(np.nan)
            for low in details.shallowest
        ]
        return Evaluation(scores, _nearest_size(sizes, details.n_groups), details)

    def _chance(self, models: list[Any], X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """The deepest valley over the grid in each reference table."""
        draw, seeds = self.reference(X), rng.integers(2**31, size=self.n_references)

        def deepest(i: int) -> float:
            table = draw(np.random.default_rng(seeds[i]))
            valleys = [
                spanning_valleys(valley_depths(table, labels_of(model, table)))
                for model in (refit(model, table, seeds[i]) for model in models)
            ]
            return max((float(v[0]) for v in valleys if len(v)), default=0.0)

        return np.array(in_parallel(deepest, self.n_references, "references")) if models else np.zeros(2)

    def _judge(
        self, data: list[np.ndarray], sizes: Sequence[int | None], chance: np.ndarray, n_rows: int
    ) -> SeparationDetails:
        spread = max(float(chance.std(ddof=1)), 1e-12)
        limit = float(chance.mean()) - ndtri(self.level) * spread
        groups = [1 + int((valleys > limit).sum()) for valleys in data]
        deepest = [float(valleys[0]) if len(valleys) else np.nan for valleys in data]
        # A model that found fewer clusters than it was asked for has two that no valley separates.
        shallowest = [
            np.nan if size == 1 else float(valleys[-1]) if len(valleys) == size - 1 else 0.0
            for valleys, size in zip(data, sizes)
        ]
        top = np.nanmax(deepest) if np.isfinite(deepest).any() else 0.0
        p_value = float(ndtr(-(top - chance.mean()) / spread))
        return SeparationDetails(max(groups), groups, shallowest, deepest, limit, chance, p_value, n_rows)


def _nearest_size(sizes: Sequence[int], wanted: int) -> int:
    """The grid point of the wanted size, else the next smaller, else the smallest."""
    return int(np.argmin([abs(size - wanted) + (0.5 if size > wanted else 0.0) for size in sizes]))
