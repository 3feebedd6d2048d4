"""A Gaussian mixture that learns from batches of rows: what it carries from one to the next, and one step with a batch.

The step size γ depends on t, the weight of all rows so far in units of the batch's; for equal batches that is the
number of the step. The state is the mixture in the units of the data, in float64, and the spread of the columns, which
fades like the statistics and sets the floor of the variances.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.scaling.standardize import Spread, Units, find_extent, find_sums
from unmix.core.schedule import step_size
from unmix.costs.gaussian import mixture_gradient, running_statistics
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Family, Fixed
from unmix.costs.gaussian.mixture import Mixture
from unmix.density.mixture.mixture_density import in_units, units_for
from unmix.density.mixture.parameters import FAMILIES, engine, public
from unmix.inference.expectation import expect

LEAST_REGULARIZATION = 1e-12  # below it the variances of a component are rounding errors


class Rule(NamedTuple):
    """How to learn from a batch."""

    kind: str
    schedule: str
    rate: float
    tau: float
    kappa: float
    regularization: float


class Running(NamedTuple):
    """All that is carried from batch to batch; arrays as users see them."""

    weights: np.ndarray
    means: np.ndarray
    factor: np.ndarray  # precisions_cholesky_
    observed: np.ndarray | None  # (k, d) mass that has an entry, axis-parallel families only
    spread: np.ndarray  # (d,) standard deviation of each column
    mass: float  # of all rows so far


def family_of(covariance_type: str, covariances: np.ndarray) -> Family:
    kind = FAMILIES[covariance_type]
    return Fixed(covariances) if kind is Fixed else kind()


def begin(mixture: Mixture, units: Units, family: Family, spread: Spread, mass: float) -> Running:
    """From a mixture fitted to rows of this spread."""
    observed = mixture.weights[:, None] * spread.observed if family.axis and spread.missing else None
    return _carried(mixture, units, family, observed, np.sqrt(spread.variance) / spread.units.scale, mass)


def _carried(
    mixture: Mixture, units: Units, family: Family, observed: np.ndarray | None, spread: np.ndarray, mass: float
) -> Running:
    seen = public(mixture, units, family, np.float64)
    return Running(seen["weights_"], seen["means_"], seen["precisions_cholesky_"], observed, spread, mass)


def shown(state: Running, covariance_type: str, dtype: Any) -> dict[str, np.ndarray]:
    """The fitted attributes."""
    mixture, units = engine(covariance_type, state.weights, state.means, state.factor, np.float64)
    return public(mixture, units, family_of(covariance_type, mixture.covariances), dtype)


def online_em_step(
    X: RowBlocks, weights: np.ndarray | None, state: Running, covariance_type: str, rule: Rule
) -> tuple[Running, float]:
    """One step with a batch, and the mean log-density of its rows before it."""
    mixture, units = engine(covariance_type, state.weights, state.means, state.factor, X.dtype)
    family = family_of(covariance_type, mixture.covariances)
    units = units_for(X, units, family)
    mixture = mixture._replace(means=units.enter(state.means))
    batch = float(X.shape[0] if weights is None else weights.sum())
    mass = state.mass + batch
    share = step_size(rule.schedule, rule.rate, rule.tau, rule.kappa, mass / batch)
    spread, seen, missing = follow_spread(X, weights, state, units, share)
    cost = Gaussian(family, floor_of(spread, state, units, rule.regularization), missing)
    total = in_units(X, units, family).reduce(expect, cost, mixture, 1.0, rows=weights)
    if not np.isfinite(total.log_z):
        raise ValueError("X lies too far from the mixture for its density to be a number; fit anew, or scale the rows")
    if rule.kind == "em":
        found, observed = running_statistics.online_em_step(cost, mixture, total.stats, share, state.observed)
    else:
        stats = running_statistics.per_unit_of_mass(total.stats)
        found, observed = mixture_gradient.climb(cost, mixture, stats, share), state.observed
    log_likelihood = total.log_z / total.mass + float(np.log(units.scale) @ seen)
    return _carried(found, units, family, observed, spread, mass), log_likelihood


def follow_spread(
    X: RowBlocks, weights: np.ndarray | None, state: Running, units: Units, share: float
) -> tuple[np.ndarray, np.ndarray, bool]:
    """The spread of the columns with this batch in it, the share of it that has a value, and whether any is missing."""
    extent, sums = X.reduce(find_extent, rows=weights), X.reduce(find_sums, units, rows=weights)
    there = sums.mass > 0
    mass = np.where(there, sums.mass, 1.0)
    mean, old = sums.first / mass, state.weights @ units.enter(state.means)
    variance = np.where(extent.low == extent.high, 0.0, np.maximum(sums.second / mass - mean**2, 0.0))
    rounding = 8 * np.finfo(X.dtype).eps * np.abs(old + units.shift)
    away = np.where(np.abs(mean - old) > rounding, mean - old, 0.0)
    # the variance of two groups of rows is that within them, and that of their means
    mixed = (1 - share) * (units.scale * state.spread) ** 2 + share * variance + share * (1 - share) * away**2
    missing = bool((extent.values < extent.rows).any())
    return np.where(there, np.sqrt(mixed) / units.scale, state.spread), sums.mass / sums.total, missing


def floor_of(spread: np.ndarray, state: Running, units: Units, regularization: float) -> np.ndarray:
    """The least variance of a component in each column; a constant column is measured by its size."""
    size = np.abs(state.weights @ state.means)
    base = np.where(spread > 0, spread, np.where(size > 0, size, 1 / units.scale))
    return regularization * (units.scale * base) ** 2


def collapsed(state: Running, covariance_type: str, regularization: float) -> np.ndarray:
    """(k,): whether a component has shrunk to a point."""
    mixture, units = engine(covariance_type, state.weights, state.means, state.factor, np.float64)
    cost = Gaussian(
        family_of(covariance_type, mixture.covariances), floor_of(state.spread, state, units, regularization)
    )
    return cost.at_floor(mixture, state.spread > 0) & (state.weights > 0)
