"""How often each source comes back when the recording is put together anew from pieces of itself.

    recurrence_j = mean over resamples of max_i |corr(s_j, s'_i)|

Pieces are contiguous, because neighbouring moments are no independent witnesses; s' are sources found in a resample,
applied to the whole recording.

Künsch, The jackknife and the bootstrap for general stationary observations, Annals of Statistics 17, 1989; Himberg,
Hyvärinen & Esposito, Validating the independent components of neuroimaging time series, NeuroImage 22, 2004.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone

from unmix.core.random import spawn

RESAMPLES = 10
PIECES = 25
MOST_ROWS = 50_000  # of a resample: longer recordings are judged on less, so the answer errs on the careful side
FEWEST_ROWS = 100  # of a recording: below, resampling says nothing


def recurrence(model: Any, X: np.ndarray, seed: int = 0, n_resamples: int = RESAMPLES) -> np.ndarray:
    """Mean largest correlation of each source of a fitted ``model`` with those of resamples; NaN for short recordings.

    Parameters
    ----------
    model : fitted estimator with ``components_``, ``mixing_`` and the parameter ``n_components``
    X : array of shape (n, d)
        The recording it was fitted to.
    seed : int
    n_resamples : int

    Returns
    -------
    ndarray of shape (k,)
        1: the same source every time; sources that are only a rotation of others lie well below.
    """
    n, k = len(X), len(model.components_)
    if n < max(FEWEST_ROWS, 4 * X.shape[1]):
        return np.full(k, np.nan)
    again = clone(model).set_params(n_components=k)
    found = [correlations(model, again, X[resample(n, spawn(seed, r))]) for r in range(n_resamples)]
    return np.mean([matrix.max(axis=1) for matrix in found], axis=0)


def resample(n: int, generator: np.random.Generator) -> np.ndarray:
    """Row numbers of as many contiguous pieces, drawn with replacement, as make up the recording."""
    length = max(1, min(n, MOST_ROWS) // PIECES)
    starts = generator.integers(0, n - length + 1, PIECES)
    return (starts[:, None] + np.arange(length)).ravel()


def correlations(model: Any, again: Any, rows: np.ndarray) -> np.ndarray:
    """|corr| of each source with each of a fit to other rows; none where that fit was impossible."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            other = again.fit(rows).components_
        except ValueError:
            return np.zeros((len(model.components_), 1))
    # sources have unit variance and X = S Aᵀ, so cov(s, s') = W A (W' A)ᵀ = (W' A)ᵀ
    crossed = (other @ model.mixing_).T
    return np.abs(crossed) / np.maximum(np.linalg.norm(crossed, axis=0), 1e-300)
