"""Truncated singular value decomposition: the best low-rank approximation, without centring."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.principal.spectrum import ROUTES, MissingValues, spectrum
from unmix.core.arguments import is_whole
from unmix.shell.linear_code import LinearCode
from unmix.shell.progress import with_callbacks


class TruncatedSVD(LinearCode):
    """Truncated singular value decomposition: the closest table of rank k, ``X ≈ Z U`` with orthonormal rows U.

    Objective: minimise ``||X - Z U||`` over Z (n, k) and U (k, d), in the spectral and the Frobenius norm at once
    (Eckart & Young 1936). Unlike PCA nothing is subtracted, so a sparse table is used as it is.

    Algorithm: as PCA, with XᵀX or X Xᵀ in place of the covariance, or block Lanczos from a random start.

    Parameters
    ----------
    n_components : int, default=2
        Rank of the approximation, at most the number of columns.
    solver : {"auto", "covariance", "gram", "randomized"}, default="auto"
        From XᵀX (one pass, n d² operations), X Xᵀ (n < d), or products with X alone (4 n d (k + 10) operations a
        pass); "auto" decides by shape.
    n_iter : int, default=100
        Most passes of "randomized", which stops by itself when the residual is below rounding.
    random_state : int, RandomState or None, default=None
        Seeds the start of "randomized", on which the result depends by rounding only. None is a fixed seed: the
        same table gives the same bits.

    Attributes
    ----------
    components_ : (n_components, n_features_in_) array
        Rows U, by falling singular value; the largest entry of each is positive.
    singular_values_ : (n_components,) array
    explained_variance_, explained_variance_ratio_ : (n_components,) arrays
        Variance of each column of Z, and its share of the variance of X.
    trace_ : list of dict
        What iterative solvers measured.

    References
    ----------
    Eckart & Young, Psychometrika 1, 1936; Halko, Martinsson & Tropp, SIAM Review 53, 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import TruncatedSVD
    >>> X = np.array([[3.0, 0.0, 4.0], [6.0, 0.0, 8.0], [0.0, 1.0, 0.0]])
    >>> svd = TruncatedSVD(n_components=1).fit(X)
    >>> svd.components_.round(3)
    array([[0.6, 0. , 0.8]])
    >>> svd.singular_values_.round(3)
    array([11.18])
    """

    def __init__(self, n_components=2, *, solver="auto", n_iter=100, random_state=None):
        self.n_components = n_components
        self.solver = solver
        self.n_iter = n_iter
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the leading right singular vectors of X, whose rows may be weighted (weight 2 is the row twice)."""
        blocks = self._blocks(X, reset=True)
        blocks, weights = self._counted(sample_weight, blocks)
        self._check_parameters(blocks)
        seed = 0 if self.random_state is None else self._seed()  # only rounding depends on it: repeatable by default
        with self._fitting(blocks, seed, weights):
            found = self._spectrum(blocks, weights, seed)
        self._store(found, blocks.dtype)
        return self

    def transform(self, X):
        """Codes ``Z = X Uᵀ``."""
        check_is_fitted(self)
        return self._blocks(X, reset=False).map(multiply, self.components_.T)

    def _check_parameters(self, blocks):
        k, d = self.n_components, blocks.shape[1]
        if not is_whole(k, 1) or k > d:
            raise ValueError(f"n_components={k!r} must be a whole number between 1 and n_features={d}")
        if self.solver != "auto" and self.solver not in ROUTES:
            raise ValueError(f"solver={self.solver!r} is not known; choose 'auto', {', '.join(map(repr, ROUTES))}")

    def _spectrum(self, blocks, weights, seed):
        k, solver = int(self.n_components), self.solver
        try:
            return spectrum(blocks, k, weights=weights, centred=False, solver=solver, max_iter=self.n_iter, seed=seed)
        except MissingValues as error:
            raise ValueError(
                f"Input X contains NaN ({error}); TruncatedSVD needs every entry, PCA takes NaN as missing values"
            ) from None

    def _store(self, found, dtype):
        self.components_ = found.components.astype(dtype)
        self.singular_values_ = (found.singular / found.scale).astype(dtype)
        offsets = found.components @ (found.mean * found.scale)
        variances = np.maximum(found.singular**2 / found.weight - offsets**2, 0.0)
        mean = found.mean * found.scale
        total = found.spread / found.weight - float(mean @ mean)
        with np.errstate(over="ignore", under="ignore"):
            self.explained_variance_ = (variances / found.scale / found.scale).astype(dtype)
        self.explained_variance_ratio_ = (variances / total if total > 0 else np.zeros_like(variances)).astype(dtype)
        if found.residual:
            warnings.warn(
                f"TruncatedSVD did not converge in n_iter={self.n_iter} passes (residual {found.residual:.1e} of the "
                "largest squared singular value); raise n_iter",
                ConvergenceWarning,
                stacklevel=3,
            )


def multiply(block: Any, rows: Any, right: np.ndarray) -> Any:
    return block @ right
