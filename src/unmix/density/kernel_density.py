"""Kernel density: a bump on every row, of a width that suits the data."""

from __future__ import annotations

import math
import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import DensityMixin
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.kernel_sums.box import window_weights
from unmix.algorithms.kernel_sums.frame import KernelFrame, make_frame
from unmix.algorithms.kernel_sums.gaussian import log_sums
from unmix.algorithms.kernel_sums.pairs import pair_sums
from unmix.algorithms.kernel_sums.places import Answer, Found, answer_by_place
from unmix.core.arguments import whole_number
from unmix.density.bandwidth import Bandwidth, choose_bandwidth, counted_splits
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

KERNELS, SHAPES, METHODS = ("gaussian", "box"), ("axes", "ball", "full"), ("auto", "exact", "grid", "blocks")


class KernelDensity(DensityMixin, Estimator):
    """Kernel density estimate: the mean of one kernel at every row.

    ``p(x) = Σ_i w_i K(x - x_i) / Σ_i w_i`` with K a Gaussian of covariance ``kernel_covariance_``, or a box of sides
    ``bandwidth_``, where p counts the rows in a window that glides over the data.

    The width decides everything: too narrow, and p follows every row; too wide, and it is a blur. It is given, or
    chosen so that rows are likely under the density of the others: "likelihood" leaves out each row in turn, "k-fold" a
    part of them. One factor is searched for; ``shape`` says what it multiplies. All rows at one place are left out
    together, so that copies count as weights do, unless rounding brought them there. For a box a row alone in its
    window would make any such likelihood 0, so the factor is found with Gaussian kernels, and the box gets their
    covariance: the best widths of two kernels stand in a fixed ratio, for these two that of equal variance to half a
    percent (Marron & Nolan).

    Gaussian sums are right to a relative ``rtol`` at every place, also far out in the tails. In one and two dimensions
    rows are spread over a grid, convolved by a fast Fourier transform and read at the queries, O(n + m + cells log
    cells); where that is not accurate enough, and in more dimensions, leaves of a k-d tree are summed, nearest first,
    until all that is left cannot matter, O(n m) at worst. The log-density itself is rounded to its dtype. Counts in
    boxes are exact. A search takes about 15 such sums, on 131,072 rows at most in one or two dimensions, above on
    32,768 and for 2,048 of them; the width is then corrected for the number of rows.

    Parameters
    ----------
    bandwidth : "likelihood", "k-fold", "scott", "silverman", float, array (d,) or array (d, d), default="likelihood"
        How the width is chosen, or the width: for Gaussian kernels the standard deviation along every axis, or along
        each, or the covariance; for boxes the length of the sides. In the units of the data.
    kernel : "gaussian" or "box", default="gaussian"
    shape : "axes", "ball" or "full", default="axes"
        What the chosen factor multiplies: the standard deviation of each column, one standard deviation common to all
        columns, or a root of the full covariance. Not used if the width is given.
    rtol : float, default=1e-4
        Largest relative error of a density. 0 sums all pairs.
    method : "auto", "exact", "grid" or "blocks", default="auto"
        The route: all pairs, the grid (one or two columns), the leaves, or the one expected to be fastest.
    cv : int or list of pairs of index arrays, default=5
        Number of folds for "k-fold", or the rows that make the density and those held out, fold by fold.
    random_state : int, RandomState or None, default=None
        Seed of `sample`, of the folds, and of which rows a search uses.

    Attributes
    ----------
    bandwidth_ : ndarray of shape (d,)
        Width along each axis: standard deviation of a Gaussian kernel, or side of a box.
    kernel_covariance_ : ndarray of shape (d, d)
    kernel_root_ : ndarray of shape (d, d)
        A root L of it, ``L Lᵀ``, which holds where squares would overflow.
    factor_ : float
        What the shape was multiplied by; 1 if the width was given.
    bandwidth_path_ : dict of "factor" and "log_likelihood"
        Factors tried, rising, and the mean log-likelihood of the rows left out; NaN where nothing was searched.
    fit_rows_ : ndarray of shape (n, d)
        The rows that count.
    fit_weights_ : ndarray of shape (n,)
    n_features_in_ : int

    References
    ----------
    Parzen, On estimation of a probability density function and mode, Annals of Mathematical Statistics 33 (1962).
    Marron & Nolan, Canonical kernels for density estimation, Statistics & Probability Letters 7 (1988).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.density import KernelDensity
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(-2, 0.3, (300, 1)), rng.normal(1, 1.0, (300, 1))])
    >>> model = KernelDensity().fit(X)
    >>> np.exp(model.score_samples([[-2.0], [-0.9], [1.0]])).round(2)
    array([0.58, 0.03, 0.19])
    >>> model.gradient([[-2.5]]).shape
    (1, 1)
    """

    _name_of_width = "bandwidth"

    def __init__(
        self,
        bandwidth="likelihood",
        *,
        kernel="gaussian",
        shape="axes",
        rtol=1e-4,
        method="auto",
        cv=5,
        random_state=None,
    ):
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.shape = shape
        self.rtol = rtol
        self.method = method
        self.cv = cv
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Keep the rows, and choose the width.

        Parameters
        ----------
        X : array-like of shape (n, d), path, or dask collection
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Weight 2 is the same as the row twice, weight 0 as if it were absent.

        Returns
        -------
        self
        """
        self._check_parameters()
        blocks = self._blocks(X, reset=True, sparse=False)
        weights = self._weights(sample_weight, blocks)
        rows = np.array(blocks.gather())  # a copy: the density stands on these rows, whatever becomes of X
        if weights is None:
            weights = np.ones(len(rows))
        cv = int(self.cv) if isinstance(self.cv, Integral) else counted_splits(self.cv, weights > 0)
        if not weights.all():
            rows, weights = rows[weights > 0], weights[weights > 0]
        self._check_columns(rows.shape[1])
        seed = self._seed()
        with self._fitting(blocks, seed, sample_weight if sample_weight is None else np.asarray(sample_weight, float)):
            found = choose_bandwidth(
                self.bandwidth, rows, weights, self.kernel, self.shape, cv, seed, self._name_of_width
            )
        self._keep(found, rows, weights)
        return self

    def _keep(self, found: Bandwidth, rows: np.ndarray, weights: np.ndarray) -> None:
        with np.errstate(over="ignore", under="ignore"):
            self.kernel_root_ = found.root.astype(rows.dtype)
            self.bandwidth_ = found.width.astype(rows.dtype)
            self.kernel_covariance_ = (found.root @ found.root.T).astype(rows.dtype)
        self.factor_ = found.factor
        self.bandwidth_path_ = {"factor": found.factors, "log_likelihood": found.log_likelihoods}
        self.fit_rows_, self.fit_weights_ = rows, weights
        if found.constant:
            warnings.warn(
                f"the rows do not vary in {found.constant} of {rows.shape[1]} direction(s), whose width is a guess; "
                f"drop constant or repeated columns, or give {self._name_of_width} as numbers",
                UserWarning,
                stacklevel=4,
            )

    def score_samples(self, X):
        """Log-density of every row. A box density is 0 where no row is near, and its logarithm minus infinity."""
        check_is_fitted(self)
        queries = np.asarray(self._blocks(X, reset=False, sparse=False).gather())
        if self.kernel == "box":
            found = self._log_counts(queries)
        else:
            found = self._log_gaussians(queries)
        finite = found if self.kernel == "box" else np.maximum(found, np.finfo(self.fit_rows_.dtype).min)
        return finite.astype(self.fit_rows_.dtype)

    def _log_counts(self, queries: np.ndarray) -> np.ndarray:
        width = self.bandwidth_.astype(np.float64)
        counts = window_weights(self.fit_rows_, self.fit_weights_, queries, width)
        with np.errstate(divide="ignore"):
            return np.log(counts) - math.log(self.fit_weights_.sum()) - np.log(width).sum()

    def _log_gaussians(self, queries: np.ndarray) -> np.ndarray:
        def answer(rows: np.ndarray, weights: np.ndarray, asked: np.ndarray) -> Found:
            return log_sums(rows, weights, asked, float(self.rtol), self.method), np.empty((len(asked), 0))

        frame, sums, _ = self._answers(queries, answer)
        return sums - frame.log_determinant - 0.5 * queries.shape[1] * math.log(2 * math.pi)

    def _answers(self, queries: np.ndarray, answer: Answer) -> tuple[KernelFrame, np.ndarray, np.ndarray]:
        frame, weights = make_frame(self.kernel_root_, self.fit_rows_), self.fit_weights_ / self.fit_weights_.sum()
        rtol = 0.0 if self.method == "exact" else float(self.rtol)
        return frame, *answer_by_place(frame, self.fit_rows_, weights, queries, rtol, answer)

    def score(self, X, y=None, sample_weight=None):
        """Mean log-density of the rows, weighted by ``sample_weight``."""
        return float(np.average(self.score_samples(X), weights=sample_weight))

    def gradient(self, X):
        """Gradient of the log-density at every row: the direction in which p rises fastest.

        In kernel widths its error is at most ``rtol`` times 1 plus its length. Gaussian kernels only.
        """
        check_is_fitted(self)
        if self.kernel != "gaussian":
            raise ValueError('gradient needs kernel="gaussian": a density of boxes is flat, with jumps')
        queries = np.asarray(self._blocks(X, reset=False, sparse=False).gather())
        rtol = 0.0 if self.method == "exact" else float(self.rtol)

        def answer(rows: np.ndarray, weights: np.ndarray, asked: np.ndarray) -> Found:
            found = pair_sums(rows, weights, asked, rtol, moments=True)
            return found.log_total, found.moments

        frame, _, moments = self._answers(queries, answer)
        return frame.leave_gradient(moments).astype(self.fit_rows_.dtype)

    def sample(self, n_samples=1):
        """Draw ``n_samples`` rows: a row of the fit, moved by a draw from the kernel."""
        check_is_fitted(self)
        whole_number("n_samples", n_samples, 1)
        generator = np.random.default_rng(self._seed())
        share = self.fit_weights_ / self.fit_weights_.sum()
        rows = self.fit_rows_[generator.choice(len(share), n_samples, p=share)].astype(np.float64)
        if self.kernel == "box":
            moves = generator.uniform(-0.5, 0.5, rows.shape) * self.bandwidth_
        else:
            moves = generator.standard_normal(rows.shape) @ self.kernel_root_.T.astype(np.float64)
        return (rows + moves).astype(self.fit_rows_.dtype)

    def _check_parameters(self) -> None:
        for name, choices in (("kernel", KERNELS), ("shape", SHAPES), ("method", METHODS)):
            value: Any = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise ValueError(f"{name}={value!r}: give one of {', '.join(map(repr, choices))}")
        if not isinstance(self.rtol, Real) or isinstance(self.rtol, bool) or not 0 <= self.rtol < 1:
            raise ValueError(f"rtol={self.rtol!r}: give a number from 0 up to, but not, 1")
        if not isinstance(self.cv, list | tuple):
            whole_number("cv", self.cv, 2, ", or pairs of index arrays")
        if self.kernel == "box" and self.shape == "full":
            raise ValueError('shape="full" needs kernel="gaussian": the sides of a box are parallel to the axes')

    def _check_columns(self, d: int) -> None:
        if self.method == "grid" and d > 2:
            raise ValueError(f'method="grid" needs 1 or 2 columns, X has {d}; give method="blocks" or "auto"')
