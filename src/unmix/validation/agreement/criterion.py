"""Posterior agreement: how many bits of a clustering two samples of the same objects agree on.

    I(T) = log2 Σ_c p_T(c|X′) p_T(c|X″) / p(c),   p_T(c|X) ∝ exp(-R(c, X) / T)         bits = max over T of I(T)

Cold, the posteriors are sure of themselves and disagree where they fitted noise; hot, they agree on nothing in
particular. T* between the two is as sure as the data allow, and the bits there are what a model, a cost or an algorithm
reliably tells about the objects. A single cluster tells nothing, 0 bits.
Reference: Buhmann, Information theoretic model validation for clustering, ISIT 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from unmix.inference.agreement.posterior import PRIORS
from unmix.validation.agreement.details import AgreementDetails
from unmix.validation.agreement.of_costs import summarise
from unmix.validation.agreement.pairing import Pairing, SplitObjects
from unmix.validation.agreement.pairs import Curves, curves_of_pairs, temperature_grids
from unmix.validation.criteria.base import Evaluation, Score
from unmix.validation.criteria.settings import at_least, one_of
from unmix.validation.evidence.gibbs import refuse_extreme, takes_dissimilarities
from unmix.validation.evidence.references.profile_reference import chance_table
from unmix.validation.fits.refit import canonical_rows, size_of
from unmix.validation.fits.sampled_rows import counted


@dataclass(frozen=True)
class PosteriorAgreement:
    """Replicable information in bits per object: chooses temperature, K, cost function and algorithm.

    The model is fitted on both samples of a pair, the Gibbs distributions of its cost are followed over a grid of
    temperatures, and their agreement is averaged over pairs; its maximum is the score. Separated groups give the
    entropy of their sizes, log2 K if they are equal; samples that share nothing give 0, a single cluster gives 0.

    The error is that of the mean over pairs together with that of the finite number of objects. Of a grid the
    preferred point has the most bits, the smallest number of clusters within one error of it; if no point is two errors
    above 0, it is K = 1. Where the pairing calls for it (`SplitObjects`), bits beyond chance decide: beyond what
    the same models carry in tables without groups, as many pairs of each; see `AgreementDetails`.

    Cost: two fits for each pair and grid point, then about 200 passes over the rows, O(n k d) each; O(n² k) for
    pairwise costs. Tables without groups cost as much again, each. Rows beyond `max_rows` are left out at random; rows
    with weights are repeated, or drawn in proportion to them.

    Parameters
    ----------
    pairing : `MeasuredTwice`, `SplitFeatures`, `SplitObjects` or `Replicate`, default=SplitObjects()
        Where the two samples come from. This decides what counts as noise.
    n_pairs : int, default=10
    prior : {"sizes", "uniform"}, default="sizes"
        What p(c) is: objects fall into clusters by the sizes of these, or all labellings alike, p(c) = 1/K^n, which
        is log2 |C| κ. Both are the same for clusters of equal size; but by "uniform" a cluster that holds nearly
        everything seems to tell log2 K bits.
    n_temperatures : int, default=16
    max_rows : int, default=2000
    n_references : int, default=10
        Tables without groups to compare with, for pairings that call for it; 0 for no comparison.

    References
    ----------
    Buhmann, Information theoretic model validation for clustering, ISIT 2010.

    Examples
    --------
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> from unmix.validation import SplitFeatures, select
    >>> X, _ = blobs(150, 8, 3, random_state=0)
    >>> found = select(KMeans(), X, range(1, 6), PosteriorAgreement(SplitFeatures()), random_state=0)
    >>> found.best_params
    {'n_clusters': 3}
    """

    pairing: Pairing = field(default_factory=SplitObjects)
    n_pairs: int = 10
    prior: str = "sizes"
    n_temperatures: int = 16
    max_rows: int = 2000
    n_references: int = 10

    name = "posterior agreement"
    higher_is_better = True

    def __post_init__(self) -> None:
        at_least(self, n_pairs=1, n_temperatures=1, max_rows=2, n_references=0)
        one_of(self, prior=PRIORS)
        if isinstance(self.pairing, type) or not hasattr(self.pairing, "draw"):
            raise TypeError(f"pairing={self.pairing!r} pairs no samples; give SplitObjects() or another pairing")
        if self.n_references == 1:
            raise ValueError("n_references=1: one table shows no spread of chance; give 0 or at least 2")

    @property
    def allow_nan(self) -> bool:
        """Of objects measured twice those without gaps are picked here, where both measurements are at hand."""
        return hasattr(self.pairing, "complete")

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None) -> Score:
        return self.measure(estimator, X, rng, sample_weight).score

    def measure(
        self, estimator: Any, X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None
    ) -> AgreementDetails:
        """Bits, T* and the curve over temperatures of a fitted model, without comparison with chance."""
        return self.measure_all([estimator], X, rng, sample_weight=sample_weight)[0]

    def measure_all(
        self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator, *, with_chance: bool = False,
        sample_weight: Any = None,
    ) -> list[AgreementDetails]:  # fmt: skip
        """The same for several fitted models, on the same pairs; with chance, where the pairing calls for it."""
        seed, rows = int(rng.integers(2**31)), self._rows(estimators, X, rng, sample_weight)
        refuse_extreme(X[rows])
        grids = temperature_grids(estimators, X, rows, self.n_temperatures, seed)
        details = summarise(self._curves(estimators, X, rows, grids, seed), grids)
        asked = with_chance and self.pairing.chance and self.n_references
        draw = chance_table(estimators, X[rows]) if asked else None
        if draw is None:
            return details
        tables = self._curves(estimators, X[rows], np.arange(len(rows)), grids, seed, draw)
        shares = shares_of(tables, self.n_references)
        asked = max(1, sum(size_of(estimator) != 1 for estimator in estimators))
        return [replace(seen, chance_shares=share, n_asked=asked) for seen, share in zip(details, shares.T)]

    def evaluate_grid(
        self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None
    ) -> Evaluation:
        details = self.measure_all(estimators, X, rng, with_chance=True, sample_weight=sample_weight)
        sizes = [size_of(estimator) for estimator in estimators]
        return Evaluation([seen.score for seen in details], preferred(details, sizes), details)

    def _curves(self, estimators, X, rows, grids, seed, draw=None) -> Curves:
        count, tables = self.n_pairs if self.pairing.random else 1, self.n_references if draw else 1
        return curves_of_pairs(estimators, X, rows, grids, self.pairing, self.prior, count, seed, draw, tables)

    def _rows(self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator, weights: Any) -> np.ndarray:
        """Rows in an order that their values decide, as often as they count; of dissimilarities, in the order given."""
        given = any(takes_dissimilarities(estimator) for estimator in estimators)
        rows = np.arange(len(X)) if given else canonical_rows(X, len(X), rng)
        if weights is not None:
            rows = rows[counted(np.asarray(weights, np.float64)[rows], 10 * len(X), rng)]
        if hasattr(self.pairing, "complete"):
            rows = self.pairing.complete(X, rows)
        return rows if len(rows) <= self.max_rows else rows[np.sort(rng.choice(len(rows), self.max_rows, False))]


def shares_of(curves: Curves, tables: int) -> np.ndarray:
    """(tables, models): bits at the best temperature of each table, as a share of the most they could be.

    Treated as the data are: a mean curve over pairs, and its best temperature. Else they could not be compared.
    """
    bits, most = (part.reshape(tables, -1, *part.shape[1:]).mean(axis=1) for part in (curves.bits, curves.ceilings))
    best = np.maximum(bits.max(axis=2), 0.0)
    return np.divide(best, most, out=np.zeros_like(best), where=most > 0)


def preferred(details: Sequence[AgreementDetails], sizes: Sequence[int | None]) -> int:
    """The sure point with the most bits beyond chance, or a smaller within its error; the smallest if none is sure."""
    order = sorted(range(len(sizes)), key=lambda i: sizes[i] or np.inf)
    sure = [i for i in order if details[i].sure]
    if not sure:
        return order[0]
    best = max(sure, key=lambda i: details[i].excess.value)
    enough = details[best].excess.value - details[best].excess.error
    return next(i for i in sure if details[i].excess.value >= enough)
