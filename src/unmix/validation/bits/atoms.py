"""Values that many cells of a column of numbers hold: zeros, a limit of detection, the highest step of a scale.

A law of density has no place for them, and a model that joins columns would find a group in each. So a column
is taken apart into its atoms, with a share each, and the law of the rest, F_c:

    F(x) = Σ_{a < x} s_a + (1 - Σ s) F_c(x),   and an atom is a piece of the score of the width of its share,

as a level is, and costs -log s: the density of a cell that is written to some precision is s / precision.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LEAST_SHARE = 0.04
LEAST_CELLS = 8


class Atoms(NamedTuple):
    """Values and shares of the atoms of each column, and the precision that cells of each are written to."""

    values: list[np.ndarray]
    shares: list[np.ndarray]
    precision: np.ndarray

    def __bool__(self) -> bool:
        return any(len(values) for values in self.values)

    def without(self, X: np.ndarray) -> np.ndarray:
        """The rest of the columns, NaN at atoms."""
        at = np.column_stack([np.isin(column, values) for column, values in zip(X.T, self.values)])
        return np.where(at, np.nan, X)

    def join(
        self, X: np.ndarray, density: np.ndarray, lower: np.ndarray, upper: np.ndarray, places: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Log-density and both tails of every cell, from those of the law of the rest; changed in place."""
        for j in np.flatnonzero([len(values) > 0 for values in self.values]):
            values, shares = self.values[j], self.shares[j]
            rest, own = 1 - shares.sum(), (X[:, [j]] == values) @ shares
            below = (X[:, [j]] > values) @ shares
            at, place = own > 0, places[:, j]
            density[:, j] += np.log(rest)
            density[at, j] = np.log(own[at]) - np.log(self.precision[j])
            lower[:, j] = below + rest * lower[:, j] + place * own
            upper[:, j] = shares.sum() - below - own + rest * upper[:, j] + (1 - place) * own
        return density, lower, upper


def find_atoms(X: np.ndarray, precision: np.ndarray) -> Atoms:
    """Of (n, d) numbers with NaN for gaps; the rest of a column always has values to learn its law from."""
    found = [_of_column(column[np.isfinite(column)]) for column in X.T]
    return Atoms([values for values, _ in found], [shares for _, shares in found], precision)


def _of_column(given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    values, counts = np.unique(given, return_counts=True)
    many = counts >= max(LEAST_SHARE * len(given), LEAST_CELLS)
    if len(given) - counts[many].sum() < LEAST_CELLS:
        many[:] = False
    return values[many], counts[many] / max(len(given), 1)
