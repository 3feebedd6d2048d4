"""Online ICA: sources learned from rows as they come."""

from __future__ import annotations

from numbers import Real

import numpy as np

from unmix.algorithms.independent.contrast import CONTRASTS
from unmix.algorithms.independent.online import RULES, Rule, State, begin, learn_epochs, online_pass
from unmix.algorithms.independent.whitening import nearest_rotation
from unmix.algorithms.rows.presentation import ShownRows
from unmix.core.arguments import one_of, whole_number
from unmix.separation.fun import contrast_of
from unmix.separation.stream import StreamedUnmixing, padded
from unmix.shell.progress import with_callbacks


class OnlineICA(StreamedUnmixing):
    """Independent components of a stream, by kurtosis or negentropy with running estimates.

    Objective: rows b of a rotation of the whitened rows u, each at a maximum of ``|kurt(b·u)|`` or of
    ``(E[G(b·u)] - E[G(ν)])²``, ν Gaussian.

    Algorithm: every row turns every unit by ``ε sgn(γ) u y³`` or ``ε γ u g(y)``, y = b·u, g = G', where γ is the
    running estimate of kurtosis or of the negentropy's root; units are made orthonormal after each batch. Without a
    given ε each angle is divided by its running curvature ``|E[g(y) y - g'(y)]|``, which makes it a Newton step in the
    mean. `fit` shows all rows `n_epochs` times in random order; `partial_fit` shows those it is given once, in their
    order, and whitens with the mean and covariance of all rows seen so far. These start anew with rows that spread 100
    times more, or 100 times less for as long as all before. A row costs about 4 k² + 8 k³ / batch_size operations.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of sources. None: as many as the first rows have directions in which they vary.
    rule : {"negentropy", "kurtosis"}, default="negentropy"
        Kurtosis is led astray by outliers.
    fun : {"logcosh", "exp", "cube"}, default="logcosh"
        G of negentropy, as in `FastICA`.
    fun_args : dict or None, default=None
        ``{"alpha": a}`` of "logcosh", ``G(s) = log cosh(a s) / a``, a between 1 and 2.
    learning_rate : float or None, default=None
        ε, the step of 16 rows: m rows step by m / 16 of it, and with n rows seen it falls as ``8000 / (8000 + n)``.
        None steps by curvature, ``3 m / (256 + n)`` of a Newton step; with k sources n counts from row k³ / 16 on, and
        256 is 32 k where that is more.
    memory : float, default=0.0005
        η, the share of a new row in γ and the curvature; without a given ε more while few rows were seen.
    batch_size : int or None, default=None
        Rows between two orthonormalisations. None: 16, or as many as there are sources.
    n_epochs : int, default=20
        How often `fit` shows each row.
    w_init : array of shape (n_components, n_components) or None, default=None
        Start, in whitened coordinates; None draws a rotation.
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit.

    Attributes
    ----------
    components_ : ndarray of shape (k, d)
        The unmixing matrix: ``sources = (X - mean_) @ components_.T``, of unit variance.
    mixing_ : ndarray of shape (d, k)
        ``X ≈ sources @ mixing_.T + mean_``.
    mean_ : ndarray of shape (d,)
    covariance_ : ndarray of shape (d, d)
        Of the rows seen; infinite where no number is as large.
    unit_, scatter_ : float and ndarray of shape (d, d)
        A power of two near the size of the rows, and their covariance in that unit, from which `partial_fit` goes on.
    running_ : ndarray of shape (k,)
        γ of each source: kurtosis, or ``E[G] - E[G(ν)]``. Positive is peaked with kurtosis and "cube", negative is
        peaked with the others.
    non_gaussianity_ : ndarray of shape (k,)
        As in `FastICA`; `partial_fit` does not set it.
    n_samples_seen_ : float
        Rows seen since mean and covariance started, or the sum of their weights.
    stream_ : dict
        From where `partial_fit` goes on: what was learned, and the last rows, which do not make a window yet.
    n_batches_ : int
    n_iter_ : int
        Epochs of `fit`, or calls of `partial_fit`.
    trace_ : list of dict

    References
    ----------
    Hyvärinen & Oja, Independent component analysis by general nonlinear Hebbian-like learning rules, Signal Processing
    64, 1998.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.separation import OnlineICA, amari_index
    >>> rng = np.random.default_rng(0)
    >>> mixing = np.array([[1.0, 0.5], [0.3, 1.0]])
    >>> ica = OnlineICA(random_state=0)
    >>> for _ in range(20):
    ...     ica = ica.partial_fit(rng.laplace(size=(1000, 2)) @ mixing.T)
    >>> amari_index(ica.components_, mixing) < 0.05
    True
    """

    def __init__(
        self,
        n_components=None,
        *,
        rule="negentropy",
        fun="logcosh",
        fun_args=None,
        learning_rate=None,
        memory=0.0005,
        batch_size=None,
        n_epochs=20,
        w_init=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.rule = rule
        self.fun = fun
        self.fun_args = fun_args
        self.learning_rate = learning_rate
        self.memory = memory
        self.batch_size = batch_size
        self.n_epochs = n_epochs
        self.w_init = w_init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Show the rows of X `n_epochs` times; weight 2 shows a row twice, weight 0 never."""
        rule = self._rule()
        blocks, weights, seed = self._rows_to_fit(X, sample_weight)
        with self._fitting(blocks, seed, weights):
            frame, start = self._whitened_start(blocks, weights, seed)
            shown = ShownRows(blocks, weights, seed)
            state = learn_epochs(shown, frame, nearest_rotation(start), rule, self.n_epochs)
        order, _ = self._store(frame, state.matrix, blocks.dtype)
        learned = begin(np.eye(len(order)))._replace(running=state.running[:, order], weight=state.weight)
        self._begin_stream(blocks.shape[1], frame, learned._replace(batches=state.batches))
        self.unit_ = self.stream_["state"]["unit"]
        self._store_covariance(self.stream_["state"]["scatter"], blocks.dtype)
        self.n_samples_seen_, self.n_batches_ = float(frame.weight), state.batches
        self.running_, self.n_iter_ = self._gamma(state.running)[order], state.iteration
        self._judge(blocks, weights, frame.weight, self.components_.astype(np.float64))
        return self

    _state = State

    def _stream_rule(self):
        rule = self._rule()

        def turn(state, rows, weights):  # a new whitening leaves the units nearly orthonormal
            return online_pass(state._replace(matrix=nearest_rotation(state.matrix)), rows, weights, rule)

        return (lambda start: begin(nearest_rotation(start))), turn

    def _publish(self, stream, dtype):
        d, k = self.n_features_in_, len(self.components_)
        self.n_iter_ = getattr(self, "n_iter_", 0) + 1
        self.unit_, self.running_, self.n_batches_, scatter = 1.0, np.zeros(k), 0, np.zeros((d, d))
        if stream is not None:
            self.unit_, self.n_batches_, scatter = stream.unit, stream.learned.batches, stream.scatter
            self.running_ = padded(self._gamma(stream.learned.running), k)
        self._store_covariance(scatter, dtype)

    def _gamma(self, running):
        """Kurtosis is kept as E[s⁴ / 4] - 3/4."""
        return 4 * running[0] if self.rule == "kurtosis" else running[0]

    def _store_covariance(self, scatter, dtype):
        self.scatter_ = scatter.astype(dtype)
        with np.errstate(over="ignore", under="ignore"):
            self.covariance_ = (scatter * self.unit_ * self.unit_).astype(dtype)

    def _check_parameters(self):
        self._rule()

    def _rule(self):
        if self.batch_size is not None:
            whole_number("batch_size", self.batch_size, 1, ", or None for as many as there are sources")
        whole_number("n_epochs", self.n_epochs, 1)
        if self.rule not in RULES:
            raise ValueError(f"rule={self.rule!r}: give one of {', '.join(map(repr, RULES))}")
        one_of("fun", self.fun, CONTRASTS)
        alpha = contrast_of(self.fun, self.fun_args).a
        self._check_learning_rate()
        if not isinstance(self.memory, Real) or not 0 < self.memory <= 1:
            raise ValueError(f"memory={self.memory!r}: give a number above 0 and up to 1")
        rate = None if self.learning_rate is None else float(self.learning_rate)
        size = None if self.batch_size is None else int(self.batch_size)
        return Rule(self.rule, rate, float(self.memory), size, self.fun, alpha)
