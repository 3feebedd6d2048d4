"""Kernel density: a bump on every row, of a width that suits the data."""

from __future__ import annotations

import math
import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import DensityMixin
from sklearn.utils.validation import check_is_fitted, check_random_state

from unmix.algorithms.kernel_sums.box import window_weights
from unmix.algorithms.kernel_sums.frame import KernelFrame, make_frame
from unmix.algorithms.kernel_sums.gaussian import log_sums
from unmix.algorithms.kernel_sums.pairs import pair_sums
from unmix.algorithms.kernel_sums.places import Answer, Found, answer_by_place
from unmix.algorithms.kernel_sums.profile import RADIAL, draw, log_height
from unmix.algorithms.kernel_sums.radial import all_log_sums, near_log_sums
from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.density.bandwidth import FACTORS, Bandwidth, choose_bandwidth, counted_splits, width_of
from unmix.density.distance import check_metric, distances, is_euclidean
from unmix.shell.estimator import NOT_ROUTED, Estimator
from unmix.shell.progress import with_callbacks

KERNELS, SHAPES = ("gaussian", *RADIAL, "box"), ("axes", "ball", "full")
ROUTES = {"auto": "auto", "kd_tree": "blocks", "ball_tree": "blocks", "grid": "grid", "exact": "exact"}


