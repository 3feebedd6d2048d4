"""The self-organising map: a grid of prototypes laid through the data, so that neighbours on the grid are alike."""

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.algorithms.kmeans.frame import find_frame, find_scale
from unmix.algorithms.kmeans.lloyd import labels_and_cost as assess
from unmix.algorithms.rows.presentation import ShownRows
from unmix.algorithms.self_organizing_map import batch as batch_map
from unmix.algorithms.self_organizing_map import online as online_map
from unmix.algorithms.self_organizing_map import quality as map_quality
from unmix.algorithms.self_organizing_map import start as map_start
from unmix.algorithms.self_organizing_map.grid import (
    NEIGHBORHOODS,
    TOPOLOGIES,
    grid_distances,
    grid_positions,
    neighbor_table,
)
from unmix.core.arguments import is_whole, representable, whole_number
from unmix.core.blocks import RowBlocks
from unmix.costs.nearest.centers import Frame, frame_around
from unmix.embedding.trust import distortion
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

CHOICES = {
    "topology": TOPOLOGIES,
    "method": ("batch", "online"),
    "winner": ("nearest", "exact"),
    "neighborhood": NEIGHBORHOODS,
    "decay": ("geometric", "linear"),
}
LAST_SIGMA = 0.7  # narrower maps quantize better and tear more


