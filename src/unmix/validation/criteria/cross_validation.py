"""Cross-validation without a teacher: does the model speak truly of rows, or of entries, that it has not seen?

rows      fit on the other folds, score the rows left out: log-likelihood, or minus the squared error of reconstruction
entries   hide entries, tell them from the rest of their row and column, score minus the squared error

The error of reconstructing a *row* never rises with the rank, nor with the number of clusters: the row it is compared
with also gives the codes, and a larger subspace, or the nearest of more centres, is nearer to every point, noise or
not. Held-out entries, or the likelihood, are what turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from unmix.validation.criteria.base import Evaluation, Score, best_index
from unmix.validation.criteria.settings import at_least, between, one_of
from unmix.validation.evidence.gibbs import refuse_extreme
from unmix.validation.evidence.held_out.folds import Plan, plan
from unmix.validation.evidence.held_out.held_out import LOSSES
from unmix.validation.evidence.held_out.held_out_entries import takes_gaps, takes_missing
from unmix.validation.evidence.held_out.likelihood import refuse_dissimilarities
from unmix.validation.fits.no_structure import Constant, predicts_entries
from unmix.validation.fits.refit import canonical_rows, in_parallel, size_of, with_size
from unmix.validation.fits.sampled_rows import distinct_rows, weight_keywords

NEGLIGIBLE = 1e-4  # of a squared error: where iterations stop, models that say the same differ by as much


class CrossValidationDetails(NamedTuple):
    """What the choice rests on.

    `folds` (folds, grid) are the scores of each; `nothing` is the score of the column means, rank 0;
    `beats_nothing` whether the chosen model is better than that by more than one standard error.
    `test` is the chosen model's score on rows that took no part in choosing, and `test_nothing` that of the means.
    """

    folds: np.ndarray
    loss: str
    nothing: Score
    beats_nothing: bool
    test: Score | None = None
    test_nothing: Score | None = None


@dataclass(frozen=True)
class CrossValidation:
    """Mean score of held-out rows (per row) or entries (per entry); higher is better, errors count negative.

    Parameters
    ----------
    what : "rows" or "entries"
    n_splits : int
        Folds of the rows; with held-out blocks also of the columns. 1: a single validation part of a quarter.
    loss : "auto", "likelihood" or "error"
        Of rows. "likelihood", which is "auto": the model's own, else that of the density its cost stands for, K-means
        being round Gaussians of one variance. "error": minus the squared error of reconstruction, or the squared
        distance to the cluster's mean, which grows better with every cluster or component added and names no number.
        Entries are always judged by squared error.
    hide : "auto", "missing" or "blocks"
        Of entries: at random, for models that can take NaN, or in blocks of rows × columns, for any model with codes
        (`transform`), probabilities or labels. "auto" is the first where possible.
    test_fraction : float
        Rows set apart first and looked at once: the model chosen is fitted on all others, and its score on these, which
        no choice has flattered, is in ``details.test``.
    rule : "one_standard_error" or "best"
        The smallest model that is not worse than the best by more than one standard error of the difference over folds
        (Breiman et al. 1984), or the best.
    max_rows : int
        Larger tables are judged on a random subset of this many rows.

    Notes
    -----
    Copies of a row are held out together where the model takes weights, so that weight 2 is the row twice, and a copy
    that was seen says nothing about another. Standard errors are over folds, which share rows: take them as a guide.
    Rank 0, the column means, is always tried (``details.nothing``); for a clustering that is K = 1, for a
    `CollaborativeFilter` the offsets of users and items.

    Cost: n_splits fits for every grid point, n_splits² with held-out blocks.

    A flat or skewed cloud is described better by several round Gaussians than by one, so that held-out rows then prefer
    several clusters: the best density, not the number of groups.

    References
    ----------
    Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984 (the rule of one standard error).
    Owen and Perry, Bi-cross-validation of the SVD and the nonnegative matrix factorization, Annals of Applied
    Statistics 3, 2009. Fu and Perry, Estimating the number of clusters using cross-validation, J. Computational and
    Graphical Statistics 29, 2020.

    Examples
    --------
    >>> from unmix.decomposition import PCA
    >>> from unmix.validation import select
    >>> rng = np.random.default_rng(0)
    >>> X = 3 * rng.normal(size=(100, 2)) @ rng.normal(size=(2, 10)) + rng.normal(size=(100, 10))
    >>> select(PCA(), X, range(1, 7), CrossValidation("entries"), random_state=0).best_params
    {'n_components': 2}
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> X, y = blobs(150, 2, 3, random_state=0)
    >>> select(KMeans(), X, range(1, 7), CrossValidation(), random_state=0).best_params
    {'n_clusters': 3}
    """

    what: str = "rows"
    n_splits: int = 5
    loss: str = "auto"
    hide: str = "auto"
    test_fraction: float = 0.0
    rule: str = "one_standard_error"
    max_rows: int = 5000

    name = "cross-validation"
    higher_is_better = True

    def __post_init__(self) -> None:
        one_of(self, what=("rows", "entries"), loss=LOSSES, hide=("auto", "missing", "blocks"),
               rule=("one_standard_error", "best"))  # fmt: skip
        at_least(self, n_splits=1, max_rows=2)
        between(self, "test_fraction", 0, 1, closed=True)
        if self.test_fraction == 1:
            raise ValueError("test_fraction=1 leaves no rows to choose by; give a number below 1")

    def allow_nan(self, estimator: Any) -> bool:
        """Models that take gaps have scores of rows with gaps, and tell entries that are hidden beside the missing."""
        if self.what == "entries":
            return self.hide != "blocks" and takes_missing(estimator)
        by = "inverse_transform" if self.loss == "error" else "score_samples"
        return hasattr(estimator, by) and takes_gaps(estimator)

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None) -> Score:
        return self.evaluate_grid([estimator], X, rng, sample_weight).scores[0]

    def evaluate_grid(
        self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator, sample_weight: Any = None
    ) -> Evaluation:
        if self.what == "entries" or self.loss == "error":
            refuse_extreme(X)
        refuse_dissimilarities(estimators[0])
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        if weight is not None or all(map(weight_keywords, estimators)):
            X, weight = distinct_rows(X, weight)
        rows = canonical_rows(X, self.max_rows, rng)
        data, weight = X[rows], None if weight is None else weight[rows]
        order = rng.permutation(len(data))
        test, rest = np.split(order, [round(self.test_fraction * len(data))])
        held = plan(self, estimators, data[rest], None if weight is None else weight[rest], rng)
        models = [_or_nothing(estimator) for estimator in estimators]
        nothing = _null_model(estimators[0])
        folds, scores = _run(held, [*models, nothing])
        choice = self._choose(held, scores[:-1], folds, [size_of(estimator) for estimator in estimators])
        beats = choice is not None and _beats(held, folds, scores, choice, len(models))
        details = CrossValidationDetails(folds[:, :-1], held.loss, scores[-1], bool(beats))
        if len(test) and choice is not None:
            last = plan(self, estimators, data, weight, rng, test=(rest, test))
            _, (own, means) = _run(last, [models[choice], nothing])
            details = details._replace(test=own, test_nothing=means)
        return Evaluation(scores[:-1], choice, details)

    def _choose(self, held: Plan, scores: list[Score], folds: np.ndarray, sizes: list[int | None]) -> int | None:
        best = best_index(scores, True)
        if best is None or self.rule == "best" or None in sizes:
            return best
        by_size = sorted(range(len(sizes)), key=lambda i: sizes[i] or 0)
        finite = (i for i in by_size if np.isfinite(scores[i].value))
        return next(i for i in finite if not _beats(held, folds, scores, best, i))


def _null_model(estimator: Any) -> Any:
    """The column means, a Gaussian around them; of counts, one histogram for all rows, which are no densities.

    Of a model that tells entries by itself, what it tells without components.
    """
    if predicts_entries(estimator) and size_of(estimator) is not None:
        return with_size(estimator, 0)
    return with_size(estimator, 1) if hasattr(estimator, "cluster_distributions_") else Constant()


def _or_nothing(estimator: Any) -> Any:
    """Rank 0 is no setting of most models, but the same for all."""
    return Constant() if size_of(estimator) == 0 and not predicts_entries(estimator) else estimator


def _run(held: Plan, models: Sequence[Any]) -> tuple[np.ndarray, list[Score]]:
    """Scores (folds, models), and each model's mean with its standard error: over folds, over rows if there is one."""

    def one(i: int) -> tuple[float, float]:
        return held.tasks[i // len(models)](models[i % len(models)])

    found = np.array(in_parallel(one, len(held.tasks) * len(models), "folds")).reshape(-1, len(models), 2)
    folds = found[:, :, 0]
    errors = [held.standard_error(column) for column in folds.T] if len(folds) > 1 else found[0, :, 1]
    return folds, [Score(float(mean), float(error)) for mean, error in zip(folds.mean(axis=0), errors)]


def _beats(held: Plan, folds: np.ndarray, scores: Sequence[Score], one: int, other: int) -> bool:
    """Better by more than one standard error of the difference; of the mean where there is a single fold."""
    difference = folds[:, one] - folds[:, other]
    error = held.standard_error(difference) if len(folds) > 1 else scores[one].error
    least = 0.0 if held.loss == "likelihood" else NEGLIGIBLE * abs(scores[other].value)
    return bool(difference.mean() > max(error, least))
