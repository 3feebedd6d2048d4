"""The same table twice, perturbed: halves, parts, or noise; and the labels that a model fitted to each gives its rows.

Every way returns the rows to compare and two labellings of all rows, -1 where one has nothing to say.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.validation.evidence.resampled.carry import carry
from unmix.validation.fits.refit import labels_of, refit


class Table(NamedTuple):
    """Rows, as often as they count, and the labels the model gave them."""

    X: np.ndarray
    labels: np.ndarray


def split(settings: Any, estimator: Any, table: Table, rng: np.random.Generator) -> tuple:
    n = len(table.X)
    order = rng.permutation(n)
    halves = [np.sort(order[: n // 2]), np.sort(order[n // 2 :])]
    return halves[1], *(_view(estimator, table, rows, rng, carried_by=settings.transfer) for rows in halves)


def subsample(settings: Any, estimator: Any, table: Table, rng: np.random.Generator) -> tuple:
    n = len(table.X)
    size = min(n, max(2, round(settings.fraction * n)))
    parts = [np.sort(rng.choice(n, size, replace=False)) for _ in range(2)]
    return np.arange(n), *(_view(estimator, table, rows, rng) for rows in parts)


def noise(settings: Any, estimator: Any, table: Table, rng: np.random.Generator) -> tuple:
    X, rows = table.X, np.arange(len(table.X))
    scale = settings.noise * X.std(axis=0)
    noisy = [X + (scale * rng.standard_normal(X.shape)).astype(X.dtype, copy=False) for _ in range(2)]
    return rows, *(_view(estimator, table._replace(X=data), rows, rng) for data in noisy)


PERTURBATIONS = {"split": split, "subsample": subsample, "noise": noise}


def _view(
    estimator: Any, table: Table, rows: np.ndarray, rng: np.random.Generator, *, carried_by: Any = None
) -> np.ndarray:
    """Labels from a fit on some rows; carried to all others, or -1 there."""
    part = table.X[rows]
    model = refit(estimator, part, int(rng.integers(2**31)))
    own = labels_of(model, part)
    view = np.full(len(table.X), -1)
    if carried_by is not None:
        view[rows] = 0
        others = np.flatnonzero(view)
        view[others] = carry(carried_by, model, part, own, table.X[others])
    view[rows] = own
    return view
