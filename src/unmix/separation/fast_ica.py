"""FastICA: sources as far from Gaussian as a rotation of the whitened rows makes them."""

from __future__ import annotations

import warnings

import numpy as np

from unmix.algorithms.independent import fixed_point, gradient_ascent
from unmix.algorithms.independent.contrast import CONTRASTS
from unmix.algorithms.independent.whitening import fit_whitening, nearest_to_channels, no_whitening, reduced
from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.core.random import spawn
from unmix.separation.fun import contrast_of
from unmix.separation.unmixing import Unmixing
from unmix.shell.estimator import NOT_ROUTED
from unmix.shell.progress import with_callbacks

ALGORITHMS = {"parallel": "symmetric", "deflation": "deflation"}
SOLVERS = {"fixed-point": fixed_point, "gradient": gradient_ascent}
WHITENINGS = ("unit-variance", "arbitrary-variance", "zca", False)
ROUTES = {"auto": "auto", "eigh": "covariance", "svd": "svd"}


class FastICA(Unmixing):
    """Independent components by the fixed point of a contrast.

    Objective: rows b of a rotation B of the whitened rows z, each at a maximum of ``(E[G(b·z)] - E[G(ν)])²``, ν
    Gaussian: sums of independent sources are nearer to Gaussian than the sources are.

    Algorithm: whiten; then ``B ← (E[g(s) sᵀ] - diag E[g'(s)]) B`` with s = B z, g = G', and B made orthogonal again,
    until it stands still (a Newton step, so near the end the number of right digits doubles). "deflation" does the
    same one unit at a time. Long tables are begun on a few thousand rows. A pass costs 2 n d k operations for the
    sources and 2 n k² for the products, reads X block by block and keeps k×k numbers. With ``solver="gradient"`` the
    same maxima are climbed along the gradient, ``Δb = ε γ E[z g(b·z)]`` with γ = E[G(b·z)] - E[G(ν)] (its sign for
    "cube", which is kurtosis), each step halved until the objective rises: it never falls, and takes more passes.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of sources; with fewer than the channels, the directions of most variance are kept. None: as many as the
        rows have directions in which they vary; a larger number is cut to that, with a warning, as in scikit-learn.
    algorithm : {"parallel", "deflation"}, default="parallel"
        All units together, or one after the other.
    whiten : {"unit-variance", "arbitrary-variance", "zca", False}, default="unit-variance"
        As in scikit-learn: sources of variance 1, or with a sum of squares of 1 ("arbitrary-variance"). "zca" begins
        from the whitening that changes the channels least, ``C^(-1/2)``, in whose coordinates `w_init` then is; it
        needs as many components as channels. False takes the rows as white and centred already: `components_` is a
        rotation of them, `n_components` does not count, and neither transform nor its inverse moves a mean.
    fun : {"logcosh", "exp", "cube"} or callable, default="logcosh"
        G: "logcosh" for general use, "exp" for heavy tails, "cube" is kurtosis, for light tails without outliers. A
        function of an array (units, rows) returns g and g', or g and the mean of g' over the rows of every unit; it is
        checked that g' is the derivative of g. Weights of rows need g' itself.
    fun_args : dict or None, default=None
        Arguments of a function, or ``{"alpha": a}`` of "logcosh", ``G(s) = log cosh(a s) / a``, a between 1 and 2.
    max_iter : int, default=200
        Most iterations, with "deflation" for each unit.
    tol : float, default=1e-4
        Stop when ``1 - |cos|`` between every unit and its last position is below.
    w_init : array of shape (n_components, n_components) or None, default=None
        Start, in whitened coordinates; None draws a rotation.
    whiten_solver : {"auto", "eigh", "svd"}, default="auto"
        Eigenvectors of the covariance, or singular vectors of the rows, which are then held in memory; "auto" is what
        the shape makes cheapest, with weak directions solved again.
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit.
    solver : {"fixed-point", "gradient"}, default="fixed-point"
        See above; "gradient" takes functions with a name.

    Attributes
    ----------
    components_ : ndarray of shape (k, d)
        The unmixing matrix: ``sources = (X - mean_) @ components_.T``. Sources have unit variance (see `whiten`), and
        come by the variance they explain in X.
    mixing_ : ndarray of shape (d, k)
        ``X ≈ sources @ mixing_.T + mean_``; the largest entry of every column is positive.
    mean_ : ndarray of shape (d,)
    whitening_ : ndarray of shape (k, d)
        None with ``whiten=False``.
    non_gaussianity_ : ndarray of shape (k,)
        Distance of each source from Gaussian in units of what chance reaches among Gaussian rows (at a level of
        1 %); two or more at 1 or below are warned of.
    n_iter_ : int
        Iterations over all rows.
    trace_ : list of dict
        The change of each iteration.

    References
    ----------
    Hyvärinen, Fast and robust fixed-point algorithms for independent component analysis, IEEE Trans. Neural Networks
    10, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.separation import FastICA, amari_index
    >>> rng = np.random.default_rng(0)
    >>> sources = rng.laplace(size=(2000, 3))
    >>> mixing = np.array([[1.0, 0.5, 0.2], [0.3, 1.0, 0.6], [0.1, 0.4, 1.0]])
    >>> ica = FastICA(random_state=0).fit(sources @ mixing.T)
    >>> amari_index(ica.components_, mixing) < 0.05
    True
    """

    __metadata_request__fit = NOT_ROUTED

    def __init__(
        self,
        n_components=None,
        *,
        algorithm="parallel",
        whiten="unit-variance",
        fun="logcosh",
        fun_args=None,
        max_iter=200,
        tol=1e-4,
        w_init=None,
        whiten_solver="auto",
        random_state=None,
        solver="fixed-point",
    ):
        self.n_components = n_components
        self.algorithm = algorithm
        self.whiten = whiten
        self.fun = fun
        self.fun_args = fun_args
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.whiten_solver = whiten_solver
        self.random_state = random_state
        self.solver = solver

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the sources of X, whose rows may be weighted (weight 2 is the row twice)."""
        self._check_parameters()
        blocks, weights, seed = self._rows_to_fit(X, sample_weight)
        contrast = contrast_of(self.fun, self.fun_args, weighted=weights is not None)
        with self._fitting(blocks, seed, weights):
            frame = self._frame(blocks, weights)
            start = self._start(len(frame.matrix), spawn(seed, 0))
            settings = {"weights": weights, "max_iter": self.max_iter, "tol": self.tol}
            climb = getattr(SOLVERS[self.solver], ALGORITHMS[self.algorithm])
            found = climb(*reduced(blocks, frame), start, contrast, **settings)
        self._store(frame, found.rotation, blocks.dtype)
        self.whitening_ = frame.matrix.astype(blocks.dtype) if self.whiten is not False else None
        self.n_iter_ = max(found.iteration, 1)
        if not found.done:
            self._tell_unconverged(
                "Consider increasing tolerance or the maximum number of iterations: the units still moved by "
                f"{found.change:.2g} after max_iter={self.max_iter} (tol={self.tol}); or try another fun or algorithm"
            )
        self._judge(blocks, weights, frame.weight, self.components_.astype(np.float64))
        if self.whiten == "arbitrary-variance":
            size = np.sqrt(frame.weight)
            self.components_, self.mixing_ = self.components_ / size, self.mixing_ * size
            self.components_, self.mixing_ = self.components_.astype(blocks.dtype), self.mixing_.astype(blocks.dtype)
        return self

    def transform(self, X, copy=True):
        """Sources of the rows of X, one column a source; X is never overwritten, whatever `copy` is."""
        return super().transform(X)

    def inverse_transform(self, X, copy=True):
        """Rows of the table from their sources, which are never overwritten, whatever `copy` is."""
        return super().inverse_transform(X)

    def _frame(self, blocks, weights):
        """The coordinates in which a rotation is looked for."""
        if self.whiten is False:
            if self._number() is not None:
                warnings.warn("Ignoring n_components with whiten=False.", UserWarning, stacklevel=4)
            return no_whitening(blocks, weights)
        frame = fit_whitening(blocks, self._number(), weights, solver=ROUTES[self.whiten_solver], at_most=True)
        self._tell_fewer(len(frame.matrix), min(blocks.shape))
        return nearest_to_channels(frame) if self.whiten == "zca" else frame

    def _tell_fewer(self, found, most):
        """Say where there are fewer directions than were asked for, or than small ones leave by squares."""
        if (self._number() or 0) > found:
            warnings.warn(
                f"n_components is too large: it will be set to {found}, the directions in which the rows of X vary",
                UserWarning,
                stacklevel=5,
            )
        elif self.n_components is None and self.whiten_solver == "eigh" and found < most:
            warnings.warn(
                f"There are some small singular values: {found} of {most} directions were kept. whiten_solver='svd' "
                "takes no squares and might keep more",
                UserWarning,
                stacklevel=5,
            )

    def _check_parameters(self):
        whole_number("max_iter", self.max_iter, 1)
        zero_or_more("tol", self.tol)
        self._check_choices()

    def _check_choices(self):
        one_of("algorithm", self.algorithm, tuple(ALGORITHMS))
        one_of("solver", self.solver, tuple(SOLVERS))
        if self.solver == "gradient" and callable(self.fun):
            raise ValueError(
                f"solver='gradient' climbs G itself, which fun={self.fun!r} does not tell; use a function with a name "
                f"({', '.join(map(repr, CONTRASTS))}) or solver='fixed-point'"
            )
        if self.whiten is not False and self.whiten not in WHITENINGS[:3]:
            raise ValueError(f"whiten={self.whiten!r}: give one of {', '.join(map(repr, WHITENINGS))}")
        one_of("whiten_solver", self.whiten_solver, tuple(ROUTES))
