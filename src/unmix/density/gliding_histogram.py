"""Gliding histogram: the share of rows in a window about the place that is asked for."""

from __future__ import annotations

from unmix.density.kernel_density import KernelDensity
from unmix.density.mean_score import mean_score


class GlidingHistogram(KernelDensity):
    """Moving-window density estimate: the weight of the rows in a box about each point, over its volume.

    ``p(x) = Σ_i w_i [|x_k - x_ik| < h_k / 2 for every column k] / (Σ_i w_i Π_k h_k)``. Unlike a histogram it has
    no bins that could begin here or there; like one, it has jumps, and is 0 where no row is near. It is
    ``KernelDensity(kernel="box")`` under its own name.

    A width cannot be chosen by the likelihood of boxes, which is 0 as soon as one row is alone in its window, so that
    the outermost row would decide for all. The rules "likelihood" and "k-fold" find the best Gaussian kernels, and take
    boxes of their covariance, sides of √12 standard deviations: the best widths of the two kernels stand in that ratio
    to half a percent, whatever the density (Marron & Nolan). Counts are exact; a row on the border of a window, up to a
    few units in the last place of the coordinates, is outside.

    Cost: O(n log n + m log n) for m queries in one dimension; above, leaves of a k-d tree count as a whole where no
    border of a window passes through them, O(n m) at worst.

    Parameters
    ----------
    width : "likelihood", "k-fold", "scott", "silverman", float or array (d,), default="likelihood"
        How the width is chosen, or the sides of the window in the units of the data.
    shape : "axes" or "ball", default="axes"
        Windows in proportion to the standard deviation of each column, or with equal sides.
    cv : int or list of pairs of index arrays, default=5
        Number of folds for "k-fold", or the rows that make the density and those held out, fold by fold.
    random_state : int, RandomState or None, default=None
        Seed of `sample`, of the folds, and of which rows a search uses.

    Attributes
    ----------
    bandwidth_ : ndarray of shape (d,)
        Sides of the window.
    kernel_covariance_ : ndarray of shape (d, d)
        Diagonal, ``bandwidth_² / 12``.
    kernel_root_ : ndarray of shape (d, d)
    factor_ : float
    bandwidth_path_ : dict of "factor" and "log_likelihood"
        Of the Gaussian kernels of the search.
    fit_rows_ : ndarray of shape (n, d)
    fit_weights_ : ndarray of shape (n,)
    n_features_in_ : int

    References
    ----------
    Rosenblatt, Remarks on some nonparametric estimates of a density function, Annals of Math. Statistics 27 (1956).
    Marron & Nolan, Canonical kernels for density estimation, Statistics & Probability Letters 7 (1988).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.density import GlidingHistogram
    >>> X = np.array([[0.0], [1.0], [1.5], [4.0]])
    >>> model = GlidingHistogram(width=2.0).fit(X)
    >>> np.exp(model.score_samples([[0.9], [4.9], [6.0]]))  # 3, 1 and 0 of 4 rows, in a window of length 2
    array([0.375, 0.125, 0.   ])
    """

    _name_of_width = "width"
    _one_number = False
    kernel, algorithm, metric, metric_params, rtol, atol, leaf_size = "box", "auto", "euclidean", None, 0.0, 0.0, 40

    def __init__(self, width="likelihood", *, shape="axes", cv=5, random_state=None):
        self.width = width
        self.shape = shape
        self.cv = cv
        self.random_state = random_state

    @property
    def bandwidth(self):
        """The width, by the name it has in `KernelDensity`."""
        return self.width

    def score(self, X, y=None, sample_weight=None):
        """Mean log-density of the rows, weighted by ``sample_weight``; a row where it is 0 counts as -708."""
        return mean_score(self.score_samples(X), sample_weight)

    def _check_parameters(self) -> None:
        if isinstance(self.shape, str) and self.shape == "full":
            raise ValueError('shape="full": give "axes" or "ball", the sides of a window are parallel to the axes')
        super()._check_parameters()
