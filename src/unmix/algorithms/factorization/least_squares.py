"""A full table under least squares: its moments give shifts, units and start in one pass, and sometimes the answer.

The leading principal directions are the best free components for free codes (Eckart & Young, Psychometrika 1, 1936),
so there is nothing left to iterate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from unmix.algorithms.factorization.design import Design, Group
from unmix.algorithms.principal.covariance import eigenpairs
from unmix.algorithms.principal.scatter import Moments, moments
from unmix.constraints.base import Constraint
from unmix.core.blocks import RowBlocks
from unmix.losses.base import Loss
from unmix.losses.squared import Squared

MOST_COLUMNS = 1024
CANCELS = 1e-3  # of a column's squares: what is left below it is summed from residuals, also for single precision


class Spectrum(NamedTuple):
    """Leading singular values, directions as rows, and the mean bend of every column of the model."""

    values: np.ndarray
    vectors: np.ndarray
    bend: np.ndarray


def only_squares(losses: Sequence[Loss]) -> bool:
    return all(type(loss) is Squared for loss in losses)


def moments_of(X: RowBlocks, weights: np.ndarray | None) -> Moments | None:
    """Of a table with few enough columns, unless squares of its entries leave the range of numbers."""
    if X.shape[1] > MOST_COLUMNS:
        return None
    found = moments(X, weights, 1.0, full=True)
    return found if found.in_range(X.dtype) else None


def design_of(found: Moments, scale: str | None, intercept: bool, sparse: bool) -> Design:
    d = len(found.mean)
    shift = np.where(intercept and not sparse, found.mean, 0.0)
    unit = np.ones(d)
    if scale:
        about = found.spread / found.weight + (0.0 if intercept else found.mean**2)
        unit = np.where(about > 0, np.sqrt(about), 1.0)
    return Design((Group(Squared(), np.arange(d), 0, shift, unit, np.ones(d)),), d)


def spectrum_of(found: Moments, design: Design, intercept: bool, k: int, seed: int) -> Spectrum:
    """The leading directions of the scaled table, about its mean where there is an intercept."""
    unit = design.groups[0].unit
    products = found.scatter if intercept else found.scatter + found.weight * np.outer(found.mean, found.mean)
    values, vectors = eigenpairs(products / np.outer(unit, unit), max(k, 1), np.dtype(np.float64), seed)
    return Spectrum(np.sqrt(np.maximum(values[:k], 0.0)), vectors[:k], np.ones(len(unit)))


def squares_of(found: Moments, design: Design) -> float:
    """Σ w t² of the shifted and scaled table."""
    group = design.groups[0]
    about = found.spread + found.weight * (found.mean - group.shift) ** 2
    return float((about / group.unit**2).sum())


def losses_left(found: Moments, design: Design, intercept: bool, spectrum: Spectrum) -> np.ndarray:
    """½ Σ (t - z·u)² of each column under its leading directions, from the moments; empty where that would cancel."""
    about = found.spread + (0.0 if intercept else found.weight * found.mean**2)
    about = about / design.groups[0].unit ** 2
    left: np.ndarray = about - spectrum.values**2 @ spectrum.vectors**2
    seen = left > CANCELS * about
    return 0.5 * left if (seen | (about == 0)).all() else np.empty(0)


def is_answer(codes: Constraint, components: Constraint) -> bool:
    """Whether the leading directions are the minimum itself."""
    return codes.name == "free" and components.name in ("free", "orthonormal")
