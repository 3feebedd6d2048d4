"""Counts or probabilities of any shape as one distribution: nonnegative, finite, divided by their sum.

A sparse table stays sparse: only what is stored can have probability.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse

from unmix.core.arguments import as_numbers

Table = Any  # an ndarray or a csr_array of float64; parts use `@`, `sum` and `data`


def as_distribution(table: Any, name: str = "p") -> Table:
    """``table`` divided by its sum, in float64; sparse input comes back as a csr_array without stored zeros."""
    if not is_sparse(table):
        dense = as_numbers(table, name)
        return dense / _checked_sum(dense, name)
    sparse = _as_csr(table)
    sparse.data /= _checked_sum(sparse.data, name)
    return sparse


def as_joint(table: Any, name: str = "joint") -> Table:
    """As `as_distribution`, for tables of two dimensions: rows are values of X, columns of Y."""
    if np.ndim(table) != 2:
        raise ValueError(f"{name} has {np.ndim(table)} dimension(s); give a table, rows for X and columns for Y")
    return as_distribution(table, name)


def is_sparse(table: Any) -> bool:
    return bool(issparse(table))


def units(base: float) -> float:
    """Nats in one unit of information to this base.

    >>> float(round(units(2), 4))
    0.6931
    """
    if not isinstance(base, Real) or not 1 < base < np.inf:
        raise ValueError(f"base={base!r}: give a number above 1; 2 counts in bits, numpy.e in nats")
    return float(np.log(base))


def x_log_x(values: np.ndarray) -> np.ndarray:
    """x log x, 0 at 0, in nats."""
    return np.asarray(values * np.log(np.where(values > 0, values, 1.0)))


def stored(table: Table) -> np.ndarray:
    """The probabilities of a distribution that are written down."""
    return np.asarray(table.data if is_sparse(table) else table)


def _as_csr(table: Any) -> csr_array:
    sparse = csr_array(coo_array(table, dtype=np.float64, copy=True))  # repeated entries are added up
    sparse.eliminate_zeros()
    return sparse


def _checked_sum(values: np.ndarray, name: str) -> float:
    if not np.isfinite(values).all():
        raise ValueError(f"{name} holds NaN or infinity; counts and probabilities are finite numbers")
    if (values < 0).any():
        raise ValueError(f"{name} holds {int((values < 0).sum())} negative number(s); counts are 0 or more")
    with np.errstate(over="ignore"):
        total = float(values.sum())
    if total == np.inf:
        raise ValueError(f"{name} sums to infinity; divide it by a constant first")
    if not total > 0:
        raise ValueError(f"{name} sums to zero; at least one count must be positive")
    return total
