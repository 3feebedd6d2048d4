"""A self-organising map of objects that are known only by their dissimilarities."""

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.self_organizing_map.grid import TOPOLOGIES, grid_distances, grid_positions, neighborhood
from unmix.core.arguments import is_whole, whole_number
from unmix.core.random import derive
from unmix.core.schedule import geometric
from unmix.costs.pairwise import Dissimilarities, Pairwise, make_dissimilarities
from unmix.costs.pairwise_neighborhood import PairwiseNeighborhood, rises
from unmix.embedding.trust import distortion
from unmix.inference.anneal import anneal
from unmix.inference.local.local_search import refine
from unmix.inference.named_steps import make_restartable
from unmix.inference.presets import descend
from unmix.io.dispatch import as_blocks
from unmix.shell.data import to_array
from unmix.shell.dissimilarity import distances_to_fitted, refuse_similarities, row_distances
from unmix.shell.estimator import Estimator
from unmix.shell.magnitude import refuse_tiny, refuse_vanishing, refuse_vast
from unmix.shell.progress import with_callbacks

SWEEPS = 10  # at one width and temperature


class PairwiseSOM(Estimator):
    """Self-organising map of dissimilarities: objects on the nodes of a grid, neighbours on the grid being alike.

    Minimises ``½ Σ_r (Σ_ij s_ir s_jr D_ij) / (Σ_i s_ir)`` with ``s_ir = H_c(i)r``: an object belongs to the nodes
    around its own by the shares H of a Gaussian of width σ. For squared Euclidean distances this is the cost of a
    map of vectors, and with σ = 0 it is pairwise clustering.

    The labels are followed, by default by their mean field, while temperature and σ fall together, and a local search
    at the last σ ends it: single moves, disturbances, short coolings. A sweep costs O(n² k + n k²), all of it
    products of matrices, one of moves O(n k + n times those that move) for the nodes around each.

    Parameters
    ----------
    shape : int or tuple of int, default=(5, 5)
        A line of nodes, or rows and columns.
    topology : {"rectangular", "hexagonal"}, default="rectangular"
        How nodes are adjacent.
    metric : str or callable, default="euclidean"
        "precomputed" for dissimilarities (n, n), else a metric of scikit-learn's `pairwise_distances`.
    sigma : (float, float) or None, default=None
        First and last width; None is a third of the longest side, and 0.5.
    n_steps : int, default=20
        Widths and temperatures on the way.
    inference : str or Step, default="mean_field"
        How the labels are followed at each width and temperature: "mean_field" or "deterministic_annealing", all
        objects at once; "sequential_mean_field"; "simulated_annealing" or "gibbs", "metropolis", "heat_bath"; or a
        step of your own that can `restart`, because the cost changes with the width.
    random_state : int, RandomState or None, default=None
        Decides every draw; an integer gives the same map again.

    Attributes
    ----------
    labels_ : ndarray of int32, shape (n,)
        The node of each object.
    grid_ : ndarray of shape (k, 1) or (k, 2)
        Where the nodes are.
    probabilities_ : ndarray of shape (n, k)
        Shares of the nodes, neighbourhood included.
    within_ : ndarray of shape (k,)
        The sum of dissimilarities at each node, by these shares.
    cost_ : float
    trace_ : list of dict
    n_features_in_ : int

    References
    ----------
    Graepel & Obermayer, A stochastic self-organizing map for proximity data, Neural Computation 11 (1999).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.embedding import PairwiseSOM
    >>> place = np.linspace(0, 1, 30)
    >>> model = PairwiseSOM(5, metric="precomputed", random_state=0).fit(np.abs(place[:, None] - place))
    >>> steps = np.diff(model.labels_)
    >>> bool((steps >= 0).all() or (steps <= 0).all())
    True
    """

    def __init__(
        self,
        shape=(5, 5),
        *,
        topology="rectangular",
        metric="euclidean",
        sigma=None,
        n_steps=20,
        inference="mean_field",
        random_state=None,
    ):
        self.shape = shape
        self.topology = topology
        self.metric = metric
        self.sigma = sigma
        self.n_steps = n_steps
        self.inference = inference
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None):
        """Lay the map through rows X, or through dissimilarities X (``metric="precomputed"``)."""
        shape = self._check_parameters()
        D = self._dissimilarities(X)
        self.grid_ = grid_positions(shape, self.topology)
        between, data, seed = grid_distances(self.grid_), make_dissimilarities(D), self._seed()
        with self._fitting(as_blocks(D), seed):
            labels, cost = self._follow(data, between, max(shape), seed)
        self.labels_ = labels.astype(np.int32)
        shares = cost.H[labels]
        self.probabilities_ = shares.astype(D.dtype)
        self.within_ = (shares * data.links.pull(shares)).sum(axis=0)
        self.cost_ = cost.total(data, labels)
        return self

    def fit_predict(self, X, y=None):
        """The node of each object of the fit."""
        return self.fit(X).labels_

    def predict(self, X):
        """The node each new object would join at least cost: rows X, or dissimilarities (new, fitted)."""
        check_is_fitted(self)
        D = distances_to_fitted(self, to_array(self, X, reset=False))
        shares = self.probabilities_.astype(np.float64)
        pull = D @ shares
        size, inside = (np.broadcast_to(part, pull.shape) for part in (shares.sum(axis=0), self.within_))
        last = neighborhood(grid_distances(self.grid_), float(self._widths()[-1]), "gaussian")
        return rises(PairwiseNeighborhood(last).H, size, inside, pull).argmin(axis=1).astype(np.int32)

    def distortion(self, X, *, n_neighbors=10, rows=None):
        """The share of each object's nearest on the map that are not its nearest by X, which is the X of the fit.

        The nearest on the map are all objects of the same node, and of the nodes around it while they are fewer than
        ``n_neighbors``; ``rows`` are the numbers of the objects to look at, by default all. See
        `unmix.embedding.distortion`.
        """
        check_is_fitted(self)
        X = to_array(self, X, reset=False)
        if len(X) != len(self.labels_):
            raise ValueError(f"X has {len(X)} row(s), the fit had {len(self.labels_)}; give the X of the fit")
        return distortion(X, self.grid_[self.labels_], n_neighbors=n_neighbors, metric=self.metric, rows=rows)

    def _follow(
        self, data: Dissimilarities, between: np.ndarray, side: int, seed: int
    ) -> tuple[np.ndarray, PairwiseNeighborhood]:
        """The chosen step while σ and the temperature fall, then moves of single objects at the last σ."""
        k = len(between)
        step = make_restartable(self.inference, PairwiseNeighborhood(np.eye(k)), SWEEPS)
        hot = max(1.1 * Pairwise().critical_temperature(data), np.finfo(float).tiny * 1e10)
        temperatures, start = geometric(hot, 1e-3 * hot, self.n_steps), None
        for turn, (sigma, temperature) in enumerate(zip(self._widths(side), temperatures, strict=True)):
            cost = PairwiseNeighborhood(neighborhood(between, float(sigma), "gaussian"))
            cold = [float(temperature)]
            found = anneal(step, cost, data, k, cold, seed=derive(seed, turn), start=start, name="map")
            start = step.restart(found.shares)
        labels = descend(cost, data, found.labels, k, 50, derive(seed, self.n_steps))
        return refine(cost, data, labels, k, hot, derive(seed, self.n_steps + 1)), cost

    def _widths(self, side: int | None = None) -> np.ndarray:
        side = side or int(max(np.ptp(self.grid_, axis=0)) + 1)
        first, last = (max(side / 3, 0.6), 0.5) if self.sigma is None else self.sigma
        if first == 0:
            return np.zeros(self.n_steps)
        falling = geometric(first, last or min(0.3, first), self.n_steps)
        return falling if last else np.append(falling[1:], 0.0)

    def _check_parameters(self) -> tuple[int, ...]:
        shape = tuple(self.shape) if isinstance(self.shape, Sequence | np.ndarray) else (self.shape,)
        if len(shape) not in (1, 2) or not all(is_whole(side, 1) for side in shape):
            raise ValueError(f"shape={self.shape!r}: give a number of nodes, or rows and columns")
        if self.topology not in TOPOLOGIES:
            raise ValueError(f"topology={self.topology!r} is not known; choose one of {', '.join(TOPOLOGIES)}")
        whole_number("n_steps", self.n_steps, 2)
        widths = self.sigma if isinstance(self.sigma, Sequence | np.ndarray) else ()
        falling = len(widths) == 2 and all(isinstance(w, Real) for w in widths) and np.inf > widths[0] >= widths[1] >= 0
        if self.sigma is not None and not falling:
            raise ValueError(f"sigma={self.sigma!r}: give the first and the last width, falling, none negative")
        return tuple(int(side) for side in shape)

    def _dissimilarities(self, X: Any) -> np.ndarray:
        X = to_array(self, X)
        if self.metric != "precomputed":
            self.objects_ = X
            with np.errstate(over="ignore", invalid="ignore"):  # such distances are refused in words
                D = row_distances(X, metric=self.metric).astype(X.dtype, copy=False)
            refuse_vast(D, "distances between rows of X")
            refuse_vanishing(X, D, self.metric)
            return D
        if X.shape[0] != X.shape[1]:
            raise ValueError(f"X has shape {X.shape}; dissimilarities between all pairs make a square matrix")
        refuse_vast(X, "dissimilarities X")
        refuse_tiny(X, "dissimilarities X")
        refuse_similarities(X)
        if X.sum() < 0:
            raise ValueError("X is negative on average; from similarities s, give dissimilarities s_ii + s_jj - 2 s_ij")
        return X

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags
