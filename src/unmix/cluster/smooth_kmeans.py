"""Smooth K-means: clusters of rows that also hang together on a grid or a graph."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.kmeans.first_labels import first_labels, is_few
from unmix.algorithms.kmeans.multi_start import Settings
from unmix.cluster.assignment import check_count, largest_first
from unmix.core.arguments import whole_number
from unmix.core.canonical import canonical
from unmix.core.iteration.loop import costs_in
from unmix.core.linalg import power_of_two
from unmix.core.random import derive
from unmix.core.schedule import geometric
from unmix.costs.links import make_links
from unmix.costs.potts import Potts
from unmix.inference.mean_field import MeanField
from unmix.inference.named_steps import make_restartable
from unmix.inference.prototypes.smooth import diffused, grid_links, means, smooth, squared_distances, unlinked_search
from unmix.io.dispatch import as_blocks
from unmix.shell.data import to_array
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

DIFFUSION = 2  # times that rows are averaged with their neighbours before centres are looked for
TOLERANCE = 1e-2  # of shares at one temperature: the next moves them anyhow; centres already part the clusters


class SmoothKMeans(ClusterMixin, Estimator):
    """K-means with a price for neighbours in different clusters: segments images, maps, time series.

    Minimises ``Σ_i ‖x_i - u_c(i)‖² + λ/2 Σ_i Σ_{j in N(i)} [c(i) ≠ c(j)]``. The coupling is given in units of the mean
    squared residual s² of the start, λ = coupling · s², so that it means the same on every scale.

    Starts from K-means on rows averaged with their neighbours, follows the labels given the centres, by default by
    their mean field, from a temperature of the order of λ down, lets centres go to the means of their shares once T is
    below s², and ends by moving single labels and whole connected domains, then by a local search among all labels with
    the centres at their means: disturbances, and short coolings unless rows are very many; up to 1,024 rows two more
    searches begin at rows drawn as centres. A sweep costs O(n (d + neighbours) k).

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k.
    coupling : float, default=1.0
        The price of a pair of neighbours in different clusters; 0 is K-means.
    neighbors : None, (height, width) or sparse matrix (n, n), default=None
        Who is a neighbour of whom: nobody, the pixels of an image whose rows X lists row by row, or those with a
        positive weight, by which the price is multiplied.
    n_temperatures : int, default=25
        Temperatures on the way down.
    max_sweeps : int, default=10
        Sweeps at a temperature.
    inference : str or Step, default="sequential_mean_field"
        How the labels are followed while the centres rest: "sequential_mean_field", object by object; "mean_field" or
        "deterministic_annealing", all objects at once; "simulated_annealing" or "gibbs", "metropolis", "heat_bath"; or
        a step of your own that can `restart`, because the cost changes with the centres.
    random_state : int, RandomState or None, default=None
        Decides every draw; an integer gives the same labels again.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, d)
        Largest cluster first.
    labels_ : ndarray of int32, shape (n,)
    cost_ : float
        The objective.
    coupling_ : float
        λ.
    n_iter_ : int
    trace_ : list of dict
    n_features_in_ : int

    References
    ----------
    Besag, On the statistical analysis of dirty pictures, JRSS B 48 (1986).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import SmoothKMeans
    >>> signal = np.repeat([0.0, 1.0, 0.0], 20)[:, None]
    >>> noisy = signal + np.random.default_rng(0).normal(scale=0.35, size=(60, 1))
    >>> model = SmoothKMeans(2, coupling=6.0, neighbors=(1, 60), random_state=0).fit(noisy)
    >>> int(np.abs(np.diff(model.labels_)).sum())
    2
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        coupling=1.0,
        neighbors=None,
        n_temperatures=25,
        max_sweeps=10,
        inference="sequential_mean_field",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.coupling = coupling
        self.neighbors = neighbors
        self.n_temperatures = n_temperatures
        self.max_sweeps = max_sweeps
        self.inference = inference
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None):
        """Find clusters of the rows of X, which are in the order of the grid or graph."""
        X = to_array(self, X)
        n = X.shape[0]
        check_count(self.n_clusters, n)
        whole_number("n_temperatures", self.n_temperatures, 1)
        whole_number("max_sweeps", self.max_sweeps, 1)
        if not isinstance(self.coupling, Real) or not 0 <= self.coupling < np.inf:
            raise ValueError(f"coupling={self.coupling!r}: give a finite number from 0 up; 0 is plain K-means")
        given, factor = X.dtype, power_of_two(float(np.abs(X).max()))
        X = (X * np.float64(factor)).astype(given, copy=False)  # so that squares neither overflow nor vanish
        seed, blocks, step = self._seed(), as_blocks(X), make_restartable(self.inference, Potts(), self.max_sweeps)
        if isinstance(self.inference, str) and isinstance(step, MeanField):
            step.tol, step.jitter = TOLERANCE, 0.0
        with self._fitting(blocks, seed), costs_in(1 / factor / factor):
            centers, variance = self._start(X, derive(seed, 0))
            coupling = float(self.coupling) * variance
            links = self._links(n, coupling)
            hot = 2 * variance + float(links.degrees().mean())
            found = smooth(
                X,
                links,
                centers,
                step,
                temperatures=geometric(hot, 0.02 * variance, self.n_temperatures),
                melting=variance,
                seed=derive(seed, 1),
            )
        order = largest_first(found.labels, self.n_clusters)
        self.cluster_centers_ = (found.centers[order] / factor).astype(given)
        self.labels_ = np.argsort(order)[found.labels].astype(np.int32)
        self.coupling_, self.cost_ = coupling / factor / factor, found.cost / factor / factor
        self.n_iter_ = found.iterations
        return self

    def predict(self, X):
        """The nearest centre of each row: new rows have no neighbours."""
        check_is_fitted(self)
        X = to_array(self, X, reset=False)
        factor = np.float64(power_of_two(float(max(np.abs(X).max(), np.abs(self.cluster_centers_).max()))))
        small = (X * factor).astype(X.dtype, copy=False)
        return squared_distances(small, self.cluster_centers_ * factor).argmin(axis=1).astype(np.int32)

    def _start(self, X: np.ndarray, seed: int) -> tuple[np.ndarray, float]:
        """Centres of K-means on rows averaged with their neighbours, and the mean squared residual of the rows."""
        k = self.n_clusters
        quiet = diffused(X, self._links(len(X), 1.0), DIFFUSION).astype(X.dtype) if self.coupling else X
        labels = first_labels(as_blocks(quiet), None, k, Settings(swaps=20), seed)
        if is_few(len(X), X.shape[1], k):
            labels = unlinked_search(quiet, labels, k, derive(seed, 0, 1))
        centers = means(X, np.eye(k)[labels], X[:k].astype(np.float64))
        residual = float(((X - centers[labels]) ** 2).sum(axis=1).mean())
        return centers, max(residual, np.finfo(float).tiny * 1e10)

    def _links(self, n: int, weight: float):
        from scipy.sparse import csr_array

        graph = self.neighbors
        if graph is None:
            return make_links(csr_array((n, n)))
        if isinstance(graph, tuple | list):
            if len(graph) != 2 or not all(isinstance(side, Integral) for side in graph) or graph[0] * graph[1] != n:
                raise ValueError(f"neighbors={graph!r} is a grid of other than the {n} rows of X: give (height, width)")
            return grid_links(graph[0], graph[1], weight)
        if getattr(graph, "shape", None) != (n, n):
            what = f"has shape {graph.shape}" if hasattr(graph, "shape") else f"is {graph!r}"
            raise ValueError(f"neighbors {what}; for the {n} rows of X give (height, width) or a matrix ({n}, {n})")
        graph = canonical(csr_array(graph)).astype(np.float64)
        if not (np.isfinite(graph.data) & (graph.data >= 0)).all():
            raise ValueError(
                "neighbors holds weights that are negative, infinite or NaN; give 0 where there is no link"
            )
        return make_links(weight * graph)
