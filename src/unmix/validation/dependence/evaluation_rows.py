"""The rows a criterion judges: without the steps of rounding, and with what is there several times known as such."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.validation.dependence.copies import find_copies
from unmix.validation.evidence.references.reference import Reference, ReferenceMaker, undo_rounding
from unmix.validation.fits.sampled_rows import counted_rows


class EvaluationRows(NamedTuple):
    """`rows` of the table as often as they count, in an order their values decide, and these rows without rounding.

    `which[i]` is the row of `different` that row i is; None where no row is there twice.
    """

    rows: np.ndarray  # (n,)
    smooth: np.ndarray  # (n, d)
    different: np.ndarray  # (m, d)
    which: np.ndarray | None  # (n,)

    def expand(self, rows: np.ndarray) -> np.ndarray:
        """What belongs to the different rows, for every row."""
        return rows if self.which is None else rows[self.which]

    def reference(self, make: ReferenceMaker, dtype: np.dtype) -> Reference:
        """Draws tables that hold their rows as often as this one does."""
        draw = make(self.different.astype(dtype, copy=False))
        return lambda rng: self.expand(draw(rng))


def evaluation_rows(X: np.ndarray, weights: np.ndarray | None, most: int, rng: np.random.Generator) -> EvaluationRows:
    """At most so many rows; a weight is a number of copies."""
    rows = counted_rows(X, weights, most, rng)
    which = _which(X, rows)
    if which is None:
        smooth = undo_rounding(X[rows], rng)
        return EvaluationRows(rows, smooth, smooth, None)
    _, first = np.unique(which, return_index=True)
    different = undo_rounding(X[rows[first]], rng)
    return EvaluationRows(rows, different[which], different, which)


def _which(X: np.ndarray, rows: np.ndarray) -> np.ndarray | None:
    """For each of the rows which of the different ones it is, in the order of their first."""
    new = np.append(True, rows[1:] != rows[:-1])
    own = rows[new]
    copies = find_copies(X[own])
    if copies is None and new.all():
        return None
    row = np.cumsum(new) - 1
    return row if copies is None else copies.which[row]
