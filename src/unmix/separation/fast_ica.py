"""FastICA: sources as far from Gaussian as a rotation of the whitened rows makes them."""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np

from unmix.algorithms.independent import fixed_point, gradient_ascent
from unmix.algorithms.independent.contrast import CONTRASTS, Contrast, check_derivative
from unmix.algorithms.independent.whitening import fit_whitening, nearest_to_channels, no_whitening, reduced
from unmix.core.arguments import whole_number, zero_or_more
from unmix.core.random import spawn
from unmix.separation.unmixing import Unmixing
from unmix.shell.progress import with_callbacks

ALGORITHMS = {"parallel": "symmetric", "symmetric": "symmetric", "deflation": "deflation"}
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
        rows have directions in which they vary.
    contrast : {"logcosh", "exp", "cube"} or callable, default="logcosh"
        G: "logcosh" for general use, "exp" for heavy tails, "cube" is kurtosis, for light tails without outliers. A
        function of an array that returns (g, g') is checked: g' must be the derivative of g.
    a : float, default=1.0
        Of "logcosh", ``G(s) = log cosh(a s) / a``, between 1 and 2.
    algorithm : {"parallel", "deflation"}, default="parallel"
        All units together (also called "symmetric"), or one after the other.
    solver : {"fixed-point", "gradient"}, default="fixed-point"
        See above; "gradient" takes contrasts with a name.
    whiten : {"unit-variance", "arbitrary-variance", "zca", False}, default="unit-variance"
        As in scikit-learn: sources of variance 1, or with a sum of squares of 1 ("arbitrary-variance"). "zca" begins
        from the whitening that changes the channels least, ``C^(-1/2)``, in whose coordinates `w_init` then is; it
        needs as many components as channels. False takes the rows as white and centred already: `components_` is a
        rotation of them, `n_components` does not count, and neither transform nor its inverse moves a mean.
    whiten_solver : {"auto", "eigh", "svd"}, default="auto"
        Eigenvectors of the covariance, or singular vectors of the rows, which are then held in memory; "auto" is what
        the shape makes cheapest, with weak directions solved again.
    max_iter : int, default=200
        Most iterations, with "deflation" for each unit.
    tol : float, default=1e-4
        Stop when ``1 - |cos|`` between every unit and its last position is below.
    w_init : array of shape (n_components, n_components) or None, default=None
        Start, in whitened coordinates; None draws a rotation.
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit.

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

    def __init__(
        self,
        n_components=None,
        *,
        contrast="logcosh",
        a=1.0,
        algorithm="parallel",
        solver="fixed-point",
        whiten="unit-variance",
        whiten_solver="auto",
        max_iter=200,
        tol=1e-4,
        w_init=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.contrast = contrast
        self.a = a
        self.algorithm = algorithm
        self.solver = solver
        self.whiten = whiten
        self.whiten_solver = whiten_solver
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the sources of X, whose rows may be weighted (weight 2 is the row twice)."""
        self._check_parameters()
        blocks, weights, seed = self._rows_to_fit(X, sample_weight)
        contrast = Contrast("cube" if self.contrast == "kurtosis" else self.contrast, float(self.a))
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
                f"the units still moved by {found.change:.2g} after max_iter={self.max_iter} iterations "
                f"(tol={self.tol}); raise max_iter or tol, or try another contrast or algorithm"
            )
        self._judge(blocks, weights, frame.weight, self.components_.astype(np.float64))
        if self.whiten == "arbitrary-variance":
            size = np.sqrt(frame.weight)
            self.components_, self.mixing_ = self.components_ / size, self.mixing_ * size
            self.components_, self.mixing_ = self.components_.astype(blocks.dtype), self.mixing_.astype(blocks.dtype)
        return self

    def _frame(self, blocks, weights):
        """The coordinates in which a rotation is looked for."""
        if self.whiten is False:
            if self._number() is not None:
                warnings.warn("n_components has no effect with whiten=False", UserWarning, stacklevel=4)
            return no_whitening(blocks, weights)
        frame = fit_whitening(blocks, self._number(), weights, solver=ROUTES[self.whiten_solver])
        return nearest_to_channels(frame) if self.whiten == "zca" else frame

    def _check_parameters(self):
        whole_number("max_iter", self.max_iter, 1)
        self._check_choices()
        if callable(self.contrast):
            check_derivative(self.contrast)
        elif self.contrast not in (*CONTRASTS, "kurtosis"):
            raise ValueError(
                f"contrast={self.contrast!r}: give one of {', '.join(map(repr, CONTRASTS))} or a function of an array "
                "that returns (g, g')"
            )
        if not isinstance(self.a, Real) or not 1 <= self.a <= 2:
            raise ValueError(f"a={self.a!r}: give a number from 1 to 2")
        zero_or_more("tol", self.tol)

    def _check_choices(self):
        if self.algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm={self.algorithm!r}: give 'parallel' or 'deflation'")
        if self.solver not in SOLVERS:
            raise ValueError(f"solver={self.solver!r}: give one of {', '.join(map(repr, SOLVERS))}")
        if self.solver == "gradient" and callable(self.contrast):
            raise ValueError(
                f"solver='gradient' climbs G itself, which contrast={self.contrast!r} does not tell; use a contrast "
                f"with a name ({', '.join(map(repr, CONTRASTS))}) or solver='fixed-point'"
            )
        if self.whiten is not False and self.whiten not in WHITENINGS[:3]:
            raise ValueError(f"whiten={self.whiten!r}: give one of {', '.join(map(repr, WHITENINGS))}")
        if self.whiten_solver not in ROUTES:
            raise ValueError(f"whiten_solver={self.whiten_solver!r}: give one of {', '.join(map(repr, ROUTES))}")
