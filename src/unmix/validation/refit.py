"""The same model again: on other rows, at another seed, beside others in threads."""

from __future__ import annotations

import contextvars
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from unmix.core.execution import current_execution, execution
from unmix.core.threads import one_blas_thread, run_in_order
from unmix.core.trace import Record
from unmix.validation.quick import quick_fit

SIZES = ("n_clusters", "n_components")


def size_parameter(estimator: Any) -> str | None:
    """The parameter that says how many clusters or components there are."""
    names = estimator.get_params(deep=False)
    return next((name for name in SIZES if name in names), None)


def size_of(estimator: Any) -> int | None:
    name = size_parameter(estimator)
    value = None if name is None else getattr(estimator, name)
    return int(value) if isinstance(value, int | np.integer) else None


def refit(estimator: Any, X: np.ndarray, seed: int) -> Any:
    """A clone fitted on X, or a stand-in as good; its random_state, if it has one, is drawn from `seed`."""
    stand_in = quick_fit(estimator, X, int(seed))
    if stand_in is not None:
        return stand_in
    model = clone(estimator)
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=int(seed))
    return model.fit(X)


def refit_all(estimators: Sequence[Any], X: np.ndarray, seed: int) -> list[np.ndarray]:
    """Labels of X from a clone of every model: a grid fitted anew."""
    return [labels_of(refit(estimator, X, seed), X) for estimator in estimators]


def comparable_labels(estimator: Any, X: np.ndarray, rows: np.ndarray, seed: int) -> np.ndarray:
    """Labels of some rows of X, from the kind of fit that `refit` makes; `estimator` is fitted on X."""
    stand_in = quick_fit(estimator, X[rows], seed)
    return labels_of(estimator, X)[rows] if stand_in is None else stand_in.labels_


def with_size(estimator: Any, size: int) -> Any:
    """A clone that looks for this many clusters; a start given as centres, which fit one number only, is dropped."""
    settings = {str(size_parameter(estimator)): size}
    for name, value in estimator.get_params(deep=False).items():
        if "init" in name and np.ndim(value) > 0:
            settings[name] = type(estimator)().get_params(deep=False)[name]
    return clone(estimator).set_params(**settings)


def labels_of(estimator: Any, X: np.ndarray) -> np.ndarray:
    """Labels of the rows the model was fitted on."""
    labels = getattr(estimator, "labels_", None)
    if labels is None or len(labels) != len(X):
        if not hasattr(estimator, "predict"):
            raise TypeError(
                f"{type(estimator).__name__} has neither labels_ nor predict; this criterion needs labels of rows"
            )
        labels = estimator.predict(X)
    return np.asarray(labels)


def transfer(estimator: Any, X: np.ndarray, labels: np.ndarray, X_new: np.ndarray) -> np.ndarray:
    """Labels of new rows: by the model's own predict, else those of the nearest labelled row."""
    if hasattr(estimator, "predict"):
        return np.asarray(estimator.predict(X_new))
    from sklearn.neighbors import KNeighborsClassifier

    known = labels != -1
    if not known.any():
        return np.full(len(X_new), -1)
    return KNeighborsClassifier(1).fit(X[known], labels[known]).predict(X_new)


def in_parallel(work: Callable[[int], Any], n: int, stage: str) -> list[Any]:
    """[work(0), …, work(n - 1)] on the threads of the surrounding execution, telling its observer after each.

    Work runs apart from the surrounding settings: its fits report to nobody, save nothing and use one thread each.
    That one of them did not converge, or found fewer clusters than asked for, is no news: the criteria see it.
    """
    settings = current_execution()
    results: list[Any] = []

    def apart(i: int) -> Any:
        def run() -> Any:
            with execution(threads=1):
                return work(i)

        return contextvars.Context().run(run)

    def keep(i: int, result: Any) -> None:
        results.append(result)
        if settings.observe is not None:
            settings.observe(Record(stage, i + 1, n, {}))

    with one_blas_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        run_in_order(apart, n, keep, settings.n_threads)
    return results


def canonical_rows(X: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """Indices that put the rows in an order their values alone decide; a random subset where there are too many.

    Resampling by position then gives the same answer whatever order the table came in.
    """
    order = np.lexsort(X.T)
    return order if len(X) <= most else order[np.sort(rng.choice(len(X), most, replace=False))]