class SelfOrganizingMap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Self-organising map (Kohonen map) on a rectangular or hexagonal grid or on a line.

    Lowers ``Σ_i w_i Σ_r H_c(i)r ‖x_i - u_r‖²`` over the nodes ``u_r`` and the labels ``c(i)`` while the neighbourhood
    H on the grid (rows summing to one) narrows from epoch to epoch.

    In a batch epoch every row goes to its node and every node to the mean of the rows around it, weighted by H; online,
    the winner and its neighbours move towards each row in turn. An epoch costs O(n k d); the batch one adds a k x k
    product, whatever the number of rows.

    Parameters
    ----------
    shape : int or tuple of one or two int, default=(20, 20)
        Rows and columns of the grid; one number is a line of nodes.
    topology : {"rectangular", "hexagonal"}, default="rectangular"
        Unit squares, or every second row half a step to the right so that inner nodes have six neighbours.
    method : {"batch", "online"}, default="batch"
        Online shows the rows in an order drawn anew each epoch, up to 64 MB of them in memory at a time.
    winner : {"nearest", "exact"}, default="nearest"
        Where a row goes during training: to the nearest node (Kohonen's rule, nodes weigh rows by H_cr / H_cc), or to
        the one of least cost averaged over its neighbourhood. With "exact" a batch epoch at fixed width never raises
        the cost.
    neighborhood : {"gaussian", "bubble", "epanechnikov"}, default="gaussian"
        How strongly nodes at a distance t σ feel each other: exp(-t²/2), 1 up to t = 1, or max(1 - t², 0).
    sigma : "auto" or pair of float, default="auto"
        First and last width in grid steps; 0 is no neighbourhood at all, which makes the map K-means. "auto" begins at
        a quarter of the longer side from a "pca" start and at half of it otherwise, at least 1, and ends at 0.7.
    n_epochs : int, default=20
        Passes over the rows.
    decay : {"geometric", "linear"}, default="geometric"
        How the width, and online the learning rate, fall.
    learning_rate : pair of float, default=(0.5, 0.01)
        Online: first and last share of the way to the row that the winner goes.
    init : {"pca", "random"} or array of shape (k, d), default="pca"
        The grid laid on the plane of the first two principal components, rows drawn at random, or given nodes.
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        The nodes, row by row of the grid.
    labels_ : ndarray of int32, shape (n,)
        The nearest node of each row; what `predict` says of it.
    grid_ : ndarray of shape (k, 1) or (k, 2)
        Where the nodes are on the map: row and column, in units of the distance between neighbours.
    quantization_error_ : float
        Mean distance of a row to its nearest node.
    topographic_error_ : float
        Share of the rows whose second nearest node is not adjacent to the nearest (diagonals of squares are adjacent).
    n_iter_ : int
        Epochs made.
    trace_ : list of dict
        Cost and width by epoch.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    References
    ----------
    Kohonen, Self-Organizing Maps, 3rd edition, Springer 2001.
    Heskes, Energy functions for self-organizing maps, in Kohonen Maps, Elsevier 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.embedding import SelfOrganizingMap
    >>> X = np.linspace(0, 1, 60)[:, None] * [1.0, 2.0]
    >>> model = SelfOrganizingMap(6, random_state=0).fit(X)
    >>> model.predict(X[[0, 15, 59]])
    array([0, 1, 5], dtype=int32)
    >>> float(model.topographic_error_)
    0.0
    """

    def __init__(
        self,
        shape=(20, 20),
        *,
        topology="rectangular",
        method="batch",
        winner="nearest",
        neighborhood="gaussian",
        sigma="auto",
        n_epochs=20,
        decay="geometric",
        learning_rate=(0.5, 0.01),
        init="pca",
        random_state=None,
    ):
        self.shape = shape
        self.topology = topology
        self.method = method
        self.winner = winner
        self.neighborhood = neighborhood
        self.sigma = sigma
        self.n_epochs = n_epochs
        self.decay = decay
        self.learning_rate = learning_rate
        self.init = init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Lay the map through X: a table in memory, sparse, a path to npy, Parquet or CSV, or a dask collection.

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
        self._check_parameters()
        X = self._blocks(X, reset=True)
        (kept, weights), seed = self._counted(sample_weight, X), self._seed()
        with self._fitting(kept, seed, weights):
            if self.method == "batch":
                frame = find_frame(kept, weights)
                start = self._start(kept, weights, frame, seed)
                state = batch_map.train(kept, weights, frame, start, self._lattice())
            else:
                frame = find_scale(kept, weights)
                start = self._start(kept, weights, frame, seed)
                state = online_map.train_online(ShownRows(kept, weights, seed), frame, start, self._course())
        return self._store(X, kept, weights, frame.leave(state.centers), state.iteration)

    def partial_fit(self, X, y=None, sample_weight=None):
        """One more epoch of the online rule over the rows of X; after `n_epochs` calls width and rate stay.

        The first call chooses the first nodes, from its own rows.
        """
        self._check_parameters()
        first = not hasattr(self, "cluster_centers_")
        X = self._blocks(X, reset=first)
        (kept, weights), seed = self._counted(sample_weight, X), self._seed()
        frame = find_scale(kept, weights)
        done = 0 if first else self.n_iter_
        centers = self._start(kept, weights, frame, seed) if first else frame.enter(self.cluster_centers_)
        centers, _ = online_map.epoch(ShownRows(kept, weights, seed), frame, centers, self._course(), done)
        return self._store(X, kept, weights, frame.leave(centers), done + 1)

    def _store(self, X: RowBlocks, kept: RowBlocks, weights: np.ndarray | None, centers: np.ndarray, epochs: int):
        self.grid_ = self._positions().astype(X.dtype)
        self.cluster_centers_ = centers.astype(X.dtype)
        adjacent = neighbor_table(grid_distances(self._positions()))
        found = map_quality.assess_map(kept, weights, self.cluster_centers_, adjacent)
        self.labels_ = found.labels if kept is X else map_quality.label_map(X, self.cluster_centers_)
        self.n_iter_ = epochs
        self.quantization_error_, self.topographic_error_ = found.quantization_error, found.topographic_error
        return self

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def predict(self, X):
        """The number of the nearest node of each row."""
        check_is_fitted(self)
        return map_quality.label_map(self._blocks(X, reset=False), self.cluster_centers_)

    def map_positions(self, X):
        """The place on the map, (n, 1) or (n, 2), of the nearest node of each row."""
        return self.grid_[self.predict(X)]

    def distortion(self, X, *, n_neighbors=10, rows=None):
        """The share of each row's nearest rows on the map that are not among its nearest in the data.

        The nearest on the map are all rows of the same node, and of the nodes around it while they are fewer than
        ``n_neighbors``. All rows are held in memory and all distances computed, a block at a time; give ``rows``, the
        numbers of those to look at or how many to draw, where there are many. See `unmix.embedding.distortion`.
        """
        check_is_fitted(self)
        X = self._blocks(X, reset=False)
        places = self._positions()[map_quality.label_map(X, self.cluster_centers_)]
        return distortion(X.gather(), places, n_neighbors=n_neighbors, rows=rows)

    def transform(self, X):
        """Distances (n, k) to the nodes."""
        check_is_fitted(self)
        return assess.distances(self._blocks(X, reset=False), self.cluster_centers_)

    def u_matrix(self):
        """Mean distance of each node to its direct neighbours (4, 6 or 2 inside), in the shape of the grid.

        High values are borders between groups, low ones their inside.
        """
        check_is_fitted(self)
        nodes = self.cluster_centers_.astype(np.float64)
        table = neighbor_table(grid_distances(self._positions()), reach=1.1)
        scale = frame_around(nodes[0], float(np.abs(nodes).max()), np.float64).scale
        away = np.sqrt((((nodes[:, None] - nodes[table]) * scale) ** 2).sum(axis=2)) / scale
        there = table >= 0
        mean = (away * there).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
        return mean.reshape(self._shape()).astype(self.cluster_centers_.dtype)

    def component_planes(self):
        """The value of every column at every node, (d, rows, columns) or (d, k)."""
        check_is_fitted(self)
        return np.ascontiguousarray(self.cluster_centers_.T).reshape(-1, *self._shape())

    def _shape(self) -> tuple[int, ...]:
        return (int(self.shape),) if isinstance(self.shape, Integral) else tuple(int(side) for side in self.shape)

    def _positions(self) -> np.ndarray:
        return grid_positions(self._shape(), self.topology)

    def _widths(self) -> tuple[float, float]:
        if isinstance(self.sigma, str):
            share = 4 if isinstance(self.init, str) and self.init == "pca" else 2
            return max(max(self._shape()) / share, 1.0), LAST_SIGMA
        return float(self.sigma[0]), float(self.sigma[1])

    def _lattice(self) -> batch_map.Lattice:
        share = np.arange(self.n_epochs) / max(self.n_epochs - 1, 1)
        sigmas = online_map.decayed(self._widths(), share, self.decay)
        distances = grid_distances(self._positions())
        return batch_map.Lattice(distances, self.neighborhood, sigmas, self.winner == "exact")

    def _course(self) -> online_map.Course:
        first, last = self.learning_rate
        return online_map.Course(
            grid_distances(self._positions()),
            self.neighborhood,
            self.winner == "exact",
            self._widths(),
            (float(first), float(last)),
            self.decay,
            int(self.n_epochs),
        )

    def _start(self, X: RowBlocks, weights: np.ndarray | None, frame: Frame, seed: int) -> np.ndarray:
        positions = self._positions()
        if not isinstance(self.init, str):
            nodes = check_array(self.init, dtype=np.float64, input_name="init")
            if nodes.shape != (len(positions), X.shape[1]):
                expected = (len(positions), X.shape[1])
                raise ValueError(f"init has shape {nodes.shape}; for this grid and X give an array of shape {expected}")
            representable("init", nodes, X.dtype)
            return frame.enter(nodes)
        if self.init == "pca":
            return map_start.plane_start(X, weights, frame, positions, seed)
        return map_start.row_start(X, weights, frame, len(positions), seed)

    def _check_parameters(self) -> None:
        sides = [self.shape] if isinstance(self.shape, Integral) else self.shape
        whole = isinstance(sides, list | tuple) and all(is_whole(side, 1) for side in sides)
        if not whole or len(sides) not in (1, 2):
            raise ValueError(f"shape={self.shape!r}: give one or two whole numbers from 1 up, such as (20, 20)")
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)!r}: give one of {', '.join(map(repr, known))}")
        if isinstance(self.init, str) and self.init not in ("pca", "random"):
            raise ValueError(f"init={self.init!r}: give 'pca', 'random' or an array of nodes")
        whole_number("n_epochs", self.n_epochs)
        if not (isinstance(self.sigma, str) and self.sigma == "auto"):
            _check_pair("sigma", self.sigma, np.inf, self.decay)
        _check_pair("learning_rate", self.learning_rate, 1.0, self.decay)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _check_pair(name: str, pair: Any, most: float, decay: str) -> None:
    two = isinstance(pair, list | tuple | np.ndarray) and len(pair) == 2 and all(isinstance(v, Real) for v in pair)
    if not two or not all(0 <= v <= most and np.isfinite(v) for v in pair):
        raise ValueError(f"{name}={pair!r}: give a first and a last value of 0 or more" + (", at most 1" * (most == 1)))
    if decay == "geometric" and (pair[0] == 0) != (pair[1] == 0):
        raise ValueError(f"{name}={pair!r} cannot fall to 0 by equal ratios; give decay='linear' or a positive end")
