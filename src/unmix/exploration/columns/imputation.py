"""Missing numbers filled from the other columns: their mean given the rest, under probabilistic PCA fitted by EM.

x_missing ← E[x_missing | x_given],  x = mean + U z + noise,  z ~ N(0, I)        (Roweis 1998; Tipping & Bishop 1999)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.decomposition import PCA

most_rows = 5_000  # from which ten directions are told well enough
_tolerance = 1e-4  # what EM gains later are directions of noise, which make the filling worse


class Filling(NamedTuple):
    """Fills the holes of rows that are standardised as those it was fitted to; without a model by the mean, 0."""

    pca: PCA | None

    def fill(self, X: np.ndarray) -> np.ndarray:
        """A copy of X in which every nan is replaced by its expected value; X itself where there is none."""
        gaps = np.isnan(X)
        rows = np.flatnonzero(gaps.any(axis=1))
        if not len(rows):
            return X
        filled = X.copy()
        expected = self.pca.inverse_transform(self.pca.transform(X[rows])) if self.pca else np.zeros((len(rows), 1))
        filled[rows] = np.where(gaps[rows], expected, X[rows])
        return filled


def fit_filling(X: np.ndarray, seed: int, tol: float = _tolerance) -> Filling:
    """What fills rows like those of X, standardised with nan for missing.

    EM stops where the log-likelihood of an entry rises by less than `tol`.
    """
    if X.shape[1] == 1 or not np.isnan(X).any():
        return Filling(None)
    if len(X) > most_rows:
        X = X[np.sort(spawn(seed, 9).choice(len(X), most_rows, replace=False))]
    return Filling(PCA(_rank(X.shape), tol=tol, random_state=seed, missing="ignore").fit(X))


def fill_missing(X: np.ndarray, seed: int, tol: float = _tolerance) -> np.ndarray:
    """X with every nan replaced by its expected value."""
    return fit_filling(X, seed, tol).fill(X)


def _rank(shape: tuple[int, int]) -> int:
    """Enough components to carry relations between columns, few enough to leave noise out."""
    n, d = shape
    return max(1, min(d // 2, n - 1, 10))
