"""X ≈ Z U under a loss for each column and a constraint on each factor."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.algorithms.factorization.certificate import stationarity
from unmix.algorithms.factorization.columns import SCALES, check_rows, sample_rows
from unmix.algorithms.factorization.design import Design, Group
from unmix.algorithms.factorization.encode import encode_rows
from unmix.algorithms.factorization.filled import constant_errors, fill_rows, hidden_errors, interval_rows, model_rows
from unmix.algorithms.factorization.fit import Settings, count_observed, factorize, residual_variances
from unmix.algorithms.factorization.normal_codes import Sums
from unmix.algorithms.factorization.normal_loop import normal_step
from unmix.algorithms.factorization.online import add_normal_rows, add_rows, no_sums
from unmix.algorithms.factorization.problem import Problem, Rules, Statistics
from unmix.constraints import Free
from unmix.constraints import resolve as resolve_constraint
from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.decomposition.column_losses import asked_for, losses_of
from unmix.decomposition.mixed_input import as_numbers, model_columns, restored
from unmix.shell.data import weighted_rows
from unmix.shell.estimator import Estimator
from unmix.shell.missing import check_missing, ignores_missing
from unmix.shell.progress import with_callbacks

UNSTORED = ("zero", "missing")


class Factorization(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
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

    predicts_entries = True  # and no labels of rows, as validation wants to know

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
        self._check_parameters()
        table = self._table(X, reset=True)
        given = self._weights(sample_weight, table)
        blocks, weights = (table, given) if self._binds_rows() else weighted_rows(table, given)
        entries = self._entries(entry_weight, table)
        if entries is not None and blocks is not table:
            entries = entries[np.flatnonzero(given)]
        seed = self._seed()
        sample = cache(lambda: sample_rows(blocks, weights, self._zeros(), seed, entries))
        normal = self._is_normal()
        losses = losses_of(self, normal, sample)
        settings = self._settings(losses, blocks)
        with self._fitting(blocks, seed, weights):
            found = factorize(blocks, weights, entries, losses, int(self.n_components), settings, sample, seed)
        self._keep(found, settings)
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

    def inverse_transform(self, X):
        """Rows of the table from their codes: numbers expected, most probable levels, in a frame if one was fitted."""
        check_is_fitted(self)
        codes = check_array(X, dtype=[np.float64, np.float32], ensure_min_features=0)
        if codes.shape[1] != len(self.components_):
            raise ValueError(f"codes have {codes.shape[1]} columns, expected {len(self.components_)}: one a component")
        design = self._design()
        return restored(self, model_rows(design, codes @ self._inner()[: codes.shape[1]] + self._inner_intercept()))

    def impute(self, X, return_spread=False):
        """The table with its missing cells filled by the model; observed cells stay as they are.

        Parameters
        ----------
        X : table as in `fit`
        return_spread : bool, default=False
            Whether to return a spread for each cell, too.

        Returns
        -------
        table of the kind that was given, and an (n, d) array
            For filled numbers the standard deviation of what the cell may have been, in units of the column; for filled
            levels the probability that another one is right; 0 for cells that were observed.
        """
        check_is_fitted(self)
        blocks = self._table(X, reset=False)
        both = blocks.map(fill_rows, self._rules(blocks), self._inner(), self._noises())
        filled = restored(self, both[:, : blocks.shape[1]], like=X)
        return (filled, both[:, blocks.shape[1] :]) if return_spread else filled

    def impute_interval(self, X, coverage=0.9):
        """Lower and upper ends between which missing numbers lie with this probability; NaN for all other cells.

        Returns
        -------
        two (n, d) arrays
            In the units of the columns, dates as days since 1970.
        """
        check_is_fitted(self)
        if not 0 < coverage < 1:
            raise ValueError(f"coverage={coverage!r}: give a probability between 0 and 1")
        blocks = self._table(X, reset=False)
        both = blocks.map(interval_rows, self._rules(blocks), self._inner(), self._noises(), float(coverage))
        return both[:, : blocks.shape[1]], both[:, blocks.shape[1] :]

    def _noises(self):
        """The variance of what the model leaves of each column, in units of the design."""
        return self.noise_ if hasattr(self, "noise_") else self.residual_variances_

    def with_numbers(self, X):
        """An unfitted copy of the model and the table as numbers, for criteria that look at arrays."""
        model = clone(self)
        numbers = as_numbers(model, X, reset=True)
        if not hasattr(model, "encoding_"):
            return self, X
        named = isinstance(self.loss, Mapping)  # an array has no names of columns
        loss = asked_for(self.loss, list(numbers.columns), model.kinds_) if named else self.loss
        return clone(self).set_params(kinds=list(model.kinds_), loss=loss), numbers.to_numpy()

    def held_out_errors(self, X, hidden, sample_weight=None):
        """Errors of cells that the codes do not see, as shares of the column's error without components.

        Parameters
        ----------
        X : table as in `fit`
        hidden : (n, d) array of bool
            The cells to be told from the others of their row; those that are missing anyway do not count.
        sample_weight : array of shape (n,), default=None
            How much each row counts in the errors of the best constants.

        Returns
        -------
        (n, d) array
            Squared errors of numbers, Brier's score of levels, both divided by the mean error of the best constant for
            the other cells of the column; NaN elsewhere.
        """
        check_is_fitted(self)
        blocks = self._table(X, reset=False, check=False)
        hidden = check_array(hidden, dtype=bool, input_name="hidden")
        if hidden.shape != blocks.shape:
            raise ValueError(f"hidden has shape {hidden.shape}, expected {blocks.shape}: one truth value a cell")
        rules = self._rules(blocks)._replace(full=False)
        errors = blocks.map(hidden_errors, rules, self._inner(), rows=hidden)
        sample = sample_rows(blocks, self._weights(sample_weight, blocks), self._zeros(), 0, ~hidden)
        return errors / constant_errors(rules.design, sample)

    def stationarity(self, X, sample_weight=None):
        """How far codes and components of a table are from where no small change helps, as (codes, components).

        Lengths of proximal steps as shares of what pulls at the factors; 0 at a stationary point of the objective. For
        codes with a normal law the change of the components by one iteration, as a share of them.
        """
        check_is_fitted(self)
        blocks = self._table(X, reset=False)
        weights = self._weights(sample_weight, blocks)
        rules = self._rules(blocks)._replace(weighted=weights is not None)
        rules = rules._replace(full=rules.full and self._count_observed(blocks).min() == blocks.shape[0])
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

    def _table(self, X, reset, check=True):
        """Row blocks of numbers; a frame with other columns is encoded first."""
        numbers = as_numbers(self, X, reset)
        blocks = self._blocks(numbers, reset=reset, allow_nan=ignores_missing(self), zeros=not self._zeros())
        if check and not reset and any(not group["loss"].in_units for group in self.groups_):
            blocks.map(check_rows, self._design(), self._zeros())
        return blocks

    def _zeros(self):
        return self.unstored == "zero"

    def _entries(self, entry_weight, blocks):
        if entry_weight is None:
            return None
        entries = check_array(entry_weight, dtype=blocks.dtype, input_name="entry_weight")
        if entries.shape != blocks.shape or (entries < 0).any():
            raise ValueError(
                f"entry_weight has shape {entries.shape}; give one weight a cell, {blocks.shape}, none below 0"
            )
        return entries

    def _binds_rows(self):
        """Whether the constraint of the codes is about all rows together, also those that do not count."""
        named = isinstance(self.codes, str) and self.codes == "auto"
        return not named and resolve_constraint(self.codes, "codes").scope == "matrix"

    def _observed(self, blocks):
        """How many cells of each column there are to learn from; none is refused."""
        observed = self._count_observed(blocks)
        if not observed.all():
            column = int(np.flatnonzero(observed == 0)[0])
            name = getattr(self, "feature_names_in_", range(len(observed)))[column]
            raise ValueError(f"column {str(name)!r} has no observed value; drop it")
        return observed

    def _count_observed(self, blocks):
        return blocks.reduce(count_observed, self._zeros()).observed

    def _is_normal(self):
        """Whether codes have a normal law; that much is known before the losses are."""
        if isinstance(self.codes, str) and self.codes == "auto":
            return isinstance(self.loss, str) and self.loss == "auto"
        return resolve_constraint(self.codes, "codes").name == "normal"

    def _constraints(self, losses):
        """Of codes and components, with what "auto" stands for."""
        codes, components = self.codes, self.components
        quadratic = all(loss.quadratic for loss in losses)
        if isinstance(codes, str) and codes == "auto":
            codes = "normal" if self._is_normal() else "free" if quadratic else "ridge"
        codes = resolve_constraint(codes, "codes")
        if isinstance(components, str) and components == "auto":
            components = "free" if not codes.shrinks else "ridge"
        components = resolve_constraint(components, "components")
        if codes.name == "normal" and not (quadratic and components.name == "ridge"):
            raise ValueError(
                "codes='normal' goes with quadratic losses (squared, logarithm, indicators, scores) and components="
                f"'ridge'; here are {', '.join(sorted({loss.name for loss in losses}))} and {components.name!r}: give "
                "codes='ridge', or leave loss='auto'"
            )
        return codes, components

    def _settings(self, losses, blocks):
        codes, components = self._constraints(losses)
        for one, other, name in ((codes, components, "components"), (components, codes, "codes")):
            if one.shrinks and not (other.shrinks or other.bounded):
                raise ValueError(
                    f"{one.name!r} makes one factor small, and nothing keeps {name}={other.name!r} from growing in "
                    f"return; give {name} a constraint that bounds it ('unit_norm', 'orthonormal') or a penalty too"
                )
        if codes.name == "normal":
            self._refuse_other_forms()
        intercept = codes.symmetric and components.symmetric if self.intercept == "auto" else bool(self.intercept)
        scale = self.scale
        if scale == "auto":
            scale = "column" if len(set(losses)) > 1 or (isinstance(self.loss, str) and self.loss == "auto") else None
        if codes.name == "normal":
            scale, intercept = "column", True
        gaps = bool(self._observed(blocks).min() < blocks.shape[0])
        return Settings(codes, components, intercept, scale, self._zeros(), gaps, int(self.max_iter), float(self.tol))

    def _refuse_other_forms(self):
        """Codes with a normal law have a constant beside them, and noises in units of the columns' spread."""
        if self.intercept is False or self.scale in ("inertia", None):
            raise ValueError(
                f"intercept={self.intercept!r} and scale={self.scale!r} with codes that have a normal law, for which "
                "intercept=True and scale='column' are meant; leave both at 'auto', or give codes='ridge'"
            )

    def _keep(self, found, settings):
        kept = ("loss", "columns", "shift", "unit", "factor")
        for name in ("noise_", "statistics_"):
            if hasattr(self, name):
                delattr(self, name)
        if found.noise is not None:
            self.noise_ = found.noise
        self.groups_ = [{name: getattr(group, name) for name in kept} for group in found.design.groups]
        self.has_intercept_ = settings.intercept
        self.constraints_ = [settings.codes, settings.components]
        self._set_components(found.components, found.design)
        self.model_columns_ = model_columns(self, found.design)
        self.residual_variances_ = residual_variances(found)
        self.objective_, self.losses_by_column_ = found.objective, found.quality.loss
        self.n_iter_ = found.iterations

    def _set_components(self, inner, design):
        """Components and intercept in the units of the table, from those of the design."""
        k = len(inner) - self.has_intercept_
        units = design.spread([group.unit for group in design.groups])
        shifts = design.spread([group.shift for group in design.groups])
        dtype = np.dtype(self._fit_dtype)
        self.components_ = (inner[:k].astype(np.float64) * units).astype(dtype)
        constant = inner[-1] if self.has_intercept_ else np.zeros(inner.shape[1])
        self.intercept_ = (constant.astype(np.float64) * units + shifts).astype(dtype)

    def _design(self):
        groups, start = [], 0
        for group in self.groups_:
            groups.append(Group(start=start, **group))
            start = groups[-1].place.stop
        return Design(tuple(groups), start)

    def _inner(self):
        """Components and intercept as the algorithm sees them, in units of the design."""
        design = self._design()
        units = design.spread([group.unit for group in design.groups])
        components = self.components_ / units
        if self.has_intercept_:
            components = np.vstack([components, self._inner_intercept()])
        return components.astype(self.components_.dtype)

    def _inner_intercept(self):
        design = self._design()
        units, shifts = (design.spread([getattr(g, part) for g in design.groups]) for part in ("unit", "shift"))
        return ((self.intercept_ - shifts) / units).astype(self.components_.dtype)

    def _rules(self, blocks):
        design = self._design()
        full = design.quadratic and (not blocks.sparse or (self._zeros() and design.keeps_zeros))
        noise = getattr(self, "noise_", None)
        codes = self.constraints_[0]
        if codes.scope == "matrix":
            codes = Free()  # it binds the rows of the fit together, and says nothing of others
        return Rules(design, codes, self.has_intercept_, full, False, False, self._zeros(), noise)

    def _check_parameters(self):
        whole_number("n_components", self.n_components, 0)
        whole_number("max_iter", self.max_iter, 1)
        zero_or_more("tol", self.tol)
        check_missing(self)
        one_of("unstored", self.unstored, UNSTORED)
        if self.scale is not None:
            one_of("scale", self.scale, [name for name in SCALES if name], "None")
        if self.intercept != "auto" and not isinstance(self.intercept, bool | np.bool_):
            raise ValueError(f"intercept={self.intercept!r} is not known; give True, False or 'auto'")
