"""SVD denoising: X cut to rank K and rounded, x̂ = (X_K > t), with K and t chosen on entries left out."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from unmix.core.arguments import whole_number
from unmix.roles.access.grants import Grants, dense_pieces, pack
from unmix.roles.classical.block_errors import block_errors
from unmix.roles.classical.boolean_estimator import BooleanEstimator
from unmix.roles.classical.hamming_kmeans import distances
from unmix.roles.classical.rounded_svd import singular_vectors

CUTS = np.round(np.arange(0.2, 0.85, 0.05), 2)


class SVDDenoiser(BooleanEstimator):
    """The best approximation of rank K, rounded at t.

    ``x̂ = (X V_K V_Kᵀ > t)``. K and t are chosen on blocks of users and permissions left out in turn, each predicted
    from the rest (bi-cross-validation), so that noise is not learnt: for each K the t with the fewest errors, and of
    all K the smallest that is not worse than the best by more than two standard errors, the largest considered being
    that of the least squared error. Where more than a quarter of the entries are guessed wrong, blocks hardly tell K:
    then directions that stand out of the noise of the whole table are kept, unless that is clearly worse. The distinct
    denoised rows are the roles, and every user has the nearest one.
    O(n d m) in all and O(m³) a block left out, m the smaller of n and d.

    Parameters
    ----------
    n_components : int or "auto", default="auto"
        K, the rank; "auto" chooses among 1 … ``max_components``.
    cut : float or "auto", default="auto"
        t, above which an entry of the approximation is a grant; "auto" tries twentieths from 0.2 to 0.8.
    max_components : int, default=20
        The largest K that is tried.
    n_folds : int, default=5
        Users and permissions are each cut into so many groups, and each pair of groups is left out once.
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
    cuts_ : ndarray of shape (c,)
        The t that were tried.
    cv_errors_ : ndarray of shape (max_components, c) or None
        Share of wrong entries among those left out, for K = 1, 2, … and each t; None where there is too little to leave
        anything out.
    held_out_error_, held_out_standard_error_ : float, or None as above
        The share of wrong entries to expect where an entry was not seen: each block is judged by the K and t that the
        other blocks choose, so it has no part in anything it is a test of. Errors are those against X, noise included.
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
        n_folds=5,
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
        self.cuts_ = CUTS if isinstance(self.cut, str) else np.array([float(self.cut)])
        folds = min(self.n_folds, d, int(np.ceil(weights).sum()))
        if folds < 2:
            self.cv_errors_, self.held_out_error_, self.held_out_standard_error_ = None, None, None
            return most, 0.5 if isinstance(self.cut, str) else float(self.cut)
        dense = np.concatenate(list(dense_pieces(rows)))
        errors = block_errors(dense, weights, cuts=self.cuts_, most=most, n_folds=folds, seed=seed)
        self.cv_errors_ = errors.shares.astype(self._fit_dtype)
        seen = 1 if fixed else errors.directions_over_noise(singular_vectors(rows, weights, most)[0], d)
        self.held_out_error_, self.held_out_standard_error_ = errors.left_out(self.cuts_, fixed, seen)
        rank, cut = errors.choose(self.cuts_, fixed, seen)
        return rank + 1, float(self.cuts_[cut])

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
