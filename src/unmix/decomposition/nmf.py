"""Non-negative matrix factorization: a table as sums of parts."""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.nonnegative.fits.encode import decoder, encode
from unmix.algorithms.nonnegative.fits.factorize import Settings, factorize, penalties
from unmix.algorithms.nonnegative.fits.online import OnlineSums, no_sums, online_updates
from unmix.algorithms.nonnegative.loss import FROBENIUS, ITAKURA_SAITO, KULLBACK_LEIBLER
from unmix.algorithms.nonnegative.problem import Problem
from unmix.algorithms.nonnegative.start import STARTS, Start, make_start
from unmix.algorithms.nonnegative.table import (
    count_negative,
    count_observed,
    count_zero,
    measure,
    safe_scale,
    suited,
    sums,
)
from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.decomposition.shared.nmf_start import check_vectors, chosen_start
from unmix.shell.data import check_finite
from unmix.shell.estimator import NOT_ROUTED
from unmix.shell.linear_code import LinearCode
from unmix.shell.missing import check_missing, ignores_missing
from unmix.shell.progress import with_callbacks

LOSSES = {"frobenius": FROBENIUS, "kullback-leibler": KULLBACK_LEIBLER, "itakura-saito": ITAKURA_SAITO}
SOLVERS = {"hals": "hals", "cd": "hals", "mu": "multiplicative"}


