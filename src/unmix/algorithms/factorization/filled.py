"""Cells as the model has them: the number expected, the most probable level, in the units of the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.factorization.columns import Sample, constants
from unmix.algorithms.factorization.design import Design
from unmix.algorithms.factorization.encode import best_codes
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


def fill_rows(block: Any, rows: Any, rules: Rules, components: np.ndarray) -> np.ndarray:
    """The rows with what was not observed taken from the model."""
    U, b = split_components(components, rules.intercept)
    told = model_rows(rules.design, best_codes(block, None, rules, components) @ U + b)
    if hasattr(block, "tocsr"):
        return told if not rules.zeros else block.toarray()
    return np.where(np.isnan(block), told, block).astype(block.dtype, copy=False)


def hidden_errors(block: Any, hidden: np.ndarray, rules: Rules, components: np.ndarray) -> np.ndarray:
    """How wrong the model is about cells that the codes of their rows were found without; NaN for all others."""
    U, b = split_components(components, rules.intercept)
    dense = block.toarray() if hasattr(block, "tocsr") else block
    seen = np.where(hidden, dense.dtype.type(np.nan), dense)
    m = best_codes(seen, None, rules, components) @ U + b
    out = cell_errors(rules.design, dense, m)
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
