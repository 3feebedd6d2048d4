"""SVD denoising: X cut to rank K and rounded, x̂ = (X_K > t), with K and t chosen on entries left out."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.roles.boolean_estimator import BooleanEstimator
from unmix.roles.grants import Grants, dense_pieces, pack
from unmix.roles.hamming_kmeans import distances
from unmix.roles.rounded_svd import singular_vectors
from unmix.shell.parameters import whole_number

CUTS = np.round(np.arange(0.2, 0.85, 0.05), 2)


def left_out_errors(
    rows: np.ndarray, weights: np.ndarray, users: np.ndarray, permissions: np.ndarray, most: int
) -> np.ndarray:
    """Errors (rank, cut) on the block users × permissions, predicted from all other entries.

    x̂ = X_out (A_K)⁺ B with A the block of other users and other permissions, B other users and these permissions.
    """
    outer, weight = rows[~users], np.sqrt(weights[~users])[:, None]
    left, values, right = np.linalg.svd(outer[:, ~permissions] * weight, full_matrices=False)
    rank = min(most, int((values > 1e-9 * max(values[0], 1e-300)).sum()))
    seen, truth = rows[users][:, ~permissions], rows[users][:, permissions]
    errors, guess = np.full((most, len(CUTS)), np.inf), np.zeros(truth.shape)
    for k in range(rank):
        known = left[:, k] @ (outer[:, permissions] * weight)
        guess = guess + np.outer(seen @ right[k] / values[k], known)
        wrong = [(weights[users] @ ((guess > cut) != truth)).sum() for cut in CUTS]
        errors[k] = wrong
    return errors


class SVDDenoiser(BooleanEstimator):
    """The best approximation of rank K, rounded at t.

    ``x̂ = (X V_K V_Kᵀ > t)``. K and t are those with the fewest errors on blocks of users and permissions left out in
    turn, each predicted from the rest (bi-cross-validation), so that noise is not learnt. The distinct denoised rows
    are the roles, and every user has the nearest one. One SVD, O(n d²), a block left out.

    Parameters
    ----------
    n_components : int or "auto", default="auto"
        K, the rank; "auto" chooses among 1 … ``max_components``.
    cut : float or "auto", default="auto"
        t, above which an entry of the approximation is a grant.
    max_components : int, default=20
    n_folds : int, default=4
        Users and permissions are each cut into so many groups.
    threshold : float or None, default=None
        Entries above it are grants. None expects 0 and 1, and warns where other values are cut at one half.
    random_state : int, RandomState or None, default=None
        Of the groups.

    Attributes
    ----------
    roles_ : ndarray of shape (n_roles, d)
        Distinct denoised rows.
    assignments_ : ndarray of shape (n, n_roles)
    n_components_ : int
    cut_ : float
    components_ : ndarray of shape (n_components_, d)
    n_features_in_ : int

    References
    ----------
    Owen & Perry, Bi-cross-validation of the SVD and the nonnegative matrix factorization, Ann. Appl. Stat. 3 (2009).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.roles import SVDDenoiser
    >>> X = np.repeat([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], 10, axis=0)
    >>> X[0, 3], X[12, 4] = 1, 0
    >>> model = SVDDenoiser(2, cut=0.5).fit(X)
    >>> model.inverse_transform(model.assignments_)[[0, 12]].astype(int)
    array([[1, 1, 1, 0, 0, 0],
           [0, 0, 0, 1, 1, 1]])
    """

    def __init__(
        self,
        n_components="auto",
        *,
        cut="auto",
        max_components=20,
        n_folds=4,
        threshold=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.cut = cut
        self.max_components = max_components
        self.n_folds = n_folds
        self.threshold = threshold
        self.random_state = random_state

    def _learn(self, grants: Grants, seed: int) -> np.ndarray:
        rows, weights = grants.counted
        self.n_components_, self.cut_ = self._choose(rows, weights, seed)
        _, vectors = singular_vectors(rows, weights, self.n_components_)
        self.components_ = vectors.astype(self._fit_dtype)
        denoised = self._denoise(rows)
        _, first, place = np.unique(pack(denoised), axis=0, return_index=True, return_inverse=True)
        mass = np.bincount(place.ravel(), weights=weights)
        return denoised[first[np.argsort(-mass, kind="stable")]]

    def _choose(self, rows: Any, weights: np.ndarray, seed: int) -> tuple[int, float]:
        n, d = rows.shape
        fixed = not isinstance(self.n_components, str)
        most = min(self.n_components if fixed else self.max_components, n, d)
        if (fixed and not isinstance(self.cut, str)) or min(n, d) < 2:
            return most, 0.5 if isinstance(self.cut, str) else float(self.cut)
        dense = np.concatenate(list(dense_pieces(rows)))
        folds = min(self.n_folds, n, d)
        user_fold = spawn(seed, 0).permutation(np.arange(n) % folds)
        permission_fold = spawn(seed, 1).permutation(np.arange(d) % folds)
        parts = [left_out_errors(dense, weights, user_fold == f, permission_fold == f, most) for f in range(folds)]
        errors = np.sum(parts, axis=0)
        if fixed:
            errors = errors[-1:]
        if not isinstance(self.cut, str):
            errors = errors[:, [int(np.abs(CUTS - self.cut).argmin())]]
        k, cut = np.unravel_index(int(np.argmin(errors)), errors.shape)
        chosen = float(CUTS[cut]) if isinstance(self.cut, str) else float(self.cut)
        return most if fixed else int(k) + 1, chosen

    def _denoise(self, rows: Any) -> np.ndarray:
        components = self.components_.astype(np.float64)
        return ((rows @ components.T) @ components > self.cut_).astype(np.float64)

    def denoise(self, X):
        """X cut to rank K and rounded; unlike the roles, not limited to rows seen in the fit."""
        return self._denoise(self._rows(X)).astype(self._fit_dtype)

    def _assign(self, rows: Any) -> np.ndarray:
        roles = self.roles_.astype(np.float64)
        return np.eye(len(roles))[distances(self._denoise(rows), roles).argmin(axis=1)]

    def _complete(self, rows: Any, shown: np.ndarray) -> np.ndarray:
        """Least squares on the shown permissions: x̂ = x_shown (V_shown)⁺ V."""
        components = self.components_.astype(np.float64)
        return (rows @ np.linalg.pinv(components * shown, rcond=1e-6)) @ components > self.cut_

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not isinstance(self.n_components, str) or self.n_components != "auto":
            whole_number("n_components", self.n_components, 1, ' or "auto"')
        if not (self.cut == "auto" if isinstance(self.cut, str) else isinstance(self.cut, Real)):
            raise ValueError(f"cut={self.cut!r}: give a number, or 'auto'")
        whole_number("max_components", self.max_components, 1)
        whole_number("n_folds", self.n_folds, 2)
