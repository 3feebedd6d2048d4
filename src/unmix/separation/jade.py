"""JADE: the rotation of whitened rows that makes all fourth-order cumulants as nearly diagonal as possible."""

from __future__ import annotations

import numpy as np

from unmix.algorithms.independent.cumulants import cumulant_matrices
from unmix.algorithms.independent.whitening import fit_whitening
from unmix.algorithms.joint_diagonal.problem import stack
from unmix.algorithms.joint_diagonal.rotations import rotate
from unmix.core.arguments import whole_number, zero_or_more
from unmix.separation.unmixing import Unmixing
from unmix.shell.progress import with_callbacks

MOST_SOURCES = 150  # cumulants of more do not fit into an ordinary memory


class JADE(Unmixing):
    """Independent components by joint diagonalization of all fourth-order cumulants.

    Objective: a rotation B of the whitened rows for which the sum of squared cross-cumulants
    ``Σ cum(s_i, s_j, s_p, s_q)²`` over i ≠ j and all p, q is smallest. Independent sources have none.

    Algorithm: one pass gives the k (k + 1) / 2 cumulant matrices of size k×k (n k⁴ / 4 operations), which are
    diagonalized together by plane rotations (k⁵ operations a sweep). Nothing is drawn and no start is needed; peaked
    and flat sources need no setting. Practical up to some fifty sources.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of sources; with fewer than the channels, the directions of most variance are kept. None: as many as the
        rows have directions in which they vary.
    max_iter : int, default=100
        Most sweeps over all planes.
    tol : float, default=1e-8
        Stop when no rotation of a sweep is larger, in radians.

    Attributes
    ----------
    components_ : ndarray of shape (k, d)
        The unmixing matrix: ``sources = (X - mean_) @ components_.T``. Sources have unit variance, and come by the
        variance they explain in X.
    mixing_ : ndarray of shape (d, k)
        ``X ≈ sources @ mixing_.T + mean_``; the largest entry of every column is positive.
    mean_ : ndarray of shape (d,)
    whitening_ : ndarray of shape (k, d)
    kurtosis_ : ndarray of shape (k,)
        Of each source: positive is peaked, negative is flat.
    non_gaussianity_ : ndarray of shape (k,)
        As in `FastICA`.
    n_iter_ : int
        Sweeps.
    trace_ : list of dict

    References
    ----------
    Cardoso & Souloumiac, Blind beamforming for non-Gaussian signals, IEE Proceedings F 140, 1993; Cardoso, High-order
    contrasts for independent component analysis, Neural Computation 11, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.separation import JADE, amari_index
    >>> rng = np.random.default_rng(0)
    >>> sources = np.column_stack([rng.laplace(size=3000), rng.uniform(-1, 1, 3000)])
    >>> mixing = np.array([[1.0, 0.5], [0.3, 1.0]])
    >>> ica = JADE().fit(sources @ mixing.T)
    >>> amari_index(ica.components_, mixing) < 0.1, ica.kurtosis_ > 0
    (True, array([ True, False]))
    """

    def __init__(self, n_components=None, *, max_iter=100, tol=1e-8):
        self.n_components = n_components
        self.max_iter = max_iter
        self.tol = tol

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the sources of X, whose rows may be weighted (weight 2 is the row twice)."""
        whole_number("max_iter", self.max_iter, 1)
        zero_or_more("tol", self.tol)
        blocks, weights = self._counted(sample_weight, self._blocks(X, reset=True, min_rows=2))
        with self._fitting(blocks, 0, weights):
            frame = fit_whitening(blocks, self._number(), weights)
            self._check_size(len(frame.matrix))
            cumulants = cumulant_matrices(blocks, frame, weights)
            found = rotate(stack(cumulants), max_iter=self.max_iter, tol=self.tol)
        order, _ = self._store(frame, found.transform, blocks.dtype)
        self.whitening_ = frame.matrix.astype(blocks.dtype)
        self.kurtosis_ = kurtoses(cumulants, found.transform)[order].astype(blocks.dtype)
        self.n_iter_ = max(found.iteration, 1)
        if not found.converged:
            self._tell_unconverged(f"Rotations went on after max_iter={self.max_iter} sweeps; raise max_iter or tol")
        self._judge(blocks, weights, frame.weight, self.components_.astype(np.float64))
        return self

    def _check_size(self, k):
        if k > MOST_SOURCES:
            raise ValueError(
                f"JADE of {k} sources needs {k**4 // 4 * 8 >> 20} MB of cumulants; ask for fewer (n_components=50, "
                "say), or use FastICA"
            )


def kurtoses(cumulants, rotation):
    """cum(s_i, s_i, s_i, s_i) = Σ b_ip b_iq (b_i Q_pq b_i) of every row b of the rotation."""
    first, second = np.triu_indices(len(rotation))
    twice = np.where(first == second, 1.0, np.sqrt(2.0))  # each stands for two, and brings one √2 itself
    values = np.einsum("ia,mab,ib->im", rotation, cumulants, rotation, optimize=True)
    return np.sum(twice * rotation[:, first] * rotation[:, second] * values, axis=1)
