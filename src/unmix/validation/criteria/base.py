"""What a criterion is: one number and its standard error for a fitted model, and a preference among a grid of models.

A criterion holds parameters, never data. `evaluate` receives a model already fitted on X, so that criteria share fits;
one that needs other fits (resamples, references) makes them from clones. A criterion whose grid points share more than
that, or whose choice is not simply the best value, has `evaluate_grid` instead, which receives all models at once.

What a criterion may have besides, found by name:
  sample_weight   a keyword of evaluate or evaluate_grid; without it, a weighted table comes as rows repeated
  allow_nan       True, or a function of the model; without it, only rows without missing values are shown
  max_rows        the most rows it looks at; the verdict says so
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np


class Score(NamedTuple):
    """A criterion's value and its standard error; NaN where there is none.

    >>> Score(2.5, 0.1)
    Score(value=2.5, error=0.1)
    """

    value: float
    error: float = float("nan")


class Evaluation(NamedTuple):
    """A criterion over the whole grid: one score a grid point, the preferred one (None: no preference), and more.

    >>> Evaluation([Score(1.0), Score(3.0)], choice=1).choice
    1
    """

    scores: list[Score]
    choice: int | None
    details: Any = None


@runtime_checkable
class Criterion(Protocol):
    """Anything with a name, a direction, and `evaluate`, which sees a model fitted on X.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> class Largest:
    ...     name, higher_is_better = "largest cluster", False
    ...     def evaluate(self, estimator, X, rng):
    ...         return Score(float(np.bincount(estimator.labels_).max()))
    >>> isinstance(Largest(), Criterion)
    True
    >>> X = np.array([[0.0], [1.0], [9.0]])
    >>> Largest().evaluate(KMeans(2, n_init=1, random_state=0).fit(X), X, np.random.default_rng(0))
    Score(value=2.0, error=nan)
    """

    name: str
    higher_is_better: bool

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator) -> Score: ...


@runtime_checkable
class GridCriterion(Protocol):
    """A criterion of the whole grid: `evaluate_grid` sees all models fitted on X and chooses among them.

    Examples
    --------
    >>> class Elbow:
    ...     name, higher_is_better = "elbow", False
    ...     def evaluate_grid(self, estimators, X, rng):
    ...         costs = np.array([model.inertia_ for model in estimators])
    ...         bend = costs[:-2] - 2 * costs[1:-1] + costs[2:]
    ...         return Evaluation([Score(cost) for cost in costs], 1 + int(bend.argmax()))
    >>> isinstance(Elbow(), GridCriterion)
    True
    """

    name: str
    higher_is_better: bool

    def evaluate_grid(self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator) -> Evaluation: ...


def is_criterion(thing: Any) -> bool:
    """Whether it is an instance that can judge one model, or a grid of them."""
    return not isinstance(thing, type) and isinstance(thing, (Criterion, GridCriterion))


def evaluate_grid(criterion: Any, estimators: Sequence[Any], X: np.ndarray, seed: int, **more: Any) -> Evaluation:
    """All grid points, with the same random numbers for each: differences between them are then less noisy.

    `more` is what only some criteria take, such as sample_weight.
    """
    own = getattr(criterion, "evaluate_grid", None)
    if own is not None:
        return own(estimators, X, np.random.default_rng(seed), **more)
    scores = [_score(criterion, estimator, X, seed, **more) for estimator in estimators]
    return Evaluation(scores, best_index(scores, criterion.higher_is_better))


def _score(criterion: Any, estimator: Any, X: np.ndarray, seed: int, **more: Any) -> Score:
    try:
        score = criterion.evaluate(estimator, X, np.random.default_rng(seed), **more)
    except Exception as error:
        error.add_note(f"This was raised while the criterion {criterion.name!r} judged {estimator!r}.")
        raise
    if not isinstance(score, Score):
        raise TypeError(
            f"{criterion.name}.evaluate returned {score!r}; return a Score(value, error), NaN if there is none"
        )
    return score


def best_index(scores: Sequence[Score], higher_is_better: bool) -> int | None:
    """The best value; the first of equals; None where no value is a number."""
    values = np.array([score.value for score in scores], dtype=float)
    if not np.isfinite(values).any():
        return None
    return int(np.nanargmax(values) if higher_is_better else np.nanargmin(values))
