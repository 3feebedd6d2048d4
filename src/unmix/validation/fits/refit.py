"""The same model again: on other rows, at another seed, of another size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from unmix.validation.fits.parallel import in_parallel as in_parallel  # where criteria look for it
from unmix.validation.fits.quick import quick_fit, quick_labels

SIZES = ("n_clusters", "n_components")


def last_step(estimator: Any) -> Any:
    """The model that does the work: the last step of a pipeline, else the estimator itself."""
    steps = getattr(estimator, "steps", None)
    return last_step(steps[-1][1]) if steps and hasattr(estimator, "named_steps") else estimator


def size_parameter(estimator: Any) -> str | None:
    """The parameter that says how many clusters or components there are, by its full name in a pipeline."""
    steps = getattr(estimator, "steps", None)
    if steps and hasattr(estimator, "named_steps"):
        inner = size_parameter(steps[-1][1])
        return None if inner is None else f"{steps[-1][0]}__{inner}"
    names = estimator.get_params(deep=False) if hasattr(estimator, "get_params") else ()
    return next((name for name in SIZES if name in names), None)


def size_of(estimator: Any) -> int | None:
    """How many clusters or components the model was asked for; where it was not, how many it found.

    A model that found none at all, only rows apart, leaves the table in one piece.
    """
    name = size_parameter(estimator)
    kind = type(last_step(estimator))  # a model of no structure has a size that is no choice
    fixed = next((getattr(kind, size) for size in SIZES if hasattr(kind, size)), None)
    value = fixed if name is None else estimator.get_params(deep=True)[name]
    if isinstance(value, int | np.integer):
        return int(value)
    labels = getattr(last_step(estimator), "labels_", None)
    return None if labels is None else max(1, len(np.unique(labels[np.asarray(labels) >= 0])))


def sizes_of(estimators: Sequence[Any], needed_by: str) -> list[int]:
    """The size of every model, for a criterion that cannot do without."""
    sizes = [size_of(estimator) for estimator in estimators]
    if None in sizes:
        raise TypeError(f"{type(estimators[0]).__name__} has no n_clusters or n_components; {needed_by} needs one")
    if any(size is not None and size < 1 for size in sizes):  # kernels write as many rows as there are clusters
        raise TypeError(f"a decomposition of rank 0 is among the models; {needed_by} judges numbers of clusters")
    return [int(size) for size in sizes if size is not None]


def refit(estimator: Any, X: np.ndarray, seed: int) -> Any:
    """A clone fitted on X, or a stand-in as good; its random_state, if it has one, is drawn from `seed`."""
    stand_in = quick_fit(estimator, X, int(seed))
    if stand_in is not None:
        return stand_in
    model = clone(estimator)
    return model.set_params(**{name: int(seed) for name in seed_parameters(model)}).fit(X)


def seed_parameters(estimator: Any) -> list[str]:
    """Every random_state of the model, also those of its parts."""
    return [name for name in estimator.get_params(deep=True) if name.split("__")[-1] == "random_state"]


def refit_all(estimators: Sequence[Any], X: np.ndarray, seed: int) -> list[np.ndarray]:
    """Labels of X from a clone of every model, or from stand-ins as good: a grid fitted anew."""
    labels = quick_labels(estimators, X, int(seed))
    return labels or [labels_of(refit(estimator, X, seed), X) for estimator in estimators]


def comparable_labels(estimator: Any, X: np.ndarray, rows: np.ndarray, seed: int) -> np.ndarray:
    """Labels of some rows of X, from the kind of fit that `refit` makes; `estimator` is fitted on X."""
    stand_in = quick_fit(estimator, X[rows], seed)
    return labels_of(estimator, X)[rows] if stand_in is None else stand_in.labels_


def with_size(estimator: Any, size: int) -> Any:
    """A clone that looks for this many clusters; a start given as centres, which fit one number only, is dropped.

    K-means stands in for a model that is not asked for a number.
    """
    name = size_parameter(estimator)
    if name is None:
        from unmix.cluster import KMeans

        return KMeans(size)
    settings, prefix = {name: size}, name[: -len(name.split("__")[-1])]
    model = last_step(estimator)
    for parameter, value in model.get_params(deep=False).items():
        if "init" in parameter and np.ndim(value) > 0:
            settings[prefix + parameter] = type(model)().get_params(deep=False)[parameter]
    return clone(estimator).set_params(**settings)


def labels_of(estimator: Any, X: np.ndarray) -> np.ndarray:
    """Labels of the rows the model was fitted on; -1 for rows it leaves out, for whatever reason.

    A model that leaves every row out has not divided them: they are one cluster.
    """
    labels = getattr(last_step(estimator), "labels_", None)
    if labels is None or len(labels) != len(X):
        if not hasattr(estimator, "predict"):
            raise TypeError(
                f"{type(estimator).__name__} has neither labels_ nor predict; this criterion needs labels of rows"
            )
        labels = estimator.predict(X)
    labels = np.asarray(labels)
    if labels.dtype.kind != "i" or (labels >= 0).all():
        return labels
    return np.maximum(labels, -1) if (labels >= 0).any() else np.zeros_like(labels)


def transfer(estimator: Any, X: np.ndarray, labels: np.ndarray, X_new: np.ndarray) -> np.ndarray:
    """Labels of new rows: by the model's own predict, else those of the nearest labelled row as the model sees it."""
    if hasattr(estimator, "predict"):
        return np.asarray(estimator.predict(X_new))
    from sklearn.neighbors import KNeighborsClassifier

    known = labels != -1
    if not known.any():
        return np.full(len(X_new), -1)
    if last_step(estimator) is not estimator and len(estimator.steps) > 1:
        X, X_new = estimator[:-1].transform(X), estimator[:-1].transform(X_new)
    return KNeighborsClassifier(1).fit(X[known], labels[known]).predict(X_new)


def canonical_rows(X: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """Indices that put the rows in an order their values alone decide; a random subset where there are too many.

    Resampling by position then gives the same answer whatever order the table came in.
    """
    order = np.argsort(X[:, -1], kind="stable")
    first = X[order, -1]
    if not (first[:-1] < first[1:]).all():  # the other columns matter only where the last one has ties or gaps
        order = np.lexsort(X.T)
    return order if len(X) <= most else order[np.sort(rng.choice(len(X), most, replace=False))]
