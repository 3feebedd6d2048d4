"""K-means in batches: rows one by one, the nearest centre moves a part of the way towards each."""

import warnings
from numbers import Real
from typing import Any, cast

import numpy as np

from unmix.algorithms.kmeans.first_centers import from_function, given_centers
from unmix.algorithms.kmeans.first_rows import gathered, is_due, to_keep
from unmix.algorithms.kmeans.frame import find_scale
from unmix.algorithms.kmeans.lloyd import labels_and_cost as assess
from unmix.algorithms.kmeans.multi_start import choose_centers, few_rows, sample_size
from unmix.algorithms.kmeans.online import Rate, State, Stop, epoch, learn
from unmix.algorithms.kmeans.starts.plus_plus import STARTS
from unmix.algorithms.rows.presentation import ShownRows
from unmix.algorithms.rows.sample import Sample, draw_sample
from unmix.cluster.shared.nearest_center import NearestCenter
from unmix.core.arguments import one_of, representable, whole_number, zero_or_more
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.trace import Record
from unmix.core.scaling.standardize import measure_spread
from unmix.costs.nearest.centers import Frame
from unmix.io.dispatch import as_blocks
from unmix.shell.progress import with_callbacks
from unmix.shell.verbose import say

SCHEDULES = ("power", "inverse", "constant")


