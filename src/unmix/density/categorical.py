"""Categorical distributions, one a column: how often each value occurs."""

from typing import Any

import numpy as np
from sklearn.base import DensityMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from unmix.core.arguments import whole_number, zero_or_more
from unmix.density.mean_score import mean_score
from unmix.io.dispatch import as_blocks
from unmix.io.given import names_files
from unmix.io.in_memory.masked import unmasked
from unmix.shell.data import check_weights
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks


class Categorical(DensityMixin, Estimator):
    """Categorical density of independent columns, ``p(x) = Π_j π_j(x_j)``.

    ``π_j(c) = (N_jc + a) / (N_j + a K_j)`` with N_jc the weight of the rows that have category c in column j, K_j the
    number of its categories and ``a`` the pseudo-count: the largest likelihood for a = 0, the mean under a Dirichlet
    prior otherwise. Numbers, strings and booleans are categories alike. A missing value (NaN, None) counts nowhere and
    is left out of the density of its row.

    Cost: O(n log n) for every column.

    Parameters
    ----------
    pseudo_count : float, default=0.0
        Weight added to every category of every column. Above 0 no category has probability 0.
    categories : list of arrays or None, default=None
        The possible categories of each column; None takes those found in the fit.
    random_state : int, RandomState or None, default=None
        Seed of `sample`.

    Attributes
    ----------
    categories_ : list of arrays
        The categories of each column, sorted if found.
    counts_ : list of arrays
        Their weights, without pseudo-counts.
    probabilities_ : list of arrays
    n_features_in_ : int

    References
    ----------
    Agresti & Hitchcock, Bayesian inference for categorical data analysis, Statistical Methods & Applications 14 (2005).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.density import Categorical
    >>> X = np.array([["red"], ["red"], ["blue"], ["red"]])
    >>> model = Categorical().fit(X)
    >>> model.probabilities_
    [array([0.25, 0.75])]
    >>> np.exp(model.score_samples([["blue"], ["green"]]))
    array([0.25, 0.  ])
    """

    def __init__(self, *, pseudo_count=0.0, categories=None, random_state=None):
        self.pseudo_count = pseudo_count
        self.categories = categories
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Count the categories.

        Parameters
        ----------
        X : array-like of shape (n, d), or the path of a table
            Numbers or strings; NaN and None are missing.
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Weight 2 is the same as the row twice, weight 0 as if it were absent.

        Returns
        -------
        self
        """
        zero_or_more("pseudo_count", self.pseudo_count)
        X = self._table(X, reset=True)
        rows = as_blocks(np.zeros((len(X), 1)))
        weights = check_weights(sample_weight, rows)
        weights = np.ones(len(X)) if weights is None else weights
        found = self._given(X.shape[1])
        with self._fitting(rows, 0, weights):
            if found is None:
                found = [categories_of(column[weights > 0], j) for j, column in enumerate(X.T)]
            self.counts_ = [self._count(*pair, weights, j) for j, pair in enumerate(zip(X.T, found))]
        self.categories_ = found
        padded = [counts + float(self.pseudo_count) for counts in self.counts_]
        self.probabilities_ = [counts / counts.sum() if counts.any() else even(counts) for counts in padded]
        return self

    def _count(self, column: np.ndarray, categories: np.ndarray, weights: np.ndarray, j: int) -> np.ndarray:
        codes, missing = codes_of(column, categories)
        unknown = (codes < 0) & ~missing & (weights > 0)
        if unknown.any():
            raise ValueError(
                f"column {j} holds {column[unknown][0]!r}, which is not among its categories; add it to categories"
            )
        return np.bincount(codes[codes >= 0], weights=weights[codes >= 0], minlength=len(categories))

    @property
    def n_parameters_(self):
        """Free probabilities, one less than the categories of each column, for `BIC` and the like."""
        check_is_fitted(self)
        return sum(len(categories) - 1 for categories in self.categories_)

    def score_samples(self, X):
        """Log-probability of every row; minus infinity for a category that cannot occur."""
        check_is_fitted(self)
        X = self._table(X, reset=False)
        total = np.zeros(len(X))
        for column, categories, probabilities in zip(X.T, self.categories_, self.probabilities_):
            codes, missing = codes_of(column, categories)
            with np.errstate(divide="ignore"):
                logs = np.log(np.append(probabilities, 0.0))  # code -1, an unknown category, takes the last
            total += np.where(missing, 0.0, logs[codes])
        return total

    def score(self, X, y=None, sample_weight=None):
        """Mean log-probability of the rows, weighted by ``sample_weight``; a row that cannot occur counts as -708."""
        return mean_score(self.score_samples(X), sample_weight)

    def sample(self, n_samples=1):
        """Draw ``n_samples`` rows of categories."""
        check_is_fitted(self)
        whole_number("n_samples", n_samples, 1)
        rng = np.random.default_rng(self._seed())
        columns = [c[rng.choice(len(c), n_samples, p=p)] for c, p in zip(self.categories_, self.probabilities_)]
        kinds = {column.dtype.kind for column in columns}
        return np.column_stack(columns if len(kinds) == 1 else [column.astype(object) for column in columns])

    def _table(self, X: Any, reset: bool) -> np.ndarray:
        if names_files(X):
            from unmix.io.mixed.source import polars_frame  # dear to import

            X = polars_frame(X)
        X = validate_data(self, unmasked(X), reset=reset, dtype=None, ensure_all_finite=False)
        if X.dtype.kind == "f" and np.isinf(X).any():
            raise ValueError("Input X contains infinity, which names no category; give NaN where a value is missing")
        return X

    def _given(self, d: int) -> list[np.ndarray] | None:
        if self.categories is None:
            return None
        given = [np.asarray(column) for column in self.categories] if hasattr(self.categories, "__len__") else []
        if len(given) != d or any(c.ndim != 1 or len(np.unique(c)) != len(c) or len(c) == 0 for c in given):
            raise ValueError(f"categories must be {d} list(s), one a column, of different categories each")
        return given

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def is_missing(column: np.ndarray) -> np.ndarray:
    """None, NaN and pandas' NA; NaN does not equal itself, and NA does not say whether it does."""
    if column.dtype.kind == "O":
        return np.array([value is None or not _equals_itself(value) for value in column], dtype=bool)
    return np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), dtype=bool)


def _equals_itself(value: Any) -> bool:
    answer = value == value
    return isinstance(answer, bool | np.bool_) and bool(answer)


def categories_of(column: np.ndarray, j: int) -> np.ndarray:
    """The different values of a column, sorted."""
    there = column[~is_missing(column)]
    if not len(there):
        raise ValueError(f"column {j} has no value, only missing ones; drop it, or give categories")
    try:
        return np.array(np.unique(there).tolist())  # of their own kind, also where the table holds several
    except TypeError as error:
        raise TypeError(
            f"column {j} mixes kinds of values that have no order ({error}); an entry's argument must be a string or a "
            "number, the same kind in a column"
        ) from error


def codes_of(column: np.ndarray, categories: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The position of every value among the categories, -1 where it is none of them, and which are missing."""
    missing = is_missing(column)
    position = {value: code for code, value in enumerate(categories.tolist())}
    codes = np.full(len(column), -1)
    values, inverse = np.unique(column[~missing], return_inverse=True)
    codes[~missing] = np.array([position.get(value, -1) for value in values.tolist()], dtype=int)[inverse]
    return codes, missing


def even(counts: np.ndarray) -> np.ndarray:
    """A column of known categories without any value: nothing speaks for one of them."""
    return np.full(len(counts), 1 / len(counts))
