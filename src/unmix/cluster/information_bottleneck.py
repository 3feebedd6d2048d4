"""Information bottleneck: group objects so that the group says as much as possible about their features."""

import warnings
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.cluster.shared.histogram_search import searched
from unmix.core.arguments import whole_number, zero_or_more
from unmix.core.blocks import RowBlocks
from unmix.core.random import derive, spawn
from unmix.costs.histogram import Histogram
from unmix.inference.bottleneck.agglomerative import agglomerate
from unmix.inference.bottleneck.first_split import first_split
from unmix.inference.bottleneck.hard_code import cluster_sums
from unmix.inference.bottleneck.information_curve import BITS, information_curve
from unmix.inference.bottleneck.sequential import State, refine
from unmix.inference.bottleneck.soft import Code, encode_rows, hard_code
from unmix.inference.named_steps import make_step
from unmix.inference.presets import solve
from unmix.information.objects import Objects, as_objects
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

UNSEEN_SHARE = 0.01  # share of the smallest count that a feature counts for where a cluster has never shown it
SAME_INFORMATION = 1e-6  # starts that keep so nearly the same information have found the same clusters
INITS = ("agglomerative", "random")
PATHS = ("down", "up", "both")
OWN_INFERENCES = ("sequential",)  # inferences that are not steps of the engine


