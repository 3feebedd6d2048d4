"""Least-angle clustering: groups of rows that point the same way."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unmix.cluster.assignment import AssignmentClustering, check_count
from unmix.costs.least_angle import LeastAngle
from unmix.shell.data import to_array
from unmix.shell.magnitude import refuse_vast
from unmix.shell.progress import with_callbacks


class LeastAngleClustering(AssignmentClustering):
    """Clusters of rows with small angles between them.

    Minimises ``-½ Σ_α Σ_{i,j in α} w_ij cos φ_ij = -½ Σ_α ‖Σ_{i in α} x_i‖²`` with ``w_ij = ‖x_i‖ ‖x_j‖``; with
    ``normalize=True`` all rows have length one and only angles count. Rows at less than a right angle attract each
    other, so rows that all point roughly the same way are one cluster whatever `n_clusters` is: take off their mean
    first if it is not meant. The n×n similarities are never formed: a sweep costs O(n d k).

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k.
    normalize : bool, default=True
        Scale every row to length one; rows of length zero stay as they are.
    inference : str or Step, default="mean_field"
        As in `PairwiseClustering`; or "laplace", which sums over all labellings by Laplace's method: the square is
        completed with a vector a cluster, and the integral over these is taken about its saddle point.
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
    directions_ : ndarray of shape (n_clusters, d)
        The sum of the rows of each cluster.
    probabilities_, draws_, diagnostics_
        As in `PairwiseClustering`.
    free_energy_ : float
        Above zero: of mean fields a bound, as in `PairwiseClustering`; of "laplace" ``-T log Z``, which is exact as T
        goes to 0 or n to infinity. NaN for more than 3000 coordinates of all directions together.
    cost_ : float
    trace_ : list of dict
    n_features_in_ : int

    References
    ----------
    Hubbard, Calculation of partition functions, Phys. Rev. Lett. 3 (1959), for the completed square.
    Tierney & Kadane, Accurate approximations for posterior moments and marginal densities, JASA 81 (1986).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import LeastAngleClustering
    >>> X = np.array([[1.0, 0.1], [5.0, 0.0], [-0.5, 0.9], [-4.0, 7.0], [-1.0, 1.0]])
    >>> LeastAngleClustering(2, random_state=0).fit(X).labels_
    array([1, 1, 0, 0, 0], dtype=int32)
    >>> soft = LeastAngleClustering(2, inference="laplace", temperature=1.0, random_state=0).fit(X)
    >>> soft.probabilities_[:, 0].round(2), round(soft.free_energy_, 2)
    (array([0.04, 0.03, 0.97, 0.98, 0.98]), -7.38)
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        normalize=True,
        inference="mean_field",
        temperature=0.0,
        n_temperatures=40,
        n_init=1,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.normalize = normalize
        self.inference = inference
        self.temperature = temperature
        self.n_temperatures = n_temperatures
        self.n_init = n_init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None):
        """Find clusters of the rows of X."""
        self._check_common()
        X = to_array(self, X)
        check_count(self.n_clusters, X.shape[0])
        rows = self._rows(X)
        with np.errstate(over="ignore"):  # such rows are refused in words
            refuse_vast((rows * rows).sum(axis=1, dtype=np.float64), "squared lengths of the rows of X")
        found = self._solve(rows, LeastAngle(), rows, self.n_clusters, self._seed())
        order = self._keep(found, X.dtype)
        self.directions_ = (found.shares[:, order].T @ rows).astype(X.dtype)
        return self

    def predict(self, X):
        """The cluster whose direction each row is nearest to, as a member of it."""
        check_is_fitted(self)
        X = to_array(self, X, reset=False)
        return (self._rows(X) @ self.directions_.T).argmax(axis=1).astype(np.int32)

    def _rows(self, X):
        if not self.normalize:
            return X
        scale = np.abs(X).max(axis=1, keepdims=True)
        X = X / np.where(scale > 0, scale, 1)  # first to the order of one: squares may over- or underflow
        lengths = np.linalg.norm(X, axis=1, keepdims=True)
        return X / np.where(lengths > 0, lengths, 1)