class MiniBatchKMeans(NearestCenter):
    """K-means that learns from one row at a time, for streams and for data that change.

    Lowers ``Σ_i w_i ‖x_i - u_c(i)‖²`` by stochastic gradient descent: the centre nearest to a row moves by
    ``ε (x - u)``. `fit` shows all rows again and again, in an order drawn anew each time and `batch_size` of them a
    step, until the cost of the batches falls no more; `partial_fit` goes on with the rows it is given, as one batch. A
    row costs O(k d); `fit` holds up to 64 MB of the rows in memory.

    There is no ``inference`` to choose: descent along the rows as they come is the method itself.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k.
    init : {"k-means++", "random"}, array of shape (k, d) or callable, default="k-means++"
        The start, as in `KMeans`.
    max_iter : int, default=100
        How often `fit` shows each row at most.
    batch_size : int, default=1024
        Rows of a step, after which the cost is looked at; within a batch centres move with every row.
    verbose : int, default=0
        Above 0, every step prints a line.
    compute_labels : bool, default=True
        Whether `labels_` and the objective are computed for all rows at the end.
    tol : float, default=0.0
        `fit` ends when the squared movement of all centres in a step is at most this share of the mean variance of the
        columns; 0 does not look at it.
    max_no_improvement : int or None, default=10
        `fit` ends after so many steps without a lower moving average of the cost (by 0.5 % an epoch, for with the
        steps the cost of rows as they are met always falls a little); None does not look at it.
    init_size : int or None, default=None
        Rows among which the start is chosen; None is some hundred a cluster.
    n_init : int or "auto", default="auto"
        Starts that are tried on the rows of `init_size`, of which the best is followed. "auto" is 1 for "k-means++" and
        an array, and 3 otherwise.
    reassignment_ratio : float, default=0.01
        A centre that has won less than this share of what the first one has may move to a row of the batch, where the
        cost falls by it.
    schedule : {"power", "inverse", "constant"}, default="power"
        How ε falls with the number t of rows a centre has won: ``learning_rate ((1 + tau) / (t + tau))^kappa``,
        ``1 / (t + 1)``, or not at all. Only the constant rate goes on following data that drift.
    learning_rate : float, default=0.3
        ε at the first row a centre wins, in (0, 1]; "inverse" does not use it.
    tau : float, default=10
        "power": rows for which ε stays near its first value.
    kappa : float, default=0.8
        "power": how fast ε falls; above 1/2 and up to 1 the centres settle.
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        In the order of the start.
    labels_ : ndarray of int32, shape (n,)
        The number of the nearest centre of each row of the last call; with `compute_labels` only.
    inertia_ : float
        The objective on the rows of the last call; without `compute_labels` as its moving average tells it.
    counts_ : ndarray of shape (k,)
        Rows that each centre has won.
    n_iter_ : int
        Epochs begun by `fit`; 1 for `partial_fit`.
    n_steps_ : int
        Batches so far.
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
    >>> from unmix.cluster import MiniBatchKMeans
    >>> X = np.repeat([[0.0, 0.0], [9.0, 3.0]], 50, axis=0)
    >>> model = MiniBatchKMeans(2, random_state=0).fit(X)
    >>> model.cluster_centers_[model.predict([[1.0, 1.0], [8.0, 3.0]])].round(3) + 0.0
    array([[0., 0.],
           [9., 3.]])
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        init="k-means++",
        max_iter=100,
        batch_size=1024,
        verbose=0,
        compute_labels=True,
        tol=0.0,
        max_no_improvement=10,
        init_size=None,
        n_init="auto",
        reassignment_ratio=0.01,
        schedule="power",
        learning_rate=0.3,
        tau=10.0,
        kappa=0.8,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.verbose = verbose
        self.compute_labels = compute_labels
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.init_size = init_size
        self.n_init = n_init
        self.reassignment_ratio = reassignment_ratio
        self.schedule = schedule
        self.learning_rate = learning_rate
        self.tau = tau
        self.kappa = kappa
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
            start, shown = self._begin(kept, weights, frame, seed), ShownRows(kept, weights, seed)
            size = min(int(self.batch_size), shown.showings)
            stop = self._stop(kept, weights, frame, shown.showings, size)
            state = learn(shown, frame, start, self._rate(), size, stop, seed)
        self.n_steps_, self.n_iter_ = state.iteration, -(-state.iteration * size // shown.showings)
        self._say_the_end(state)
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
        calls = 0 if first else self.n_steps_
        rows, own, anew = kept, weights, first
        if isinstance(self.init, str) and (first or self.first_rows_ is not None):
            rows, own, anew = self._with_first_rows(kept, weights, first)
        frame = find_scale(rows, own)
        if anew:
            state = self._begin(rows, own, frame, seed)._replace(iteration=calls)
        else:
            state = State(calls, False, frame.enter(self.cluster_centers_), self.counts_, np.inf)
        state = epoch(ShownRows(rows, own, seed), frame, state, self._rate(), seed)
        self.n_steps_, self.n_iter_ = state.iteration, 1
        return self._store(X, kept, weights, frame, state._replace(average=state.objective))

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
        if not isinstance(start, str) and not callable(start):
            start = given_centers(start, k, X.shape[1])
            representable("init", start, X.dtype)
            self._warn_of_restarts()
            return State(0, False, frame.enter(start), np.zeros(k), np.inf)
        if callable(start):
            start = from_function(start, X, weights, seed)
        few = self._first_rows(X, weights, seed)
        tried = self._n_starts()
        starts = [choose_centers(few, frame, k, start, seed, turn) for turn in range(tried)]
        return State(0, False, cheapest(few, frame, starts), np.zeros(k), np.inf)

    def _first_rows(self, X: RowBlocks, weights: np.ndarray | None, seed: int) -> Sample:
        """Among which starts are chosen."""
        size, k = self.init_size, int(self.n_clusters)
        if size is None:
            return few_rows(draw_sample(X, weights, sample_size(X.shape[1], k), seed), k, seed)
        if size < k:
            message = f"init_size={size} should be larger than n_clusters={k}. Setting it to {3 * k}, or all rows."
            warnings.warn(message, RuntimeWarning, stacklevel=5)
            size = 3 * k
        return draw_sample(X, weights, int(size), seed)

    def _n_starts(self) -> int:
        if isinstance(self.n_init, str):
            return 1 if isinstance(self.init, str) and self.init == "k-means++" else 3
        return int(self.n_init)

    def _stop(self, X: RowBlocks, weights: np.ndarray | None, frame: Frame, showings: int, size: int) -> Stop:
        movement = self.tol * mean_variance(X, weights, frame) if self.tol > 0 else 0.0
        return Stop(self.max_iter * showings // size, movement, self.max_no_improvement)

    def _store(self, X: RowBlocks, kept: RowBlocks, weights: np.ndarray | None, frame: Frame, state: State):
        self.cluster_centers_ = frame.leave(state.centers).astype(X.dtype)
        self.counts_ = state.wins
        if not self.compute_labels:
            self.inertia_ = frame.cost(state.average)
            return self
        found = assess.assess(kept, weights, self.cluster_centers_)
        labels = found.labels if kept is X else assess.assess(X, None, self.cluster_centers_).labels
        self.labels_, self.inertia_ = np.asarray(labels), found.cost
        return self

    def _warn_of_restarts(self) -> None:
        if not isinstance(self.n_init, str) and self.n_init > 1:
            message = "Explicit initial center position passed: performing only one init in MiniBatchKMeans"
            warnings.warn(f"{message} instead of n_init={self.n_init}.", RuntimeWarning, stacklevel=5)

    def _say(self, record: Record) -> None:
        say(f"Minibatch step {record.iteration}/{record.max_iter}: batch inertia {record.values['objective']:.6g}")

    def _say_the_end(self, state: State) -> None:
        if self.verbose and state.done:
            why = "lack of improvement in inertia" if state.waited else "small centers change"
            say(f"Converged ({why}) at step {state.iteration}")

    def _rate(self) -> Rate:
        return Rate(
            self.schedule, float(self.learning_rate), float(self.tau), float(self.kappa), float(self.reassignment_ratio)
        )

    def _check_parameters(self) -> None:
        whole_number("n_clusters", self.n_clusters, 1)
        for name in ("max_iter", "batch_size"):
            whole_number(name, getattr(self, name), 1)
        for name, least in (("init_size", 1), ("max_no_improvement", 0)):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name), least, " or None")
        if not (isinstance(self.n_init, str) and self.n_init == "auto"):
            whole_number("n_init", self.n_init, 1, ' or "auto"')
        one_of("schedule", self.schedule, SCHEDULES)
        if isinstance(self.init, str):
            one_of("init", self.init, tuple(STARTS), "an array of centres")
        if not isinstance(self.learning_rate, Real) or not 0 < self.learning_rate <= 1:
            raise ValueError(f"learning_rate={self.learning_rate!r}: give a number above 0 and up to 1")
        for name in ("tau", "kappa", "tol", "reassignment_ratio"):
            zero_or_more(name, getattr(self, name))


def cheapest(few: Sample, frame: Frame, starts: list[np.ndarray]) -> np.ndarray:
    """The start from which the rows are nearest; the first of equals."""
    if len(starts) == 1:
        return starts[0]
    costs = [assess.assess(few.blocks, few.weights, frame.leave(start)).cost for start in starts]
    return starts[int(np.argmin(costs))]


def mean_variance(X: RowBlocks, weights: np.ndarray | None, frame: Frame) -> float:
    """Of the columns, in the frame."""
    spread = measure_spread(X, weights, common=True)
    return float(np.mean(spread.variance * (frame.scale / spread.units.scale) ** 2))
