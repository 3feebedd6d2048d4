"""Stability of components: does the same source come back from other rows and another start?

Runs on bootstrap samples from random starts give many estimates of every component. Their similarity is the absolute
correlation |r| of the sources they extract from the same rows; estimates are grouped by average linkage of 1 - |r|, and
the quality of a group is its mean similarity inside less that to all others: 1 is an isolated point, 0 a smear.

    quality_m = mean_{i,j in m} |r_ij| - mean_{i in m, j not in m} |r_ij|

Himberg, Hyvärinen & Esposito, Validating the independent components of neuroimaging time series via clustering and
visualization, NeuroImage 22, 2004 (ICASSO).
"""

from __future__ import annotations

from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import squareform
from sklearn.base import clone
from sklearn.utils.validation import check_random_state

from unmix.core.arguments import whole_number
from unmix.core.linalg import power_of_two
from unmix.core.random import spawn
from unmix.core.warning_filters import without_warnings

METHODS = ("both", "bootstrap", "restart")


class ComponentStability(NamedTuple):
    """How well each component of ``estimator``, fitted to all rows, comes back in ``n_runs`` further fits."""

    estimator: Any
    quality: np.ndarray  # (k,), near 1 where the component is found again and again
    recovery: np.ndarray  # (n_runs, k): similarity to the best match in each run
    similarity: np.ndarray  # between the estimates of all runs, run by run
    groups: np.ndarray  # the component to whose group each of those estimates belongs

    def __str__(self):
        lines = [
            f"component {i}: quality {quality:.2f}, found again with similarity {np.median(found):.2f} (median)"
            for i, (quality, found) in enumerate(zip(self.quality, self.recovery.T))
        ]
        return "\n".join(lines)


def component_stability(estimator, X, *, n_runs=20, method="both", block_length=None, random_state=None):
    """Refit an unmixing on resampled rows, and say which components to trust.

    Parameters
    ----------
    estimator : FastICA, Infomax, OnlineICA or another with ``components_`` and ``random_state``
        Is not changed; clones of it are fitted.
    X : array-like of shape (n, d)
        Rows; with `block_length` a series in time.
    n_runs : int, default=20
        Fits beside the one to all rows.
    method : {"both", "bootstrap", "restart"}, default="both"
        New rows, drawn with replacement; new starts; or both.
    block_length : int or None, default=None
        Draw runs of so many consecutive rows, for methods that use the order of the rows.
    random_state : int, RandomState or None, default=None

    Returns
    -------
    ComponentStability
        With fields ``estimator``, ``quality``, ``recovery``, ``similarity`` and ``groups``.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.separation import FastICA, component_stability
    >>> X = np.random.default_rng(0).laplace(size=(2000, 3))
    >>> stability = component_stability(FastICA(random_state=0), X, n_runs=5, random_state=0)
    >>> bool((stability.quality > 0.9).all())
    True
    """
    whole_number("n_runs", n_runs, 2)
    if method not in METHODS:
        raise ValueError(f"method={method!r}: give one of {', '.join(map(repr, METHODS))}")
    if block_length is not None:
        whole_number("block_length", block_length, 1, ", or None")
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    reference = clone(estimator).fit(X)
    rows = np.asarray(X)
    k = len(reference.components_)
    runs = [_components(estimator, rows, k, method, block_length, seed, run) for run in range(n_runs)]
    # Correlations do not know the unit of the data; in one where they are about one, nothing over- or underflows.
    unit = power_of_two(float(np.nanmax(np.abs(rows), initial=0.0)))
    runs = [components.astype(np.float64) / unit for components in runs]
    covariance = _covariance(rows.astype(np.float64) * unit)
    similarity = _similarity(np.concatenate(runs), covariance)
    groups = fcluster(linkage(squareform(1 - similarity, checks=False), "average"), k, "maxclust") - 1
    to_reference = _similarity(np.concatenate([reference.components_.astype(np.float64) / unit, *runs]), covariance)[
        :k, k:
    ]
    groups = _named(groups, to_reference)
    recovery = np.array([_matched(part) for part in np.split(to_reference, n_runs, axis=1)])
    quality = np.array([_quality(similarity, groups == i) for i in range(k)])
    return ComponentStability(reference, quality, recovery, similarity, groups)


def _components(estimator, rows, k, method, block_length, seed, run):
    """The unmixing matrix of one run; a start that is given is kept only where starts are not to change."""
    model, generator = clone(estimator), spawn(seed, run)
    changed = {"n_components": k}
    if method != "bootstrap":
        changed["random_state"] = int(generator.integers(2**31 - 1))
        if "w_init" in model.get_params():
            changed["w_init"] = None
    model.set_params(**{name: value for name, value in changed.items() if name in model.get_params()})
    with without_warnings(Warning):  # what is to be said was said of the fit to all rows
        if method == "restart":
            return model.fit(rows).components_
        n = len(rows)
        if block_length is None and "sample_weight" in signature(model.fit).parameters:
            return model.fit(rows, sample_weight=np.bincount(generator.integers(n, size=n), minlength=n)).components_
        return model.fit(rows[_block_rows(n, block_length or 1, generator)]).components_


def _block_rows(n, length, generator):
    """Numbers of rows in runs of consecutive ones, n in all."""
    length = min(length, n)
    starts = generator.integers(n - length + 1, size=-(-n // length))
    return (starts[:, None] + np.arange(length)).ravel()[:n]


def _covariance(rows):
    """Of every two channels over the rows in which both are known."""
    known = ~np.isnan(rows)
    centred = np.where(known, rows, 0.0)
    centred -= known * (centred.sum(axis=0) / np.maximum(known.sum(axis=0), 1))
    counts = known.T.astype(np.float64) @ known
    return centred.T @ centred / np.maximum(counts, 1.0)


def _similarity(components, covariance):
    """|correlation| of the sources that unmixing vectors extract."""
    products = components @ covariance @ components.T
    sizes = np.sqrt(np.maximum(np.diag(products), np.finfo(float).tiny))
    similarity = np.minimum(np.abs(products) / sizes[:, None] / sizes, 1.0)
    np.fill_diagonal(similarity, 1.0)
    return (similarity + similarity.T) / 2


def _named(groups, to_reference):
    """Groups by the number of the component of the reference that they are about; a bijection."""
    k = len(to_reference)
    counts = np.bincount(groups, minlength=k)
    totals = np.stack([np.bincount(groups, row, minlength=k) for row in to_reference])
    means = totals / np.maximum(counts, 1)
    component, group = linear_sum_assignment(-means)
    names = np.empty(k, dtype=np.intp)
    names[group] = component
    return names[groups]


def _matched(similarity):
    """Similarity of each component of the reference to its partner in one run."""
    rows, columns = linear_sum_assignment(-similarity)
    return similarity[rows, columns]


def _quality(similarity, members):
    inside = similarity[np.ix_(members, members)].mean() if members.any() else 0.0
    outside = similarity[np.ix_(members, ~members)].mean() if members.any() and not members.all() else 0.0
    return inside - outside
