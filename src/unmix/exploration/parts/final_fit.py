"""The clusters of a long table fitted to all of its rows, from where the fit to the sample ended.

round      u_c = mean of the rows nearest to u_c                                       (Lloyd's iteration)
gaussian   weights, means and covariances from the shares of every row in every one    (EM)

A pass (`over_rows`) reads every row once. What follows the density consists of rows of the sample, and stays as
it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.core.summation.tree import TreeSum
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Full
from unmix.costs.squared_distance import SquaredDistance, Stats
from unmix.density.mixture.parameters import engine, public
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.parts.over_rows import over_rows
from unmix.exploration.parts.recipe import without_rows
from unmix.exploration.structure.clustering import Clustering, confidence_of_rows
from unmix.exploration.structure.evaluation_set import Axes
from unmix.inference.expectation import expectation
from unmix.io.long_table import LongTable
from unmix.io.text.cells import table_decimal_comma

MOST_PASSES = 10
TOLERANCE = 1e-4  # of the mean variance of the features: less than this the squared steps of all centres add up to
BLOCK_ROWS = 2**14


class AllRows:
    """The rows of a long table as a model sees them: as much of row blocks as a sum over all rows needs."""

    def __init__(self, data: LongTable, prepared: Prepared, seen: View) -> None:
        self.data = data
        self.reading = Reading(without_rows(prepared), table_decimal_comma(data.sample.frame), seen)
        self.n_passes = 0

    def reduce(self, f: Callable[..., Any], *shared: Any, rows: None = None, seed: None = None) -> Any:
        self.n_passes += 1
        total = TreeSum()
        for part in over_rows(self.data, self.reading.sum, f, shared):
            if part is not None:
                total.push(part)
        return total.total()


class View(NamedTuple):
    """From features to what the model was fitted to: on a plane, in units of its own."""

    axes: Axes | None = None
    units: Any = None

    def __call__(self, X: np.ndarray) -> np.ndarray:
        if self.axes is not None:
            X = self.axes.mean + self.axes.project(X) @ self.axes.directions
        return X if self.units is None else self.units.enter(X)


class Reading(NamedTuple):
    """How cells become rows of a model."""

    prepared: Prepared
    decimal_comma: bool
    seen: View

    def sum(self, frames: Iterable[pl.DataFrame], f: Callable[..., Any], shared: tuple[Any, ...]) -> Any:
        """Of ``f(block, None, *shared)`` over blocks of rows that have a value; None where no row has."""
        total, found = TreeSum(), False
        for frame in frames:
            X, keep = self.prepared.encode_more(frame, self.decimal_comma)
            X = np.ascontiguousarray(self.seen(X[keep]))
            for start in range(0, len(X), BLOCK_ROWS):
                total.push(f(X[start : start + BLOCK_ROWS], None, *shared))
                found = True
        return total.total() if found else None


def fit_to_all(data: LongTable, prepared: Prepared, clustering: Clustering, seed: int) -> tuple[Clustering, int]:
    """The clustering with a model of all rows, and how many passes that took; as it was where no pass can help."""
    if clustering.shape not in FITS or clustering.selection.chosen_k == 1:
        return clustering, 0
    model, n_passes = FITS[clustering.shape](data, prepared, clustering)
    X = clustering.seen(prepared.X)
    labels = np.asarray(model.predict(X))
    k = clustering.selection.chosen_k
    if len(np.unique(labels)) < k:  # what is told of a cluster is told of its rows in the sample
        return clustering, 0
    if hasattr(model, "labels_"):
        model.labels_, model.inertia_ = labels, -model.score(X)
    confidence = confidence_of_rows(model, X, k, seed)
    centers = np.asarray(model.cluster_centers_ if clustering.shape == "round" else model.means_)
    return clustering._replace(model=model, labels=labels, confidence=confidence, centers=centers), n_passes


def _fit_round(data: LongTable, prepared: Prepared, clustering: Clustering) -> tuple[Any, int]:
    X = AllRows(data, prepared, View(clustering.axes))
    centers, least = clustering.centers, TOLERANCE * float(prepared.X.var(axis=0).mean())
    for _ in range(MOST_PASSES):
        new = SquaredDistance().prototypes(X.reduce(sums_of_nearest, centers), centers)
        step, centers = float(((new - centers) ** 2).sum()), new
        if step <= least:
            break
    model = copy(clustering.model)
    model.cluster_centers_ = centers.astype(model.cluster_centers_.dtype)
    return model, X.n_passes


def sums_of_nearest(block: np.ndarray, rows: None, centers: np.ndarray) -> Stats:
    """Sums and numbers of the rows nearest to each centre."""
    cost = SquaredDistance()
    nearest = cost.distances(block, centers).argmin(axis=1)
    return cost.statistics(block, np.eye(len(centers))[nearest], centers)


def _fit_gaussian(data: LongTable, prepared: Prepared, clustering: Clustering) -> tuple[Any, int]:
    model = copy(clustering.model)
    mixture, units = engine("full", model.weights_, model.means_, model.precisions_cholesky_, np.dtype(np.float64))
    X = AllRows(data, prepared, View(None, units))
    spread = prepared.X.var(axis=0)
    cost = Gaussian(Full(), model.reg_covar * np.where(spread > 0, spread, 1.0) * units.scale**2)
    state = expectation(X, cost, mixture._replace(precise=False), max_iter=MOST_PASSES, tol=model.tol)  # type: ignore[arg-type]
    for name, array in public(state.prototypes, units, cost.family, model.means_.dtype).items():
        setattr(model, name, array)
    model.lower_bound_ = float(np.log(units.scale).sum() - state.free_energy)
    return model, X.n_passes


FITS = {"round": _fit_round, "gaussian": _fit_gaussian}
