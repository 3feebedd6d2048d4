"""Choosing a model: fit a grid once, let every criterion look at the same fits, say what they agree on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_array
from sklearn.utils.validation import check_random_state

from unmix.core.random import spawn
from unmix.validation.base import Criterion, Evaluation, evaluate_grid
from unmix.validation.grid import settings_of
from unmix.validation.information import AIC, BIC
from unmix.validation.refit import in_parallel, size_of, size_parameter
from unmix.validation.selection import Selection
from unmix.validation.separation import Separation
from unmix.validation.stability import Stability
from unmix.validation.verdict import in_words


def select(
    estimator: Any, X: Any, grid: Any, criteria: Any = None, random_state: int | np.random.RandomState | None = None
) -> Selection:
    """Choose among settings of a model, and say in words how sure the choice is.

    Parameters
    ----------
    estimator : any clusterer or mixture of unmix or scikit-learn with n_clusters or n_components
    X : table of numbers, (n, d)
    grid : the numbers of clusters, such as ``range(1, 11)``; or a dict of parameter -> values; or a list of dicts.
        Let it begin at 1: that there are no clusters is a possible answer.
    criteria : criterion or list of criteria, optional
        By default `Separation` (are there clusters, and how many stand apart), which decides, with `Stability`, `BIC`
        and `AIC` beside it. Of criteria without `Separation`, the majority decides, the first one named if tied.
    random_state : int, RandomState or None
        The same number gives the same answer, on any number of threads.

    Returns
    -------
    Selection
        ``best_params``, ``best_estimator`` (fitted), ``verdict`` (in words), ``table`` (a row for each grid point and
        criterion: value, standard error), ``choices`` (what each criterion prefers), ``details``.

    Notes
    -----
    Fits are shared between criteria. Resamples and references run in threads; ``unmix.execution(threads=…, observe=…)``
    sets how many and who hears of progress.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from unmix.datasets import blobs, uniform
    >>> X, y = blobs(200, 2, 3, random_state=0)
    >>> select(KMeans(n_init=3), X, range(1, 6), random_state=0).best_params
    {'n_clusters': 3}
    >>> select(KMeans(n_init=3), uniform(200, random_state=0), range(1, 6), random_state=0).best_params
    {'n_clusters': 1}
    """
    X = _table(X)
    points = settings_of(estimator, grid, len(X))
    chosen_by = _criteria(estimator, criteria)
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    models = _fit_all(estimator, points, X, seed)
    evaluations = {
        criterion.name: evaluate_grid(criterion, models, X, int(spawn(seed, i).integers(2**31)))
        for i, criterion in enumerate(chosen_by)
    }
    best = _decide(evaluations, models)
    higher = {criterion.name: criterion.higher_is_better for criterion in chosen_by}
    return Selection(points, models, evaluations, best, in_words(models, evaluations, best), higher)


def _table(X: Any) -> np.ndarray:
    X = check_array(X, dtype=[np.float64, np.float32], ensure_all_finite=False, ensure_min_samples=2, input_name="X")
    bad = ~np.isfinite(X)
    if bad.any():
        what = "missing values (NaN)" if np.isnan(X).any() else "infinite values"
        raise ValueError(f"X contains {what} in {bad.any(axis=1).sum()} of {len(X)} rows; fill or drop them first")
    return X


def _criteria(estimator: Any, criteria: Any) -> list[Criterion]:
    if criteria is None:
        labels_rows = hasattr(estimator, "fit_predict") or hasattr(estimator, "predict")
        if size_parameter(estimator) is None or not labels_rows:
            raise TypeError(
                f"{type(estimator).__name__} labels no rows by a number of clusters, so there are no default criteria; "
                "give criteria=[…]"
            )
        return [Separation(), Stability(), BIC(), AIC()]
    given = list(criteria) if isinstance(criteria, Sequence) else [criteria]
    given = [criterion() if isinstance(criterion, type) else criterion for criterion in given]
    for criterion in given:
        if not isinstance(criterion, Criterion):
            raise TypeError(f"{criterion!r} is no criterion: name, higher_is_better and evaluate(estimator, X, rng)")
    names = [criterion.name for criterion in given]
    if not given or len(set(names)) < len(names):
        raise ValueError(f"criteria={names}: give at least one criterion, and each name once")
    return given


def _fit_all(estimator: Any, points: list[dict[str, Any]], X: np.ndarray, seed: int) -> list[Any]:
    def fit(i: int) -> Any:
        model = clone(estimator).set_params(**points[i])
        if model.get_params(deep=False).get("random_state", 0) is None:
            model.set_params(random_state=seed)
        return model.fit(X)

    return in_parallel(fit, len(points), "fits")


def _decide(evaluations: dict[str, Evaluation], models: Sequence[Any]) -> int:
    """Separation's number of clusters, and among grid points of that size the most stable; else the majority."""
    if "separation" in evaluations:
        choice = evaluations["separation"].choice
        same = [i for i, model in enumerate(models) if size_of(model) == size_of(models[choice])]
        if len(same) > 1 and "stability" in evaluations:
            scores = evaluations["stability"].scores
            return max(same, key=lambda i: np.nan_to_num(scores[i].value, nan=-np.inf))
        return choice
    votes = [evaluation.choice for evaluation in evaluations.values() if evaluation.choice is not None]
    if not votes:
        raise ValueError("no criterion has a preference on this grid; widen it")
    return max(votes, key=votes.count)