class KernelDensity(DensityMixin, Estimator):
    """Kernel density estimate: the mean of one kernel at every row.

    ``p(x) = Σ_i w_i K(x - x_i) / Σ_i w_i`` with K a Gaussian of covariance ``kernel_covariance_``; another function of
    the distance, of width ``bandwidth_``; or a box of sides ``bandwidth_``, where p counts the rows in a window that
    glides over the data.

    The width decides everything: too narrow, and p follows every row; too wide, and it is a blur. It is given, or
    chosen so that rows are likely under the density of the others: "likelihood" leaves out each row in turn, "k-fold" a
    part of them. One factor is searched for; ``shape`` says what it multiplies. All rows at one place are left out
    together, so that copies count as weights do, unless rounding brought them there. For a kernel that ends, a row
    alone in its reach would make any such likelihood 0, so the factor is found with Gaussian kernels, and the others
    get their covariance: the best widths of two kernels stand in a fixed ratio, for boxes that of equal variance to
    half a percent (Marron & Nolan).

    Gaussian sums are right to a relative ``rtol`` at every place, also far out in the tails. In one and two dimensions
    rows are spread over a grid, convolved by a fast Fourier transform and read at the queries, O(n + m + cells log
    cells); where that is not accurate enough, and in more dimensions, leaves of a k-d tree are summed, nearest first,
    until all that is left cannot matter, O(n m) at worst. The log-density itself is rounded to its dtype. Sums of other
    kernels are exact, over the rows in reach, which a k-d tree finds, or over all. A search takes about 15 Gaussian
    sums, on 131,072 rows at most in one or two dimensions, above on 32,768 and for 2,048 of them; the width is then
    corrected for the number of rows.

    Parameters
    ----------
    bandwidth : float, "scott", "silverman", "likelihood", "k-fold", array (d,) or array (d, d), default=1.0
        The width, or how it is chosen: for Gaussian kernels the standard deviation along every axis, or along each, or
        the covariance; for boxes the length of the sides. In the units of the data. "likelihood" suits the width to the
        rows. "scott" and "silverman" are numbers that depend on n and d alone, for columns of variance 1, unless
        ``shape`` says what they multiply.
    algorithm : "auto", "kd_tree", "ball_tree", "grid" or "exact", default="auto"
        The route of Gaussian sums: leaves of a tree, of which there is one kind here, the grid (one or two columns),
        all pairs, or the one expected to be fastest.
    kernel : "gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine" or "box", default="gaussian"
        The shape of the bump that every row is.
    metric : str, default="euclidean"
        Any distance scikit-learn's trees know. Others than Euclid's take all pairs and a width that is one number, and
        have the height of the kernel in Euclid's distance: the density is then one up to a factor.
    atol : float, default=0
        Taken and not used: sums are never less accurate than ``rtol``.
    rtol : float, default=1e-6
        Largest relative error of a Gaussian density. 0 sums all pairs.
    breadth_first : bool, default=True
        Taken and not used.
    leaf_size : int, default=40
        Taken and not used.
    metric_params : dict, optional
        What the metric takes.
    shape : "axes", "ball" or "full", optional
        What a chosen factor multiplies: the standard deviation of each column, one standard deviation common to all
        columns, or a root of the full covariance. By default "axes" where the width is searched for, and nothing for
        "scott" and "silverman". Not used if the width is given.
    cv : int or list of pairs of index arrays, default=5
        Number of folds for "k-fold", or the rows that make the density and those held out, fold by fold.
    random_state : int, RandomState or None, default=None
        Seed of the folds, of which rows a search uses, and of `sample` where it is given none.

    Attributes
    ----------
    bandwidth_ : float or ndarray of shape (d,)
        The width, along each axis where they differ: standard deviation of a Gaussian kernel, or side of a box.
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
    tree_ : KDTree or BallTree
        scikit-learn's tree of the rows, made when it is asked for.
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
    >>> model = KernelDensity(bandwidth="likelihood").fit(X)
    >>> np.exp(model.score_samples([[-2.0], [-0.9], [1.0]])).round(2)
    array([0.58, 0.03, 0.19])
    >>> model.gradient([[-2.5]]).shape
    (1, 1)
    """

    _name_of_width = "bandwidth"
    _one_number = True  # a width that is the same along all axes is handed out as such

    __metadata_request__score = NOT_ROUTED

    def __init__(
        self,
        bandwidth=1.0,
        *,
        algorithm="auto",
        kernel="gaussian",
        metric="euclidean",
        atol=0,
        rtol=1e-6,
        breadth_first=True,
        leaf_size=40,
        metric_params=None,
        shape=None,
        cv=5,
        random_state=None,
    ):
        self.bandwidth = bandwidth
        self.algorithm = algorithm
        self.kernel = kernel
        self.metric = metric
        self.atol = atol
        self.rtol = rtol
        self.breadth_first = breadth_first
        self.leaf_size = leaf_size
        self.metric_params = metric_params
        self.shape = shape
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
            one = self._one_number and self._has_one_width()
            self.bandwidth_ = float(found.width[0]) if one else found.width.astype(rows.dtype)
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
        """Log-density of every row. Where no row is in reach it is 0, and its logarithm minus infinity."""
        check_is_fitted(self)
        one_of("kernel", self.kernel, KERNELS)  # they may have been changed since, or come from a file
        one_of("algorithm", self.algorithm, tuple(ROUTES))
        queries = np.asarray(self._blocks(X, reset=False, sparse=False).gather())
        found = self._log_densities(queries)
        endless = self.kernel in ("gaussian", "exponential")
        return (np.maximum(found, np.finfo(self.fit_rows_.dtype).min) if endless else found).astype(
            self.fit_rows_.dtype
        )

    def _log_densities(self, queries: np.ndarray) -> np.ndarray:
        if not is_euclidean(self.metric, self.metric_params):
            return self._by_metric(queries)
        if self.kernel == "box":
            return self._log_counts(queries)
        return self._log_gaussians(queries) if self.kernel == "gaussian" else self._log_radial(queries)

    def _log_counts(self, queries: np.ndarray) -> np.ndarray:
        width = np.broadcast_to(np.asarray(self.bandwidth_, dtype=np.float64), queries.shape[1:])
        counts = window_weights(self.fit_rows_, self.fit_weights_, queries, width)
        with np.errstate(divide="ignore"):
            return np.log(counts) - math.log(self.fit_weights_.sum()) - np.log(width).sum()

    def _log_gaussians(self, queries: np.ndarray) -> np.ndarray:
        route = ROUTES[self.algorithm]

        def answer(rows: np.ndarray, weights: np.ndarray, asked: np.ndarray) -> Found:
            return log_sums(rows, weights, asked, float(self.rtol), route), np.empty((len(asked), 0))

        frame, sums, _ = self._answers(queries, answer)
        return sums - frame.log_determinant - 0.5 * queries.shape[1] * math.log(2 * math.pi)

    def _log_radial(self, queries: np.ndarray) -> np.ndarray:
        """The frame is one in which the width is 1."""
        d = queries.shape[1]
        frame = make_frame(self.kernel_root_.astype(np.float64) * width_of(self.kernel, d), self.fit_rows_)
        weights = self.fit_weights_ / self.fit_weights_.sum()

        def answer(rows: np.ndarray, weights: np.ndarray, asked: np.ndarray) -> Found:
            return near_log_sums(self.kernel, rows, weights, asked), np.empty((len(asked), 0))

        if self.kernel == "exponential":
            rows, asked = frame.enter(self.fit_rows_), frame.enter(queries)
            sums = all_log_sums(self.kernel, rows, weights, asked, euclidean_distances)
        else:
            sums = answer_by_place(frame, self.fit_rows_, weights, queries, 0.0, answer)[0]
        return sums - frame.log_determinant + log_height(self.kernel, d)

    def _by_metric(self, queries: np.ndarray) -> np.ndarray:
        width, d = float(self.bandwidth_), queries.shape[1]

        def distance(some: np.ndarray, rows: np.ndarray) -> np.ndarray:
            return distances(some, rows, self.metric, self.metric_params) / width

        rows, weights = self.fit_rows_.astype(np.float64), self.fit_weights_ / self.fit_weights_.sum()
        sums = all_log_sums(self.kernel, rows, weights, queries.astype(np.float64), distance)
        height = -0.5 * d * math.log(2 * math.pi) if self.kernel == "gaussian" else log_height(self.kernel, d)
        return sums + height - d * math.log(width)

    def _answers(self, queries: np.ndarray, answer: Answer) -> tuple[KernelFrame, np.ndarray, np.ndarray]:
        frame, weights = make_frame(self.kernel_root_, self.fit_rows_), self.fit_weights_ / self.fit_weights_.sum()
        rtol = 0.0 if self.algorithm == "exact" else float(self.rtol)
        return frame, *answer_by_place(frame, self.fit_rows_, weights, queries, rtol, answer)

    def score(self, X, y=None, sample_weight=None):
        """Log-likelihood of the rows: the sum of their log-densities, each times its ``sample_weight``."""
        found = self.score_samples(X).astype(np.float64)
        return float(found.sum() if sample_weight is None else np.asarray(sample_weight, np.float64) @ found)

    def gradient(self, X):
        """Gradient of the log-density at every row: the direction in which p rises fastest.

        In kernel widths its error is at most ``rtol`` times 1 plus its length. Gaussian kernels only.
        """
        check_is_fitted(self)
        if self.kernel != "gaussian" or not is_euclidean(self.metric, self.metric_params):
            raise ValueError('gradient needs kernel="gaussian" and metric="euclidean": others have jumps or corners')
        queries = np.asarray(self._blocks(X, reset=False, sparse=False).gather())
        rtol = 0.0 if self.algorithm == "exact" else float(self.rtol)

        def answer(rows: np.ndarray, weights: np.ndarray, asked: np.ndarray) -> Found:
            found = pair_sums(rows, weights, asked, rtol, moments=True)
            return found.log_total, found.moments

        frame, _, moments = self._answers(queries, answer)
        return frame.leave_gradient(moments).astype(self.fit_rows_.dtype)

    def sample(self, n_samples=1, random_state=None):
        """Draw ``n_samples`` rows: a row of the fit, moved by a draw from the kernel.

        ``random_state`` is an int, a RandomState or None, which stands for that of the model.
        """
        check_is_fitted(self)
        whole_number("n_samples", n_samples, 1)
        given = self.random_state if random_state is None else random_state
        generator = np.random.default_rng(int(check_random_state(given).randint(2**31 - 1)))
        below = np.cumsum(self.fit_weights_)
        chosen = np.searchsorted(below, generator.random(n_samples) * below[-1], side="right")
        rows = self.fit_rows_[np.minimum(chosen, len(below) - 1)].astype(np.float64)
        return (rows + self._moves(generator, *rows.shape)).astype(self.fit_rows_.dtype)

    def _moves(self, generator: np.random.Generator, n: int, d: int) -> np.ndarray:
        root = self.kernel_root_.T.astype(np.float64)
        if self.kernel == "box":
            return generator.uniform(-0.5, 0.5, (n, d)) * self.bandwidth_
        if self.kernel == "gaussian":
            return np.asarray(generator.standard_normal((n, d)) @ root)
        return np.asarray(draw(self.kernel, generator, n, d) @ root * width_of(self.kernel, d))

    @property
    def tree_(self):
        """scikit-learn's tree of the rows of the fit."""
        from sklearn.neighbors import BallTree, KDTree

        check_is_fitted(self)
        ball = self.algorithm == "ball_tree" or self.metric not in KDTree.valid_metrics
        options = {"leaf_size": self.leaf_size, "metric": self.metric, **(self.metric_params or {})}
        return (BallTree if ball else KDTree)(self.fit_rows_, sample_weight=self.fit_weights_, **options)

    def _check_parameters(self) -> None:
        one_of("kernel", self.kernel, KERNELS)
        one_of("algorithm", self.algorithm, tuple(ROUTES))
        if self.shape is not None:
            one_of("shape", self.shape, SHAPES)
        if not isinstance(self.rtol, Real) or isinstance(self.rtol, bool) or not 0 <= self.rtol < 1:
            raise ValueError(f"rtol={self.rtol!r}: give a number from 0 up to, but not, 1")
        zero_or_more("atol", self.atol)
        whole_number("leaf_size", self.leaf_size, 1)
        if not isinstance(self.cv, list | tuple):
            whole_number("cv", self.cv, 2, ", or pairs of index arrays")
        if self.kernel != "gaussian" and self.shape == "full":
            raise ValueError('shape="full" needs kernel="gaussian": others have one width along each axis')
        check_metric(self.metric, self.metric_params, self.algorithm)
        if not is_euclidean(self.metric, self.metric_params) and (self.kernel == "box" or not self._has_one_width()):
            raise ValueError(
                f"metric={self.metric!r} needs a kernel of the distance alone and a {self._name_of_width} that is one "
                'number, "scott" or "silverman"'
            )

    def _has_one_width(self) -> bool:
        """Whether the width is one number for all axes, before anything is known of the rows."""
        if isinstance(self.bandwidth, str):
            return self.bandwidth in FACTORS and self.shape is None
        return np.ndim(self.bandwidth) == 0

    def _check_columns(self, d: int) -> None:
        if self.algorithm == "grid" and d > 2:
            raise ValueError(f'algorithm="grid" needs 1 or 2 columns, X has {d}; give algorithm="kd_tree" or "auto"')


def euclidean_distances(queries: np.ndarray, rows: np.ndarray) -> np.ndarray:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(queries, rows))
