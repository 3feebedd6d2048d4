"""The number of clusters by Gaussian mixtures fitted beside the model: a criterion that does not depend on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.validation.criteria.base import Evaluation, Score
from unmix.validation.criteria.settings import at_least, one_of
from unmix.validation.dependence.evaluation_rows import evaluation_rows
from unmix.validation.evidence.mixture_path import mixture_path
from unmix.validation.fits.refit import sizes_of


@dataclass(frozen=True)
class MixtureOrder:
    """How many Gaussians explain the rows, whatever model is being chosen.

    Mixtures of round, axis-parallel and free covariances, one each or one for all, are fitted at every number of the
    grid; the value is the criterion of the best of them. One component is a possible answer.

    Parameters
    ----------
    by : "ICL" or "BIC"
        "BIC" counts the Gaussians that describe the density, "ICL" those to which rows clearly belong. "BIC" takes the
        fewest components that none beats by more than 6, which is called strong evidence.
    max_rows : larger tables are judged on a random subset of this many rows.

    Notes
    -----
    Skewed or heavy-tailed groups need several Gaussians each, so that both numbers are then too large. `Consensus`
    therefore asks `Separation` too. A row that is there several times, or has a weight, is one row.

    Examples
    --------
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> from unmix.validation import MixtureOrder, select
    >>> X, y = blobs(120, 2, 3, random_state=0)
    >>> select(KMeans(), X, range(1, 6), MixtureOrder(), random_state=0).best_params
    {'n_clusters': 3}
    """

    by: str = "ICL"
    max_rows: int = 2000

    higher_is_better = False

    def __post_init__(self) -> None:
        at_least(self, max_rows=2)
        one_of(self, by=("ICL", "BIC"))

    @property
    def name(self) -> str:
        return f"mixture {self.by}"

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
        if self.by not in {"ICL", "BIC"}:
            raise ValueError(f"by={self.by!r} is not known; give 'ICL' or 'BIC'")
        sizes = sizes_of(estimators, "MixtureOrder")
        rows = evaluation_rows(X, sample_weight, self.max_rows, rng).different
        path = mixture_path(rows, sorted(set(sizes)), int(rng.integers(2**31)))
        values, wanted = (path.icl, path.by_icl) if self.by == "ICL" else (path.bic, path.by_bic)
        choice = None if np.isnan(values).all() else sizes.index(wanted())
        scores = [Score(float(values[path.sizes.index(size)])) for size in sizes]
        return Evaluation(scores, choice, path)
