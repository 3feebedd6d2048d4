"""Whether a criterion judges models by what they are: not by names, units, order of rows, or what it saw before."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from unmix.checks.evidence import Examined, HoldsParameters, Unchanged, require
from unmix.validation.criteria.base import Evaluation, Score, evaluate_grid, is_criterion

SIZES, TRUE_SIZE = (2, 3, 4), 3  # of the models that are compared by default, and of the groups in the table
RELATIVE_TOLERANCE = 1e-6  # relative difference up to which values are one


class Grid(NamedTuple):
    """Fitted models of growing size, the table they were fitted to, and which of them is right."""

    models: list[Any]
    X: np.ndarray
    right: int | None
    drawn: bool = False  # whether other random numbers give other values
    steady: bool = True  # whether they leave the choice as it is


def check_criterion(
    criterion: Any,
    estimator: Any = None,
    X: Any = None,
    grid: Sequence[dict[str, Any]] | None = None,
    right: int | None = None,
    random_state: int = 0,
) -> list[str]:
    """Let a criterion judge a small grid of models whose right answer is known, in several guises.

    - It has a name, a direction, and `evaluate` or `evaluate_grid`, which return a `Score` or an `Evaluation`.
    - The same seed gives the same values; nothing given is changed and nothing of it is kept.
    - Values do not depend on the names of clusters, nor on the order of rows or columns; the choice does not depend on
      the unit or the origin of the table, also where cells are missing and it allows that. `evaluate_grid` gives models
      the same values in any order.
    - Weights, where it takes them, count rows as often; a model of one cluster is answered, if only by NaN, and not
      preferred to groups far apart.
    - The right model is preferred.

    Parameters
    ----------
    criterion : Criterion
    estimator : estimator, optional
        What is judged; by default K-means.
    X : array of shape (n, d), optional
        By default three groups far apart, which K-means with 2, 3 and 4 clusters is fitted to.
    grid : list of dict, optional
        Parameters of each model.
    right : int, optional
        The place in the grid of the model to be preferred; not asked where X is given without it.
    random_state : int, default=0

    Returns
    -------
    list of str
        What was checked. A promise that is not kept raises an AssertionError that says which.

    Examples
    --------
    >>> from unmix.checks import check_criterion
    >>> from unmix.validation import CalinskiHarabasz
    >>> check_criterion(CalinskiHarabasz())
    ['protocol', 'values', 'names', 'rows', 'units', 'order', 'weights', 'one cluster', 'columns', 'choice']
    """
    _check_protocol(criterion)
    table, given = _table(X, random_state), grid or [{"n_clusters": size} for size in SIZES]
    answer = right if X is not None or grid is not None else SIZES.index(TRUE_SIZE)
    judged = Grid([_fitted(estimator, point, table) for point in given], table, answer)
    done = ["protocol"]
    with Examined(criterion.name), HoldsParameters(criterion):
        first = _check_values(criterion, judged, random_state)
        judged = _with_other_numbers(criterion, judged, first, random_state)
        done.append("values")
        for words, check in CHECKS.items():
            if check(criterion, judged, first, random_state) is not False:
                done.append(words)
    return done


def _check_protocol(criterion: Any) -> None:
    name = type(criterion).__name__
    require(not isinstance(criterion, type), f"{criterion!r} is a class; give an instance of it")
    given = getattr(criterion, "name", None)
    require(isinstance(given, str) and given, f"{name}.name is {given!r}; give it a name, for tables and verdicts")
    higher = getattr(criterion, "higher_is_better", None)
    require(isinstance(higher, bool), f"{name}.higher_is_better is {higher!r}; say True or False")
    words = f"{name} has neither evaluate(estimator, X, rng) nor evaluate_grid(estimators, X, rng)"
    require(is_criterion(criterion), words)


def _table(X: Any, seed: int) -> np.ndarray:
    """Three groups at the corners of a triangle, of unequal sizes."""
    if X is not None:
        return np.array(X, dtype=np.float64)
    rng = np.random.default_rng(seed)
    corners = np.array([[0.0, 0.0], [10.0, 0.0], [5.0, 8.5]])
    return corners[np.repeat(np.arange(3), [30, 24, 20])] + rng.normal(size=(74, 2))


def _fitted(estimator: Any, point: dict[str, Any], X: np.ndarray, weights: np.ndarray | None = None) -> Any:
    from sklearn.base import clone

    from unmix.cluster import KMeans

    model = clone(KMeans(random_state=0) if estimator is None else estimator).set_params(**point)
    return model.fit(X) if weights is None else model.fit(X, sample_weight=weights)


def _evaluate(criterion: Any, models: list[Any], X: np.ndarray, seed: int, **more: Any) -> Evaluation:
    with Unchanged(f"{criterion.name}", X=X, models=models):
        found = evaluate_grid(criterion, models, X, seed, **more)
    require(isinstance(found, Evaluation), f"evaluate_grid returns {type(found).__name__}, expected an Evaluation")
    count, n = len(found.scores), len(models)
    require(count == n, f"evaluate_grid returns {count} scores for {n} models: one a model, in their order")
    for score in found.scores:
        require(isinstance(score, Score), f"a score is a {type(score).__name__}, expected Score(value, error)")
        numbers = np.ndim(score.value) == 0 and np.ndim(score.error) == 0
        require(numbers, "a Score holds an array, expected one value and one standard error")
        require(not score.error < 0, f"a standard error is negative: {score.error}")
        require(not np.isinf(score.value), f"a value is {score.value}; NaN says that there is none")
    choice = found.choice
    fits = choice is None or (isinstance(choice, int | np.integer) and 0 <= choice < n)
    require(fits, f"choice is {choice!r}, expected None or the place of a model among {n}")
    return found


def _values(found: Evaluation) -> np.ndarray:
    return np.array([score.value for score in found.scores], np.float64)


def _check_values(criterion: Any, grid: Grid, seed: int) -> Evaluation:
    """Finite for models that have clusters, and the same again, by a copy too."""
    if not hasattr(criterion, "evaluate_grid"):
        score = criterion.evaluate(grid.models[0], grid.X.copy(), np.random.default_rng(seed))
        require(isinstance(score, Score), f"evaluate returns a {type(score).__name__}, expected Score(value, error)")
    first = _evaluate(criterion, grid.models, grid.X, seed)
    require(np.isfinite(_values(first)).any(), f"{criterion.name} has no value for any of {len(grid.models)} models")
    for other in (criterion, deepcopy(criterion)):
        again = _evaluate(other, grid.models, grid.X, seed)
        same = np.array_equal(_values(first), _values(again), equal_nan=True) and first.choice == again.choice
        require(same, f"{criterion.name} differs between two calls with one seed: draw from rng alone")
    return first


def _with_other_numbers(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> Grid:
    """The grid, with what other random numbers change."""
    others = [_evaluate(criterion, grid.models, grid.X, seed + turn) for turn in (1, 2)]
    drawn = not all(_close(_values(other), _values(first)) for other in others)
    return grid._replace(drawn=drawn, steady=all(other.choice == first.choice for other in others))


def _close(found: np.ndarray, true: np.ndarray) -> bool:
    size = float(np.nanmax(np.abs(true))) or 1.0
    return bool(np.allclose(found, true, rtol=RELATIVE_TOLERANCE, atol=RELATIVE_TOLERANCE * size, equal_nan=True))


def _check_same(criterion: Any, grid: Grid, found: Evaluation, first: Evaluation, words: str) -> None:
    """Equal values and the same choice, as far as random numbers do not change these by themselves."""
    if not grid.drawn:
        true, new = _values(first), _values(found)
        require(_close(new, true), f"{criterion.name} {words}: {new.tolist()} instead of {true.tolist()}")
    words = f"{criterion.name} {words}: it prefers model {found.choice} instead of {first.choice}"
    require(found.choice == first.choice or not grid.steady, words)


def _renamed(model: Any) -> Any:
    """The same clusters under other names, or None where the model cannot be renamed from outside."""
    names = np.asarray(getattr(model, "labels_", ()))
    centers = getattr(model, "cluster_centers_", None)
    if centers is None or not len(names) or names.min() < 0:
        return None
    order = np.roll(np.arange(len(centers)), 1)
    other = deepcopy(model)
    other.cluster_centers_ = np.ascontiguousarray(centers[order])
    other.labels_ = np.argsort(order)[names].astype(names.dtype)
    return other


def _check_names(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> bool:
    models = [_renamed(model) for model in grid.models]
    if any(model is None for model in models):
        return False
    found = _evaluate(criterion, models, grid.X, seed)
    _check_same(criterion, grid, found, first, "changes when clusters are renamed")
    return True


def _check_rows(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> bool:
    """Rows in another order, with their labels."""
    if not all(hasattr(model, "labels_") for model in grid.models):
        return False
    order = np.random.default_rng(seed).permutation(len(grid.X))
    models = [deepcopy(model) for model in grid.models]
    for model in models:
        model.labels_ = np.asarray(model.labels_)[order]
    found = _evaluate(criterion, models, np.ascontiguousarray(grid.X[order]), seed)
    _check_same(criterion, grid, found, first, "changes with the order of the rows")
    return True


def _check_units(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> None:
    """What is right in metres is right in millimetres, and wherever zero is."""
    for factor, shift in ((1024.0, 0.0), (1.0, 64.0), (2.0**-10, 0.0)):
        X = factor * grid.X + shift
        models = [_fitted(model, {}, X) for model in grid.models]
        found = _evaluate(criterion, models, X, seed)
        words = f"{criterion.name} prefers model {found.choice} instead of {first.choice} in other units"
        require(found.choice == first.choice or not grid.steady, f"{words} (times {factor:g}, plus {shift:g})")


def _check_order(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> None:
    """Models in another order have the same values each, and the same one is chosen."""
    n = len(grid.models)
    for order in (np.arange(n)[::-1], np.roll(np.arange(n), 1)):
        found = _evaluate(criterion, [grid.models[i] for i in order], grid.X, seed)
        scores = [found.scores[i] for i in np.argsort(order)]
        back = Evaluation(scores, None if found.choice is None else int(order[found.choice]))
        _check_same(criterion, grid, back, first, "changes with the order of the models")


def _check_weights(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> bool:
    """Weights 1, 2 and 3 are rows once, twice and three times."""
    from unmix.validation.fits.sampled_rows import takes

    evaluate = criterion.evaluate_grid if hasattr(criterion, "evaluate_grid") else criterion.evaluate
    if not takes(evaluate, "sample_weight"):
        return False
    weights = np.random.default_rng(seed).integers(1, 4, len(grid.X))
    rows = np.repeat(np.arange(len(grid.X)), weights)
    repeated = [deepcopy(model) for model in grid.models]
    for model in repeated:
        if hasattr(model, "labels_"):
            model.labels_ = np.asarray(model.labels_)[rows]
    found = _evaluate(criterion, grid.models, grid.X, seed, sample_weight=weights.astype(np.float64))
    true = _evaluate(criterion, repeated, grid.X[rows], seed)
    _check_same(criterion, grid, found, true, "with weights differs from rows repeated as often")
    return True


def _check_one_cluster(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> bool:
    """All rows in one cluster, with which every grid may begin, is answered and is not the best of groups far apart."""
    from unmix.validation.fits.no_structure import OneCluster, labels_rows

    if not all(labels_rows(model) for model in grid.models):
        return False
    found = _evaluate(criterion, [OneCluster().fit(grid.X), *grid.models], grid.X, seed)
    words = f"{criterion.name} prefers a model without a value"
    chosen = None if found.choice is None else found.scores[found.choice]
    require(chosen is None or not np.isnan(chosen.value), words)
    words = f"{criterion.name} prefers one cluster of all rows to groups far apart; NaN says that there is no value"
    require(grid.right is None or found.choice != 0, words)
    return True


def _check_columns(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> bool:
    """Columns in another order: none counts for more than another."""
    X = np.ascontiguousarray(grid.X[:, ::-1])
    models = [deepcopy(model) for model in grid.models]
    for model in models:
        if not hasattr(model, "labels_") or getattr(model, "cluster_centers_", None) is None:
            return False
        model.cluster_centers_ = np.ascontiguousarray(model.cluster_centers_[:, ::-1])
    found = _evaluate(criterion, models, X, seed)
    _check_same(criterion, grid, found, first, "changes with the order of the columns")
    return True


def _check_missing(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> bool:
    """With `allow_nan`, cells that are not known are not zeros: wherever zero is, the choice is the same."""
    allowed = getattr(criterion, "allow_nan", False)
    if not all(allowed(model) if callable(allowed) else allowed for model in grid.models):
        return False
    if not all("missing" in model.get_params() for model in grid.models):
        return False  # such a model cannot be fitted anew to a table with gaps
    X = grid.X.copy()
    X[np.random.default_rng(seed).integers(0, len(X), 5), 0] = np.nan
    found = []
    for origin in (0.0, 1024.0):
        models = [_fitted(model, {"missing": "ignore"}, X + origin) for model in grid.models]
        found.append(_evaluate(criterion, models, X + origin, seed))
    words = f"{criterion.name} prefers model {found[1].choice} instead of {found[0].choice} where zero is elsewhere"
    require(found[0].choice == found[1].choice or not grid.steady, f"{words} and cells are missing")
    return True


def _check_choice(criterion: Any, grid: Grid, first: Evaluation, seed: int) -> bool:
    """The best value is the one its direction says, and the right model is preferred."""
    if grid.right is None:
        return False
    direction = "higher" if criterion.higher_is_better else "lower"
    require(
        first.choice == grid.right,
        f"{criterion.name} prefers model {first.choice} of {len(grid.models)}, right is {grid.right}; its values are "
        f"{_values(first).tolist()} and {direction} is said to be better",
    )
    return True


CHECKS: dict[str, Any] = {
    "names": _check_names,
    "rows": _check_rows,
    "units": _check_units,
    "order": _check_order,
    "weights": _check_weights,
    "one cluster": _check_one_cluster,
    "columns": _check_columns,
    "missing": _check_missing,
    "choice": _check_choice,
}
