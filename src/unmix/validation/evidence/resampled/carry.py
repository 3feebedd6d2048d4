"""Labels carried from labelled rows to others: by the model, the nearest row, the nearest mean, or a classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from unmix.validation.fits.refit import transfer

WAYS = ("auto", "predict", "nearest", "prototype")


def carry(way: Any, model: Any, X: np.ndarray, labels: np.ndarray, X_new: np.ndarray) -> np.ndarray:
    """Labels of the rows X_new; `model` is fitted on X and gave it `labels`, -1 for rows in no cluster."""
    if way in ("auto", "predict"):
        return transfer(model, X, labels, X_new)
    known = labels != -1
    names, first, numbers = np.unique(labels[known], return_index=True, return_inverse=True)
    if len(names) < 2:
        return np.full(len(X_new), names[0] if len(names) else -1)
    # Named by who comes first among the rows: a classifier that breaks ties by name must not see the model's names.
    order = np.argsort(first)
    found = classifier_of(way).fit(X[known], np.argsort(order)[numbers]).predict(X_new)
    return names[order][found]


def classifier_of(way: Any) -> Any:
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

    if way == "nearest":
        return KNeighborsClassifier(1)
    return NearestCentroid() if way == "prototype" else clone(way)


def check_transfer(way: Any, estimator: Any) -> None:
    """One clear sentence for what cannot carry labels."""
    if isinstance(way, str) and way not in WAYS:
        known = ", ".join(map(repr, WAYS))
        raise ValueError(f"transfer={way!r} is not known; give one of {known}, or a classifier")
    if way == "predict" and not hasattr(estimator, "predict"):
        raise TypeError(f"{type(estimator).__name__} has no predict; give transfer='nearest' or a classifier")
    if not isinstance(way, str) and not is_classifier(way):
        raise TypeError(f"transfer={way!r} is no classifier; give an instance such as KNeighborsClassifier(5)")