class NMF(LinearCode):
    """Non-negative matrix factorization: amounts as a sum of few parts, ``X ≈ Z U`` with Z ≥ 0 and U ≥ 0.

    Objective: minimise ``D(X, Z U) + alpha_W d (l1_ratio |Z|₁ + ½ (1 - l1_ratio) |Z|²)
    + alpha_H n (l1_ratio |U|₁ + ½ (1 - l1_ratio) |U|²)``, where D is ``½ ||X - Z U||²`` ("frobenius"), the sum of
    ``x log(x / y) - x + y`` ("kullback-leibler", for counts) or of ``x / y - log(x / y) - 1`` ("itakura-saito", for
    powers and whatever noise multiplies). With ``missing="ignore"`` NaN are cells that were not observed and do not
    count.

    Algorithm: "hals" improves one column of a factor at a time. For the Frobenius loss one pass over the rows gives
    X Uᵀ, ZᵀX and ZᵀZ, and up to twenty sweeps of coordinate descent on k×k matrices follow each product: 4 n d k
    operations an iteration. For Kullback-Leibler a start by least squares is followed by safeguarded
    Newton-like steps in each coordinate, on the table and its transpose (2 n d k operations, stored entries only).
    For other losses it takes the longest multiplicative steps known to be safe, from two starts below β = 1, where
    local minima are many. "mu" is the multiplicative rule of Lee and Seung, step for step, with the exponent that
    Févotte and Idier give for each β. No solver ever raises the objective.

    Parameters
    ----------
    n_components : int, "auto" or None, default="auto"
        Number k of parts; "auto" and None take that of a given start, or else one a column.
    init : {"nndsvda", "nndsvd", "nndsvdar", "random", "custom"}, (k, d) array or None, default=None
        Start: from the leading singular vectors, with zeros left ("nndsvd"), filled by the mean ("nndsvda") or by small
        random numbers ("nndsvdar"); random; given components; or "custom" with `W` and `H` given to `fit`. None is
        "nndsvda", with random parts beyond the singular vectors that there are. A given start keeps its order.
    solver : {"hals", "cd", "mu"}, default="hals"
        See above. "cd" is "hals" for the Frobenius loss, and refuses the others.
    beta_loss : {"frobenius", "kullback-leibler", "itakura-saito"} or float, default="frobenius"
        The divergence D; a number is the β of the family ``(x^β + (β - 1) y^β - β x y^(β-1)) / (β (β - 1))``, of which
        the three are β = 2, 1 and 0. From β = 0 down zeros are infinitely far from any product and are refused.
    tol : float, default=1e-4
        "hals" for the Frobenius loss stops when the projected gradient has fallen to this share of the first one; the
        others when ten iterations lower the root of the objective by less than this share of the first.
    max_iter : int, default=200
        Most iterations.
    random_state : int, RandomState or None, default=None
        Seeds a random start, the search for singular vectors, and the order of `shuffle`.
    alpha_W : float, default=0.0
        Strength of the penalty on the codes.
    alpha_H : float or "same", default="same"
        Strength of the penalty on the components; "same" as `alpha_W`.
    l1_ratio : float, default=0.0
        Share of the penalty that is ℓ1 (1: sparse factors); the rest is squared ℓ2.
    verbose : int, default=0
        Above 0, print what `trace_` records.
    shuffle : bool, default=False
        Draw the order in which components are improved, once a fit; of no effect for "mu", which improves all at once.
    missing : {"error", "ignore"}, default="error"
        Refuse NaN, or take them as cells that were not observed.

    Attributes
    ----------
    components_ : (n_components_, n_features_in_) array
        Rows U: the parts, those that tell most first. Without penalties ``||z_c|| = ||u_c||``, as closely as the fit
        has converged.
    n_components_ : int
    reconstruction_err_ : float
        ``√(2 D)`` of the training table: ``||X - Z U||`` for the Frobenius loss.
    n_iter_ : int
    statistics_ : dict
        Sums over the rows (ZᵀZ and ZᵀX for the Frobenius loss, with Z U in place of NaN), their weight and scale, from
        which `partial_fit` goes on.
    trace_ : list of dict
        The objective, iteration by iteration; of each start, where there are two. The last is that of the components
        with the codes that `transform` gives: without penalties ``reconstruction_err_**2 / 2``.

    References
    ----------
    Lee & Seung, Nature 401, 1999; Cichocki & Phan, IEICE Trans. E92-A, 2009; Gillis & Glineur, Neural Computation 24,
    2012; Hsieh & Dhillon, KDD 2011; Févotte & Idier, Neural Computation 23, 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import NMF
    >>> X = np.array([[2.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 1.0], [1.0, 1.0, 6.0, 2.0]])
    >>> nmf = NMF(n_components=2, tol=1e-8).fit(X)
    >>> (nmf.components_ / nmf.components_.max(axis=1, keepdims=True)).round(2)
    array([[0.  , 0.  , 1.  , 0.33],
           [1.  , 1.  , 0.  , 0.  ]])
    >>> round(nmf.reconstruction_err_, 4)
    0.0
    """

    __metadata_request__fit = __metadata_request__partial_fit = NOT_ROUTED

    def __init__(
        self,
        n_components="auto",
        *,
        init=None,
        solver="hals",
        beta_loss="frobenius",
        tol=1e-4,
        max_iter=200,
        random_state=None,
        alpha_W=0.0,
        alpha_H="same",
        l1_ratio=0.0,
        verbose=0,
        shuffle=False,
        missing="error",
    ):
        self.n_components = n_components
        self.init = init
        self.solver = solver
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.verbose = verbose
        self.shuffle = shuffle
        self.missing = missing

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None, W=None, H=None):
        """Find the parts of X, whose rows may be weighted (weight 2 is the row twice).

        `W` (n, k) and `H` (k, d) are codes and components to start from, for ``init="custom"``.
        """
        self._fit(X, sample_weight, W, H)
        return self

    @with_callbacks
    def fit_transform(self, X, y=None, W=None, H=None, sample_weight=None):
        """Find the parts of X and return its codes, the same as ``fit(X).transform(X)`` in one pass less."""
        return np.asarray(self._fit(X, sample_weight, W, H))

    def _fit(self, X, sample_weight, W, H):
        self._check_parameters()
        blocks, weights, extent = self._table(X, reset=True, sample_weight=sample_weight)
        start = chosen_start(self.init, self.n_components, blocks.shape, W, H)
        k = self._number(blocks, start)
        check_vectors(self.init, k, blocks.shape)
        seed = 0 if self.random_state is None else self._seed()
        with self._fitting(blocks, seed, weights):
            found = factorize(blocks, weights, k, self._settings(start), extent, seed)
        self.components_, self.n_components_ = found.components, k
        self.reconstruction_err_, self.n_iter_ = found.error, found.iterations
        self.statistics_ = found.seen._asdict()
        if not found.converged and self.tol > 0:
            warnings.warn(
                f"Maximum number of iterations {self.max_iter} reached. Increase it to improve convergence "
                f"(max_iter), or raise tol={self.tol}",
                ConvergenceWarning,
                stacklevel=4,
            )
        return found.codes

    @with_callbacks
    def partial_fit(self, X, y=None, sample_weight=None):
        """Improve the parts by further rows; sums stand for all rows seen before, in this way or by `fit`."""
        self._check_parameters()
        first = not hasattr(self, "components_")
        blocks, weights, extent = self._table(X, reset=first, sample_weight=sample_weight)
        scale = safe_scale(extent.size, blocks.dtype)
        seed = 0 if self.random_state is None else self._seed()
        with self._fitting(blocks, seed, weights):
            if first:
                components, seen = self._begin(blocks, weights, scale, seed)
            else:
                components, seen = self.components_, OnlineSums(**vars(self)["statistics_"])
                if not seen.cross.any():  # nothing but zeros so far
                    components, _ = self._begin(blocks, weights, scale, seed)
            alphas = penalties(self._settings("random"), 1.0, blocks.shape[1])
            gaps = extent.missing > 0
            self.components_, seen = online_updates(
                blocks, weights, components, seen, alphas, self._loss(), scale, gaps
            )
        self.n_components_, self.statistics_ = len(self.components_), seen._asdict()
        self.n_iter_ = getattr(self, "n_iter_", 0) + 1
        return self

    def transform(self, X):
        """Codes of the rows of X: the best non-negative ones for the parts found."""
        check_is_fitted(self)
        self._check_names()  # they may have been changed since, or come from a file
        blocks, _, _ = self._table(X, reset=False)
        codes, _ = penalties(self._settings("random"), 1.0, blocks.shape[1])
        return encode(blocks, decoder(self.components_, codes, self._loss()))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = ignores_missing(self)
        tags.input_tags.positive_only = True
        return tags

    def _table(self, X, reset, sample_weight=None):
        """The table, which must not be negative, its weights, and the extent of the rows that count."""
        blocks = suited(self._blocks(X, reset=reset, finite=False))
        weights = self._weights(sample_weight, blocks)
        extent = blocks.reduce(measure)
        if not np.isfinite(extent.size):
            check_finite(self, blocks, ignores_missing(self))
        if extent.smallest < 0:
            counts = blocks.reduce(count_negative).counts
            column = int(np.flatnonzero(counts)[0])
            raise ValueError(
                f"Negative values in data passed to NMF: {int(counts.sum())}, the first in column "
                f"{self._name(column)}; shift or drop such columns, or use SemiNMF"
            )
        if self._loss() <= 0:
            self._refuse_zeros(blocks, weights)
        if extent.missing and not ignores_missing(self):
            check_finite(self, blocks, allow_nan=False)
        if extent.missing and blocks.sparse:
            raise ValueError("a sparse table with NaN entries cannot be used; give missing values in a dense table")
        if extent.missing and reset:
            counts = blocks.reduce(count_observed, rows=weights).counts
            if not counts.all():
                column = int(np.flatnonzero(counts == 0)[0])
                raise ValueError(f"column {self._name(column)} has no observed value (all NaN); drop it")
        return blocks, weights, extent if weights is None else blocks.reduce(measure, rows=weights)

    def _refuse_zeros(self, blocks, weights):
        counts = blocks.reduce(count_zero, rows=weights).counts
        if counts.any():
            column = int(np.flatnonzero(counts)[0])
            raise ValueError(
                "When beta_loss <= 0 and X contains zeros, the solver may diverge. "
                f"beta_loss={self.beta_loss!r} compares entries by their ratio, and X holds {int(counts.sum())} zeros, "
                f"the first in column {self._name(column)}; add a small amount to X, use 'kullback-leibler', or make "
                "what was not observed NaN, with missing='ignore'"
            )

    def _loss(self):
        """The β of the divergence."""
        return LOSSES[self.beta_loss] if isinstance(self.beta_loss, str) else float(self.beta_loss)

    def _name(self, column):
        names = getattr(self, "feature_names_in_", None)
        return column if names is None else repr(str(names[column]))

    def _number(self, blocks, start):
        if self.n_components is None or self.n_components == "auto":
            return len(start.components) if isinstance(start, Start) else blocks.shape[1]
        return int(self.n_components)

    def _settings(self, start):
        alphas = (self.alpha_W, self.alpha_W if self.alpha_H == "same" else self.alpha_H)
        solver = SOLVERS[self.solver]
        return Settings(solver, self._loss(), start, alphas, self.l1_ratio, self.max_iter, self.tol, bool(self.shuffle))

    def _begin(self, X, weights, scale, seed):
        """Components from the first rows, and sums over none."""
        root = float(np.sqrt(scale))
        start = chosen_start(self.init, self.n_components, X.shape, None, None)
        k = self._number(X, start)
        if isinstance(start, Start):
            components = start.components.astype(X.dtype)
        else:
            found = X.reduce(sums, scale, rows=weights)
            made = make_start(Problem(X, weights, scale), k, start, found, seed)
            components = (made.components / root).astype(X.dtype)
        return components, no_sums(k, X.shape[1], scale, self._loss())

    def _check_parameters(self):
        if not (self.n_components is None or (isinstance(self.n_components, str) and self.n_components == "auto")):
            whole_number("n_components", self.n_components, 1, ' or "auto"')
        whole_number("max_iter", self.max_iter, 1)
        check_missing(self)
        if not isinstance(self.verbose, bool):
            whole_number("verbose", self.verbose, 0)
        self._check_penalties()
        self._check_method()

    def _check_penalties(self):
        for name in ("alpha_W", "alpha_H", "l1_ratio", "tol"):
            value = getattr(self, name)
            if isinstance(value, str) and name == "alpha_H" and value == "same":
                continue
            zero_or_more(name, value)
        if self.l1_ratio > 1:
            raise ValueError(f"l1_ratio={self.l1_ratio!r}: give a share between 0 and 1")

    def _check_names(self):
        one_of("solver", self.solver, tuple(SOLVERS))
        given = self.beta_loss
        number = isinstance(given, Real) and not isinstance(given, bool) and abs(given) < float("inf")
        if not number:
            one_of("beta_loss", given, tuple(LOSSES), "a number β")

    def _check_method(self):
        self._check_names()
        if isinstance(self.init, str):
            one_of("init", self.init, (*STARTS, "custom"), "an array")
        if self.solver == "cd" and self._loss() != FROBENIUS:
            raise ValueError(
                f"Invalid beta_loss parameter: solver 'cd' does not handle beta_loss = {self.beta_loss!r}; use "
                "'hals', which does, or 'mu'"
            )
        if self.solver == "mu" and isinstance(self.init, str) and self.init == "nndsvd":
            warnings.warn(
                "The multiplicative update ('mu') solver cannot update zeros present in the initialization, and so "
                "leads to poorer results with init='nndsvd'; use init='nndsvda' or 'nndsvdar'",
                UserWarning,
                stacklevel=5,
            )
