"""The rows on which the number of clusters is judged, and what tables without clusters look like beside them.

Rounding is undone, rows stand in the order along which they depend, and references have the same gaps, filled the same
way: a filled cell agrees with the rest of its row by construction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.columns.imputation import Filling
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.columns.unrounding import unrounded
from unmix.exploration.structure.cloud import Cloud
from unmix.exploration.structure.row_order import RowOrder, find_order
from unmix.validation import uniform_reference
from unmix.validation.dependence.copies import find_copies
from unmix.validation.dependence.surrogate import DependentReference
from unmix.validation.dependence.units import UnitReference
from unmix.validation.evidence.references.reference import Reference, ReferenceMaker

most_rows = 2000  # for choosing k; the final fit sees every row


class Axes(NamedTuple):
    """Directions (m, d) and mean (d,) of a projection."""

    directions: np.ndarray
    mean: np.ndarray

    def project(self, X: np.ndarray) -> np.ndarray:
        return (X - self.mean) @ self.directions.T


def axes_of(cloud: Cloud | None) -> Axes | None:
    """The plane of the codes; None where there are none."""
    return None if cloud is None or not len(cloud.components) else Axes(cloud.directions, cloud.mean)


class EvaluationSet(NamedTuple):
    """`rows` of the matrix, their coordinates `space`, the column of each coordinate and whether it is a category.

    `cloud` are the factors of a table with categories, `pair` asks for two columns whose relation is all there is.
    """

    rows: np.ndarray
    space: np.ndarray
    owner: np.ndarray
    category: np.ndarray
    reference: ReferenceMaker
    order: RowOrder | None
    cloud: Cloud | None = None
    pair: Callable[[], tuple[str, str] | None] | None = None


class Rows(NamedTuple):
    """Numbers of rows of the matrix, these rows without rounding, in the order along which they depend, if they do."""

    numbers: np.ndarray
    X: np.ndarray
    order: RowOrder | None

    @property
    def ordered(self) -> np.ndarray | None:
        """The numbers where rows depend over long ways, None elsewhere."""
        return None if self.order is None or self.order.apart is not None else self.numbers

    @property
    def apart(self) -> np.ndarray | None:
        """Numbers of rows so far from each other that they hardly depend, where neighbours alone do; else None."""
        step = None if self.order is None else self.order.apart
        return None if step is None else self.numbers[::step]


def look_at_rows(prepared: Prepared, seed: int) -> Rows:
    """At most `most_rows` rows."""
    rows = sample_rows(len(prepared.X), most_rows, seed)
    X = unrounded(prepared, rows, seed)
    order = find_order(prepared, rows, X, seed)
    return Rows(rows, X, None) if order is None else Rows(rows[order.order], X[order.order], order)


def evaluation_set(prepared: Prepared, looked_at: Rows, axes: Axes | None, cloud: Cloud | None = None) -> EvaluationSet:
    """The rows on the given axes, or in the space of all features."""
    rows, X, order = looked_at
    space = X if axes is None else axes.project(X)
    copies = find_copies(X)
    single = np.arange(len(X)) if copies is None else copies.first
    reference = _reference(prepared, looked_at, space, single, axes)
    if axes is None:
        return EvaluationSet(rows, space, prepared.owner, prepared.category, reference, order, cloud)
    m = space.shape[1]
    return EvaluationSet(rows, space, np.arange(m), np.zeros(m, bool), reference, order)


def _reference(
    prepared: Prepared, looked_at: Rows, space: np.ndarray, single: np.ndarray, axes: Axes | None
) -> ReferenceMaker:
    """Makes tables that are rough as these rows; `single` are the places of rows that are no copies of others."""
    order = looked_at.order
    reference: ReferenceMaker = uniform_reference
    if order is not None and order.units is not None:
        reference = UnitReference(space[single], np.unique(order.units[single], return_inverse=True)[1])
    elif order is not None:
        reference = DependentReference(space[single], order.dependence.coefficient)
    holes = prepared.holes[looked_at.numbers[single]]
    if holes.any():
        reference = GappyReference(reference, holes, prepared.filling, axes, looked_at.X[single])
    return reference


def complete_rows(evaluated: EvaluationSet) -> np.ndarray:
    """Places of rows without a filled cell: those agree with the rest of their row, and lie in thin sheets.

    None are complete for sure where gaps and copies of rows come together.
    """
    if not isinstance(evaluated.reference, GappyReference):
        return np.arange(len(evaluated.space))
    holes = evaluated.reference.holes
    return np.flatnonzero(~holes.any(axis=1)) if len(holes) == len(evaluated.space) else np.empty(0, dtype=int)


def sample_rows(n: int, most: int, seed: int) -> np.ndarray:
    return np.arange(n) if n <= most else np.sort(spawn(seed, 4).choice(n, most, replace=False))


@dataclass(frozen=True)
class GappyReference:
    """References with the gaps of a table, filled as its gaps were.

    On axes, a reference is lifted into the space of the features with what the rows have besides, in another order.
    """

    make: ReferenceMaker
    holes: np.ndarray
    filling: Filling
    axes: Axes | None
    X: np.ndarray

    def __call__(self, X: np.ndarray) -> Reference:
        draw = self.make(X)

        def table(rng: np.random.Generator) -> np.ndarray:
            rows = draw(rng)
            like = rng.permutation(len(self.holes))
            if len(rows) != len(like):
                like = rng.choice(like, len(rows))
            full = np.where(self.holes[like], np.nan, self._lift(rows, rng.permutation(like)))
            filled = self.filling.fill(full)
            return (filled if self.axes is None else self.axes.project(filled)).astype(rows.dtype, copy=False)

        return table

    def _lift(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        if self.axes is None:
            return rows
        rest = self.X[others] - self.axes.mean
        rest = rest - (rest @ self.axes.directions.T) @ self.axes.directions
        return self.axes.mean + rows @ self.axes.directions + rest
