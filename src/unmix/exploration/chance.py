"""Categories have gaps by nature, so chance looks different: clusters must beat those of tables with shuffled columns.

gap(k) = mean over reference tables of log W_ref(k)/W_ref(1) - log W(k)/W(1),   W = squared distances to the centres

A reference table keeps every column as it is but for the order of its values, drawn anew for each category; numeric
columns become flat with the covariance they had.                                (Tibshirani, Walther and Hastie 2001)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.validation import Evaluation, Score, uniform_reference
from unmix.validation.refit import in_parallel, refit, size_of

_clear = 3.0  # standard errors by which some k must beat chance


@dataclass(frozen=True)
class Gap:
    """A criterion for `select` on tables with one-hot columns.

    `owner[j]` is the table column feature j came from, `category[j]` tells whether that is a category.
    """

    owner: np.ndarray
    category: np.ndarray
    n_references: int = 20

    name = "gap"
    higher_is_better = True

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator) -> Score:
        return self.evaluate_grid([estimator], X, rng).scores[0]

    def evaluate_grid(self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator) -> Evaluation:
        seeds = rng.integers(2**31, size=self.n_references)

        def spreads(i: int) -> list[float]:
            table = self.reference_table(X, np.random.default_rng(seeds[i]))
            return [log_spread(table, refit(model, table, seeds[i])) for model in estimators]

        chance = np.array(in_parallel(spreads, self.n_references, "references"))
        values = chance.mean(axis=0) - [log_spread(X, model) for model in estimators]
        errors = chance.std(axis=0, ddof=1) * np.sqrt(1 + 1 / self.n_references)
        scores = [Score(float(value), float(error)) for value, error in zip(values, errors)]
        choice = choose_by_gap(values, errors, [size_of(model) for model in estimators])
        return Evaluation(scores, choice, (chance.mean(axis=0), errors))

    def reference_table(self, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        table = X.copy()
        for column in np.unique(self.owner[self.category]):
            features = np.flatnonzero(self.owner == column)
            table[:, features] = X[np.ix_(rng.permutation(len(X)), features)]
        if not self.category.all():
            table[:, ~self.category] = uniform_reference(X[:, ~self.category])(rng)
        return table


def log_spread(X: np.ndarray, model: Any) -> float:
    """log W(k)/W(1) of a fitted K-means."""
    total = float(((X - X.mean(axis=0)) ** 2).sum())
    return float(np.log(max(model.inertia_ / total, 1e-12))) if total > 0 else 0.0


def choose_by_gap(values: np.ndarray, errors: np.ndarray, sizes: Sequence[int]) -> int:
    """The smallest k that the next does not clearly beat; 1 where no k clearly beats chance."""
    beyond = [i for i in range(len(sizes)) if sizes[i] > 1 and values[i] > _clear * errors[i]]
    if not beyond:
        return int(np.argmin(sizes))
    for i in beyond:
        if i + 1 == len(sizes) or values[i] >= values[i + 1] - errors[i + 1]:
            return i
    return beyond[-1]
