"""Robust PCA: a table as low rank plus sparse."""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.robust.robust_codes import robust_codes
from unmix.algorithms.robust.split_table import split_table
from unmix.core.arguments import whole_number
from unmix.shell.linear_code import LinearCode
from unmix.shell.missing import check_missing, ignores_missing
from unmix.shell.progress import with_callbacks


class RobustPCA(LinearCode):
    """Robust principal component analysis: low rank plus gross errors in some entries, both recovered, often exactly.

    Objective (principal component pursuit): ``‖L‖_* + λ ‖S‖₁`` subject to ``L + S = X`` where X is observed; the sum of
    singular values stands for the rank of L, the sum of absolute values for the number of errors in S. With ``noise``,
    ``‖L‖_* + λ ‖S‖₁ + ‖X - L - S‖² / 2δ`` (stable pursuit). Nothing is centred: a mean is one of the directions.

    Algorithm: alternating directions with only the singular values that survive, found from the subspace of the
    iteration before (6 n d k operations an iteration for rank k); as soon as the rank stands still, an exact solve on
    the support, which is accepted only with multipliers that prove it optimal. Where the data do not determine the
    split so sharply (noise), an extrapolated iteration goes on until the duality gap is below `tol`. All of it in
    double precision.

    Parameters
    ----------
    penalty : float or None, default=None
        λ. None is ``1/√(p max(n, d))`` for a share p of observed entries, with which exact recovery is proven.
    noise : float, default=0
        Standard deviation of dense noise on all entries, in the units of X; 0 asks for L + S = X.
    tol : float, default=1e-10
        Largest relative duality gap: how far the cost may be above the optimum. Of single precision, at least 6e-6.
    max_iter : int, default=1000
        Most iterations.
    missing : {"error", "ignore"}, default="error"
        What to do with NaN: refuse it, or take it for a value that was not observed.

    Attributes
    ----------
    low_rank_, sparse_ : (n, d) arrays
        L and S. Where X is NaN, L is the prediction and S is 0.
    support_ : (n, d) array of bool
        Where S is not zero.
    rank_ : int
    components_ : (rank_, d) array
        Right singular vectors of L, by falling singular value; the largest entry of each is positive.
    singular_values_ : (rank_,) array
        Of L (rows counted by their weights).
    penalty_ : float
        The λ used.
    noise_scale_ : float
        The δ used, ``noise √p (√n + √d)``.
    dual_gap_ : float
        The relative duality gap that was proven.
    n_iter_ : int
    trace_ : list of dict
        Residuals, steps and duality gaps, all relative, with the rank and the size of the support.

    References
    ----------
    Candès, Li, Ma & Wright, Journal of the ACM 58, 2011; Zhou, Li, Wright, Candès & Ma, ISIT 2010; Lin, Chen & Ma,
    arXiv:1009.5055, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import RobustPCA
    >>> rng = np.random.default_rng(0)
    >>> L = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 40))
    >>> X = L.copy()
    >>> X[rng.random(X.shape) < 0.05] = 100.0
    >>> model = RobustPCA().fit(X)
    >>> model.rank_, bool(np.allclose(model.low_rank_, L)), int(model.support_.sum()) == int((X == 100).sum())
    (2, True, True)
    """

    def __init__(self, penalty=None, *, noise=0.0, tol=1e-10, max_iter=1000, missing="error"):
        self.penalty = penalty
        self.noise = noise
        self.tol = tol
        self.max_iter = max_iter
        self.missing = missing

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Split X, whose rows may be weighted (weight 2 is the row twice) and, with ``missing="ignore"``, hold NaN."""
        self._check_parameters()
        check_missing(self)
        blocks = self._blocks(X, reset=True, sparse=False, allow_nan=ignores_missing(self))
        weights = self._weights(sample_weight, blocks)
        with self._fitting(blocks, 0, weights):
            table = np.asarray(blocks.gather())
            settings = {"tol": self.tol, "max_iter": self.max_iter}
            found = split_table(table, self.penalty, float(self.noise), weights, **settings)
        self._store(found, blocks.dtype)
        if weights is not None and not weights.all():  # rows that did not count are split like new ones
            absent = weights == 0
            self.low_rank_[absent], self.sparse_[absent] = self._parts(table[absent])
        return self

    def transform(self, X):
        """Codes Z of the rows of X, so that ``Z @ components_`` is their low-rank part.

        Each row is fitted by least absolute deviations, ``min ‖x - z components_‖₁``, so that gross errors in few of
        its entries do not move it; NaN are not looked at.
        """
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False, sparse=False, allow_nan=ignores_missing(self))
        return blocks.map(robust_codes, self.components_.astype(np.float64))

    def split(self, X):
        """Low-rank and sparse part of new rows, both (n, d): what `transform` explains, and what sticks out of it."""
        check_is_fitted(self)
        return self._parts(
            np.asarray(self._blocks(X, reset=False, sparse=False, allow_nan=ignores_missing(self)).gather())
        )

    @property
    def support_(self):
        """Where S is not zero."""
        check_is_fitted(self)
        return self.sparse_ != 0

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.allow_nan = ignores_missing(self)
        return tags

    def _check_parameters(self):
        if self.penalty is not None and not (isinstance(self.penalty, Real) and 0 < self.penalty < np.inf):
            raise ValueError(f"penalty={self.penalty!r} must be a positive number, or None for 1/√max(n, d)")
        if not (isinstance(self.noise, Real) and 0 <= self.noise < np.inf):
            raise ValueError(f"noise={self.noise!r} must be a standard deviation, 0 or more")
        if not (isinstance(self.tol, Real) and 0 < self.tol < 1):
            raise ValueError(f"tol={self.tol!r} must be a share of the cost between 0 and 1")
        whole_number("max_iter", self.max_iter)

    def _store(self, found, dtype):
        self.low_rank_ = found.low_rank.astype(dtype)
        self.sparse_ = found.sparse.astype(dtype)
        self.components_ = found.components.astype(dtype)
        self.singular_values_ = found.values.astype(dtype)
        self.rank_ = len(found.values)
        self.penalty_, self.noise_scale_, self.dual_gap_ = float(found.price), float(found.delta), float(found.gap)
        self.n_iter_ = found.n_iter
        if not found.converged:
            warnings.warn(
                f"RobustPCA reached a duality gap of {found.gap:.1g} in max_iter={self.max_iter} iterations, not "
                f"tol={self.tol}; raise max_iter, or tol, or give the noise of the data",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _parts(self, X):
        """Low-rank and sparse part of rows; deviations within the noise, or rounding, are in neither."""
        low_rank = robust_codes(X, None, self.components_.astype(np.float64)) @ self.components_
        rest = np.where(np.isnan(X), 0.0, X - low_rank).astype(X.dtype)
        rounding = max(1e-9, 1e3 * np.finfo(X.dtype).eps) * np.abs(low_rank).max(axis=1, keepdims=True)
        within = X.dtype.type(self.noise_scale_ * self.penalty_)
        rest = np.where(np.abs(rest) <= rounding, 0.0, rest)
        return low_rank, (rest - np.clip(rest, -within, within)).astype(X.dtype)
