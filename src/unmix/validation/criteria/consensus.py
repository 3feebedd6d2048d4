"""Is there any structure, and how many clusters: five criteria that err in different ways, weighed against each other.

mixture ICL              Gaussians to which rows clearly belong; overcounts skewed and heavy-tailed groups
mixture BIC              Gaussians that describe the density; finds clusters that touch, overcounts even more
density valleys          groups of the model's clusters with a drop in density between them; assumes no shape, misses
                         clusters that touch
Calinski-Harabasz        between to within variance of the model's clusters (1974); cannot choose 1
mixture density valleys  groups of the Gaussians with a drop in density between them; follows long clusters that K-means
                         cuts

There are clusters if the valleys are deeper than chance makes them in tables without clusters, in the pieces of the
model and in those of the mixture; or if they are likely so and both mixture criteria name the same number. A flat table
deceives the valleys but not ICL, a skewed one ICL but not the valleys. The probabilities p₁, p₂ of such valleys by
chance depend on each other in an unknown way; p = e √(p₁ p₂) is one again (Vovk and Wang, Biometrika 107, 2020).

The number is then chosen by majority; in a tie the criterion that stands first above decides. A vote for one cluster
does not count any more. For a valley to count as one it need only be deeper than what chance makes anywhere in
four tables of five: that there is structure is known by then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from unmix.validation.criteria.base import Evaluation, Score
from unmix.validation.criteria.separation import chance_depths, nearest_size
from unmix.validation.criteria.settings import at_least, function
from unmix.validation.dependence.evaluation_rows import evaluation_rows
from unmix.validation.evidence.mixture_path import MixturePath, mixture_path
from unmix.validation.evidence.references.gumbel import Gumbel
from unmix.validation.evidence.references.reference import Reference, ReferenceMaker, uniform_reference
from unmix.validation.evidence.valley import spanning_valleys, valley_depths
from unmix.validation.fits.refit import comparable_labels, sizes_of

STRONG_EVIDENCE = 0.025  # valleys alone suffice
WEAK_EVIDENCE = 0.1  # they need both mixture criteria beside them
VALLEY_QUANTILE = 0.8  # quantile of the deepest valley in a table without clusters from which on one counts
MOST_SIZES = 25  # mixtures fitted where the grid leaves numbers out


class ConsensusDetails(NamedTuple):
    """What was seen: the votes by name, the probability of such valleys by chance (of the model's pieces, of the
    mixture's, and both), the deepest valley of every grid point and those chance made, the mixtures, the rows judged.
    """

    n_clusters: int
    votes: dict[str, int]
    p_value: float
    p_values: tuple[float, float]
    groups: list[int]
    deepest: list[float]
    chance: np.ndarray
    mixtures: MixturePath
    rows: np.ndarray


@dataclass(frozen=True)
class Consensus:
    """The default criterion of `select`: how many clusters five different criteria agree on, one included.

    The value at K is the share of the votes it got; 1 has them all where no structure is found beyond chance.

    Parameters
    ----------
    n_references : tables without clusters, each fitted at every grid point.
    max_rows : larger tables are judged on a random subset of this many rows.
    reference : function (X) -> function (rng) -> table, what a table without clusters looks like.
    mixtures_confirm : whether weak evidence suffices where mixtures agree. They take rows for independent: where rows
        depend on each other, as in time series, this should be False and `reference` draw such rows.

    Notes
    -----
    Of 120 tables without clusters (Gaussian round and correlated, uniform, Student t, gamma; 100 to 1000 rows, 2 to 10
    features) all were said to have none, and of 160 of twenty other makes 155; a curved line may look like clusters.

    Examples
    --------
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs, uniform
    >>> from unmix.validation import Consensus, select
    >>> X, y = blobs(150, 2, 4, random_state=0)
    >>> found = select(KMeans(), X, range(1, 7), Consensus(), random_state=0)
    >>> found.best_params, found.details["consensus"].votes
    ({'n_clusters': 4},
     {'mixture ICL': 4, 'mixture BIC': 4, 'density valleys': 4, 'Calinski-Harabasz': 4, 'mixture density valleys': 4})
    >>> select(KMeans(), uniform(150, random_state=0), range(1, 7), Consensus(), random_state=0).best_params
    {'n_clusters': 1}
    """

    n_references: int = 20
    max_rows: int = 2000
    reference: ReferenceMaker = uniform_reference
    mixtures_confirm: bool = True

    name = "consensus"
    higher_is_better = True

    def __post_init__(self) -> None:
        at_least(self, n_references=2, max_rows=2)
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
        sizes = sizes_of(estimators, "Consensus")
        evaluated = evaluation_rows(X, sample_weight, self.max_rows, rng)
        seed = int(rng.integers(2**31))
        # The same kind of fit as in the references: a better optimum finds deeper valleys in noise too.
        labels = [comparable_labels(model, X, evaluated.rows, seed) for model in estimators]
        reference = evaluated.reference(self.reference, X.dtype)
        chance = self._chance([model for model, size in zip(estimators, sizes) if size > 1], reference, rng)
        # Copies have no say in how many Gaussians there are: of one row several times there is no covariance.
        mixtures = mixture_path(evaluated.different, between(sizes), seed)
        mixtures = mixtures._replace(labels=[evaluated.expand(z) for z in mixtures.labels])
        details = count_votes(evaluated.smooth, evaluated.rows, sizes, labels, chance, mixtures, self.mixtures_confirm)
        # A vote for a number the grid does not have counts for the nearest it has.
        cast = [nearest_size(sizes, vote) for vote in details.votes.values()]
        best = nearest_size(sizes, details.n_clusters)
        scores = [
            Score(cast.count(i) / len(cast) if details.n_clusters > 1 else float(i == best)) for i in range(len(sizes))
        ]
        return Evaluation(scores, best, details)

    def _chance(self, models: list[Any], draw: Reference, rng: np.random.Generator) -> np.ndarray:
        return chance_depths(models, draw, self.n_references, rng)


def count_votes(
    X: np.ndarray,
    rows: np.ndarray,
    sizes: Sequence[int],
    labels: Sequence[np.ndarray],
    chance: np.ndarray,
    mixtures: MixturePath,
    mixtures_confirm: bool = True,
) -> ConsensusDetails:
    """The vote, from labels of X at every size."""
    law = Gumbel.of(chance)
    valleys, in_mixtures = ([_depths(X, z) for z in pieces] for pieces in (labels, mixtures.labels))
    own, of_mixtures = (law.tail(max((v[0] for v in seen if len(v)), default=0.0)) for seen in (valleys, in_mixtures))
    p = merged_p_value(own, of_mixtures)
    level = law.quantile(VALLEY_QUANTILE)
    groups = [1 + int((v > level).sum()) for v in valleys]
    votes = {"mixture ICL": mixtures.by_icl(), "mixture BIC": mixtures.by_bic(), "density valleys": max(groups)}
    ratios = [variance_ratio(X, z) for z in labels]
    if np.isfinite(ratios).any():
        votes["Calinski-Harabasz"] = sizes[int(np.nanargmax(ratios))]
    votes["mixture density valleys"] = max(1 + int((v > level).sum()) for v in in_mixtures)
    agreed = votes["mixture ICL"] == votes["mixture BIC"] > 1
    clustered = p < STRONG_EVIDENCE or (p < WEAK_EVIDENCE and agreed and mixtures_confirm)
    deepest = [float(v[0]) if len(v) else np.nan for v in valleys]
    n_clusters = plurality(votes.values()) if clustered else 1
    return ConsensusDetails(n_clusters, votes, p, (own, of_mixtures), groups, deepest, chance, mixtures, rows)


def merged_p_value(one: float, other: float) -> float:
    """e times the geometric mean: a p-value whatever the dependence between the two."""
    return min(1.0, float(np.e * np.sqrt(one * other)))


def between(sizes: Sequence[int]) -> list[int]:
    """All numbers up to the largest, so that a coarse grid does not force a wrong vote; of very many, the grid's."""
    return list(range(1, max(sizes) + 1)) if max(sizes) <= MOST_SIZES else sorted({1, *sizes})


def plurality(votes: Any) -> int:
    """The number named most often, the first named of equals; 1 is not in question."""
    cast = [vote for vote in votes if vote > 1]
    if not cast:
        return 1
    most = max(Counter(cast).values())
    return next(vote for vote in cast if cast.count(vote) == most)


def variance_ratio(X: np.ndarray, labels: np.ndarray) -> float:
    """(between / (k - 1)) / (within / (n - k)), NaN for one cluster; rows labelled -1 are left out."""
    X, labels = X[labels >= 0], labels[labels >= 0]
    names, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    n, k = len(X), len(names)
    if not 1 < k < n:
        return float("nan")
    X = X - X.mean(axis=0)
    X = X / (np.abs(X).max() or 1.0)
    means = np.stack([np.bincount(inverse, column) for column in X.T], axis=1) / counts[:, None]
    between = float(counts @ (means**2).sum(axis=1))
    within = max(float((X**2).sum()) - between, 1e-12 * between)
    return between / (k - 1) / within * (n - k) if between > 0 else float("nan")


def _depths(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return spanning_valleys(valley_depths(X, labels))[:, 0]
