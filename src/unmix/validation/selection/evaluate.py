"""One criterion looks at the fitted grid: at the rows it can look at, remembering what it finishes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import sklearn

import unmix
from unmix.core.storage.identity import UnknownIdentity, describe, digest_of
from unmix.shell.data import none_if_ones
from unmix.validation.criteria.base import Criterion, Evaluation, evaluate_grid
from unmix.validation.fits.cache import Memory, current_memory, remembering
from unmix.validation.fits.no_structure import Constant, OneCluster
from unmix.validation.fits.parallel import stage_of
from unmix.validation.fits.sampled_rows import can_see_gaps, counted, on_rows, takes
from unmix.validation.fits.table import Table
from unmix.validation.selection.notes import sampled_by


class CriterionResult(NamedTuple):
    """A criterion's evaluation, the rows of the table it was shown (None: all), and what to know about that."""

    evaluation: Evaluation
    rows: np.ndarray | None
    notes: list[str]


def evaluate_criterion(
    criterion: Criterion, models: Sequence[Any], table: Table, seed: int, folder: Path | None
) -> CriterionResult:
    rows, notes = _rows_for(criterion, _typical(models), table, seed)
    X, weights = table.X, table.weights
    if rows is not None:
        models = [on_rows(model, rows, len(X)) for model in models]
        weights = None
    elif weights is not None and not weights.all():  # what does not count is not shown
        rows = np.flatnonzero(weights)
        models, weights = [on_rows(model, rows, len(X)) for model in models], none_if_ones(weights[rows])
    X = X if rows is None else X[rows]
    memory = None if folder is None else Memory(folder, criterion.name, _identity(criterion, models, table, seed))

    def evaluate() -> Evaluation:
        more = {} if weights is None else {"sample_weight": weights}
        with remembering(memory or current_memory()), stage_of(criterion.name):
            return evaluate_grid(criterion, models, X, seed, **more)

    evaluation = evaluate() if memory is None else memory.once("evaluation", evaluate)
    return CriterionResult(evaluation, rows, notes + sampled_by(criterion, len(X), table.n_rows))


def _typical(models: Sequence[Any]) -> Any:
    """A model of the kind that is judged, not one that stands for nothing."""
    return next((model for model in models if not isinstance(model, OneCluster | Constant)), models[0])


def _rows_for(criterion: Criterion, model: Any, table: Table, seed: int) -> tuple[np.ndarray | None, list[str]]:
    """Rows repeated where a criterion knows no weights, rows left out where it cannot bear gaps."""
    rows, notes = None, []
    evaluate = criterion.evaluate_grid if hasattr(criterion, "evaluate_grid") else criterion.evaluate
    gaps = np.isnan(table.X).any(axis=1)
    hidden = gaps.any() and not can_see_gaps(criterion, model)
    if table.weights is not None and (hidden or not takes(evaluate, "sample_weight")):
        rows = counted(table.weights, 10 * len(table.X), np.random.default_rng(seed))
        if not (table.weights == np.round(table.weights)).all():
            notes.append(f"{criterion.name} takes no weights: it was given rows drawn in proportion to them.")
    if hidden:
        rows = np.arange(len(table.X)) if rows is None else rows
        whole = rows[~gaps[rows]]
        if len(whole) < 2:
            raise ValueError(
                f"{criterion.name} cannot use missing values (NaN), and only {len(whole)} rows of X have none; "
                "fill them first, or leave this criterion out"
            )
        notes.append(
            f"{criterion.name} cannot use missing values: it was given the {len(whole):,} of {len(rows):,} rows "
            "that have none."
        )
        rows = whole
    return rows, notes


def _identity(criterion: Criterion, models: Sequence[Any], table: Table, seed: int) -> str:
    weights = None if table.weights is None else digest_of(table.weights)
    data = [table.X.dtype.str, list(table.X.shape), digest_of(table.X), weights]
    versions = [unmix.__version__, np.__version__, sklearn.__version__]
    try:
        return describe([versions, data, criterion, list(models), seed])
    except UnknownIdentity as error:
        raise TypeError(f"cache: {error}; make it a dataclass or an estimator, or leave cache out") from error
