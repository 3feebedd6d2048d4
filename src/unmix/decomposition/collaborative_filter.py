"""Collaborative filtering: ratings that nobody gave, from those that were given."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.ratings.alternating import Factors
from unmix.algorithms.ratings.completion import Settings, choose_penalty, complete, in_unit, place_rows
from unmix.algorithms.ratings.observed import Entries, Observed, from_triples, observe, with_weight
from unmix.core.arguments import whole_number
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

METHODS = ("als", "svd")


class Recommendation(NamedTuple):
    item: Any
    rating: float


class Concept(NamedTuple):
    """What one component is about: the items that load highest and lowest on it."""

    strength: float
    high: list[Any]
    low: list[Any]


class CollaborativeFilter(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Matrix factorization of ratings, few of which are known: ``x_ui ≈ μ + b_u + c_i + z_u · v_i``.

    Objective: squared error over the known entries alone. ``method="als"`` adds ``λ n_u (b_u² + s |z_u|²)`` for every
    user and the like for every item, n being the number of their ratings and s the spread of all ratings;
    ``method="svd"`` finds offsets the same way and then adds ``λ s`` times the sum of the singular values of the rest.
    Ratings in another unit give the same model in that unit.

    Algorithm: "als" solves for all users and all items in turn, one ridge regression of k + 1 unknowns each, in
    ``O(ratings k² + (n + d) k³)`` an iteration. "svd" fills the unknown entries with the present estimate, decomposes
    and shrinks, again and again, in ``O(ratings k + (n + d) k²)`` an iteration, without forming the filled table.

    Parameters
    ----------
    n_components : int, default=10
        Number of concepts k; 0 leaves the offsets alone. `unmix.validation.select` chooses it by ratings that are held
        out.
    method : {"als", "svd"}, default="als"
        Alternating least squares, or repeated singular value decompositions of the filled table.
    regularization : float or "auto", default=0.1
        λ in units of the spread of the ratings; "auto" takes the value with the least error on a tenth of the ratings,
        held out at random, and fits again with all of them.
    offsets : bool, default=True
        Whether there is a mean and an offset for every user and item.
    max_iter : int, default=200
        Most iterations.
    tol : float, default=1e-5
        Stop when the objective ("als") or the estimate ("svd") changes by less than this share of itself.
    random_state : int, RandomState or None, default=None
        Seeds the start, and what "auto" holds out.

    Attributes
    ----------
    components_ : (n_components, n_features_in_) array
        Loadings of the items on each concept, concepts orthogonal and the strongest first.
    codes_ : (n, n_components) array
        The users' codes.
    mean_ : float
    user_offsets_, item_offsets_ : (n,) and (n_features_in_,) arrays
    spread_ : float
        s, the root mean square of the known ratings about their mean.
    regularization_, penalty_, offset_penalty_ : float
        The regularization used, and what the codes and the offsets are shrunk by in units of s.
    known_items_, known_indptr_ : arrays
        What each user rated: user u the items ``known_items_[known_indptr_[u]:known_indptr_[u + 1]]``.
    n_iter_ : int
    user_names_, item_names_ : lists, or None
        As given to `fit_ratings`; items also from a data frame's columns.
    trace_ : list of dict

    References
    ----------
    Zhou, Wilkinson, Schreiber & Pan, AAIM 2008; Hastie, Mazumder, Lee & Zadeh, JMLR 16, 2015.

    Examples
    --------
    >>> from unmix.decomposition import CollaborativeFilter
    >>> users = ["ann", "ann", "ann", "bob", "bob", "cleo", "cleo", "cleo", "dan", "dan", "dan"]
    >>> items = ["Alien", "Brazil", "Heat", "Alien", "Brazil", "Emma", "Heat", "Brazil", "Emma", "Alien", "Brazil"]
    >>> ratings = [5, 5, 1, 4, 5, 5, 4, 1, 5, 1, 2]
    >>> model = CollaborativeFilter(1, random_state=0).fit_ratings(users, items, ratings)
    >>> model.predict(["bob"], ["Emma"]).round(1)
    array([5.2])
    >>> [choice.item for choice in model.recommend("dan")]
    ['Heat']
    """

    predicts_entries = True  # and no labels of rows, as validation wants to know

    def __init__(
        self,
        n_components=10,
        *,
        method="als",
        regularization=0.1,
        offsets=True,
        max_iter=200,
        tol=1e-5,
        random_state=None,
    ):
        self.n_components = n_components
        self.method = method
        self.regularization = regularization
        self.offsets = offsets
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Fit to a table, a row a user and a column an item.

        Parameters
        ----------
        X : array, data frame, sparse matrix, path or dask collection of shape (n, d)
            NaN is an unknown rating. Of a sparse matrix the stored entries are known (also zeros), all others unknown.
        y : ignored
        sample_weight : array of shape (n,), default=None
            Weight 2 counts a user twice.
        """
        self._check_parameters()
        blocks = self._blocks(X, reset=True, allow_nan=True, zeros=True)
        weights = self._weights(sample_weight, blocks)
        self.user_names_ = None
        self.item_names_ = list(map(str, self.feature_names_in_)) if hasattr(self, "feature_names_in_") else None
        self._fit(blocks, observe(blocks.gather()), weights)
        return self

    def fit_ratings(self, users, items, ratings, sample_weight=None):
        """Fit to a list of ratings: who, what, how much; names are kept.

        Parameters
        ----------
        users, items : array-likes of the same length
            Names or numbers; a pair may occur once.
        ratings : array-like of numbers
        sample_weight : dict from user to weight, default=None
        """
        self._check_parameters()
        values = np.asarray(ratings, np.float64)
        user_names, rows = _number(users, len(values), "users")
        item_names, columns = _number(items, len(values), "items")
        if not np.isfinite(values).all():
            where = int(np.flatnonzero(~np.isfinite(values))[0])
            raise ValueError(f"ratings[{where}] is {values[where]}; leave out the pairs that have no rating")
        pairs = rows * len(item_names) + columns
        if len(np.unique(pairs)) < len(pairs):
            first = np.sort(pairs)[np.flatnonzero(np.diff(np.sort(pairs)) == 0)[0]]
            user, item = user_names[first // len(item_names)], item_names[first % len(item_names)]
            raise ValueError(f"user {user!r} rated item {item!r} more than once; keep one rating a pair, or their mean")
        shape = (len(user_names), len(item_names))
        known = from_triples(rows, columns, values, shape)
        table = _as_sparse(known)
        blocks = self._blocks(table, reset=True, zeros=True)
        self.user_names_, self.item_names_ = user_names, item_names
        weights = None if sample_weight is None else [sample_weight.get(name, 1.0) for name in user_names]
        self._fit(blocks, known, self._weights(weights, blocks))
        return self

    def _fit(self, blocks, known: Observed, weights) -> None:
        if len(known.by_row.values) == 0:
            raise ValueError("no rating is known: every entry is NaN or absent; give at least one")
        weights = np.ones(known.shape[0]) if weights is None else weights
        if not weights[np.diff(known.by_row.indptr) > 0].any():
            raise ValueError("every user who rated something has sample_weight 0; give at least one of them a weight")
        seed, settings = self._seed(), self._settings()
        with self._fitting(blocks, seed, weights):
            automatic, counted = isinstance(self.regularization, str), with_weight(known, weights)
            relative = choose_penalty(*counted, settings, seed) if automatic else float(self.regularization)
            found = complete(*counted, settings, relative, seed, everyone=known.by_row)
        self.regularization_, self.n_iter_ = relative, found.iterations
        self.penalty_, self.offset_penalty_, self.spread_ = found.penalty, found.offset_penalty, found.unit
        factors, dtype = found.factors, blocks.dtype
        self.mean_ = float(factors.mean)
        self.components_, self.codes_ = factors.loadings.T.astype(dtype), factors.codes.astype(dtype)
        self.user_offsets_ = factors.row_offsets.astype(dtype)
        self.item_offsets_ = factors.column_offsets.astype(dtype)
        self.known_indptr_, self.known_items_ = known.by_row.indptr, known.by_row.indices
        if not found.converged and self.tol > 0:
            message = f"CollaborativeFilter did not converge in max_iter={self.max_iter} iterations; "
            warnings.warn(message + "raise max_iter, tol or regularization", ConvergenceWarning, stacklevel=3)

    def transform(self, X):
        """Codes of users, from their ratings alone; a user without any gets zeros."""
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False, allow_nan=True, zeros=True)
        return self._place(observe(blocks.gather()).by_row)[1].astype(blocks.dtype)

    def predict(self, X, items=None):
        """Ratings by the model: of every item for the users whose ratings are the rows of X, or of given pairs.

        Parameters
        ----------
        X : table of shape (n, d) as in `fit`, not sparse; or users of the fit, by name or row number
        items : array-like, default=None
            Items by name or column number, one for each user.

        Returns
        -------
        (n, d) array, or one number a pair
        """
        check_is_fitted(self)
        if items is not None:
            rows, columns = self._find(X, self.user_names_, len(self.codes_), "user"), self._find_items(items)
            if len(rows) != len(columns):
                raise ValueError(f"{len(rows)} users and {len(columns)} items are not pairs; give as many of each")
            products = np.einsum("ij,ij->i", self.codes_[rows], self.components_.T[columns])
            return products + self.mean_ + self.user_offsets_[rows] + self.item_offsets_[columns]
        blocks = self._blocks(X, reset=False, allow_nan=True, zeros=True)
        if blocks.sparse:
            raise TypeError(
                f"predict would fill a sparse table with {blocks.shape[0]} × {blocks.shape[1]} ratings; name the pairs "
                "you want, predict(users, items), or give an array with NaN where no rating is known"
            )
        offsets, codes = self._place(observe(blocks.gather()).by_row)
        return (codes @ self.components_ + self.mean_ + offsets[:, None] + self.item_offsets_).astype(blocks.dtype)

    def recommend(self, user, n_items=10, *, known=False):
        """The items a user would rate highest, as a list of (item, rating), best first.

        ``user`` is a user of the fit, by name (or row number), or one row of ratings of somebody new. Items already
        rated are left out unless ``known``.
        """
        check_is_fitted(self)
        if isinstance(user, list | tuple | np.ndarray) or hasattr(user, "iloc"):
            row = np.asarray(user, dtype=np.float64).reshape(1, -1)
            if row.shape[1] != self.components_.shape[1]:
                raise ValueError(f"a row of ratings has {self.components_.shape[1]} entries, got {row.shape[1]}")
            ratings, rated = self.predict(row)[0], np.flatnonzero(~np.isnan(row[0]))
        else:
            r = int(self._find([user], self.user_names_, len(self.codes_), "user")[0])
            ratings = self.codes_[r] @ self.components_ + self.mean_ + self.user_offsets_[r] + self.item_offsets_
            rated = self.known_items_[self.known_indptr_[r] : self.known_indptr_[r + 1]]
        order = np.argsort(-ratings, kind="stable")
        order = order if known else order[~np.isin(order, rated)]
        return [Recommendation(self._item_name(i), float(ratings[i])) for i in order[:n_items]]

    def concepts(self, n_items=5):
        """What each component is about: its strength and the items at both its ends."""
        check_is_fitted(self)
        strengths = np.linalg.norm(self.components_, axis=1) * np.linalg.norm(self.codes_, axis=0)
        found = []
        for loadings, strength in zip(self.components_, strengths, strict=True):
            order = np.argsort(-loadings, kind="stable")
            high = [self._item_name(i) for i in order[:n_items] if loadings[i] > 0]
            low = [self._item_name(i) for i in order[::-1][:n_items] if loadings[i] < 0]
            found.append(Concept(float(strength), high, low))
        return found

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return len(self.components_)

    def _settings(self) -> Settings:
        return Settings(self.method, int(self.n_components), bool(self.offsets), int(self.max_iter), float(self.tol))

    def _place(self, rows: Entries) -> tuple[np.ndarray, np.ndarray]:
        self._check_parameters()  # they may have been changed since, or come from a file
        loadings, offsets = self.components_.T.astype(np.float64), self.item_offsets_.astype(np.float64)
        unit, root = self.spread_, np.sqrt(self.spread_)
        no_rows = np.empty((0, loadings.shape[1]))
        columns = Factors(self.mean_ / unit, np.empty(0), offsets / unit, no_rows, loadings / root)
        placed = place_rows(in_unit(rows, unit), columns, self._settings(), self.penalty_, self.offset_penalty_)
        return placed[0] * unit, placed[1] * root

    def _item_name(self, i: int) -> Any:
        return int(i) if self.item_names_ is None else self.item_names_[i]

    def _find_items(self, items: Any) -> np.ndarray:
        return self._find(items, self.item_names_, self.components_.shape[1], "item")

    def _find(self, wanted: Any, names: list[Any] | None, n: int, kind: str) -> np.ndarray:
        """Positions of names, or of numbers where there are no names."""
        place = {name: i for i, name in enumerate(names)} if names is not None else None
        wanted = [w.item() if isinstance(w, np.generic) else w for w in np.asarray(wanted, dtype=object).ravel()]
        for w in wanted:
            if place is not None and w not in place:
                raise ValueError(f"{kind} {w!r} is not in the ratings that were fitted; check its spelling and type")
            if place is None and (not isinstance(w, Integral) or not 0 <= w < n):
                raise ValueError(f"{kind} {w!r} is not a number from 0 to {n - 1}, as the fitted table has no names")
        return np.array([w if place is None else place[w] for w in wanted], dtype=np.intp)

    def _check_parameters(self) -> None:
        for name, least in (("n_components", 0), ("max_iter", 1)):
            whole_number(name, getattr(self, name), least)
        if self.method not in METHODS:
            raise ValueError(f"method={self.method!r} is not known; choose one of {', '.join(METHODS)}")
        if isinstance(self.regularization, str):
            if self.regularization != "auto":
                raise ValueError(f"regularization={self.regularization!r} is not possible; give a number or 'auto'")
        elif not isinstance(self.regularization, Real) or not 0 <= self.regularization < np.inf:
            raise ValueError(
                f"regularization={self.regularization!r} is not possible; give a number from 0 up or 'auto'"
            )
        if not isinstance(self.tol, Real) or not 0 <= self.tol < np.inf:
            raise ValueError(f"tol={self.tol!r} is not possible; give a number from 0 up")


def _number(names: Any, n: int, kind: str) -> tuple[list[Any], np.ndarray]:
    """Distinct names in order, as plain values, and the position of each entry among them."""
    array = np.asarray(names)
    if array.shape != (n,):
        raise ValueError(f"{kind} has shape {array.shape}, expected ({n},): one for each rating")
    if array.dtype == object:
        array = array.astype(str)
    distinct, positions = np.unique(array, return_inverse=True)
    return distinct.tolist(), positions


def _as_sparse(known: Observed) -> Any:
    import scipy.sparse as sp

    rows = known.by_row
    return sp.csr_array((rows.values, rows.indices, rows.indptr), shape=known.shape)
