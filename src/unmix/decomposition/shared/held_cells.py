"""Cells that a factorization tells from the others of their rows, and how sure it is of them."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.algorithms.factorization.columns import sample_rows
from unmix.algorithms.factorization.filled import constant_errors, fill_rows, hidden_errors, interval_rows, model_rows
from unmix.algorithms.factorization.left_out import spreads_for
from unmix.decomposition.shared.column_losses import asked_for
from unmix.decomposition.shared.factorization_settings import zeros_unstored
from unmix.decomposition.shared.fitted_factors import FittedFactors
from unmix.decomposition.shared.mixed_input import as_numbers, filled_table, restored


class TellsCells(FittedFactors):
    """Rows of the table from codes, holes filled with a spread and an interval, errors of cells that were hidden."""

    predicts_entries = True  # and no labels of rows, as validation wants to know

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
        filled = filled_table(self, both[:, : blocks.shape[1]], X)
        return (filled, both[:, blocks.shape[1] :]) if return_spread else filled

    def impute_interval(self, X, coverage=0.9):
        """Lower and upper ends between which missing numbers lie with this probability; NaN for all other cells.

        Returns
        -------
        two (n, d) arrays
            In the units of the columns, dates as days since 1970.
        """
        check_is_fitted(self)
        if not isinstance(coverage, Real) or not 0 < coverage < 1:
            raise ValueError(f"coverage={coverage!r}: give a probability between 0 and 1")
        blocks = self._table(X, reset=False)
        spreads = spreads_for(float(coverage), getattr(self, "left_out_quantiles_", None))
        both = blocks.map(interval_rows, self._rules(blocks), self._inner(), self._noises(), spreads)
        return both[:, : blocks.shape[1]], both[:, blocks.shape[1] :]

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
        sample = sample_rows(blocks, self._weights(sample_weight, blocks), zeros_unstored(self), 0, ~hidden)
        return errors / constant_errors(rules.design, sample)
