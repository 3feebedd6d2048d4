"""Are the sources of a recording found again when pieces of it are resampled (block bootstrap)?

Pieces are contiguous, because neighbouring rows are not independent. Of long recordings only some pieces
are looked at.

Künsch, The jackknife and the bootstrap for general stationary observations, Annals of Statistics 17, 1989.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from unmix.core.linalg import power_of_two
from unmix.core.warning_filters import without_warnings
from unmix.separation.stability import component_stability

RUNS = 10
PIECES = 25
MOST_ROWS = 50_000
FEWEST_ROWS = 100  # below, resampling says nothing


def recurrence(model: Any, X: np.ndarray, seed: int = 0) -> np.ndarray:
    """Mean correlation of each source with its counterpart in resampled recordings; NaN for short recordings.

    1: the same source every time; sources that are only a mixture of each other lie well below.

    Parameters
    ----------
    model : fitted estimator with ``components_``
    X : array of shape (n, d)
        The recording it was fitted to; missing values count as what the model expects of them.
    seed : int
    """
    n, d = X.shape
    if n < max(FEWEST_ROWS, 4 * d):
        return np.full(len(model.components_), np.nan)
    rows = pieces(filled(model, X))
    with without_warnings(Warning):  # what is to be said was said of the fit to all rows
        found: Any = component_stability(  # type: ignore[no-untyped-call]
            model, rows, n_runs=RUNS, block_length=max(1, len(rows) // PIECES), random_state=seed
        )
    counterpart = matched(model.components_, found.estimator.components_, rows)
    recovery: np.ndarray = np.append(found.recovery.mean(axis=0), 0.0)[counterpart]
    return recovery


def filled(model: Any, X: np.ndarray) -> np.ndarray:
    """The recording with its gaps closed by the model."""
    gaps = np.isnan(X)
    return np.where(gaps, model.inverse_transform(model.transform(X)), X) if gaps.any() else X


def pieces(rows: np.ndarray) -> np.ndarray:
    """All rows, or of very many some contiguous pieces evenly spread over them."""
    n, length = len(rows), MOST_ROWS // PIECES
    if n <= MOST_ROWS:
        return rows
    starts = np.linspace(0, n - length, PIECES).astype(int)
    return rows[(starts[:, None] + np.arange(length)).ravel()]


def matched(W: np.ndarray, V: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """For each row of W the row of V whose source is most alike; -1 where V has fewer."""
    unit = power_of_two(float(np.abs(rows).max(initial=0.0)))  # so that no square over- or underflows
    W, V, covariance = W / unit, V / unit, np.cov(rows * unit, rowvar=False)
    sizes = [np.sqrt(np.maximum(np.einsum("ia,ab,ib->i", M, covariance, M), 1e-300)) for M in (W, V)]
    alike = np.abs(W @ covariance @ V.T) / sizes[0][:, None] / sizes[1]
    counterpart = np.full(len(W), -1)
    own, other = linear_sum_assignment(-alike)
    counterpart[own] = other
    return counterpart
