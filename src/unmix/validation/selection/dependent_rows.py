"""Where rows depend on their neighbours in the table, criteria compare with tables whose rows do so too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.validation.criteria.consensus import Consensus
from unmix.validation.dependence.copies import find_copies
from unmix.validation.dependence.order import order_dependence
from unmix.validation.dependence.surrogate import DependentReference
from unmix.validation.dependence.words import dependence_in_words
from unmix.validation.evidence.references.reference import uniform_reference


def with_dependent_rows(
    judges: Sequence[Any], X: np.ndarray, weights: np.ndarray | None, seed: int
) -> tuple[list[Any], list[str]]:
    """The criteria with references like the rows of X, and what the reader is told; criteria told otherwise stay."""
    comparing = [judge for judge in judges if getattr(judge, "reference", None) is uniform_reference]
    if not comparing:
        return list(judges), []
    ordered = rows_in_order(X, weights, max(judge.max_rows for judge in comparing), seed)
    found = order_dependence(ordered, seed)
    if not found.dependent:
        return list(judges), []
    reference = DependentReference(ordered, found.coefficient)
    changed = [_compared_with(judge, reference) if judge in comparing else judge for judge in judges]
    return changed, [dependence_in_words(found)]


def rows_in_order(X: np.ndarray, weights: np.ndarray | None, most: int, seed: int) -> np.ndarray:
    """Rows that count and have no gaps, each once, as they stand in the table; at most so many of them."""
    rows = np.arange(len(X)) if weights is None else np.flatnonzero(weights)
    if len(rows) > most:
        rows = np.sort(spawn(seed, 21).choice(rows, most, replace=False))
    rows = rows[~np.isnan(X[rows]).any(axis=1)]
    copies = find_copies(X[rows]) if len(rows) else None
    return X[rows] if copies is None else X[rows[copies.first]]


def _compared_with(judge: Any, reference: DependentReference) -> Any:
    more = {"mixtures_confirm": False} if isinstance(judge, Consensus) else {}
    return replace(judge, reference=reference, **more)
