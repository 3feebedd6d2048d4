"""X ≈ Z U under a loss for each column and a constraint on each factor."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.factorization.certificate import stationarity
from unmix.algorithms.factorization.columns import sample_rows
from unmix.algorithms.factorization.encode import encode_rows
from unmix.algorithms.factorization.fit import factorize
from unmix.algorithms.factorization.normal_codes import Sums
from unmix.algorithms.factorization.normal_loop import normal_step
from unmix.algorithms.factorization.online import add_normal_rows, add_rows, no_sums
from unmix.algorithms.factorization.problem import Problem, Statistics
from unmix.decomposition.shared.column_losses import losses_of
from unmix.decomposition.shared.factorization_settings import (
    binds_rows,
    check_parameters,
    count_cells,
    entry_weights,
    is_normal,
    settings_of,
    zeros_unstored,
)
from unmix.decomposition.shared.held_cells import TellsCells
from unmix.shell.data import weighted_rows
from unmix.shell.missing import ignores_missing
from unmix.shell.progress import with_callbacks


class Factorization(ClassNamePrefixFeaturesOutMixin, TransformerMixin, TellsCells):
    """Any table as few components: ``X ≈ Z U + b`` with a loss for each column and a constraint on each factor.

    Objective: minimise ``Σ_ij f_j loss_j(x_ij, z_i·U_j + b_j) + Σ_i penalty(z_i) + penalty(U)`` over the cells that
    were observed, the codes Z and components U that their constraints allow, and the intercept b. f_j makes columns of
    all kinds and units count alike.

    Algorithm: starts from the leading singular directions of what the best constants leave; then codes and components
    in turn, each by exact solution, coordinate descent or proximal steps on parabolas that touch the losses, one pass
    over the rows an iteration, with momentum. No iteration raises the objective. A full table under quadratic losses
    costs 4 n d k operations a pass, any other 2 n d k (k+1).

    Parameters
    ----------
    n_components : int, default=2
        Number k of components; 0 leaves the constants alone.
    loss : str, Loss, dict or sequence, default="auto"
        What a cell may cost: a name of `unmix.losses` or a loss for all columns; a dict from kinds or names of columns
        to losses; one a column. "auto" goes by kind: squared for numbers and dates, and for codes with a normal law the
        squared logarithm where that shortens a long tail, indicators of categories and booleans, and scores of ordered
        levels; for other codes logistic, multinomial and ordinal losses of these three.
    codes : str or Constraint, default="auto"
        What a row of Z may be: a name of `unmix.constraints`, a constraint, or an array it is fixed to. "normal": codes
        have a normal law, their uncertainty counts, and every column has a noise of its own (factor analysis). "auto":
        "normal" if `loss` is "auto"; else "free" where all losses are quadratic, and "ridge" where not.
    components : str or Constraint, default="auto"
        The same for a row of U; "auto": "free" for free codes, else "ridge". Beside normal codes each component finds
        how strongly it is held down, so that k may be larger than needed.
    intercept : bool or "auto", default="auto"
        Whether there is a constant b; "auto" where both factors may have either sign.
    scale : {"auto", "column", "inertia", None}, default="auto"
        "column": the loss of each column at its best constant is ½, and numbers are in units of their spread, in which
        penalties of the components are meant, too. "inertia": ½ for each number a cell is worth, levels less one, as
        correspondence analysis counts. None: as they are. "auto": "column" where `loss` is "auto" or differs between
        columns, else None.
    missing : {"ignore", "error"}, default="ignore"
        What to do with NaN: take it for a cell that was not observed, or refuse it.
    unstored : {"zero", "missing"}, default="zero"
        What an entry is that a sparse table does not store: 0, or a cell that was not observed.
    kinds : dict or list, default=None
        Kinds of columns of a data frame that are to be read otherwise than by their type: "number", "count", "boolean",
        "category", "ordered", "date"; a list names those of all columns of a table of numbers, whose levels are 0, 1, …
    max_iter : int, default=500
        Most passes over the rows.
    tol : float, default=1e-6
        Stop when two iterations in a row lower the objective by less than this share of it.
    random_state : int, RandomState or None, default=None
        Seeds the start, where it needs one, and the rows from which units are taken, beyond 32,768 of them.

    Attributes
    ----------
    components_ : (n_components, width of the model) array
        Rows U, those that tell most first, in the units of the table; log-odds for levels.
    intercept_ : (width of the model,) array
        b, or zeros.
    model_columns_ : list of str
        Names of the columns of the model: those of the table, and for a category "column = level" for each level.
    objective_, losses_by_column_ : float and (n_features_in_,) array
        The objective of the training table, and its loss by column.
    n_iter_ : int
    noise_ : (width of the model,) array
        For codes with a normal law the noise variance of each column, in units of its spread.
    left_out_quantiles_ : (102, width of the model) array
        For codes with a normal law how many of the model's spreads hold 0, 1, … 99, 99.5 and 99.9 % of the cells of
        each column, each told from the others of its row.
    trace_ : list of dict
        The objective, iteration by iteration; for codes with a normal law minus the log-posterior of the components.

    References
    ----------
    Udell, Horn, Zadeh & Boyd, Generalized low rank models, Foundations and Trends in Machine Learning 9, 2016; Bolte,
    Sabach & Teboulle, Mathematical Programming 146, 2014; Pagès, Multiple factor analysis by example using R, 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import Factorization
    >>> X = np.outer([1.0, 2.0, 3.0, 4.0], [1.0, -1.0, 2.0]) + 5
    >>> X[1, 2] = np.nan
    >>> Factorization(1, loss="squared").fit(X).impute(X).round(3)[1]
    array([7., 3., 9.])
    """

    def __init__(
        self,
        n_components=2,
        *,
        loss="auto",
        codes="auto",
        components="auto",
        intercept="auto",
        scale="auto",
        missing="ignore",
        unstored="zero",
        kinds=None,
        max_iter=500,
        tol=1e-6,
        random_state=None,
    ):
        self.n_components = n_components
        self.loss = loss
        self.codes = codes
        self.components = components
        self.intercept = intercept
        self.scale = scale
        self.missing = missing
        self.unstored = unstored
        self.kinds = kinds
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None, entry_weight=None):
        """Find the components of X.

        Parameters
        ----------
        X : data frame, array, sparse matrix, path or dask collection of shape (n, d)
            NaN, or null, is a cell that was not observed. Frames may hold numbers, categories, booleans and dates.
        y : ignored
        sample_weight : array of shape (n,), default=None
            Weight 2 is the row twice.
        entry_weight : array of shape (n, d), default=None
            How much each cell counts; 0 is not observed.
        """
        self._fit(X, sample_weight, entry_weight)
        return self

    @with_callbacks
    def fit_transform(self, X, y=None, sample_weight=None, entry_weight=None):
        """Find the components of X and return its codes, the same as ``fit(X).transform(X)``."""
        codes = self._fit(X, sample_weight, entry_weight)
        return self.transform(X) if codes is None else np.asarray(codes)

    def _fit(self, X, sample_weight, entry_weight):
        check_parameters(self)
        table = self._table(X, reset=True)
        given = self._weights(sample_weight, table)
        blocks, weights = (table, given) if binds_rows(self) else weighted_rows(table, given)
        entries = entry_weights(self, entry_weight, table)
        if entries is not None and blocks is not table:
            entries = entries[np.flatnonzero(given)]
        seed = self._seed()
        sample = cache(lambda: sample_rows(blocks, weights, zeros_unstored(self), seed, entries))
        normal = is_normal(self)
        losses = losses_of(self, normal, sample)
        settings = settings_of(self, losses, blocks)
        with self._fitting(blocks, seed, weights):
            found = factorize(blocks, weights, entries, losses, int(self.n_components), settings, sample, seed)
        self._keep(found, settings)
        if normal:
            self._keep_quantiles(sample(), self._rules(blocks))
        if not found.converged and self.tol > 0:
            message = f"Factorization did not converge in max_iter={self.max_iter} iterations; raise max_iter, or tol"
            warnings.warn(message, ConvergenceWarning, stacklevel=4)
        return found.codes if blocks is table else None

    def transform(self, X):
        """Codes of the rows of X: the best ones for the components found, from what was observed of each row."""
        check_is_fitted(self)
        blocks = self._table(X, reset=False)
        rules = self._rules(blocks)
        nothing = np.zeros((blocks.shape[0], 0), blocks.dtype)
        return np.asarray(blocks.step(encode_rows, nothing, rules, self._inner())[0])

    def stationarity(self, X, sample_weight=None):
        """How far codes and components of a table are from where no small change helps, as (codes, components).

        Lengths of proximal steps as shares of what pulls at the factors; 0 at a stationary point of the objective. For
        codes with a normal law the change of the components by one iteration, as a share of them.
        """
        check_is_fitted(self)
        blocks = self._table(X, reset=False)
        weights = self._weights(sample_weight, blocks)
        rules = self._rules(blocks)._replace(weighted=weights is not None)
        rules = rules._replace(full=rules.full and count_cells(self, blocks).min() == blocks.shape[0])
        problem = Problem(blocks, rules, self.constraints_[1], weights)
        if rules.noise is not None:
            return 0.0, normal_step(problem, self._inner())  # codes are what the components say
        return tuple(stationarity(problem, self.transform(X), self._inner()))

    @with_callbacks
    def partial_fit(self, X, y=None, sample_weight=None):
        """Improve the components by further rows; sums stand for all rows seen before in this way."""
        if not hasattr(self, "components_"):
            self._fit(X, sample_weight, None)
        blocks = self._table(X, reset=False)
        weights = self._weights(sample_weight, blocks)
        rules = self._rules(blocks)._replace(weighted=weights is not None, full=False)
        problem = Problem(blocks, rules, self.constraints_[1], weights)
        with self._fitting(blocks, 0, weights):
            inner, seen = self._add_rows(problem)
        self.statistics_ = seen._asdict()
        self._set_components(inner, self._design())
        return self

    def _add_rows(self, problem):
        """Components with further rows, and the sums that stand for all of them."""
        known = getattr(self, "statistics_", None)
        if problem.rules.noise is None:
            return add_rows(problem, self._inner(), Statistics(**known) if known else no_sums(self._inner()))
        model, seen = add_normal_rows(problem, self._inner(), Sums(**known) if known else None)
        self.noise_ = model.noise
        return model.components, seen

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = ignores_missing(self)
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return len(self.components_)
