"""Rounded SVD: singular vectors cut to 0 and 1, roles = (V > t_role), assignments = (U > t_user)."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from unmix.roles.access.grants import Grants, dense_pieces
from unmix.roles.classical.best_assignment import boolean_product
from unmix.roles.classical.boolean_estimator import BooleanEstimator

GRID = np.round(np.arange(0.1, 0.95, 0.1), 1)


def singular_vectors(rows: Any, weights: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Singular values and right singular vectors (k, d) of the weighted rows, each with its larger side positive."""
    n, d = rows.shape
    values, vectors = from_rows(rows, weights) if k <= n < d else from_gram(rows, weights)
    values, vectors = values[:k], vectors[:k]
    sides = np.where(vectors.max(axis=1) >= -vectors.min(axis=1), 1.0, -1.0)
    return values, vectors * sides[:, None]


def from_rows(rows: Any, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All singular values, falling, and vectors (n, d) of rows that are fewer than their columns: O(n² d)."""
    dense = np.concatenate(list(dense_pieces(rows)))
    _, values, vectors = np.linalg.svd(dense * np.sqrt(weights)[:, None], full_matrices=False)
    return values, vectors


def from_gram(rows: Any, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same by the products of all pairs of columns: O(n d² + d³)."""
    gram = np.zeros((rows.shape[1], rows.shape[1]))
    begin = 0
    for piece in dense_pieces(rows):
        gram += piece.T @ (piece * weights[begin : begin + len(piece), None])
        begin += len(piece)
    values, vectors = np.linalg.eigh(gram)
    return np.sqrt(np.maximum(values[::-1], 0)), vectors.T[::-1]


class RoundedSVD(BooleanEstimator):
    """The leading singular vectors rounded to Boolean ones.

    ``X = U S Vᵀ``; roles are where a row of Vᵀ is above ``role_threshold`` times its largest entry, assignments where
    a column of U = X V / S is above ``user_threshold`` times its largest. A poor Boolean factorization, kept as the
    baseline every other method has to beat. O(n d²).

    Parameters
    ----------
    n_roles : int, default=4
        The number of roles, and of singular vectors.
    role_threshold, user_threshold : float in (0, 1) or "auto", default="auto"
        "auto" tries tenths, and keeps what reproduces X best.
    threshold : float or None, default=None
        Entries above it are grants. None expects 0 and 1, and warns where other values are cut at one half.

    Attributes
    ----------
    roles_ : ndarray of shape (n_roles, d)
    assignments_ : ndarray of shape (n, n_roles)
    singular_values_ : ndarray of shape (n_roles,)
    directions_ : ndarray of shape (d, n_roles)
        ``X @ directions_ > 1`` are the assignments.
    role_threshold_, user_threshold_ : float
        The thresholds used.
    n_features_in_ : int

    References
    ----------
    Frank, Buhmann & Basin, On the definition of role mining, SACMAT 2010, who take it for a baseline.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.roles import RoundedSVD
    >>> X = [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    >>> RoundedSVD(2).fit(X).roles_.astype(int)
    array([[1, 1, 0, 0],
           [0, 0, 1, 1]])
    """

    def __init__(self, n_roles=4, *, role_threshold="auto", user_threshold="auto", threshold=None):
        self.n_roles = n_roles
        self.role_threshold = role_threshold
        self.user_threshold = user_threshold
        self.threshold = threshold

    def _learn(self, grants: Grants, seed: int) -> np.ndarray:
        rows, weights = grants.counted
        values, vectors = singular_vectors(rows, weights, self.n_roles)
        real = values > 1e-9 * max(values[0], 1e-300)
        if not real.any():  # nobody has anything
            real[0] = True
        values, vectors = values[real], vectors[real]
        scores = rows @ vectors.T  # U S
        tops, peaks = vectors.max(axis=1), np.maximum(scores.max(axis=0), 1e-300)
        ones = np.asarray(rows.sum(axis=1)).ravel()
        best = None
        for role_cut in self._grid(self.role_threshold):
            roles = (vectors > role_cut * tops[:, None]).astype(np.float64)
            for user_cut in self._grid(self.user_threshold):
                granted = boolean_product(scores > user_cut * peaks, roles)
                agreed = np.asarray((rows * granted).sum(axis=1)).ravel()
                cost = float(weights @ (ones + granted.sum(axis=1) - 2 * agreed))
                if best is None or cost < best[0]:
                    best = (cost, role_cut, user_cut, roles)
        _, self.role_threshold_, self.user_threshold_, roles = best
        self.singular_values_ = values.astype(self._fit_dtype)
        self.directions_ = (vectors.T / (self.user_threshold_ * peaks)).astype(self._fit_dtype)
        return roles

    def _grid(self, chosen: Any) -> list[float]:
        return GRID.tolist() if isinstance(chosen, str) else [float(chosen)]

    def _assign(self, rows: Any) -> np.ndarray:
        return (rows @ self.directions_.astype(np.float64) > 1).astype(np.float64)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        for name in ("role_threshold", "user_threshold"):
            value = getattr(self, name)
            if not (value == "auto" if isinstance(value, str) else isinstance(value, Real) and 0 < value < 1):
                raise ValueError(f"{name}={value!r}: give a number between 0 and 1, or 'auto'")
