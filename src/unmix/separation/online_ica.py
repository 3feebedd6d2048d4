"""Online ICA: sources learned from rows as they come."""

from __future__ import annotations

from numbers import Real

import numpy as np

from unmix.core.linalg import power_of_two
from unmix.factors.independent.online import RATES, RULES, Rule, State, learn, learn_epochs
from unmix.factors.independent.whitening import Whitening, nearest_rotation
from unmix.factors.presentation import to_show
from unmix.separation.stream import beyond_compare, dense_rows, running_covariance, running_mean
from unmix.separation.unmixing import Unmixing
from unmix.shell.parameters import whole_number
from unmix.shell.progress import with_callbacks

FAR_UNIT = 2.0**50  # ratio of units from which on squares of rows in the other one may be too large for their type


class OnlineICA(Unmixing):
    """Independent components of a stream, by kurtosis or negentropy with running estimates.

    Objective: rows b of a rotation of the whitened rows u, each at a maximum of ``|kurt(b·u)|`` or of
    ``(E[log cosh(b·u)] - E[log cosh ν])²``, ν Gaussian.

    Algorithm: every row turns every unit by ``ε sgn(γ) u y³`` or ``ε γ u tanh(y)``, y = b·u, where γ is the running
    estimate of kurtosis or of the negentropy's root; units are made orthonormal after each batch. `fit` shows all
    rows `n_epochs` times in random order; `partial_fit` shows those it is given once, in their order, and whitens with
    the mean and covariance of all rows seen so far. These start anew with rows that spread 100 times more or less. A
    row costs about 4 k² + 8 k³ / batch_size operations.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of sources. None: as many as the first rows have directions in which they vary.
    rule : {"negentropy", "kurtosis"}, default="negentropy"
        Kurtosis learns faster from clean data and is led astray by outliers.
    learning_rate : float or None, default=None
        ε at the start; it falls as ``500 / (500 + t)`` with the batches t. None is 0.01 for kurtosis and 3 for
        negentropy, whose γ is small.
    memory : float, default=0.002
        η, the share of a new row in γ.
    batch_size : int, default=16
        Rows between two orthonormalisations.
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
        γ of each source: positive kurtosis is peaked; of negentropy, negative is peaked.
    non_gaussianity_ : ndarray of shape (k,)
        As in `FastICA`; `partial_fit` does not set it.
    n_samples_seen_ : float
        Rows seen since mean and covariance started, or the sum of their weights.
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
        learning_rate=None,
        memory=0.002,
        batch_size=16,
        n_epochs=20,
        w_init=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.rule = rule
        self.learning_rate = learning_rate
        self.memory = memory
        self.batch_size = batch_size
        self.n_epochs = n_epochs
        self.w_init = w_init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Show the rows of X `n_epochs` times; weight 2 shows a row twice, weight 0 never. Holds them in memory."""
        rule = self._rule()
        blocks, weights, seed = self._rows_to_fit(X, sample_weight)
        with self._fitting(blocks, seed, weights):
            frame, start = self._whitened_start(blocks, weights, seed)
            state = learn_epochs(to_show(blocks, weights), frame, nearest_rotation(start), rule, self.n_epochs, seed)
        order, _ = self._store(frame, state.units, blocks.dtype)
        self.unit_ = 1 / power_of_two(float(np.abs(frame.inverse).max()))
        small = frame.inverse / self.unit_
        self._store_covariance(small @ small.T, blocks.dtype)
        self.n_samples_seen_, self.n_batches_ = float(frame.weight), state.batches
        self.running_, self.n_iter_ = state.running[order], state.iteration
        self._judge(blocks, weights, frame.weight, self.components_.astype(np.float64))
        return self

    def partial_fit(self, X, y=None, sample_weight=None):
        """Learn from the rows of X once, in their order; the first call also sets the start."""
        rule = self._rule()
        blocks, weights = self._rows_to_learn(X, sample_weight)
        rows, seen, scatter = self._in_unit(dense_rows(blocks), weights)
        unit = self.unit_
        old_mean = self.mean_.astype(np.float64) / unit
        mean, total = running_mean(old_mean, seen, rows, weights)
        covariance = running_covariance(scatter, old_mean, seen, rows, weights, mean, total)
        frame = frame_of(covariance, mean, total, len(self.components_))
        units = nearest_rotation(self.components_.astype(np.float64) * unit @ frame.inverse)
        running = self.running_ if seen else np.zeros(len(units))
        state = State(self.n_iter_, False, units, running, self.n_batches_, np.inf)
        state = learn(state, (rows - mean) @ frame.matrix.T, weights, rule)
        self.components_ = (state.units @ frame.matrix / unit).astype(blocks.dtype)
        self.mixing_ = (frame.inverse @ state.units.T * unit).astype(blocks.dtype)
        self.mean_ = (mean * unit).astype(blocks.dtype)
        self._store_covariance(covariance, blocks.dtype)
        self.n_samples_seen_, self.n_batches_, self.n_iter_ = total, state.batches, self.n_iter_ + 1
        self.running_ = state.running
        return self

    def _begin(self, blocks, weights):
        frame, start = self._whitened_start(blocks, weights, self._seed())
        self._store(frame, nearest_rotation(start), blocks.dtype)
        self.unit_ = 1 / power_of_two(float(np.abs(frame.inverse).max()))
        self._store_covariance(np.zeros((blocks.shape[1], blocks.shape[1])), blocks.dtype)
        self.running_ = np.zeros(len(start))
        self.n_samples_seen_, self.n_batches_, self.n_iter_ = 0.0, 0, 0

    def _in_unit(self, rows, weights):
        """Rows in the unit of the stream, the weight of what was seen before, and its covariance.

        Rows beyond all comparison set a new unit, and what was seen before counts no more.
        """
        largest = float(np.abs(rows).max())
        wanted = 1 / power_of_two(largest)
        if largest > 0 and not 1 / FAR_UNIT <= wanted / self.unit_ <= FAR_UNIT:
            self.unit_ = wanted
            return rows / wanted, 0.0, np.zeros(self.scatter_.shape)
        rows, scatter = rows / self.unit_, self.scatter_.astype(np.float64)
        forgotten = beyond_compare(rows, float(np.trace(scatter)), weights)
        return rows, 0.0 if forgotten else self.n_samples_seen_, scatter

    def _store_covariance(self, scatter, dtype):
        self.scatter_ = scatter.astype(dtype)
        with np.errstate(over="ignore", under="ignore"):
            self.covariance_ = (scatter * self.unit_ * self.unit_).astype(dtype)

    def _rule(self):
        whole_number("batch_size", self.batch_size, 1)
        whole_number("n_epochs", self.n_epochs, 1)
        if self.rule not in RULES:
            raise ValueError(f"rule={self.rule!r}: give one of {', '.join(map(repr, RULES))}")
        self._check_learning_rate()
        if not isinstance(self.memory, Real) or not 0 < self.memory <= 1:
            raise ValueError(f"memory={self.memory!r}: give a number above 0 and up to 1")
        rate = RATES[self.rule] if self.learning_rate is None else float(self.learning_rate)
        return Rule(self.rule, rate, float(self.memory), int(self.batch_size))


def frame_of(covariance, mean, weight, k):
    """The whitening of a covariance matrix, of its k directions of most variance."""
    values, vectors = np.linalg.eigh(covariance)
    rounding = len(values) * np.finfo(float).eps * float(values[-1])  # a smaller variance is none that was seen
    deviations = np.sqrt(np.maximum(values[::-1][:k], max(rounding, np.finfo(float).tiny)))
    turned = vectors.T[::-1][:k]
    return Whitening(weight, mean, turned / deviations[:, None], turned.T * deviations)
