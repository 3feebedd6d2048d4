"""Online K-means: rows one by one, the nearest centre moves a part of the way towards each."""

from numbers import Real
from typing import Any, cast

import numpy as np
from sklearn.utils.validation import check_array

from unmix.algorithms.kmeans import labels_and_cost as assess
from unmix.algorithms.kmeans.first_rows import gathered, is_due, to_keep
from unmix.algorithms.kmeans.frame import find_scale
from unmix.algorithms.kmeans.multi_start import choose_centers, few_rows, sample_size
from unmix.algorithms.kmeans.online import Rate, State, epoch, learn_epochs
from unmix.algorithms.kmeans.plus_plus import STARTS
from unmix.algorithms.rows.presentation import presented
from unmix.algorithms.rows.sample import draw_sample
from unmix.cluster.nearest_center import NearestCenter
from unmix.core.arguments import representable, whole_number, zero_or_more
from unmix.core.blocks import RowBlocks
from unmix.costs.nearest.centers import Frame
from unmix.io.dispatch import as_blocks
from unmix.shell.progress import with_callbacks

SCHEDULES = ("power", "inverse", "constant")


class OnlineKMeans(NearestCenter):
    """K-means that learns from one row at a time, for streams and for data that change.

    Lowers ``Σ_i w_i ‖x_i - u_c(i)‖²`` by stochastic gradient descent: the centre nearest to a row moves by
    ``ε (x - u)``. `fit` shows all rows `n_epochs` times, in an order drawn anew each time; `partial_fit` goes on with
    the rows it is given. A row costs O(k d); `fit` holds the rows in memory.

    There is no ``inference`` to choose: descent along the rows as they come is the method itself.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k.
    init : {"k-means++", "data", "random"} or array of shape (k, d), default="k-means++"
        The start, as in `KMeans`.
    schedule : {"power", "inverse", "constant"}, default="power"
        How ε falls with the number t of rows a centre has won: ``learning_rate ((1 + tau) / (t + tau))^kappa``,
        ``1 / (t + 1)``, or not at all. Only the constant rate goes on following data that drift.
    learning_rate : float, default=0.3
        ε at the first row a centre wins, in (0, 1]; "inverse" does not use it.
    tau : float, default=10
        "power": rows for which ε stays near its first value.
    kappa : float, default=0.8
        "power": how fast ε falls; above 1/2 and up to 1 the centres settle.
    n_epochs : int, default=10
        How often `fit` shows each row.
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        In the order of the start.
    labels_ : ndarray of int32, shape (n,)
        The number of the nearest centre of each row of the last call.
    inertia_ : float
        The objective on the rows of the last call.
    counts_ : ndarray of shape (k,)
        Rows that each centre has won.
    n_iter_ : int
        Epochs so far; every call of `partial_fit` is one.
    first_rows_ : dict or None
        The first rows of a stream, as long as the start may still be chosen among them anew.
    trace_ : list of dict
        The cost of the rows as they were met, by epoch.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    References
    ----------
    MacQueen, Some methods for classification and analysis of multivariate observations, Berkeley Symposium 1967.
    Bottou & Bengio, Convergence properties of the K-means algorithms, NIPS 1994.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import OnlineKMeans
    >>> X = np.repeat([[0.0, 0.0], [9.0, 3.0]], 50, axis=0)
    >>> model = OnlineKMeans(2, random_state=0).fit(X)
    >>> model.cluster_centers_[model.predict([[1.0, 1.0], [8.0, 3.0]])].round(3) + 0.0
    array([[0., 0.],
           [9., 3.]])
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        init="k-means++",
        schedule="power",
        learning_rate=0.3,
        tau=10.0,
        kappa=0.8,
        n_epochs=10,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.init = init
        self.schedule = schedule
        self.learning_rate = learning_rate
        self.tau = tau
        self.kappa = kappa
        self.n_epochs = n_epochs
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the clusters of X: a table in memory, sparse, a path to npy, Parquet or CSV, or a dask collection.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), path, or dask collection
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Weight 2 shows the row twice, weight 0 never.

        Returns
        -------
        self
        """
        self._check_parameters()
        X = self._blocks(X, reset=True)
        (kept, weights), seed = self._counted(sample_weight, X), self._seed()
        n, k = kept.shape[0], int(self.n_clusters)
        if n < k:
            raise ValueError(f"n_samples={n} should be >= n_clusters={k}; ask for fewer clusters, or give more rows")
        self.first_rows_, frame = None, find_scale(kept, weights)
        with self._fitting(kept, seed, weights):
            start = self._begin(kept, weights, frame, seed)
            state = learn_epochs(presented(kept, weights), frame, start, self._rate(), self.n_epochs, seed)
        return self._store(X, kept, weights, frame, state)

    def partial_fit(self, X, y=None, sample_weight=None):
        """Show the rows of X once, in an order drawn from `random_state`; any number of rows, also a single one.

        Given centres learn from the first row on. Else the first rows are kept, up to 40 for every cluster, and the
        start is chosen among them anew whenever they have doubled, so it does not depend on how a stream is cut.
        """
        self._check_parameters()
        first = not hasattr(self, "cluster_centers_")
        X = self._blocks(X, reset=first)
        (kept, weights), seed = self._counted(sample_weight, X), self._seed()
        calls = 0 if first else self.n_iter_
        rows, own, anew = kept, weights, first
        if isinstance(self.init, str) and (first or self.first_rows_ is not None):
            rows, own, anew = self._with_first_rows(kept, weights, first)
        frame = find_scale(rows, own)
        if anew:
            state = self._begin(rows, own, frame, seed)._replace(iteration=calls)
        else:
            state = State(calls, False, frame.enter(self.cluster_centers_), self.counts_, np.inf)
        return self._store(X, kept, weights, frame, epoch(presented(rows, own), frame, state, self._rate(), seed))

    def _with_first_rows(
        self, X: RowBlocks, weights: np.ndarray | None, first: bool
    ) -> tuple[RowBlocks, np.ndarray | None, bool]:
        """What to learn from while the first rows are kept, and whether the start is to be chosen among it."""
        rows, k = gathered(None if first else self.first_rows_, X.gather(), weights), int(self.n_clusters)
        self.first_rows_ = to_keep(rows, k)
        if first or not is_due(rows, k):
            return X, weights, first
        return as_blocks(rows.rows), rows.weights, True

    def _begin(self, X: RowBlocks, weights: np.ndarray | None, frame: Frame, seed: int) -> State:
        start, k = cast(Any, self.init), int(self.n_clusters)
        if not isinstance(start, str):
            start = check_array(start, dtype=np.float64, input_name="init")
            if start.shape != (k, X.shape[1]):
                raise ValueError(f"init has shape {start.shape}; for n_clusters={k} give {(k, X.shape[1])}")
            representable("init", start, X.dtype)
        few = few_rows(draw_sample(X, weights, sample_size(X.shape[1], k), seed), k, seed)
        return State(0, False, choose_centers(few, frame, k, start, seed, 0), np.zeros(k), np.inf)

    def _store(self, X: RowBlocks, kept: RowBlocks, weights: np.ndarray | None, frame: Frame, state: State):
        self.cluster_centers_ = frame.leave(state.centers).astype(X.dtype)
        found = assess.assess(kept, weights, self.cluster_centers_)
        labels = found.labels if kept is X else assess.assess(X, None, self.cluster_centers_).labels
        self.labels_, self.inertia_ = np.asarray(labels), found.cost
        self.counts_, self.n_iter_ = state.wins, state.iteration
        return self

    def _rate(self) -> Rate:
        return Rate(self.schedule, float(self.learning_rate), float(self.tau), float(self.kappa))

    def _check_parameters(self) -> None:
        whole_number("n_clusters", self.n_clusters, 1)
        whole_number("n_epochs", self.n_epochs, 1)
        if self.schedule not in SCHEDULES:
            raise ValueError(f"schedule={self.schedule!r}: give one of {', '.join(map(repr, SCHEDULES))}")
        if isinstance(self.init, str) and self.init not in STARTS:
            raise ValueError(f"init={self.init!r}: give one of {', '.join(map(repr, STARTS))} or an array of centres")
        if not isinstance(self.learning_rate, Real) or not 0 < self.learning_rate <= 1:
            raise ValueError(f"learning_rate={self.learning_rate!r}: give a number above 0 and up to 1")
        for name in ("tau", "kappa"):
            zero_or_more(name, getattr(self, name))
