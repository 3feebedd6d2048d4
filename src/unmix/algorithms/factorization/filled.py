"""Cells as the model has them: the number expected, the most probable level, in the units of the table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.columns import Sample, check_rows, constants, dense
from unmix.algorithms.factorization.design import Design
from unmix.algorithms.factorization.encode import best_codes
from unmix.algorithms.factorization.general_pass import chunks
from unmix.algorithms.factorization.normal_codes import normal_model, posterior, wide_cells
from unmix.algorithms.factorization.problem import Rules, split_components


def model_rows(design: Design, m: np.ndarray) -> np.ndarray:
    """Rows of the table that stand for rows of the model."""
    d = sum(len(group.columns) for group in design.groups)
    out = np.empty((len(m), d), m.dtype)
    for group in design.groups:
        cells = group.loss.best(m[:, group.place])
        if group.loss.in_units:
            cells = cells * group.unit + group.shift
        out[:, group.columns] = cells
    return out


class Prediction(NamedTuple):
    """What the model says of some rows: its numbers, and how much they may vary, (n, width)."""

    m: np.ndarray
    variance: np.ndarray


def predict(block: Any, rules: Rules, components: np.ndarray, noise: np.ndarray) -> Prediction:
    """With codes that have a normal law their uncertainty is part of the variance."""
    U, b = split_components(components, rules.intercept)
    codes = best_codes(block, None, rules, components)
    m = codes @ U + b
    variance = np.broadcast_to(noise, m.shape)
    if rules.noise is None:
        return Prediction(m, variance)
    extra, double = np.empty(m.shape), U.astype(np.float64)
    for part in chunks(len(m), len(components), m.shape[1]):
        found = posterior(*wide_cells(rules, block[part], None), normal_model(rules, components))
        extra[part] = np.einsum("aj,iab,bj->ij", double, found.covariances, double, optimize=True)
    return Prediction(m, variance + extra)


def fill_rows(block: Any, rows: Any, rules: Rules, components: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """The rows with what was not observed taken from the model, and beside them the spread of each cell."""
    m, variance = predict(block, rules, components, noise)
    cells = as_cells(block, rules)
    filled, spread = np.empty(cells.shape), np.empty(cells.shape)
    for group in rules.design.groups:
        own, loss = (m[:, group.place], variance[:, group.place].astype(m.dtype)), group.loss
        mean, sure = loss.mean(*own), loss.confidence(*own)
        filled[:, group.columns] = mean * group.unit + group.shift if loss.in_units else mean
        if sure is not None:
            spread[:, group.columns] = 1 - sure
        else:
            spread[:, group.columns] = loss.deviation(*own) * (group.unit if loss.in_units else 1.0)
    missing = np.isnan(cells)
    return np.hstack([np.where(missing, filled, cells), np.where(missing, spread, 0.0)]).astype(cells.dtype, copy=False)


def interval_rows(
    block: Any, rows: Any, rules: Rules, components: np.ndarray, noise: np.ndarray, spreads: np.ndarray | float
) -> np.ndarray:
    """Lower and upper ends of missing numbers, some spreads from what is expected, side by side."""
    m, variance = predict(block, rules, components, noise)
    reach = spreads * np.sqrt(variance)
    cells = as_cells(block, rules)
    ends = np.full((2, *cells.shape), np.nan)
    for group in rules.design.groups:
        if group.loss.confidence(m[:1, group.place]) is None:
            own = reach[:, group.place]
            pair = group.loss.interval(m[:, group.place] - own, m[:, group.place] + own)
            for end, found in zip(ends, pair, strict=True):
                end[:, group.columns] = found * group.unit + group.shift if group.loss.in_units else found
    ends[:, ~np.isnan(cells)] = np.nan
    return np.hstack([*ends]).astype(cells.dtype, copy=False)


def as_cells(block: Any, rules: Rules) -> np.ndarray:
    return dense(block, None, rules.zeros).astype(block.dtype) if hasattr(block, "tocsr") else block


def hidden_errors(block: Any, hidden: np.ndarray, rules: Rules, components: np.ndarray) -> np.ndarray:
    """How wrong the model is about cells that the codes of their rows were found without; NaN for all others."""
    U, b = split_components(components, rules.intercept)
    cells = as_cells(block, rules)
    seen = np.where(hidden, cells.dtype.type(np.nan), cells)
    check_rows(seen, None, rules.design, rules.zeros)  # a level that occurs in hidden cells alone is an error, no fault
    m = best_codes(seen, None, rules, components) @ U + b
    out = cell_errors(rules.design, cells, m)
    out[~hidden] = np.nan
    return out


def cell_errors(design: Design, cells: np.ndarray, m: np.ndarray) -> np.ndarray:
    """Errors of every cell under a model, (n, d); NaN where nothing was observed."""
    out = np.full(cells.shape, np.nan)
    missing = np.isnan(cells)
    known = np.where(missing, cells.dtype.type(0), cells)
    for group in design.groups:
        out[:, group.columns] = group.loss.error(group.seen(known), m[:, group.place])
    out[missing] = np.nan
    return out


def constant_errors(design: Design, sample: Sample) -> np.ndarray:
    """The mean error of each column under the best constants; 1 where there is none to be made."""
    constant = constants(design, sample)
    errors = cell_errors(design, sample.cells, np.broadcast_to(constant, (len(sample.cells), len(constant))))
    seen = ~np.isnan(errors)
    count = np.maximum(sample.weights @ seen, np.finfo(float).tiny)
    mean: np.ndarray = sample.weights @ np.where(seen, errors, 0.0) / count
    return np.where(mean > 0, mean, 1.0)
