"""Correlation clustering: agree with as many likes and dislikes as possible; the number of clusters comes out."""

import warnings
from numbers import Real

import numpy as np

from unmix.cluster.assignment import AssignmentClustering, check_count, square_matrix
from unmix.costs.correlation import Correlation
from unmix.costs.links import make_links
from unmix.inference.presets import Solution
from unmix.shell.data import to_array
from unmix.shell.dissimilarity import nearness
from unmix.shell.magnitude import refuse_vast
from unmix.shell.progress import with_callbacks


class CorrelationClustering(AssignmentClustering):
    """Correlation clustering: objects more similar than a threshold belong together.

    Minimises the disagreements ``Σ_{same} max(0, u - S_ij) + Σ_{different} max(0, S_ij - u)`` over pairs i < j, with
    similarities S of either sign and a threshold u. Without `n_clusters` their number is part of the answer: clusters
    that do not pay stay empty.

    Labels are followed from high temperature to zero, by default by Gibbs sampling, and a local search ends it (disturb
    and descend, heat and cool again). A sweep costs O(n k) plus the links of the objects that move. Sparse S is never
    made dense.

    Parameters
    ----------
    n_clusters : int or None, default=None
        The largest number of clusters; None leaves it open.
    metric : str or callable, default="euclidean"
        "precomputed": X holds similarities (n, n). Else any metric of scikit-learn's `pairwise_distances`, for rows X:
        the similarity of two rows is by how much they are nearer than rows are on average.
    threshold : float, default=0.0
        u, the similarity from which on two objects should be together.
    inference : str or Step, default="simulated_annealing"
        As in `PairwiseClustering`.
    temperature : float, default=0.0
        Where cooling ends. Above zero `probabilities_` say how sure every label is.
    n_temperatures : int, default=40
        Temperatures on the way down.
    n_init : int, default=1
        Runs from other draws, of which the best is kept.
    random_state : int, RandomState or None, default=None
        Decides every draw; an integer gives the same labels again.

    Attributes
    ----------
    labels_ : ndarray of int32, shape (n,)
        Largest cluster first.
    n_clusters_ : int
        The number of clusters found.
    probabilities_ : ndarray of shape (n, k)
    cost_ : float
        The disagreements of `labels_`.
    trace_ : list of dict

    References
    ----------
    Bansal, Blum & Chawla, Correlation clustering, Machine Learning 56 (2004).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import CorrelationClustering
    >>> S = np.array([[0, 1, 1, -1], [1, 0, -1, -1], [1, -1, 0, -1], [-1, -1, -1, 0]])
    >>> model = CorrelationClustering(metric="precomputed", random_state=0).fit(S)
    >>> model.n_clusters_, model.cost_
    (3, 1.0)
    """

    def __init__(
        self,
        n_clusters=None,
        *,
        metric="euclidean",
        threshold=0.0,
        inference="simulated_annealing",
        temperature=0.0,
        n_temperatures=40,
        n_init=1,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.metric = metric
        self.threshold = threshold
        self.inference = inference
        self.temperature = temperature
        self.n_temperatures = n_temperatures
        self.n_init = n_init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None):
        """Find clusters of rows X, or from similarities X, dense or sparse (``metric="precomputed"``)."""
        self._check_common()
        if not isinstance(self.threshold, Real) or not abs(self.threshold) < np.inf:
            raise ValueError(f"threshold={self.threshold!r}: give a finite number, above which similarities attract")
        X = self._similarities(X)
        refuse_vast(X, "similarities X")
        if self.n_clusters is not None:
            check_count(self.n_clusters, X.shape[0])
        self._tell_if_all_attract(X)
        found = self._search(X)
        self._keep(found, X.dtype)
        self.n_clusters_ = len(np.unique(self.labels_))
        return self

    def _similarities(self, X):
        if self.metric == "precomputed":
            return square_matrix(self, X, "similarities", sparse=True, allow_nan=False)
        return nearness(to_array(self, X), self.metric)

    def _tell_if_all_attract(self, X) -> None:
        """Dissimilarities look like this: all of them are zero or more, and the best is one cluster of everything."""
        n = X.shape[0]
        if hasattr(X, "tocsr") or n < 3 or X.diagonal().any():
            return
        if X[~np.eye(n, dtype=bool)].min() > max(0.0, float(self.threshold)):
            warnings.warn(
                f"all similarities in X are above threshold={self.threshold!r}, so that one cluster is best; raise the "
                "threshold, or give -X and a negative one if X holds dissimilarities",
                UserWarning,
                stacklevel=4,
            )

    def _search(self, X) -> Solution:
        """With an open number of clusters, allow twice as many as long as all of them are used."""
        cost, data, n, seed = Correlation(float(self.threshold)), make_links(X), X.shape[0], self._seed()
        if self.n_clusters is not None:
            return self._solve(X, cost, data, self.n_clusters, seed)
        k = min(n, max(8, round(n**0.5)))
        found = self._solve(X, cost, data, k, seed)
        while k < n and len(np.unique(found.labels)) == k:
            k = min(n, 2 * k)
            found = self._solve(X, cost, data, k, seed)
        return found

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.sparse = self.metric == "precomputed"
        return tags
