"""A table completed from its known entries, by one of two methods, and rows that come later.

Both describe a row by an offset and k numbers and a column by an offset and k numbers; they differ in how these are
shrunk: alternating least squares by the number of known entries, the decomposition by its singular values.

All is done in units of the spread s of the known entries, so that a table times a constant gives the same answer times
that constant, however large or small it is: offsets go as s, codes and loadings as √s.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.ratings.alternating import (
    Factors,
    alternate,
    predict,
    ridge_rows,
    solve_codes,
    spread_of,
    weighted_mean,
)
from unmix.algorithms.ratings.observed import Entries, Observed, from_triples, row_of_each
from unmix.algorithms.ratings.soft_impute import soft_impute
from unmix.core.iteration.loop import costs_in
from unmix.core.linalg import power_of_two
from unmix.core.random import spawn

PENALTIES = (1.0, 0.5, 0.25, 0.12, 0.06, 0.03, 0.015)  # tried where one is to be chosen, in units of the spread
HELD_OUT = 0.1
ROUNDING = 1e-14  # a spread of less than this share of the entries is none


class Settings(NamedTuple):
    method: str  # "als" or "svd"
    k: int
    offsets: bool
    max_iter: int
    tol: float


class Completion(NamedTuple):
    factors: Factors
    penalty: float  # of codes and loadings
    offset_penalty: float
    iterations: int
    converged: bool
    unit: float = 1.0  # the size of what was 1 while it was found


def complete(
    X: Observed,
    weights: np.ndarray,
    settings: Settings,
    relative_penalty: float,
    seed: int,
    everyone: Entries | None = None,
) -> Completion:
    """Factors in units of the data; the penalties and ``unit`` are those to place rows with, in units of the spread.

    In the end the rows of ``everyone`` are placed, those of X by default.
    """
    unit = unit_of(X, weights, settings.offsets)
    X = Observed(X.shape, in_unit(X.by_row, unit), in_unit(X.by_column, unit))
    by_method = _by_alternating if settings.method == "als" else _by_decomposition
    with costs_in(unit * unit):
        found = by_method(X, weights, settings, relative_penalty, seed)
    factors = principal_axes(found.factors)
    rows = X.by_row if everyone is None else in_unit(everyone, unit)
    row_offsets, codes = place_rows(rows, factors, settings, found.penalty, found.offset_penalty)
    factors = factors._replace(row_offsets=row_offsets, codes=codes)
    return found._replace(factors=times_unit(factors, unit), unit=unit)


def unit_of(X: Observed, weights: np.ndarray, offsets: bool) -> float:
    """The spread of the known entries; the size of the largest where they do not spread."""
    largest = float(np.abs(X.by_row.values).max())
    factor = power_of_two(largest)
    small = X._replace(by_row=X.by_row._replace(values=X.by_row.values * factor))
    spread = spread_of(small, weights, weighted_mean(small, weights) if offsets else 0.0)
    return (spread / factor if spread > ROUNDING else largest) or 1.0


def in_unit(entries: Entries, unit: float) -> Entries:
    return entries._replace(values=entries.values / unit)


def times_unit(factors: Factors, unit: float) -> Factors:
    """The factors of unit · x from those of x."""
    root = np.sqrt(unit)
    return Factors(
        factors.mean * unit,
        factors.row_offsets * unit,
        factors.column_offsets * unit,
        factors.codes * root,
        factors.loadings * root,
    )


def _by_alternating(X: Observed, weights: np.ndarray, settings: Settings, penalty: float, seed: int) -> Completion:
    state = alternate(
        X,
        weights,
        settings.k,
        penalty=penalty,
        offsets=settings.offsets,
        max_iter=settings.max_iter,
        tol=settings.tol,
        seed=seed,
    )
    return Completion(state.factors, penalty, penalty, state.iteration, state.done)


def _by_decomposition(X: Observed, weights: np.ndarray, settings: Settings, relative: float, seed: int) -> Completion:
    """Offsets first, then the decomposition of what they leave; rows count by their weight."""
    base = _by_alternating(X, weights, settings._replace(k=0), relative, seed)
    rows = row_of_each(X.by_row)
    rest = X.by_row.values - predict(base.factors, rows, X.by_row.indices)
    entry_weight = weights[rows]
    spread = float(np.sqrt(np.average(np.square(rest), weights=entry_weight)))
    # noise of this spread has singular values up to about its root of entries per row of the longer side
    shrink = relative * spread * np.sqrt(entry_weight.sum() / min(weights.sum(), X.shape[1]))
    state = soft_impute(
        X,
        rest * np.sqrt(entry_weight),
        settings.k,
        shrink=shrink,
        max_iter=settings.max_iter,
        tol=settings.tol,
        seed=seed,
    )
    loadings = np.zeros((X.shape[1], settings.k))
    loadings[:, : len(state.values)] = state.right * np.sqrt(state.values)
    codes = np.zeros((X.shape[0], settings.k))
    factors = base.factors._replace(codes=codes, loadings=loadings)
    return Completion(factors, shrink, base.penalty, state.iteration, state.done)


def principal_axes(factors: Factors) -> Factors:
    """Turn codes and loadings together so that loadings are orthogonal, the strongest first, signs fixed."""
    if factors.loadings.shape[1] == 0:
        return factors
    _, vectors = np.linalg.eigh(factors.loadings.T @ factors.loadings)
    turn = vectors[:, ::-1]
    loadings = factors.loadings @ turn
    largest = np.abs(loadings).argmax(0)
    sign = np.where(loadings[largest, np.arange(loadings.shape[1])] < 0, -1.0, 1.0)
    return factors._replace(codes=factors.codes @ turn * sign, loadings=loadings * sign)


def place_rows(
    rows: Entries, factors: Factors, settings: Settings, penalty: float, offset_penalty: float
) -> tuple[np.ndarray, np.ndarray]:
    """Offset and codes of rows, old or new, given the columns; a row without known entries gets zeros."""
    if settings.method == "als":
        return solve_codes(rows, factors, penalty, settings.offsets)
    no_codes = factors._replace(loadings=np.empty((len(factors.loadings), 0)))
    offsets, _ = solve_codes(rows, no_codes, offset_penalty, settings.offsets)
    left = rows._replace(values=rows.values - offsets[row_of_each(rows)])
    known, ones = factors.column_offsets + factors.mean, np.ones(len(factors.loadings))
    return offsets, ridge_rows(left, factors.loadings, known, ones, penalty, per_entry=False)


def choose_penalty(X: Observed, weights: np.ndarray, settings: Settings, seed: int) -> float:
    """The penalty with the least error on a tenth of the known entries, held out at random."""
    rows, columns, values = row_of_each(X.by_row), X.by_row.indices, X.by_row.values
    held = spawn(seed, 1).random(len(values)) < HELD_OUT
    if not held.any() or held.all():
        return PENALTIES[0]
    kept = from_triples(rows[~held], columns[~held], values[~held], X.shape)
    errors, unit = [], unit_of(X, weights, settings.offsets)
    for relative in PENALTIES:
        found = complete(kept, weights, settings, relative, seed)
        error = (values[held] - predict(found.factors, rows[held], columns[held])) / unit
        errors.append(float(np.average(np.square(error), weights=weights[rows[held]])))
    return PENALTIES[int(np.argmin(errors))]
