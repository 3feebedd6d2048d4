"""Rows as points of a plane: their own two columns, two chosen ones, or the first two principal components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.plot.table import column_names, column_numbers, dense_columns


class Plane(NamedTuple):
    points: np.ndarray  # (n, 2)
    names: tuple[str, str]
    place: Callable[[Any], np.ndarray]  # of other rows of the same columns, such as centres
    whole: bool  # the points are the rows themselves, nothing is lost


def project(table: Any, X: Any, estimator: Any, columns: Any) -> Plane:
    """``columns`` None: both columns of two, principal components of more."""
    d = table.shape[1]
    if d == 1:
        raise ValueError("X has one column, and this figure needs two; DensityDisplay draws one column")
    names = column_names(X, estimator, d)
    if columns is None and d > 2:
        return _principal(table)
    first, second = (0, 1) if columns is None else column_numbers(columns, names)

    def place(rows: Any) -> np.ndarray:
        return dense_columns(rows, (first, second))

    return Plane(place(table), (names[first], names[second]), place, d == 2 and (first, second) == (0, 1))


def _principal(table: Any) -> Plane:
    from unmix.decomposition.pca import PCA

    model = PCA(min(2, *table.shape), missing="ignore").fit(table)
    shares = [*model.explained_variance_ratio_, 0.0][:2]

    def place(rows: Any) -> np.ndarray:
        codes = np.asarray(model.transform(rows), np.float64)
        return codes if codes.shape[1] == 2 else np.column_stack([codes, np.zeros(len(codes))])

    first, second = (f"component {i + 1} ({share:.0%})" for i, share in enumerate(shares))
    return Plane(place(table), (first, second), place, False)
