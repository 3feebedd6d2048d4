"""Which rows are judged: a random part of a large table, rows as often as they count, rows without gaps.

A model fitted on the whole table is looked at on some of its rows, in some order, some of them twice: labels go along,
so that also models that cannot label new rows can be judged.
"""

from __future__ import annotations

import inspect
from copy import copy
from typing import Any

import numpy as np

from unmix.validation.fits.refit import canonical_rows, last_step


def sample_rows(X: np.ndarray, weights: np.ndarray | None, most: int, rng: np.random.Generator) -> np.ndarray:
    """`most` rows at random, each as likely as it counts; which ones does not depend on the order of the table."""
    if weights is None:
        return rng.permutation(canonical_rows(X, most, rng))
    order = np.lexsort(X.T)
    return rng.permutation(order[counted(weights[order], most, rng)])


def counted(weights: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """Rows as often as they count: w times for whole numbers, else n draws in proportion; at most `most` of them."""
    ends = np.cumsum(weights)
    if (weights == np.round(weights)).all():
        total = int(ends[-1])
        places = np.arange(total) if total <= most else np.sort(rng.choice(total, most, replace=False))
        return np.searchsorted(ends, places, side="right")
    # One random shift for evenly spaced places: no row is drawn more than one time too often or too rarely.
    n = min(most, len(weights))
    places = (np.arange(n) + rng.random()) * (ends[-1] / n)
    return np.minimum(np.searchsorted(ends, places, side="right"), len(weights) - 1)


def counted_rows(X: np.ndarray, weights: np.ndarray | None, most: int, rng: np.random.Generator) -> np.ndarray:
    """Rows as often as they count, in an order their values alone decide; at random where that is more than `most`."""
    if weights is None:
        return canonical_rows(X, most, rng)
    present = np.flatnonzero(weights > 0)
    order = present[canonical_rows(X[present], len(present), rng)]
    return order[counted(weights[order], most, rng)]


def distinct_rows(X: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
    """Every row that counts once, with the weight of all its copies; no weights if there were none and all differ."""
    present = np.arange(len(X)) if weights is None else np.flatnonzero(weights > 0)
    order = present[np.lexsort(X[present].T)]
    rows, own = X[order], np.ones(len(order)) if weights is None else weights[order]
    new = np.append(True, ((rows[1:] != rows[:-1]) & ~(np.isnan(rows[1:]) & np.isnan(rows[:-1]))).any(axis=1))
    if weights is None and new.all():
        return X, None
    return rows[new], np.bincount(np.cumsum(new) - 1, own)


def on_rows(estimator: Any, rows: np.ndarray, n: int) -> Any:
    """The fitted model as if these had been its rows; n is how many it was fitted on."""
    model = last_step(estimator)
    labels = getattr(model, "labels_", None)
    if labels is None or len(labels) != n:
        return estimator
    seen = copy(model)
    seen.labels_ = np.asarray(labels)[rows]
    if model is estimator:
        return seen
    whole = copy(estimator)
    whole.steps = [*estimator.steps[:-1], (estimator.steps[-1][0], on_rows(estimator.steps[-1][1], rows, n))]
    return whole


def takes(function: Any, keyword: str) -> bool:
    """Whether a function can be given this keyword."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(p.name == keyword and p.kind is not p.VAR_POSITIONAL for p in parameters)


def weight_keywords(estimator: Any) -> list[str]:
    """How the fit of this model, and of the steps before it, is told the weights of rows; empty where it takes none."""
    if last_step(estimator) is estimator:
        return ["sample_weight"] if takes(estimator.fit, "sample_weight") else []
    found = {name: weight_keywords(step) for name, step in estimator.steps if hasattr(step, "fit")}
    last = found[estimator.steps[-1][0]]
    return [f"{name}__{keyword}" for name, keywords in found.items() for keyword in keywords] if last else []


def can_see_gaps(criterion: Any, estimator: Any) -> bool:
    """A criterion that can judge missing values says so: `allow_nan`, True or a function of the model."""
    answer = getattr(criterion, "allow_nan", False)
    return bool(answer(estimator) if callable(answer) else answer)
