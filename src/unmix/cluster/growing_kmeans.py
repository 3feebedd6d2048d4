"""Growing K-means: as many clusters as a bound on the distortion takes."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from unmix.algorithms.kmeans import growing as growing_kmeans
from unmix.algorithms.kmeans.lloyd import labels_and_cost as assess
from unmix.cluster.shared.nearest_center import NearestCenter
from unmix.core.arguments import whole_number, zero_or_more
from unmix.shell.progress import with_callbacks


class GrowingKMeans(NearestCenter):
    """K-means that adds clusters until the distortion is small enough.

    Lowers ``Σ_i w_i ‖x_i - u_c(i)‖²`` like `KMeans`, but k is found: beginning with one cluster, the one of the largest
    mean squared distance to its centre is split in two and all centres are iterated, until the bound holds.

    Each step costs the passes of Lloyd's iteration, O(n k d) each; a split looks at a sample of the cluster.

    There is no ``inference`` to choose: clusters are built up one by one, no distribution of labels is followed.

    Parameters
    ----------
    max_distortion : float, default=0.1
        The largest mean squared distance of a row to its centre.
    relative : bool, default=True
        Whether `max_distortion` is a share of the distortion of a single cluster (the total variance) or in the squared
        units of the data.
    criterion : {"mean", "cluster"}, default="mean"
        Whether the bound is for the mean over all rows or for every cluster.
    max_clusters : int, default=100
        Stop there, with a warning, if the bound does not hold yet.
    max_iter : int, default=300
        The largest number of iterations of Lloyd after each split.
    tol : float, default=1e-4
        Stop iterating when the squared movement of all centres is at most this share of the mean variance of the
        columns, or of what the cost says of it where a few far rows make it large.
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit, on any number of threads or workers.

    Attributes
    ----------
    n_clusters_ : int
        The number of clusters found.
    cluster_centers_ : ndarray of shape (k, d)
        Heaviest cluster first, equally heavy ones in the order of their coordinates.
    labels_ : ndarray of int32, shape (n,)
        The number of the nearest centre of each row.
    inertia_ : float
        The objective, added up from residuals.
    n_iter_ : int
        Splits made.
    trace_ : list of dict
        Mean distortion after each split.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    References
    ----------
    Linde, Buzo & Gray, An algorithm for vector quantizer design, IEEE Trans. Communications 28 (1980).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import GrowingKMeans
    >>> X = np.array([[0.0], [0.2], [5.0], [5.2], [9.0], [9.2]])
    >>> model = GrowingKMeans(max_distortion=0.05, random_state=0).fit(X)
    >>> model.n_clusters_
    3
    >>> model.cluster_centers_.ravel()
    array([0.1, 5.1, 9.1])
    """

    def __init__(
        self,
        max_distortion=0.1,
        *,
        relative=True,
        criterion="mean",
        max_clusters=100,
        max_iter=300,
        tol=1e-4,
        random_state=None,
    ):
        self.max_distortion = max_distortion
        self.relative = relative
        self.criterion = criterion
        self.max_clusters = max_clusters
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the clusters of X: a table in memory, sparse, a path to npy, Parquet or CSV, or a dask collection.

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
        bound = growing_kmeans.Bound(
            float(self.max_distortion), bool(self.relative), self.criterion == "cluster", int(self.max_clusters)
        )
        with self._fitting(kept, seed, weights):
            found, reached = growing_kmeans.grow(kept, weights, bound, self.max_iter, self.tol, seed)
        if not reached:
            warnings.warn(
                f"the bound max_distortion={self.max_distortion} does not hold with max_clusters={self.max_clusters}; "
                "allow more clusters or a larger distortion",
                ConvergenceWarning,
                stacklevel=2,
            )
        labels = found.labels if kept is X else assess.assess(X, None, found.centers).labels
        self.cluster_centers_, self.labels_ = found.centers, np.asarray(labels)
        self.n_clusters_ = len(found.centers)
        self.inertia_, self.n_iter_ = found.cost, found.iterations
        return self

    def _check_parameters(self) -> None:
        whole_number("max_clusters", self.max_clusters, 1)
        whole_number("max_iter", self.max_iter, 1)
        for name in ("max_distortion", "tol"):
            zero_or_more(name, getattr(self, name))
        if self.criterion not in ("mean", "cluster"):
            raise ValueError(f"criterion={self.criterion!r}: give 'mean' or 'cluster'")
