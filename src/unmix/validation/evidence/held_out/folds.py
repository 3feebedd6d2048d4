"""What is held out from whom: a list of tasks, each of which takes a model and returns its mean score and the error.

Blocks cross folds of rows with folds of columns, and those in a line are alike, so the variance of the mean is
var(means of row folds) / r + var(means of column folds) / c, not that of r c independent blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from unmix.validation.evidence.held_out.held_out import held_out_scores
from unmix.validation.evidence.held_out.held_out_entries import block_errors, missing_errors, takes_missing
from unmix.validation.fits.refit import size_of
from unmix.validation.fits.weighted_refit import weighted_refit

Task = Callable[[Any], tuple[float, float]]


class Plan(NamedTuple):
    """Tasks in the order of a grid of `shape`: folds of rows × folds of columns."""

    tasks: list[Task]
    loss: str
    shape: tuple[int, int]

    def standard_error(self, values: np.ndarray) -> float:
        """Of the mean of one value a task; NaN where there is only one."""
        folds = values.reshape(self.shape)
        if not np.isfinite(folds).all():
            return float("nan")
        means = [folds.mean(axis=1 - axis) for axis in (0, 1) if self.shape[axis] > 1]
        if not means:
            return float("nan")
        return float(np.sqrt(sum(line.var(ddof=1) / len(line) for line in means)))


def plan(
    settings: Any,
    estimators: Sequence[Any],
    X: np.ndarray,
    weight: np.ndarray | None,
    rng: np.random.Generator,
    test: tuple[np.ndarray, np.ndarray] | None = None,
) -> Plan:
    """One task for each fold of X; or, given known and test rows, for the test."""
    seed = int(rng.integers(2**31))
    if settings.what == "rows":
        loss = "likelihood" if settings.loss == "auto" else settings.loss
        parts = [test] if test else row_folds(len(X), settings.n_splits, rng)
        return Plan([_rows(X, weight, *part, loss, seed + i) for i, part in enumerate(parts)], loss, (len(parts), 1))
    if settings.hide == "missing" or (settings.hide == "auto" and all(map(takes_missing, estimators))):
        masks = [_of_rows(mask, test) for mask in entry_folds(X, settings.n_splits, rng)]
        return Plan([_missing(X, weight, mask, seed + i) for i, mask in enumerate(masks)], "error", (len(masks), 1))
    if X.shape[1] < 2:
        raise ValueError("X has one column, and hidden entries are predicted from others; give CrossValidation('rows')")
    parts = [test] if test else row_folds(len(X), settings.n_splits, rng)
    columns = [fold for _, fold in row_folds(X.shape[1], max(2, settings.n_splits), rng)]
    blocks = [(_mask(rows, len(X)), _mask(some, X.shape[1])) for _, rows in parts for some in columns]
    tasks = [_block(X, weight, *block, seed + i) for i, block in enumerate(blocks)]
    return Plan(tasks, "error", (len(parts), len(columns)))


def row_folds(n: int, n_splits: int, rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """(kept, held out) of each fold; of one, a quarter is held out."""
    order = rng.permutation(n)
    if n_splits == 1:
        held = max(1, n // 4)
        return [(np.sort(order[held:]), np.sort(order[:held]))]
    folds = [fold for fold in np.array_split(order, min(n_splits, n)) if len(fold)]
    return [(np.setdiff1d(order, fold), np.sort(fold)) for fold in folds]


def entry_folds(X: np.ndarray, n_splits: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Masks that between them hide every observed entry once; of one fold, a quarter of them.

    Of a column with few entries one is left in sight: nothing could be told of a column without any.
    """
    number, known = rng.permutation(X.size).reshape(X.shape) % (4 if n_splits == 1 else n_splits), ~np.isnan(X)
    masks = [(number == fold) & known for fold in range(n_splits)]
    for mask in masks:
        bare = np.flatnonzero((mask == known).all(axis=0) & known.any(axis=0))
        mask[known[:, bare].argmax(axis=0), bare] = False
    return masks


def _of_rows(mask: np.ndarray, test: tuple[np.ndarray, np.ndarray] | None) -> np.ndarray:
    return mask if test is None else mask & _mask(test[1], len(mask))[:, None]


def _mask(members: np.ndarray, n: int) -> np.ndarray:
    mask = np.zeros(n, dtype=bool)
    mask[members] = True
    return mask


def _rows(X: np.ndarray, weight: Any, kept: np.ndarray, held: np.ndarray, loss: str, seed: int) -> Task:
    def task(estimator: Any) -> tuple[float, float]:
        known = None if weight is None else weight[kept]
        if (size_of(estimator) or 0) > len(kept):
            return np.nan, np.nan  # more clusters or components than rows
        model = weighted_refit(estimator, X[kept], seed, known)
        scores = held_out_scores(model, X[kept], X[held], loss, known)
        return _mean(scores, np.ones(len(held)) if weight is None else weight[held])

    return task


def _block(X: np.ndarray, weight: Any, rows: np.ndarray, columns: np.ndarray, seed: int) -> Task:
    def task(estimator: Any) -> tuple[float, float]:
        room = min((~rows).sum(), (~columns).sum() if hasattr(estimator, "inverse_transform") else len(X))
        if (size_of(estimator) or 0) > room:
            return np.nan, np.nan  # more components than the block has rows or columns
        errors = block_errors(estimator, X, rows, columns, seed, weight)
        return _mean(-errors.ravel(), None if weight is None else np.repeat(weight[rows], errors.shape[1]))

    return task


def _missing(X: np.ndarray, weight: Any, hidden: np.ndarray, seed: int) -> Task:
    each = None if weight is None else weight[np.nonzero(hidden)[0]]
    return lambda estimator: _mean(-missing_errors(estimator, X, hidden, seed, weight), each)


def _mean(scores: np.ndarray, weight: np.ndarray | None = None) -> tuple[float, float]:
    weight = np.ones(len(scores)) if weight is None else weight
    mean = np.average(scores, weights=weight)
    if not np.isfinite(mean):  # a density that gives a row no chance at all
        return float(mean), float("nan")
    spread = np.average((scores - mean) ** 2, weights=weight)
    return float(mean), float(np.sqrt(spread / max(weight.sum() - 1, 1)))
