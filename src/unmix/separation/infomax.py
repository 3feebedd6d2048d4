"""Infomax: the unmixing under which independent sources of a known shape are most likely."""

from __future__ import annotations

import warnings

import numpy as np

from unmix.algorithms.independent.likelihood import evaluate
from unmix.algorithms.independent.natural_gradient import (
    Batches,
    Learned,
    ascend,
    begin,
    mini_batches,
    natural_gradient_pass,
)
from unmix.algorithms.independent.quasi_newton import maximize
from unmix.algorithms.independent.whitening import project, reduced
from unmix.core.arguments import whole_number, zero_or_more
from unmix.separation.stream import StreamedUnmixing, padded
from unmix.shell.progress import with_callbacks

SOLVERS = ("quasi-newton", "natural", "gradient")
STREAM_RULES = {"quasi-newton": "newton", "natural": "natural", "gradient": "gradient"}
STREAM_BATCH = 16  # rows a step of `partial_fit` is learned from
RATES = {"newton": 4.0, "natural": 0.2, "gradient": 0.2}


class Infomax(StreamedUnmixing):
    """Independent components by maximum likelihood, which is maximum information through a sigmoid.

    Objective: ``log |det W| + E Σ_i log p_i(s_i)``, s = W x centred, with the logistic density for peaked sources and,
    if `extended`, two bells at ±1 for flat ones; each source gets the one that its own statistics ask for.

    Algorithm: a pass over the rows gives the relative gradient ``G = E[φ(s) sᵀ] - I``. "quasi-newton" takes L-BFGS
    steps on top of a Hessian of 2×2 blocks, until the largest entry of G is below `tol`; "natural" steps
    ``W ← W - η G W``; "gradient" ``W ← W - η G W⁻ᵀ``, on whitened rows. With `batch_size` the last two learn from
    batches. `partial_fit` learns from rows as they come: "quasi-newton" steps by ``η H⁻¹ G`` with the blocks H of
    running means, so that one pass over a stream ends about as near as a fit to all of it. Long tables are begun on a
    few thousand rows by "quasi-newton". A pass costs 2 n d k + 2 n k² operations.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of sources; with fewer than the channels, the directions of most variance are kept. None: as many as the
        rows have directions in which they vary.
    solver : {"quasi-newton", "natural", "gradient"}, default="quasi-newton"
        See above.
    extended : bool, default=True
        Allow flat (sub-Gaussian) sources. Without it they are not separated, and that is warned of.
    batch_size : int or None, default=None
        Rows a step of "natural" and "gradient" is learned from; None takes all. `fit` then holds the whitened rows in
        memory. In `partial_fit` of every solver, where None is 16.
    learning_rate : float or None, default=None
        η; None is 0.5 for all rows, where it is halved when a step lowered the likelihood. For batches None is 0.2, the
        step of 64 rows: m rows step by m / 64 of it, and with n rows seen it falls as ``(12800 / (12800 + n))^0.8``. In
        `partial_fit` with "quasi-newton" m rows step by ``η m / (400 + n)``, and None is 4.
    max_iter : int, default=500
        Most passes over the rows.
    tol : float, default=1e-7
        Largest entry of the gradient at which to stop (in float32 not below 2e-5, which is its rounding). Batches
        stop when an epoch changes W by less than 5e-3, relatively.
    w_init : array of shape (n_components, n_components) or None, default=None
        Start, in whitened coordinates; None draws a rotation.
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit.

    Attributes
    ----------
    components_ : ndarray of shape (k, d)
        The unmixing matrix: ``sources = (X - mean_) @ components_.T``. Sources have the scale their density asks for,
        ``E[φ(s) s] = 1``, and come by the variance they explain in X.
    mixing_ : ndarray of shape (d, k)
        ``X ≈ sources @ mixing_.T + mean_``; the largest entry of every column is positive.
    mean_ : ndarray of shape (d,)
    sub_gaussian_ : ndarray of bool, shape (k,)
        Which sources have the flat density.
    peakedness_ : ndarray of shape (k,)
        Stein's difference ``E[t'(s)] E[s²] - E[t(s) s]``, t a tanh: positive for peaked sources, negative for flat.
    gradient_norm_ : float
        Largest entry of G at the end.
    non_gaussianity_ : ndarray of shape (k,)
        Distance of each source from Gaussian in units of what chance reaches among Gaussian rows (at a level of
        1 %); two or more at 1 or below are warned of. `partial_fit` does not set it.
    n_samples_seen_ : float
        Rows seen since mean and covariance started, or the sum of their weights.
    stream_ : dict
        From where `partial_fit` goes on: what was learned, and the last rows, which do not make a window yet.
    n_batches_ : int
        Batches that `partial_fit` has learned from.
    n_iter_ : int
        Passes over all rows, or batches of `partial_fit`.
    trace_ : list of dict

    References
    ----------
    Bell & Sejnowski, An information-maximization approach to blind separation, Neural Computation 7, 1995. Ablin,
    Cardoso & Gramfort, Faster independent component analysis by preconditioning with Hessian approximations, IEEE
    Trans. Signal Processing 66, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.separation import Infomax, amari_index
    >>> rng = np.random.default_rng(0)
    >>> sources = np.column_stack([rng.laplace(size=3000), rng.uniform(-1, 1, 3000)])
    >>> mixing = np.array([[1.0, 0.5], [0.3, 1.0]])
    >>> ica = Infomax(random_state=0).fit(sources @ mixing.T)
    >>> amari_index(ica.components_, mixing) < 0.05, ica.sub_gaussian_
    (True, array([False,  True]))
    """

    def __init__(
        self,
        n_components=None,
        *,
        solver="quasi-newton",
        extended=True,
        batch_size=None,
        learning_rate=None,
        max_iter=500,
        tol=1e-7,
        w_init=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.solver = solver
        self.extended = extended
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the sources of X, whose rows may be weighted (weight 2 is the row twice)."""
        self._check_parameters()
        blocks, weights, seed = self._rows_to_fit(X, sample_weight)
        with self._fitting(blocks, seed, weights):
            frame, start = self._whitened_start(blocks, weights, seed)
            small, inner = reduced(blocks, frame)
            point = self._solve(small, inner, start, weights, seed)
        order, _ = self._store(frame, point.matrix, blocks.dtype)
        self.sub_gaussian_, self.peakedness_ = point.flat[order], point.peakedness[order].astype(blocks.dtype)
        self.gradient_norm_, self.n_samples_seen_, self.n_batches_ = point.size, float(frame.weight), 0
        learned = begin(np.eye(len(order)), float(frame.weight))._replace(flat=self.sub_gaussian_.copy())
        self._begin_stream(blocks.shape[1], frame, learned)
        self._tell_flat()
        unit_rows = self.components_.astype(np.float64) / np.sqrt(point.squares[order])[:, None]
        hint = "" if self.extended else "; if they may be flatter than a Gaussian, use extended=True"
        self._judge(blocks, weights, frame.weight, unit_rows, hint)
        return self

    _state = Learned

    def _stream_rule(self):
        how = self._batches(STREAM_RULES[self.solver])
        return begin, lambda state, rows, weights: natural_gradient_pass(state, rows, weights, how)

    def _publish(self, stream, dtype):
        state = begin(np.eye(len(self.components_))) if stream is None else stream.learned
        k = len(self.components_)
        self.sub_gaussian_, self.peakedness_ = padded(state.flat, k), padded(state.peakedness, k).astype(dtype)
        self.n_iter_ = self.n_batches_ = state.batches

    def _solve(self, blocks, frame, start, weights, seed):
        """The point at which the solver stopped; says so if that was too early."""
        tol = max(float(self.tol), 2e-5) if blocks.dtype == np.float32 else float(self.tol)
        settings = {"weights": weights, "extended": self.extended, "max_iter": self.max_iter}
        natural = self.solver == "natural"
        if self.solver == "quasi-newton":
            end = maximize(blocks, frame, start, tol=tol, drawn=self.w_init is None, **settings)
            point, passes = end.point, end.iteration
            done = end.done and (not end.stuck or point.size < 100 * tol)  # rounding may stop it a little early
        elif self.batch_size is None:
            rate = 0.5 if self.learning_rate is None else float(self.learning_rate)
            last = ascend(blocks, frame, start, natural=natural, rate=rate, tol=tol, **settings)
            done, point, passes = last.done, last.point, last.iteration
        else:
            rows = blocks.map(project, frame.mean, frame.matrix)
            settings = {"weights": weights, "max_iter": self.max_iter, "tol": 5e-3, "seed": seed}
            epoch = mini_batches(rows, start, self._batches(self.solver), **settings)
            point = evaluate(blocks, frame, epoch.learned.matrix, epoch.learned.flat, weights)
            done, passes = epoch.done, epoch.iteration
        self.n_iter_ = max(passes, 1)
        if not done:
            self._tell_unconverged(
                f"The gradient is {point.size:.2g} after {self.n_iter_} of max_iter={self.max_iter} passes "
                f"(tol={tol:.2g}); raise max_iter or tol, or use solver='quasi-newton'"
            )
        return point

    def _batches(self, rule):
        rate = RATES[rule] if self.learning_rate is None else float(self.learning_rate)
        return Batches(rule, STREAM_BATCH if self.batch_size is None else int(self.batch_size), rate, self.extended)

    def _tell_flat(self):
        flat = np.flatnonzero(~self.sub_gaussian_ & (self.peakedness_ < -0.01))
        if len(flat) and not self.extended:
            warnings.warn(
                f"source(s) {', '.join(map(str, flat))} are flatter than a Gaussian, and the logistic density of "
                "extended=False separates peaked sources only; use extended=True",
                UserWarning,
                stacklevel=4,
            )

    def _check_parameters(self):
        whole_number("max_iter", self.max_iter, 1)
        if self.solver not in SOLVERS:
            raise ValueError(f"solver={self.solver!r}: give one of {', '.join(map(repr, SOLVERS))}")
        if self.batch_size is not None:
            whole_number("batch_size", self.batch_size, 1, ", or None for all rows")
        self._check_learning_rate()
        zero_or_more("tol", self.tol)
