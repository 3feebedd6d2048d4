"""Cells as the model has them: the number expected, the most probable level, in the units of the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.factorization.design import Design, stored
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
        known = block.toarray()
        if not rules.zeros:
            known[stored(block, known.dtype) == 0] = np.nan
        block = known
    return np.where(np.isnan(block), told, block).astype(block.dtype, copy=False)
