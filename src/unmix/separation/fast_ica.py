"""FastICA: sources as far from Gaussian as a rotation of the whitened rows makes them."""

from __future__ import annotations

from numbers import Real

import numpy as np

from unmix.factors.independent.contrast import CONTRASTS, Contrast, check_derivative
from unmix.factors.independent.fixed_point import deflation, symmetric
from unmix.factors.independent.whitening import reduced
from unmix.separation.unmixing import Unmixing
from unmix.shell.parameters import whole_number, zero_or_more
from unmix.shell.progress import with_callbacks

ALGORITHMS = {"parallel": symmetric, "symmetric": symmetric, "deflation": deflation}


class FastICA(Unmixing):
    """Independent components by the fixed point of a contrast.

    Objective: rows b of a rotation B of the whitened rows z, each at a maximum of ``(E[G(b·z)] - E[G(ν)])²``, ν
    Gaussian: sums of independent sources are nearer to Gaussian than the sources are.

    Algorithm: whiten; then ``B ← (E[g(s) sᵀ] - diag E[g'(s)]) B`` with s = B z, g = G', and B made orthogonal again,
    until it stands still (a Newton step, so near the end the number of right digits doubles). "deflation" does the
    same one unit at a time. Long tables are begun on a few thousand rows. A pass costs 2 n d k operations for the
    sources and 2 n k² for the products, reads X block by block and keeps k×k numbers.

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
        The unmixing matrix: ``sources = (X - mean_) @ components_.T``. Sources have unit variance, and come by the
        variance they explain in X.
    mixing_ : ndarray of shape (d, k)
        ``X ≈ sources @ mixing_.T + mean_``; the largest entry of every column is positive.
    mean_ : ndarray of shape (d,)
    whitening_ : ndarray of shape (k, d)
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
        max_iter=200,
        tol=1e-4,
        w_init=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.contrast = contrast
        self.a = a
        self.algorithm = algorithm
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
            frame, start = self._whitened_start(blocks, weights, seed)
            settings = {"weights": weights, "max_iter": self.max_iter, "tol": self.tol}
            found = ALGORITHMS[self.algorithm](*reduced(blocks, frame), start, contrast, **settings)
        self._store(frame, found.rotation, blocks.dtype)
        self.whitening_ = frame.matrix.astype(blocks.dtype)
        self.n_iter_ = max(found.iteration, 1)
        if not found.done:
            self._tell_unconverged(
                f"the units still moved by {found.change:.2g} after max_iter={self.max_iter} iterations "
                f"(tol={self.tol}); raise max_iter or tol, or try another contrast or algorithm"
            )
        self._judge(blocks, weights, frame.weight, self.components_.astype(np.float64))
        return self

    def _check_parameters(self):
        whole_number("max_iter", self.max_iter, 1)
        if callable(self.contrast):
            check_derivative(self.contrast)
        elif self.contrast not in (*CONTRASTS, "kurtosis"):
            raise ValueError(
                f"contrast={self.contrast!r}: give one of {', '.join(map(repr, CONTRASTS))} or a function of an array "
                "that returns (g, g')"
            )
        if self.algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm={self.algorithm!r}: give 'parallel' or 'deflation'")
        if not isinstance(self.a, Real) or not 1 <= self.a <= 2:
            raise ValueError(f"a={self.a!r}: give a number from 1 to 2")
        zero_or_more("tol", self.tol)