class InformationBottleneck(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Information bottleneck clustering of counts, hard or soft, and its information curve.

    Rows of counts are objects x, columns are features y, and p(x,y) is the table divided by its sum. The clusters X̂ are
    a code of the objects, which minimises ``I(X;X̂) - beta I(X̂;Y)``: it is short, and it tells about the features. With
    infinite beta (the default) clusters are hard and ``I(X̂;Y)`` is maximised, which is histogram clustering:
    ``Σ_i p_i KL(p(y|i) ‖ p(y|c(i))) = I(X;Y) - I(X̂;Y)``.

    Hard clusters start from mergers of the two groups that lose the least (agglomerative), or at random, and are
    refined by taking out one object at a time and putting it where it loses the least (sequential); the best start is
    kept; ``inference`` has other ways. Soft clusters solve ``q(c|x) ∝ q(c) exp(-beta KL(p(y|x) ‖ p(y|c)))`` by
    iteration along a path of beta. A sweep or an iteration costs O(entries · k); sparse tables stay sparse.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters, k. With as many clusters as rows the curve is that of all codes.
    beta : float, default=inf
        What one bit about the features is worth, in bits of the code. Infinite makes clusters hard.
    curve : int, array-like or None, default=30
        Where the information curve is computed: this many values of beta, from just below the first split to 50 times
        there, or these values. None leaves the curve out.
    path : {"down", "up", "both"}, default="down"
        How the curve is followed: from the hard clusters to smaller beta, from one cluster to larger beta with
        splits, or both ways, keeping the better.
    init : {"agglomerative", "random"}, default="agglomerative"
        The first start of hard clusters; the others are random.
    n_init : int, default=10
        The number of starts.
    inference : str or Step, default="sequential"
        How the hard clusters are found: "sequential", as said above, from ``init``; or from high temperature to zero
        with the cost ``I(X;Y) - I(X̂;Y)``, by "simulated_annealing" or "gibbs", "metropolis", "heat_bath",
        "mean_field" or "deterministic_annealing", "sequential_mean_field", or a step of your own, ``n_init`` times,
        each some hundred sweeps. Sequential moves end all of them. Soft clusters (a finite ``beta``) pay for the rate
        ``I(X;X̂)`` of their shares, which no labelling has: the equations above alone solve for them, whatever is
        chosen here.
    max_iter : int, default=1000
        The largest number of sweeps of a start, and of iterations at one beta.
    tol : float, default=1e-6
        Soft iterations stop when the objective falls by no more than this share of I(X;Y).
    random_state : int, RandomState or None, default=None
        An integer makes fits repeat to the bit.

    Attributes
    ----------
    labels_ : ndarray of int32, shape (n,)
        The cluster of each row, the most probable one if clusters are soft; what `predict` says of it. Heaviest
        cluster first. A row without counts goes there.
    information_ : float
        I(X̂;Y) in bits.
    rate_ : float
        I(X;X̂) in bits; for hard clusters the entropy of their masses.
    total_information_ : float
        I(X;Y) in bits, which no code exceeds.
    cluster_distributions_ : ndarray of shape (k, d)
        p(y|c).
    cluster_masses_ : ndarray of shape (k,)
        p(c).
    information_curve_ : dict of ndarray
        "beta", "rate" (I(X;X̂)) and "information" (I(X̂;Y)), in bits, by rising beta.
    least_probability_ : float
        The chance of features that a cluster has not shown, when rows are placed: a hundredth of the smallest count.
    first_split_ : float
        The beta below which the best code says nothing, at least nearby; infinite if rows tell nothing of columns.
    n_iter_ : int
        Sweeps of the start that was kept.
    trace_ : list of dict
        What each sweep and each beta measured.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    References
    ----------
    Tishby, Pereira & Bialek, The information bottleneck method, Allerton 1999.
    Slonim & Tishby, Agglomerative information bottleneck, NIPS 1999.
    Slonim, Friedman & Tishby, Unsupervised document classification using sequential information maximization,
    SIGIR 2002.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import InformationBottleneck
    >>> counts = np.array([[8, 2, 0, 0], [4, 1, 0, 0], [0, 0, 3, 6], [0, 1, 2, 4], [9, 1, 0, 1]])
    >>> model = InformationBottleneck(2, random_state=0).fit(counts)
    >>> model.labels_
    array([0, 0, 1, 1, 0], dtype=int32)
    >>> round(model.information_, 2), round(model.total_information_, 2)
    (0.76, 0.83)
    >>> model.predict([[0, 0, 1, 0]])
    array([1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        beta=np.inf,
        curve=30,
        path="down",
        init="agglomerative",
        n_init=10,
        inference="sequential",
        max_iter=1000,
        tol=1e-6,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.beta = beta
        self.curve = curve
        self.path = path
        self.init = init
        self.n_init = n_init
        self.inference = inference
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Find the clusters of a table of counts (objects × features), dense or sparse.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), path, or dask collection
            Nonnegative; it is held in memory.
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Multiplies the mass of each object: weight 2 is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_parameters()
        X = self._blocks(X, reset=True)
        weights = self._weights(sample_weight, X)
        table = X.gather()
        self._check_table(table, weights)
        seed = self._seed()
        with self._fitting(X, seed, weights):
            objects = as_objects(table, weights)
            hard = self._hard(objects, seed)
            chosen = self._along_beta(objects, hard, seed)
        self.total_information_ = objects.shared_nats() / BITS
        self.least_probability_ = UNSEEN_SHARE * objects.least()
        return self._store(X, chosen)

    def _hard(self, objects: Objects, seed: int) -> Code:
        """The best hard code of all starts and of a search from there, a shorter one if two of them agree on it."""
        k, found = self.n_clusters, [self._refined(objects, labels) for labels in self._starts(objects, seed)]
        best = max(found, key=lambda state: state.information)  # the first of the best
        reached = [state.information >= best.information * (1 - SAME_INFORMATION) for state in found]
        if len(found) > 1:
            counts, loss = _joint_law(objects), _loss(objects.marginal)
            critical, plain = loss.critical_temperature(counts), sum(reached) > 1
            labels = searched(loss, counts, best.labels, k, critical, derive(seed, self.n_init), plain)
            best = max(best, self._refined(objects, labels), key=lambda state: state.information)
        self.n_iter_ = best.iteration
        return hard_code(cluster_sums(objects, best.labels, k))

    def _refined(self, objects: Objects, labels: np.ndarray) -> State:
        return refine(objects, labels, self.n_clusters, max_iter=self.max_iter)

    def _starts(self, objects: Objects, seed: int) -> Iterator[np.ndarray]:
        """Labels to be refined: mergers and draws, or what the chosen inference ends with."""
        k, inference = self.n_clusters, self.inference
        if make_step(inference, _loss(objects.marginal), OWN_INFERENCES) is not None:
            loss, counts = _loss(objects.marginal), _joint_law(objects)
            yield solve(loss, counts, k, inference=inference, n_init=self.n_init, seed=seed).labels
            return
        for start in range(self.n_init):
            generator = spawn(seed, start)
            if start == 0 and self.init == "agglomerative":
                yield agglomerate(objects, k, generator)
            else:
                yield generator.integers(0, k, len(objects.mass))

    def _along_beta(self, objects: Objects, hard: Code, seed: int) -> Code:
        """Sets the curve; returns the code of the model's own beta."""
        self.first_split_ = first_split(objects)
        wanted = self._betas()
        betas = np.union1d(wanted, [self.beta] if np.isfinite(self.beta) else [])
        tol = self.tol * objects.shared_nats()
        codes = (
            information_curve(objects, hard, betas, self.path, seed, tol=tol, max_iter=self.max_iter)
            if len(betas)
            else []
        )
        kept = [i for i, beta in enumerate(betas) if beta in wanted]
        self.information_curve_ = {
            "beta": betas[kept],
            "rate": np.array([codes[i].rate / BITS for i in kept]),
            "information": np.array([codes[i].information / BITS for i in kept]),
        }
        return codes[int(np.searchsorted(betas, self.beta))] if np.isfinite(self.beta) else hard

    def _betas(self) -> np.ndarray:
        """The values of beta of the curve, rising."""
        if self.curve is None:
            return np.empty(0)
        if not isinstance(self.curve, Integral):
            return np.unique(np.asarray(self.curve, dtype=np.float64))
        first = self.first_split_ if np.isfinite(self.first_split_) else 1.0
        return np.geomspace(0.9 * first, 50 * first, self.curve)

    def _store(self, X: RowBlocks, code: Code) -> "InformationBottleneck":
        order = np.lexsort((*code.distributions.T[::-1], -code.mass.round(12)))  # equal masses are so up to rounding
        self.cluster_distributions_ = code.distributions[order].astype(X.dtype)
        self.cluster_masses_ = code.mass[order].astype(X.dtype)
        self.information_, self.rate_ = code.information / BITS, code.rate / BITS
        self.labels_ = self._encode(X).argmax(axis=1).astype(np.int32)
        if not np.isfinite(self.beta):
            self._warn_if_fewer(code.mass)
        return self

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_distributions_)

    def fit_predict(self, X, y=None, sample_weight=None):
        """Fit, and return the cluster of each row."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X):
        """The most probable cluster of each row; for hard clusters the nearest by KL."""
        check_is_fitted(self)
        return self._encode(self._blocks(X, reset=False)).argmax(axis=1).astype(np.int32)

    def transform(self, X):
        """The code (n, k) of each row, q(c|x): rows sum to one, and are 0 and 1 for hard clusters."""
        check_is_fitted(self)
        return self._encode(self._blocks(X, reset=False))

    def _encode(self, X: RowBlocks) -> np.ndarray:
        code = Code(self.cluster_masses_.astype(np.float64), self.cluster_distributions_.astype(np.float64))
        return X.map(encode_rows, code, float(self.beta), self.least_probability_)

    def _check_parameters(self) -> None:
        for name in ("n_clusters", "n_init", "max_iter"):
            whole_number(name, getattr(self, name), 1)
        if not isinstance(self.beta, Real) or not self.beta > 0:
            raise ValueError(f"beta={self.beta!r}: give a number above 0, or infinity for hard clusters")
        zero_or_more("tol", self.tol)
        for name, known in (("init", INITS), ("path", PATHS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)!r}: give one of {', '.join(map(repr, known))}")
        make_step(self.inference, _loss(np.ones(1)), OWN_INFERENCES)
        self._check_curve()

    def _check_curve(self) -> None:
        if self.curve is None:
            return
        if isinstance(self.curve, Integral):
            whole_number("curve", self.curve, 1)
            return
        betas = np.asarray(self.curve)
        if betas.ndim != 1 or betas.dtype.kind not in "iuf" or not (np.isfinite(betas) & (betas > 0)).all():
            raise ValueError("curve: give a number of values of beta, or the values, finite and above 0; None for none")

    def _check_table(self, table: Any, weights: np.ndarray | None) -> None:
        if not (weights is None or weights.all()):
            table, weights = table[weights > 0], weights[weights > 0]  # what weighs nothing may hold what it likes
        if table.shape[0] and table.min() < 0:
            raise ValueError(
                f"Negative values in data passed to {type(self).__name__}: it takes counts or other amounts that are "
                "0 or more; move or transform the columns first"
            )
        n = table.shape[0] if weights is None else int((weights > 0).sum())
        if n < self.n_clusters:
            raise ValueError(
                f"n_samples={n} should be >= n_clusters={self.n_clusters}; ask for fewer clusters, or give more rows"
            )
        rows = np.asarray(table.max(axis=1).toarray() if hasattr(table, "toarray") else table.max(axis=1)).ravel()
        if not (rows if weights is None else rows * (weights > 0)).any():
            raise ValueError("every count is zero; at least one row that counts must hold something")

    def _warn_if_fewer(self, mass: np.ndarray) -> None:
        found = int((mass > 0).sum())
        if found < self.n_clusters:
            warnings.warn(
                f"{found} clusters were found, fewer than n_clusters={self.n_clusters}: X has too few rows with "
                "different proportions. The last clusters are empty.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.estimator_type = "clusterer"  # without ClusterMixin, whose checks feed negative numbers to what carries it
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _joint_law(objects: Objects) -> csr_array:
    return csr_array(csr_array(objects.rows).multiply(objects.mass[:, None]))


def _loss(marginal: np.ndarray) -> Histogram:
    """I(X;Y) - I(X̂;Y) in nats, of rows that hold p(x,y): histogram clustering without smoothing."""
    return Histogram(marginal, 0.0, 1.0)
