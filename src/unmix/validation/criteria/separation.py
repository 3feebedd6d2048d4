"""Are there clusters at all, and how many stand apart: valleys between clusters, against tables without clusters.

The clusters of every K are joined where no valley deeper than c lies between them. The number of clusters is the
largest number of groups g left at any K, provided every two groups, taken whole, still have such a valley between them.

c is what the deepest valley at any K exceeds with probability `level` in reference tables that have one mode and the
data's covariance, sent through the same fits: a max-statistic, so trying many K costs nothing extra. The law of a
maximum is Gumbel's, fitted to the references by moments. The two groups nearest to each other must also be further
apart than the halves of one Gaussian of their size and shape, which matters where rows are few and features many.
Because only valleys count, heavy tails and skewness make no clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from unmix.validation.criteria.base import Evaluation, Score
from unmix.validation.criteria.settings import at_least, between, function
from unmix.validation.dependence.copies import find_copies
from unmix.validation.dependence.evaluation_rows import evaluation_rows
from unmix.validation.evidence.references.gumbel import Gumbel
from unmix.validation.evidence.references.reference import (
    Reference,
    ReferenceMaker,
    gaussian_reference,
    uniform_reference,
)
from unmix.validation.evidence.valley import depths_of_all, merged, spanning_valleys, valley_depths
from unmix.validation.fits.refit import (
    comparable_labels,
    in_parallel,
    labels_of,
    refit,
    refit_all,
    sizes_of,
    with_size,
)


class SeparationDetails(NamedTuple):
    """What the criterion saw.

    `groups[i]`, `shallowest[i]`, `deepest[i]` (of the spanning valleys) belong to grid point i, NaN at one cluster.
    `level_depth` is c; `chance` the deepest valley over the grid in each reference table; `p_value` that of the data's.
    `rows` are the rows that were judged, `labels` the group of each (-1 for a row the model leaves out).
    """

    n_groups: int
    groups: list[int]
    shallowest: list[float]
    deepest: list[float]
    level_depth: float
    chance: np.ndarray
    p_value: float
    rows: np.ndarray
    labels: np.ndarray


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
    level : nominal chance of seeing clusters in a table without any. With 20 references it is a rough figure: of 40
        uniform tables one was said to have clusters.
    max_rows : larger tables are judged on a random subset of this many rows.
    reference : function (X) -> function (rng) -> table, default `uniform_reference`. Give your own where chance means
        something else, as with categories coded in 0 and 1.

    Notes
    -----
    A group of fewer than five rows is never claimed, and one of less than about ten only if it lies far off.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from unmix.datasets import gaussian
    >>> from unmix.validation import Separation, select
    >>> select(KMeans(n_init=2), gaussian(100, random_state=0), [1, 2, 3], Separation(), random_state=0).best_params
    {'n_clusters': 1}
    """

    n_references: int = 20
    level: float = 0.002
    max_rows: int = 2000
    reference: ReferenceMaker = uniform_reference

    name = "separation"
    higher_is_better = True

    def __post_init__(self) -> None:
        at_least(self, n_references=2, max_rows=2)
        between(self, "level", 0, 1)
        function(self, "reference", "uniform_reference")

    def evaluate(
        self, estimator: Any, X: np.ndarray, rng: np.random.Generator, sample_weight: np.ndarray | None = None
    ) -> Score:
        return self.evaluate_grid([estimator], X, rng, sample_weight).scores[0]

    def evaluate_grid(
        self,
        estimators: Sequence[Any],
        X: np.ndarray,
        rng: np.random.Generator,
        sample_weight: np.ndarray | None = None,
    ) -> Evaluation:
        sizes = sizes_of(estimators, "Separation")
        evaluated = evaluation_rows(X, sample_weight, self.max_rows, rng)
        rows, smooth = evaluated.rows, evaluated.smooth
        labels = [labels_of(model, X)[rows] for model in estimators]
        valleys = [spanning_valleys(depths) for depths in depths_of_all(smooth, labels)]
        several = [model for model, size in zip(estimators, sizes) if size > 1]
        chance = chance_depths(several, evaluated.reference(self.reference, X.dtype), self.n_references, rng)
        c = Gumbel.of(chance).quantile(1 - self.level)
        # Two looks, at the models as given and at fits made as the references are; chance has to lose in both.
        deep = any(v[0, 0] > c for v in valleys if len(v))
        groups = self._count(estimators, X, rows, smooth, c, rng) if deep else np.zeros(len(rows), dtype=int)
        details = _details(valleys, sizes, c, chance, rows, groups)
        scores = [Score(low / c, chance.std() / c) if low == low else Score(np.nan) for low in details.shallowest]
        return Evaluation(scores, nearest_size(sizes, details.n_groups), details)

    def _count(
        self,
        estimators: Sequence[Any],
        X: np.ndarray,
        rows: np.ndarray,
        smooth: np.ndarray,
        c: float,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """The largest grouping that holds as a whole, trying the most promising K first.

        Labels come from the same kind of fit as in the references: a better optimum finds deeper valleys in noise too.
        """
        seed = int(rng.integers(2**31))
        labels = [comparable_labels(model, X, rows, seed) for model in estimators]
        valleys = [spanning_valleys(depths) for depths in depths_of_all(smooth, labels)]
        counts = [1 + int((v[:, 0] > c).sum()) for v in valleys]
        best = np.zeros(len(rows), dtype=int)
        for i in sorted(range(len(counts)), key=lambda i: -counts[i]):
            if counts[i] <= best.max() + 1:
                break
            groups = self._hold(estimators[i], smooth, merged(labels[i], valleys[i], counts[i]), c, rng)
            best = max(best, groups, key=lambda z: z.max())
        return best

    def _hold(
        self, estimator: Any, X: np.ndarray, groups: np.ndarray, c: float, rng: np.random.Generator
    ) -> np.ndarray:
        """Merge groups, shallowest valley first, until every two of them differ from the halves of one group."""
        while groups.max() > 0:
            depths = valley_depths(X, groups)
            np.fill_diagonal(depths, np.inf)
            a, b = sorted(np.unravel_index(np.argmin(depths), depths.shape))
            pair = (groups == a) | (groups == b)
            if depths[a, b] > c and depths[a, b] > self._halves(estimator, X[pair], rng):
                break
            groups = np.where(groups == b, a, groups - (groups > b))
        return groups

    def _halves(self, estimator: Any, X: np.ndarray, rng: np.random.Generator) -> float:
        """How deep a valley the same model finds between the two halves of one Gaussian of this size and shape."""
        seeds, model = rng.integers(2**31, size=self.n_references), with_size(estimator, 2)
        copies = find_copies(X)
        draw = gaussian_reference(X if copies is None else X[copies.first])

        def depth(i: int) -> float:
            table = draw(np.random.default_rng(seeds[i]))
            table = table if copies is None else table[copies.which]
            return float(valley_depths(table, labels_of(refit(model, table, seeds[i]), table)).max())

        depths = np.array(in_parallel(depth, self.n_references, "halves"))
        return float(depths.mean() - ndtri(0.01) * depths.std(ddof=1))


def _details(
    valleys: list[np.ndarray],
    sizes: Sequence[int],
    c: float,
    chance: np.ndarray,
    rows: np.ndarray,
    groups: np.ndarray,
) -> SeparationDetails:
    n_groups = int(groups.max()) + 1
    deepest = [float(v[0, 0]) if len(v) else np.nan for v in valleys]
    # A model that found fewer clusters than it was asked for has two that no valley separates.
    shallowest = [
        np.nan if size == 1 else float(v[-1, 0]) if len(v) == size - 1 else 0.0 for v, size in zip(valleys, sizes)
    ]
    p_value = Gumbel.of(chance).tail(max((depth for depth in deepest if depth == depth), default=0.0))
    held = [min(1 + int((v[:, 0] > c).sum()), n_groups) for v in valleys]
    return SeparationDetails(n_groups, held, shallowest, deepest, c, chance, p_value, rows, groups)


def chance_depths(models: list[Any], draw: Reference, n_references: int, rng: np.random.Generator) -> np.ndarray:
    """The deepest valley over the grid in each reference table."""
    seeds = rng.integers(2**31, size=n_references)

    def deepest(i: int) -> float:
        table = draw(np.random.default_rng(seeds[i]))
        valleys = map(spanning_valleys, depths_of_all(table, refit_all(models, table, seeds[i])))
        return max((float(v[0, 0]) for v in valleys if len(v)), default=0.0)

    return np.array(in_parallel(deepest, n_references, "references")) if models else np.zeros(2)


def nearest_size(sizes: Sequence[int], wanted: int) -> int:
    """The grid point of the wanted size, else the next smaller, else the smallest; several are never taken for one."""

    def far(size: int) -> tuple[bool, float]:
        return (size > 1) != (wanted > 1), abs(size - wanted) + (0.5 if size > wanted else 0.0)

    return min(range(len(sizes)), key=lambda i: far(sizes[i]))
