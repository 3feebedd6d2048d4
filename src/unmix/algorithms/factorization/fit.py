"""The whole fit of a factorization: design, start, loop, canonical form, codes, quality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.alternate import alternate
from unmix.algorithms.factorization.canonical import canonical
from unmix.algorithms.factorization.columns import Sample, build_design, constants
from unmix.algorithms.factorization.design import Design
from unmix.algorithms.factorization.encode import Quality, encode_rows
from unmix.algorithms.factorization.problem import Problem, Rules
from unmix.algorithms.factorization.start import make_start
from unmix.constraints.base import Constraint
from unmix.core.blocks import RowBlocks
from unmix.core.loop import iterate
from unmix.losses.base import Loss


class Settings(NamedTuple):
    codes: Constraint
    components: Constraint
    intercept: bool
    scale: str | None
    zeros: bool  # what a sparse table does not store is 0
    gaps: bool  # some cells were not observed
    max_iter: int
    tol: float


class Fit(NamedTuple):
    design: Design
    components: np.ndarray  # with the intercept as last row
    codes: Any
    quality: Quality
    objective: float
    iterations: int
    converged: bool


def factorize(
    X: RowBlocks,
    weights: np.ndarray | None,
    entry_weights: np.ndarray | None,
    losses: Sequence[Loss],
    k: int,
    settings: Settings,
    sample: Sample,
    seed: int,
) -> Fit:
    design = build_design(losses, sample, settings.scale, settings.intercept)
    full = design.quadratic and not settings.gaps and entry_weights is None and (not X.sparse or plain(design))
    rules = Rules(
        design, settings.codes, settings.intercept, full, weights is not None, entry_weights is not None, settings.zeros
    )
    problem = Problem(X, rules, settings.components, weights, entry_weights, settings.tol)
    if full:
        problem = problem._replace(squares=float(X.reduce(sum_squares, design, rows=weights).total))
    start = make_start(problem, constants(design, sample) if settings.intercept else np.zeros(design.width), k, seed)
    last = alternate(problem, start.codes, start.components, settings.max_iter)
    weight = float(X.shape[0] if weights is None else weights.sum())
    components = canonical(problem, last.components, final(problem, last.components).quality, weight)
    end = final(problem, components)
    return Fit(design, components, end.codes, end.quality, end.objective, last.iteration, last.done)


def plain(design: Design) -> bool:
    """Whether a sparse table is its own target: one loss of width one, neither shift nor unit."""
    group = design.groups[0]
    return len(design.groups) == 1 and group.loss.width == 1 and not group.shift.any() and bool((group.unit == 1).all())


class Squares(NamedTuple):
    total: float


def sum_squares(block: Any, weights: np.ndarray | None, design: Design) -> Squares:
    if hasattr(block, "tocsr"):
        squares = block.multiply(block).astype(np.float64)
        rows = np.asarray(squares @ design.factors)
    else:
        rows = design.targets(block).astype(np.float64) ** 2 @ design.factors
    return Squares(float(rows.sum() if weights is None else weights @ rows))


class End(NamedTuple):
    iteration: int
    done: bool
    codes: Any
    quality: Quality
    objective: float


def final(problem: Problem, components: np.ndarray) -> End:
    """The best codes for the components, whose objective ends the trace."""

    def advance(end: End) -> tuple[End, dict[str, float]]:
        nothing = np.zeros((problem.X.shape[0], 0), problem.X.dtype)
        codes, quality = problem.X.step(encode_rows, problem.rows(nothing), problem.rules, components)
        value = float(quality.loss.sum()) + quality.penalty + problem.penalty(components)
        return End(1, True, codes, quality, value), {"objective": value}

    empty = np.empty(0)
    none = Quality(empty, empty, 0.0, empty, empty)
    return iterate(advance, End(0, False, empty, none, 0.0), max_iter=1, name="codes")


class Count(NamedTuple):
    total: int


def count_gaps(block: Any, rows: Any) -> Count:
    return Count(0 if hasattr(block, "tocsr") else int(np.isnan(block).sum()))
