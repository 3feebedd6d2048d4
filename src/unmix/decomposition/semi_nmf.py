"""Semi-non-negative matrix factorization: rows as non-negative mixtures of free prototypes."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.algorithms.nonnegative.fits.encode import decoder, encode
from unmix.algorithms.nonnegative.fits.semi import METHODS, STARTS, fit_semi
from unmix.algorithms.nonnegative.loss import FROBENIUS
from unmix.algorithms.nonnegative.problem import Penalty
from unmix.algorithms.nonnegative.table import measure, suited
from unmix.core.arguments import whole_number, zero_or_more
from unmix.shell.data import check_finite
from unmix.shell.linear_code import LinearCode
from unmix.shell.progress import with_callbacks


class SemiNMF(LinearCode):
    """Semi-non-negative matrix factorization: ``X ≈ Z U`` with Z ≥ 0, while X and U may have either sign.

    Objective: minimise ``||X - Z U||²`` over Z ≥ 0 and U. K-means is the case in which every row of Z is one-hot;
    here a row may belong to several clusters, more or less.

    Algorithm: "hals" alternates non-negative least squares for the rows of Z, by coordinate descent on the k×k matrix
    U Uᵀ, with least squares for U, with momentum; "mu" is the multiplicative rule of Ding, Li and Jordan, step for
    step. One pass over the rows and 4 n d k operations an iteration. No step raises the objective.

    Parameters
    ----------
    n_components : int, default=2
        Number k of prototypes.
    solver : {"hals", "mu"}, default="hals"
        See above.
    init : {"kmeans", "random"} or (k, d) array, default="kmeans"
        Start from the clusters of K-means, from random codes, or from given prototypes, whose order is kept.
    max_iter : int, default=200
        Most iterations.
    tol : float, default=1e-4
        Stop when the projected gradient has fallen to this share of the first one.
    random_state : int, RandomState or None, default=None
        Seeds the start. None is a fixed seed: the same table gives the same bits.

    Attributes
    ----------
    components_ : (n_components, n_features_in_) array
        Rows U, those that tell most first, in the unit in which ``Σ_i z_i² = Σ_i z_i``: with one-hot codes they are the
        centres of K-means.
    reconstruction_err_ : float
        ``||X - Z U||`` of the training table.
    n_iter_ : int
    trace_ : list of dict
        The objective, iteration by iteration.

    References
    ----------
    Ding, Li & Jordan, Convex and semi-nonnegative matrix factorizations, IEEE Trans. PAMI 32, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import SemiNMF
    >>> X = np.array([[1.0, -1.0], [2.0, -2.0], [0.0, 3.0], [0.0, 1.0]])
    >>> semi = SemiNMF(n_components=2, random_state=0, tol=1e-8).fit(X)
    >>> round(semi.reconstruction_err_, 6)
    0.0
    >>> (semi.transform(X) >= 0).all()
    np.True_
    """

    def __init__(self, n_components=2, *, solver="hals", init="kmeans", max_iter=200, tol=1e-4, random_state=None):
        self.n_components = n_components
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the prototypes of X, whose rows may be weighted (weight 2 is the row twice)."""
        self._fit(X, sample_weight)
        return self

    @with_callbacks
    def fit_transform(self, X, y=None, sample_weight=None):
        """Find the prototypes of X and return its codes, the same as ``fit(X).transform(X)``."""
        return self._encode(self._fit(X, sample_weight))

    def _fit(self, X, sample_weight):
        self._check_parameters()
        blocks = self._table(X, reset=True)
        kept, weights = self._counted(sample_weight, blocks)
        kept = blocks if kept is blocks else suited(kept)
        extent = kept.reduce(measure, rows=weights)
        start = self.init if isinstance(self.init, str) else self._given(blocks)
        seed = 0 if self.random_state is None else self._seed()
        settings = {"solver": self.solver, "start": start, "max_iter": self.max_iter, "tol": self.tol}
        with self._fitting(kept, seed, weights):
            found = fit_semi(kept, weights, self.n_components, extent=extent, seed=seed, **settings)
        self.components_, self.reconstruction_err_ = found.components, found.error
        self.n_iter_ = found.iterations
        if not found.converged and self.tol > 0:
            warnings.warn(
                f"SemiNMF did not converge in max_iter={self.max_iter} iterations; raise max_iter, or tol",
                ConvergenceWarning,
                stacklevel=4,
            )
        return blocks

    def transform(self, X):
        """Codes of the rows of X: the best non-negative ones for the prototypes found."""
        check_is_fitted(self)
        return self._encode(self._table(X, reset=False))

    def _encode(self, blocks):
        return encode(blocks, decoder(self.components_, Penalty(), FROBENIUS))

    def _table(self, X, reset):
        blocks = suited(self._blocks(X, reset=reset, finite=False))
        extent = blocks.reduce(measure)
        if extent.missing or not np.isfinite(extent.size):
            check_finite(self, blocks, allow_nan=False)
        return blocks

    def _given(self, blocks):
        start = check_array(self.init, dtype=np.float64, input_name="init")
        if start.shape != (self.n_components, blocks.shape[1]):
            raise ValueError(f"init has shape {start.shape}; give {(self.n_components, blocks.shape[1])}")
        return start

    def _check_parameters(self):
        whole_number("n_components", self.n_components, 1)
        whole_number("max_iter", self.max_iter, 1)
        if self.solver not in METHODS:
            raise ValueError(f"solver={self.solver!r} is not known; choose {' or '.join(map(repr, METHODS))}")
        if isinstance(self.init, str) and self.init not in STARTS:
            known = ", ".join(map(repr, STARTS))
            raise ValueError(f"init={self.init!r} is not known; give one of {known} or an array of prototypes")
        zero_or_more("tol", self.tol)
