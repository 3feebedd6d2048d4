"""Missing numbers filled from the other columns: their mean given the rest, under probabilistic PCA fitted by EM.

x_missing ← E[x_missing | x_given],  x = mean + U z + noise,  z ~ N(0, I)        (Roweis 1998; Tipping & Bishop 1999)
"""

from __future__ import annotations

import numpy as np

from unmix.decomposition import PCA


def fill_missing(X: np.ndarray, seed: int, tol: float = 1e-7) -> np.ndarray:
    """A copy of X, standardised with nan for missing, in which every nan is replaced by its expected value.

    EM stops where the log-likelihood of an entry rises by less than `tol`.
    """
    gaps = np.isnan(X)
    if not gaps.any():
        return X
    filled = np.where(gaps, 0.0, X)  # the mean of a standardised column
    if X.shape[1] > 1:
        pca = PCA(_rank(X.shape), tol=tol, random_state=seed).fit(X)
        filled = np.where(gaps, pca.inverse_transform(pca.transform(X)), X)
    return filled


def _rank(shape: tuple[int, int]) -> int:
    """Enough components to carry relations between columns, few enough to leave noise out."""
    n, d = shape
    return max(1, min(d // 2, n - 1, 10))
