"""Categories have gaps by nature, so chance looks different: each further cluster must beat shuffled columns.

gap(k) = mean over reference tables of log W_ref(k)/W_ref(k-1) - log W(k)/W(k-1),   W = squared distances to the centres

A reference table keeps the k - 1 clusters found so far and removes what may be left inside them: every category is
shuffled within each cluster, numbers become flat with the covariance they have there. So a k-th cluster counts only if
columns still go together inside the others. The comparison is that of the gap statistic (Tibshirani, Walther and Hastie
2001), the reference that of latent class analysis, where columns are unrelated within a class (Lazarsfeld 1950).

Columns that a common factor relates beat shuffled ones without any groups: so the table also has to be more than one
cloud of factors before a number is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from unmix.exploration.structure.cloud import Cloud, chance_of
from unmix.validation import Evaluation, Score, uniform_reference
from unmix.validation.fits.refit import in_parallel, labels_of, refit, size_of

_clear = 3.0  # standard errors by which a cluster must beat chance
BEYOND_CLOUD = 0.025  # probability from which on one cloud explains the table


class GapDetails(NamedTuple):
    """Chance and its standard errors for each further cluster, and the probability that one cloud is all there is.

    That is None where a table of one column was not compared with a cloud.
    """

    chance: np.ndarray
    errors: np.ndarray
    p_cloud: float | None

    @property
    def one_cloud(self) -> bool:
        return self.p_cloud is not None and self.p_cloud >= BEYOND_CLOUD

    def choose(self, ratios: np.ndarray) -> int:
        """Index of the number of clusters, from the ratios log W(k)/W(k-1) of the table or of a part of it."""
        if self.one_cloud:
            return 0
        return choose_by_gap(self.chance - ratios, self.errors, grouped=self.p_cloud is not None)


@dataclass(frozen=True)
class Gap:
    """A criterion for `select` on tables with one-hot columns and a grid of 1, 2, 3 … clusters.

    `owner[j]` is the table column feature j came from, `category[j]` tells whether that is a category; `cloud` are the
    factors of the table, None where it has one column alone.
    """

    owner: np.ndarray
    category: np.ndarray
    n_references: int = 20
    cloud: Cloud | None = None

    name = "gap"
    higher_is_better = True

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator) -> Score:
        smaller = fit_again(type(estimator)(size_of(estimator) - 1), X, int(rng.integers(2**31)))
        return self.evaluate_grid([smaller, estimator], X, rng).scores[1]

    def evaluate_grid(self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator) -> Evaluation:
        seeds = rng.integers(2**31, size=self.n_references)

        def ratios(i: int) -> list[float]:
            return [self._chance(pair, X, seeds[i]) for pair in pairwise(estimators)]

        chance = np.array(in_parallel(ratios, self.n_references, "references"))
        values = chance.mean(axis=0) - log_ratios(estimators)
        errors = chance.std(axis=0, ddof=1) * np.sqrt(1 + 1 / self.n_references)
        scores = [Score(np.nan), *(Score(float(value), float(error)) for value, error in zip(values, errors))]
        p_cloud = None if self.cloud is None else chance_of(self.cloud, X, int(rng.integers(2**31)))
        details = GapDetails(chance.mean(axis=0), errors, p_cloud)
        return Evaluation(scores, details.choose(log_ratios(estimators)), details)

    def _chance(self, pair: tuple[Any, Any], X: np.ndarray, seed: int) -> float:
        table = self.reference_table(X, np.asarray(pair[0].labels_), np.random.default_rng(seed))
        return float(log_ratios([fit_again(model, table, seed) for model in pair])[0])

    def reference_table(self, X: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """X with the columns unrelated within each cluster."""
        table = X.copy()
        for label in np.unique(labels):
            rows = np.flatnonzero(labels == label)
            for column in np.unique(self.owner[self.category]):
                features = np.flatnonzero(self.owner == column)
                table[np.ix_(rows, features)] = X[np.ix_(rng.permutation(rows), features)]
            if not self.category.all():
                numbers = np.flatnonzero(~self.category)
                table[np.ix_(rows, numbers)] = uniform_reference(X[np.ix_(rows, numbers)])(rng)
        return table


def fit_again(model: Any, X: np.ndarray, seed: int) -> Any:
    """The same model with the labels and the cost it has on another table, by the quickest fit there is."""
    again = copy(model)
    again.labels_ = labels_of(refit(model, X, seed), X)
    _, inverse, counts = np.unique(again.labels_, return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(inverse, column) for column in X.T], axis=1) / counts[:, None]
    again.inertia_ = float(((X - means[inverse]) ** 2).sum())
    return again


def log_ratios(models: Sequence[Any]) -> np.ndarray:
    """log W(k)/W(k-1) of fitted K-means models with 1, 2, 3 … clusters."""
    spread = np.array([float(model.inertia_) for model in models])
    return np.diff(np.log(np.maximum(spread, 1e-12 * max(spread[0], 1e-300))))


def choose_by_gap(values: np.ndarray, errors: np.ndarray, grouped: bool = False) -> int:
    """Index of the last k up to which every further cluster clearly beats chance.

    Of three groups equally far apart two clusters hold together hardly more than chance does: where it is known that
    the table is grouped, the second need not be clear if the third is.
    """
    beyond = values > _clear * np.maximum(errors, 1e-9)
    beyond[:1] |= grouped & beyond[1:2].any()
    return len(beyond) if beyond.all() else int(np.argmin(beyond))
