"""Truncated singular value decomposition: the best low-rank approximation, without centring."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.principal.spectrum import MissingValues, spectrum
from unmix.core.arguments import is_whole, one_of, whole_number
from unmix.decomposition.shared.svd_solvers import SVD_ALGORITHMS, check_effort, check_strictly_below
from unmix.shell.estimator import NOT_ROUTED
from unmix.shell.linear_code import LinearCode
from unmix.shell.progress import with_callbacks

MOST_PASSES = 100  # of products, unless more are asked for


class TruncatedSVD(LinearCode):
    """Truncated singular value decomposition: the closest table of rank k, ``X ≈ Z U`` with orthonormal rows U.

    Objective: minimise ``||X - Z U||`` over Z (n, k) and U (k, d), in the spectral and the Frobenius norm at once
    (Eckart & Young 1936). Unlike PCA nothing is subtracted, so a sparse table is used as it is.

    Algorithm: as PCA, with XᵀX (n d² operations) or X Xᵀ (n² d) in place of the covariance, or block Lanczos from a
    random start (4 n d (k + 10) a pass).

    Parameters
    ----------
    n_components : int, default=2
        Rank of the approximation, at most the number of columns.
    algorithm : {"auto", "arpack", "randomized", "covariance", "gram"}, default="auto"
        From XᵀX ("covariance": one pass, n d² operations), X Xᵀ ("gram", n < d), or products with X alone ("arpack"
        and "randomized": 4 n d (k + 10) operations a pass). All end at the rounding of the table; "auto" takes the
        cheapest. "arpack" wants fewer components than min(n, d).
    n_iter : int, default=5
        Passes of "arpack" and "randomized" are added until none could change a digit, which takes few; at most 100, or
        `n_iter` if that is more.
    n_oversamples : int, default=10
        Taken and not used: the iteration stops by its own error bound.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        Effort of scikit-learn's "randomized", which does not change the result here.
    random_state : int, RandomState or None, default=None
        Seeds the start of "arpack" and "randomized", on which the result depends by rounding only. None is a fixed
        seed: the same table gives the same bits.
    tol : float, default=0.0
        Accuracy asked of "arpack", which goes to the end of the digits whatever is asked.

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

    __metadata_request__fit = NOT_ROUTED

    def __init__(
        self,
        n_components=2,
        *,
        algorithm="auto",
        n_iter=5,
        n_oversamples=10,
        power_iteration_normalizer="auto",
        random_state=None,
        tol=0.0,
    ):
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol

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
        one_of("algorithm", self.algorithm, tuple(SVD_ALGORITHMS))
        check_strictly_below(k, min(blocks.shape), "algorithm", self.algorithm)
        check_effort(self.n_oversamples, self.power_iteration_normalizer, self.tol)
        whole_number("n_iter", self.n_iter, 0)

    def _most_passes(self):
        return max(int(self.n_iter), MOST_PASSES)

    def _spectrum(self, blocks, weights, seed):
        settings = {"solver": SVD_ALGORITHMS[self.algorithm], "max_iter": self._most_passes(), "seed": seed}
        try:
            return spectrum(blocks, int(self.n_components), weights=weights, centred=False, **settings)
        except MissingValues as error:
            raise ValueError(
                f"Input X contains NaN ({error}); TruncatedSVD needs every entry, PCA(missing='ignore') does not"
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
                f"TruncatedSVD did not converge in {self._most_passes()} passes (residual {found.residual:.1e} of the "
                "largest squared singular value); raise n_iter beyond that",
                ConvergenceWarning,
                stacklevel=3,
            )


def multiply(block: Any, rows: Any, right: np.ndarray) -> Any:
    return block @ right
