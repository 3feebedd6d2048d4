"""A fitted factorization between the units of its table and those in which it was found."""

from __future__ import annotations

import numpy as np

from unmix.algorithms.factorization.columns import check_rows
from unmix.algorithms.factorization.design import Design, Group
from unmix.algorithms.factorization.fit import residual_variances
from unmix.algorithms.factorization.left_out import left_out_quantiles
from unmix.algorithms.factorization.normal_codes import normal_model
from unmix.algorithms.factorization.problem import Rules
from unmix.constraints import Free
from unmix.decomposition.shared.factorization_settings import zeros_unstored
from unmix.decomposition.shared.mixed_input import as_numbers, model_columns
from unmix.shell.estimator import Estimator
from unmix.shell.missing import ignores_missing


class FittedFactors(Estimator):
    """What is kept of a fit, and the rules by which blocks of rows are seen again."""

    def _table(self, X, reset, check=True):
        """Row blocks of numbers; a frame with other columns is encoded first."""
        numbers = as_numbers(self, X, reset)
        blocks = self._blocks(numbers, reset=reset, allow_nan=ignores_missing(self), zeros=not zeros_unstored(self))
        if check and not reset and any(not group["loss"].in_units for group in self.groups_):
            blocks.map(check_rows, self._design(), zeros_unstored(self))
        return blocks

    def _keep(self, found, settings):
        kept = ("loss", "columns", "shift", "unit", "factor")
        for name in ("noise_", "left_out_quantiles_", "statistics_"):
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

    def _keep_quantiles(self, sample, rules):
        """How far cells lie from what the others of their row say, which intervals of filled ones go by."""
        found = left_out_quantiles(sample, rules, normal_model(rules, self._inner()))
        self.left_out_quantiles_ = found.astype(self.components_.dtype)

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
        full = design.quadratic and (not blocks.sparse or (zeros_unstored(self) and design.keeps_zeros))
        noise = getattr(self, "noise_", None)
        codes = self.constraints_[0]
        if codes.scope == "matrix":
            codes = Free()  # it binds the rows of the fit together, and says nothing of others
        return Rules(design, codes, self.has_intercept_, full, False, False, zeros_unstored(self), noise)

    def _noises(self):
        """The variance of what the model leaves of each column, in units of the design."""
        return self.noise_ if hasattr(self, "noise_") else self.residual_variances_
