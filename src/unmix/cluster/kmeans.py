"""K-means: k centres, every row at its nearest, the sum of squared distances as small as possible."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.kmeans import fit as kmeans
from unmix.algorithms.kmeans import missing_entries as partial
from unmix.algorithms.kmeans.first_centers import from_function, given_centers
from unmix.algorithms.kmeans.lloyd import labels_and_cost as assess
from unmix.algorithms.kmeans.multi_start import Settings, enough_restarts
from unmix.algorithms.kmeans.starts.plus_plus import STARTS
from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.trace import Record
from unmix.shell.estimator import Estimator
from unmix.shell.missing import check_missing, ignores_missing
from unmix.shell.progress import with_callbacks
from unmix.shell.verbose import say

SWAP_ROUNDS = 100  # more than are ever used: rounds end when no swap pays


class KMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, Estimator):
    """K-means clustering with swap moves.

    Minimises ``Σ_i w_i ‖x_i - u_c(i)‖²`` over the centres ``u_1 … u_k`` and the labels ``c(i)``; in matrices, X ≈ Z U
    with Z one-hot.

    A start is drawn by greedy k-means++, refined by Lloyd's iteration (rows to the nearest centre, centres to the mean
    of their rows) and by swaps, which take a centre that is hardly missed to where it helps the most. Starts and swaps
    work on a sample of some hundred rows a cluster, held in memory; the last iterations and the labels use every row.
    One pass costs O(n k d) at most; rows whose label cannot have changed are not read.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k.
    init : {"k-means++", "random"}, array of shape (k, d) or callable, default="k-means++"
        The start: rows drawn far apart, rows drawn at random, given centres, or a function
        ``f(X, n_clusters, random_state=RandomState)`` that returns them; of data that do not fit a sample of some ten
        thousand rows it is shown the sample.
    n_init : int or "auto", default="auto"
        The number of starts, of which the best is kept. "auto" is 4 for up to 16 clusters, falling to 1 above 32: with
        many clusters swaps find what restarts would. Without swaps it is 1, and 10 for "random" and for a function.
    swaps : int or "auto", default="auto"
        The largest number of rounds of swaps after each start; 0 is plain Lloyd. "auto" is 0 for given centres and
        for a function, and otherwise as many rounds as pay.
    max_iter : int, default=300
        The largest number of the last iterations, which go over all rows and each lower the objective. Starts and swaps
        are followed to their end, so more iterations never end worse.
    tol : float, default=1e-4
        The last iterations stop when the squared movement of all centres is at most this share of the mean variance of
        the columns, or of what the cost says of it where a few far rows make it large.
    missing : {"error", "ignore"}, default="error"
        What to do with NaN: refuse, or compare rows with centres on the observed entries only. The objective is then
        the sum over observed entries, and `transform` scales distances up by (columns / observed columns).
    verbose : int, default=0
        Above 0, every iteration prints a line.
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit, on any number of threads or workers.
    copy_x : bool, default=True
        Without effect: X is neither copied nor written to.
    algorithm : {"lloyd", "elkan"}, default="lloyd"
        Without effect: rows whose label cannot have changed are spared under both names. "elkan" warns of a single
        cluster.
    inference : None, default=None
        There is nothing to choose: starts, swaps and Lloyd's iteration are the way of this estimator. `SoftKMeans`
        takes the names and steps of `unmix.inference`, and at ``temperature=0`` minimises the same objective.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Heaviest cluster first, equally heavy ones in the order of their coordinates; in the order of the start where
        it was given, by an array or a function.
    labels_ : ndarray of int32, shape (n,)
        The number of the nearest centre of each row; what `predict` says of it.
    inertia_ : float
        The objective, added up from residuals.
    n_iter_ : int
        Passes of the final iteration over all rows.
    trace_ : list of dict
        What each start and each iteration measured.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    References
    ----------
    Lloyd, Least squares quantization in PCM, IEEE Trans. Information Theory 28 (1982).
    Arthur & Vassilvitskii, k-means++: the advantages of careful seeding, SODA 2007.
    Hamerly, Making k-means even faster, SDM 2010. Fritzke, Breathing k-means, arXiv:2006.15666.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import KMeans
    >>> X = np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 0.0], [10.0, 2.0], [10.0, 4.0]])
    >>> model = KMeans(2, random_state=0).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1], dtype=int32)
    >>> model.cluster_centers_
    array([[ 1.,  2.],
           [10.,  3.]])
    >>> model.predict([[0.0, 0.0], [12.0, 3.0]])
    array([0, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        init="k-means++",
        n_init="auto",
        swaps="auto",
        max_iter=300,
        tol=1e-4,
        missing="error",
        verbose=0,
        random_state=None,
        copy_x=True,
        algorithm="lloyd",
        inference=None,
    ):
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.swaps = swaps
        self.max_iter = max_iter
        self.tol = tol
        self.missing = missing
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm
        self.inference = inference

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
        X = self._rows(X, reset=True)
        kept, weights = self._counted(sample_weight, X)
        self._check_size(kept, weights)
        seed = self._seed()
        settings = self._settings(kept, weights, seed)
        engine = partial.fit_partial if ignores_missing(self) else kmeans.fit
        with self._fitting(kept, seed, weights):
            found = engine(kept, weights, self.n_clusters, settings, seed)
        return self._store(found if kept is X else found._replace(labels=self._measure(X, None, found.centers).labels))

    def _store(self, found: kmeans.Fit) -> "KMeans":
        self.cluster_centers_, self.labels_ = found.centers, np.asarray(found.labels)
        self.inertia_, self.n_iter_ = found.cost, found.iterations
        self._say_the_end()
        self._warn_if_fewer(found.mass)
        return self

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def predict(self, X):
        """The number of the nearest centre of each row."""
        check_is_fitted(self)
        return np.asarray(self._assess(X).labels)

    def transform(self, X):
        """Distances (n, k) to the centres."""
        check_is_fitted(self)
        X = self._rows(X, reset=False)
        return (partial.distances if ignores_missing(self) else assess.distances)(X, self.cluster_centers_)

    def score(self, X, y=None, sample_weight=None):
        """Minus the objective on X."""
        check_is_fitted(self)
        return -self._assess(X, sample_weight).cost

    def _assess(self, X: Any, sample_weight: Any = None) -> assess.Assessment:
        X, weights = self._counted(sample_weight, self._rows(X, reset=False))
        return self._measure(X, weights, self.cluster_centers_)

    @property
    def _measure(self) -> Any:
        return partial.assess_partial if ignores_missing(self) else assess.assess

    def _rows(self, X: Any, reset: bool) -> RowBlocks:
        return self._blocks(X, reset=reset, allow_nan=ignores_missing(self), sparse=not ignores_missing(self))

    def _settings(self, X: RowBlocks, weights: np.ndarray | None, seed: int) -> Settings:
        """The options with everything "auto" decided."""
        start, k, swaps = self.init, int(self.n_clusters), self.swaps
        given = not isinstance(start, str) and not callable(start)
        if given:
            start = given_centers(start, k, X.shape[1])
            self._warn_of_restarts()
        elif callable(start):
            start = from_function(start, X, weights, seed)
        if _is_auto(swaps):
            swaps = SWAP_ROUNDS if isinstance(start, str) else 0
        enough = enough_restarts(k) if swaps else 1 if isinstance(start, str) and start == "k-means++" else 10
        n_init = 1 if given else enough if _is_auto(self.n_init) else self.n_init
        return Settings(start, n_init, swaps, self.max_iter, self.tol)

    def _warn_of_restarts(self) -> None:
        if not _is_auto(self.n_init) and self.n_init > 1:
            message = "Explicit initial center position passed: performing only one init in KMeans instead of n_init="
            warnings.warn(f"{message}{self.n_init}.", RuntimeWarning, stacklevel=5)

    def _say(self, record: Record) -> None:
        if record.stage != "lloyd":
            return
        if record.iteration == 1:
            say("Initialization complete")
        say(f"Iteration {record.iteration}, inertia {record.values['objective']:.6g}.")

    def _say_the_end(self) -> None:
        if not self.verbose:
            return
        if self.trace_ and self.trace_[-1].get("moved") == 0:
            say(f"Converged at iteration {self.n_iter_}: strict convergence.")
        elif self.n_iter_ < self.max_iter:
            say(f"Converged at iteration {self.n_iter_}: center shift is within tolerance {self.tol}.")

    def _check_parameters(self) -> None:
        whole_number("n_clusters", self.n_clusters, 1)
        whole_number("max_iter", self.max_iter, 1)
        if self.inference is not None:
            raise ValueError(
                f"inference={self.inference!r}: KMeans has a search of its own, by starts and swaps; for another way "
                f"to the same objective give SoftKMeans({self.n_clusters}, temperature=0, inference={self.inference!r})"
            )
        for name, least in (("n_init", 1), ("swaps", 0)):
            if not _is_auto(getattr(self, name)):
                whole_number(name, getattr(self, name), least, ' or "auto"')
        zero_or_more("tol", self.tol)
        if isinstance(self.init, str) and self.init not in STARTS:
            known = ", ".join(repr(name) for name in STARTS)
            raise ValueError(f"init={self.init!r} is not known; give one of {known}, an array of centres or a function")
        one_of("algorithm", self.algorithm, ("lloyd", "elkan"))
        if self.algorithm == "elkan" and self.n_clusters == 1:
            message = "algorithm='elkan' doesn't make sense for a single cluster: there is no second centre to compare"
            warnings.warn(message, RuntimeWarning, stacklevel=4)
        check_missing(self)

    def _check_size(self, X: RowBlocks, weights: np.ndarray | None) -> None:
        n = X.shape[0] if weights is None else int((weights > 0).sum())
        if n < self.n_clusters:
            raise ValueError(
                f"n_samples={n} should be >= n_clusters={self.n_clusters}; ask for fewer clusters, or give more rows"
            )

    def _warn_if_fewer(self, mass: np.ndarray) -> None:
        found = int((mass > 0).sum())
        if found < self.n_clusters:
            warnings.warn(
                f"Number of distinct clusters ({found}) found smaller than n_clusters ({self.n_clusters}). Possibly "
                "due to duplicate points in X. The clusters left over are empty.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not ignores_missing(self)
        tags.input_tags.allow_nan = ignores_missing(self)
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == "auto"
