"""Whitening as a function: uncorrelated columns of unit variance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from unmix.algorithms.independent.whitening import fit_whitening, nearest_to_channels, project
from unmix.core.arguments import whole_number
from unmix.shell.data import check_weights, to_blocks, weighted_rows


class Whitened(NamedTuple):
    """``rows = (X - mean) @ matrix.T`` has covariance I, and ``rows @ inverse.T + mean`` is X again."""

    rows: np.ndarray
    matrix: np.ndarray
    inverse: np.ndarray
    mean: np.ndarray


def whiten(X, n_components=None, *, method="pca", sample_weight=None):
    """Centre the rows and turn and scale them so that their covariance is the identity.

    Directions in which the rows do not vary (constant, repeated or dependent channels; more channels than rows) are
    left out. The covariance is that of dividing by n, as in every method here.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d), path, or dask collection
    n_components : int or None, default=None
        Keep the directions of most variance; None keeps all that have some.
    method : {"pca", "zca"}, default="pca"
        Coordinates along the directions of most variance, or (ZCA) one for each channel, changed as little as possible:
        ``matrix`` is then ``C^(-1/2)``, and every direction must vary.
    sample_weight : array-like of shape (n,), optional

    Returns
    -------
    Whitened
        With fields ``rows`` (n, k), ``matrix`` (k, d), ``inverse`` (d, k) and ``mean`` (d,).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 3)) @ np.array([[1.0, 2, 0], [0, 1, 0], [3, 0, 0]])  # rank 2
    >>> white = whiten(X)
    >>> white.rows.shape, bool(np.allclose(white.rows.T @ white.rows / 500, np.eye(2)))
    ((500, 2), True)
    """
    if n_components is not None:
        whole_number("n_components", n_components, 1, ", or None")
    if method not in ("pca", "zca"):
        raise ValueError(f"method={method!r}: give 'pca' or 'zca'")
    blocks = to_blocks(BaseEstimator(), X, reset=True, min_rows=2)
    rows, weights = weighted_rows(blocks, check_weights(sample_weight, blocks))
    frame = fit_whitening(rows, n_components, weights)
    frame = nearest_to_channels(frame) if method == "zca" else frame
    parts = (part.astype(blocks.dtype) for part in (frame.matrix, frame.inverse, frame.mean))
    return Whitened(blocks.map(project, frame.mean, frame.matrix), *parts)
