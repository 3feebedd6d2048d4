"""A density that is constant on the cells of a grid, with as many cells as the rows ask for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.base import DensityMixin
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.rows.sample import stratified
from unmix.core.arguments import whole_number, zero_or_more
from unmix.core.blocks import RowBlocks
from unmix.core.scaling.standardize import find_extent
from unmix.density import histogram_grid as grid
from unmix.density.bin_choice import JUDGES, by_thumb, choose, column_order, lattice_ends, make_points
from unmix.density.mean_score import mean_score
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

THUMB = ("scott", "freedman-diaconis")
MOST_ROWS = 200_000  # looked at to choose the bins; of more a sample, and the number is scaled up
MOST_DENSE = 2**26


class HistogramDensity(DensityMixin, Estimator):
    """Histogram density, constant on the cells of a grid: ``p(x) = (n_c / V_c + a / V) / (N + a)``.

    n_c is the weight of the rows in the cell of x and V_c its volume, N the weight of all rows, V the volume of the
    whole grid and ``a`` the weight of an even background. Beyond the grid the density is 0. The number of intervals
    along each axis is given, or chosen such that each row is probable under the histogram of all others (in closed
    form: its cell has its weight less). One cell may be the answer, as for evenly spread rows. Where all columns are
    rounded, chosen intervals are whole numbers of steps. Only cells that hold rows are stored.

    Cost: O(n d log m) for m intervals an axis, O(n d) for each number of intervals tried (about 100).

    Parameters
    ----------
    bins : str, int, or list of numbers or edges, default="likelihood"
        The intervals: chosen by "likelihood" (leave-one-out), "least-squares" (leave-one-out, of the squared error),
        "knuth" (their posterior), "scott" or "freedman-diaconis" (rules of thumb); or given: their number on every
        axis, or a list with the number, or the edges, on each.
    range : list of (low, high), default=None
        Where the grid begins and ends on each axis; None takes the smallest and largest value of each column, and an
        interval of length 1 about the value of a constant one. Rows beyond it are left out.
    background : float, default=1.0
        Weight spread evenly over the grid. 0 gives the plain histogram, with density 0 in empty cells; the choice of
        bins then still is made with 1.
    random_state : int, RandomState or None, default=None
        Seed of `sample`.

    Attributes
    ----------
    bin_edges_ : list of arrays
        The edges on each axis.
    n_bins_ : array of shape (d,)
        The number of intervals on each axis.
    range_ : array of shape (d, 2)
        The first and the last edge on each axis.
    edges_ : array
        ``bin_edges_`` one after the other.
    cells_ : array of shape (c,)
        The numbers of the cells that hold rows, ``numpy.ravel_multi_index`` of their places.
    counts_ : array of shape (c,)
        The weight in each of them.
    density_ : array of shape (c,)
        The density in each of them.
    n_features_in_ : int

    References
    ----------
    Stone, An asymptotically optimal histogram selection rule, Berkeley Conference 1984.
    Rudemo, Empirical choice of histograms and kernel density estimators, Scandinavian J. Statistics 9 (1982).
    Knuth, Optimal data-based binning for histograms, arXiv:physics/0605197 (2006).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.density import HistogramDensity
    >>> X = np.array([[0.0], [0.5], [1.0], [4.0]])
    >>> model = HistogramDensity(bins=2, background=0).fit(X)
    >>> model.bin_edges_
    [array([0., 2., 4.])]
    >>> np.exp(model.score_samples([[0.1], [3.0], [5.0]]))
    array([0.375, 0.125, 0.   ])
    >>> rng = np.random.default_rng(0)
    >>> [int(HistogramDensity().fit(rows[:, None]).n_bins_[0]) for rows in (rng.random(500), rng.normal(size=500))]
    [1, 10]
    """

    def __init__(self, bins="likelihood", *, range=None, background=1.0, random_state=None):
        self.bins = bins
        self.range = range
        self.background = background
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Choose the cells and count the rows in them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), path, or dask collection
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Weight 2 is the same as the row twice, weight 0 as if it were absent.

        Returns
        -------
        self
        """
        zero_or_more("background", self.background)
        blocks = self._blocks(X, reset=True)
        weights = self._weights(sample_weight, blocks)
        with self._fitting(blocks, 0, weights):
            edges = self._edges(blocks, weights)
            cells = blocks.reduce(grid.count_cells, edges, rows=weights)
        if not len(cells.numbers):
            raise ValueError("no row lies within range or the edges in bins; widen them")
        self.edges_ = np.concatenate(edges)
        self.n_bins_ = np.array([len(edge) - 1 for edge in edges])
        self.range_ = np.array([edge[[0, -1]] for edge in edges], dtype=blocks.dtype)
        self.cells_, self.counts_ = cells
        with np.errstate(over="ignore", under="ignore"):
            self.density_ = np.exp(self._log_densities())
        return self

    @property
    def bin_edges_(self):
        """The edges on each axis."""
        check_is_fitted(self)
        return np.split(self.edges_, np.cumsum(self.n_bins_ + 1)[:-1])

    @property
    def n_parameters_(self):
        """Free probabilities, one less than the cells of the grid, for `BIC` and the like."""
        check_is_fitted(self)
        return math.prod(self.n_bins_.tolist()) - 1

    def score_samples(self, X):
        """Log-density of every row; minus infinity beyond the grid, and without a background in empty cells."""
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False)
        return blocks.map(log_density, self.bin_edges_, self.cells_, self._log_densities(), self._log_even())

    def score(self, X, y=None, sample_weight=None):
        """Mean log-density of the rows, weighted by ``sample_weight``; a row where it is 0 counts as -708."""
        return mean_score(self.score_samples(X), sample_weight)

    def sample(self, n_samples=1):
        """Draw ``n_samples`` rows: a cell, and a place in it."""
        check_is_fitted(self)
        whole_number("n_samples", n_samples, 1)
        rng, edges = np.random.default_rng(self._seed()), self.bin_edges_
        drawn = rng.choice(self.cells_, n_samples, p=self.counts_ / self.counts_.sum())
        places, share = grid.places_of(drawn, self.n_bins_), rng.random((len(edges), n_samples))
        even = rng.random(n_samples) < self.background / (self.counts_.sum() + self.background)
        low = [np.where(even, edge[0], edge[place]) for edge, place in zip(edges, places)]
        high = [np.where(even, edge[-1], edge[place + 1]) for edge, place in zip(edges, places)]
        rows = (np.array(low) * (1 - share) + np.array(high) * share).T
        return np.clip(rows.astype(self.range_.dtype), self.range_[:, 0], self.range_[:, 1])

    def to_grid(self):
        """The density in every cell, empty ones too: an array with one axis for each column."""
        check_is_fitted(self)
        if grid.n_cells(self.n_bins_) > MOST_DENSE:
            raise ValueError(f"{grid.n_cells(self.n_bins_)} cells are too many for an array; use score_samples")
        table = np.full(grid.n_cells(self.n_bins_), np.exp(self._log_even()))
        table[self.cells_] = self.density_
        return table.reshape(self.n_bins_)

    def _log_even(self) -> float:
        """The log-density of empty cells."""
        with np.errstate(divide="ignore"):
            background = np.log(self.background) - np.log(self.counts_.sum() + self.background)
        return float(background - grid.log_total_volume(self.bin_edges_))

    def _log_densities(self) -> np.ndarray:
        """Of occupied cells."""
        own = np.log(self.counts_) - np.log(self.counts_.sum() + self.background)
        return np.logaddexp(own - grid.log_volumes(self.cells_, self.bin_edges_), self._log_even())

    def _edges(self, blocks: RowBlocks, weights) -> list[np.ndarray]:
        d, given = blocks.shape[1], self._given(blocks.shape[1])
        low, high = self._limits(blocks, weights)
        if isinstance(given, str):
            given = self._chosen(blocks, weights, low, high, given)
        edges = [
            grid.regular_edges(a, b, int(m)) if np.ndim(m) == 0 else np.asarray(m, dtype=np.float64)
            for m, a, b in zip(given, low, high)
        ]
        for j, edge in enumerate(edges):
            if len(edge) < 2 or not np.isfinite(edge).all() or not (np.diff(edge) > 0).all():
                raise ValueError(
                    f"the edges in bins on axis {j} must rise, and be finite; give fewer intervals or others"
                )
        if grid.n_cells([len(edge) - 1 for edge in edges]) > grid.MOST_CELLS:
            raise ValueError(f"bins={self.bins!r} on {d} axes are more cells than can be numbered; give fewer bins")
        return edges

    def _given(self, d: int) -> Any:
        """The name of a rule, or a list of numbers of intervals and edges, one for each axis."""
        bins = self.bins
        if isinstance(bins, str):
            if bins not in (*JUDGES, *THUMB):
                raise ValueError(f"bins={bins!r}: give one of {', '.join((*JUDGES, *THUMB))}, a number or edges")
            return bins
        bins = list(bins) if hasattr(bins, "__len__") else [bins] * d
        if d == 1 and len(bins) > 1 and all(np.ndim(edge) == 0 for edge in bins):
            bins = [np.asarray(bins)]
        if len(bins) != d:
            raise ValueError(
                f"bins has {len(bins)} entries for {d} column(s); give one number or array of edges for each"
            )
        for m in bins:
            if np.ndim(m) == 0:
                whole_number("bins", m, 1, ", edges, or the name of a rule")
                if m > MOST_DENSE:
                    raise ValueError(f"bins={m} on one axis is more than can be kept; give at most {MOST_DENSE}")
        return bins

    def _limits(self, blocks: RowBlocks, weights) -> tuple[np.ndarray, np.ndarray]:
        d = blocks.shape[1]
        if self.range is not None:
            try:
                limits = np.asarray(self.range, dtype=np.float64)
            except (TypeError, ValueError):
                limits = np.empty(0)
            limits = np.tile(limits, (d, 1)) if limits.shape == (2,) else limits
            if limits.shape != (d, 2) or not np.isfinite(limits).all() or not (limits[:, 0] < limits[:, 1]).all():
                raise ValueError(f"range={self.range!r}: give {d} pair(s) (low, high) of finite numbers, low < high")
            return limits[:, 0], limits[:, 1]
        extent, eps = blocks.reduce(find_extent, rows=weights), float(np.finfo(blocks.dtype).eps)
        pairs = [grid.open_interval(float(a), float(b), eps) for a, b in zip(extent.low, extent.high)]
        return np.array(pairs)[:, 0], np.array(pairs)[:, 1]

    def _chosen(self, blocks: RowBlocks, weights, low: np.ndarray, high: np.ndarray, rule: str) -> list:
        numbers, own, left = rows_to_look_at(blocks.shape[0], weights)
        rows = np.asarray(blocks.take(numbers), dtype=np.float64)
        inside = ((rows >= low) & (rows <= high)).all(axis=1)
        if not inside.any():
            raise ValueError(f"no row lies within range={self.range!r}; widen it")
        rows, own, eps = rows[inside], own[inside], float(np.finfo(blocks.dtype).eps)
        order = column_order(rows, own, low, high)  # a search goes through the columns one after the other
        points = make_points(rows[:, order], own, low[order], high[order], eps)
        n_bins = by_thumb(points, rule) if rule in THUMB else choose(points, rule, float(self.background))
        more = left ** (1 / (blocks.shape[1] + 2))
        found = list(np.minimum(np.rint(n_bins * more), points.limits).astype(np.int64))
        if points.rounding is not None and self.range is None:
            ends = lattice_ends(low[order], high[order], points.rounding)
            found = [grid.whole_steps(*axis) for axis in zip(*ends, found, points.rounding.steps)]
        return [found[place] for place in np.argsort(order)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def rows_to_look_at(n: int, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, float]:
    """Numbers of the rows that choose the bins, their weights, and how many times as much all rows weigh.

    Of many rows a sample by weight, so that weight 2 is the row twice.
    """
    there = np.arange(n) if weights is None else np.flatnonzero(weights)
    own = np.ones(len(there)) if weights is None else weights[there]
    if len(there) <= MOST_ROWS:
        return there, own, 1.0
    drawn, times = np.unique(stratified(len(there), own, MOST_ROWS, 0), return_counts=True)
    total = float(own.sum())
    return there[drawn], times * min(1.0, total / MOST_ROWS), max(1.0, total / MOST_ROWS)


def log_density(block: Any, rows: None, edges: list, cells: np.ndarray, logs: np.ndarray, even: float) -> np.ndarray:
    """Of the rows of a block, from the log-densities of occupied cells and of all others."""
    numbers = grid.number_cells(block, edges)
    place = np.minimum(np.searchsorted(cells, numbers), len(cells) - 1)
    found = np.where(cells[place] == numbers, logs[place], even)
    return np.where(numbers == grid.OUTSIDE, -np.inf, found).astype(block.dtype)
