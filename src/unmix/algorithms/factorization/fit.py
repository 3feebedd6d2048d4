"""The whole fit of a factorization: design, start, loop, canonical form, codes, quality."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.alternate import State, alternate
from unmix.algorithms.factorization.canonical import canonical
from unmix.algorithms.factorization.columns import Sample, build_design, constants, of_all_rows
from unmix.algorithms.factorization.design import Design
from unmix.algorithms.factorization.encode import Quality, assess_rows, encode_rows
from unmix.algorithms.factorization.least_squares import (
    Spectrum,
    design_of,
    is_answer,
    losses_left,
    moments_of,
    only_squares,
    spectrum_of,
    squares_of,
)
from unmix.algorithms.factorization.normal_codes import wide_cells
from unmix.algorithms.factorization.normal_loop import fit_normal
from unmix.algorithms.factorization.problem import Problem, Rules, counted, unpack_rows
from unmix.algorithms.factorization.start import make_start, number_of_directions
from unmix.algorithms.principal.scatter import Moments
from unmix.constraints.base import Constraint
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.linalg import fix_signs
from unmix.losses.base import Loss

FIRST_NOISE = 0.1  # least noise variance that EM starts from
NOTHING = 1e-3  # that a cell without a unit costs: one that never varies costs less and less, and never 0


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
    noise: np.ndarray | None = None  # of the columns of the model, where codes have a normal law


def factorize(
    X: RowBlocks,
    weights: np.ndarray | None,
    entry_weights: np.ndarray | None,
    losses: Sequence[Loss],
    k: int,
    settings: Settings,
    sample: Callable[[], Sample],
    seed: int,
) -> Fit:
    known = None
    losses = of_all_rows(losses, X, weights, settings.zeros)
    if only_squares(losses) and not settings.gaps and entry_weights is None:
        known = moments_of(X, weights)
    problem = posed(X, weights, entry_weights, losses, settings, sample, known)
    rules = problem.rules
    if known is not None:
        wanted = number_of_directions(settings.codes, settings.components, k, rules.design.width)
        spectrum = spectrum_of(known, rules.design, settings.intercept, wanted, seed)
        group = rules.design.groups[0]
        constant = np.where(settings.intercept, (known.mean - group.shift) / group.unit, 0.0)
        if is_answer(settings.codes, settings.components) and k <= len(spectrum.vectors):
            return answered(problem, spectrum, losses_left(known, rules.design, settings.intercept, spectrum), constant)
    else:
        spectrum = None
        constant = constants(rules.design, sample()) if settings.intercept else np.zeros(rules.design.width)
    start = make_start(problem, constant, k, seed, spectrum)
    if settings.codes.name == "normal":
        return with_normal_codes(problem, start.components, settings.max_iter)
    last = alternate(problem, start.codes, start.components, settings.max_iter)
    if last.iteration:
        check_finite(last.objective, settings)
    if rules.together:
        end = ended(problem, last)
        return Fit(rules.design, last.components, last.codes, end.quality, end.objective, last.iteration, last.done)
    weight = float(X.shape[0] if weights is None else weights.sum())
    components = canonical(problem, last.components, ended(problem, last).quality, weight)
    end = final(problem, components)
    check_finite(end.objective, settings)
    return Fit(rules.design, components, end.codes, end.quality, end.objective, last.iteration, last.done)


def check_finite(objective: float, settings: Settings) -> None:
    if not np.isfinite(objective):
        raise ValueError(
            f"every model found has an infinite loss: components={settings.components.name!r} and "
            f"codes={settings.codes.name!r} leave cells that the loss cannot meet; give other constraints (such as "
            "'non_negative' for a loss with a logarithm) or another loss"
        )


def check_size(design: Design, sample: Sample, dtype: Any) -> None:
    """Squares of what the model is to meet must be numbers, and not vanish."""
    largest = max(
        float(np.nanmax(np.abs(group.seen(sample.cells)), initial=0.0))
        for group in design.groups
        if group.loss.in_units
    )
    limits = np.finfo(dtype)
    if largest and not float(limits.tiny) ** 0.4 < largest < float(limits.max) ** 0.4:
        raise ValueError(
            f"cells reach {largest:.3g}, and their squares are no numbers of {np.dtype(dtype).name}; give "
            "scale='column', or divide X by a constant first"
        )


def posed(
    X: RowBlocks,
    weights: np.ndarray | None,
    entry_weights: np.ndarray | None,
    losses: Sequence[Loss],
    settings: Settings,
    sample: Callable[[], Sample],
    known: Moments | None,
) -> Problem:
    """The problem in the units of its design."""
    if known is None:
        design = build_design(losses, sample(), settings.scale, settings.intercept, X.sparse)
        if any(group.loss.in_units for group in design.groups):
            check_size(design, sample(), X.dtype)
    else:
        design = design_of(known, settings.scale, settings.intercept, X.sparse)
    full = design.quadratic and not settings.gaps and entry_weights is None and (not X.sparse or design.keeps_zeros)
    given = (weights is not None, entry_weights is not None)
    rules = Rules(design, settings.codes, settings.intercept, full, *given, settings.zeros)
    weight = float(X.shape[0] if weights is None else weights.sum())
    floor = NOTHING * weight * sum(len(group.columns) for group in design.groups if not group.loss.in_units)
    problem = Problem(X, rules, settings.components, weights, entry_weights, settings.tol, floor=floor)
    if not full:
        return problem
    squares = squares_of(known, design) if known else float(X.reduce(sum_squares, design, rows=weights).total)
    return problem._replace(squares=squares)


def answered(problem: Problem, spectrum: Spectrum, left: np.ndarray, constant: np.ndarray) -> Fit:
    """The leading directions are the minimum; codes are found by whoever asks for them."""
    rules, inner = problem.rules, fix_signs(spectrum.vectors)
    inner = np.vstack([inner, constant]) if rules.intercept else inner
    inner = inner.astype(problem.X.dtype)
    if left.size:
        weight = float(problem.X.shape[0] if problem.weights is None else problem.weights.sum())
        k = len(spectrum.vectors)
        quality = Quality(left, np.full(len(left), weight), 0.0, np.zeros(k), np.diag(spectrum.values**2))
        end = told_once(lambda: (np.empty(0), quality, float(left.sum())))
        return Fit(rules.design, inner, None, quality, end.objective, 1, True)
    end = final(problem, inner)
    return Fit(rules.design, inner, end.codes, end.quality, end.objective, 1, True)


def with_normal_codes(problem: Problem, components: np.ndarray, max_iter: int) -> Fit:
    """Components, noises and codes of the model in which codes have a normal law."""
    scores = problem.X.map(sizes_of_scores, problem.rules, components, rows=problem.rows(empty_codes(problem)))
    weights = np.ones(len(scores)) if problem.weights is None else problem.weights
    squares = weights @ scores**2 / weights.sum()
    spread = np.sqrt(np.maximum(squares, np.finfo(float).tiny))
    components = np.vstack([components[:-1] * spread[:, None], components[-1]])
    noise = np.maximum(1.0 - (components[:-1].astype(np.float64) ** 2).sum(axis=0), FIRST_NOISE)
    last = fit_normal(problem, components, noise, max_iter)
    model = last.plain
    strength = (model.components[:-1] ** 2 / model.noise).sum(axis=1)
    inner = model.components[np.append(np.argsort(-strength, kind="stable"), len(strength))]
    inner[:-1] = fix_signs(inner[:-1])
    inner = inner.astype(problem.X.dtype)
    rules = problem.rules._replace(noise=model.noise)
    codes, quality = problem.X.step(encode_rows, problem.rows(empty_codes(problem)), rules, inner)
    return Fit(rules.design, inner, codes, quality, -last.objective, last.iteration, last.done, model.noise)


def sizes_of_scores(block: Any, rows: Any, rules: Rules, components: np.ndarray) -> np.ndarray:
    """Projections of the rows on the directions of a start, what is missing at the mean."""
    targets = wide_cells(rules, block, unpack_rows(rows, rules).entries)[0]
    deviations = np.where(np.isnan(targets), 0.0, targets - components[-1])
    return deviations @ components[:-1].T.astype(np.float64)


def empty_codes(problem: Problem) -> np.ndarray:
    return np.zeros((problem.X.shape[0], 0), problem.X.dtype)


def residual_variances(found: Fit) -> np.ndarray:
    """Of every column of the model what its loss leaves, as the variance that half the squares would leave."""
    left = found.quality.loss / np.maximum(found.quality.cells, np.finfo(float).tiny)
    return found.design.spread([2 * left[group.columns] / group.factor for group in found.design.groups])


def ended(problem: Problem, last: State) -> End:
    """The codes of the loop as they are, and their quality."""
    quality = problem.X.reduce(assess_rows, problem.rules, last.components, rows=problem.rows(np.asarray(last.codes)))
    value = float(quality.loss.sum()) + quality.penalty + problem.penalty(last.codes, last.components)
    return End(1, True, last.codes, quality, value)


class Squares(NamedTuple):
    total: float


def sum_squares(block: Any, weights: np.ndarray | None, design: Design) -> Squares:
    targets = design.targets(block if weights is None else counted(block, weights)).astype(np.float64)
    rows = (targets.multiply(targets) if hasattr(block, "tocsr") else targets**2) @ design.factors
    return Squares(float(rows.sum() if weights is None else weights @ rows))


class End(NamedTuple):
    iteration: int
    done: bool
    codes: Any
    quality: Quality
    objective: float


def final(problem: Problem, components: np.ndarray) -> End:
    """The best codes for the components, whose objective ends the trace."""

    def measure() -> tuple[Any, Quality, float]:
        codes, quality = problem.X.step(encode_rows, problem.rows(empty_codes(problem)), problem.rules, components)
        return codes, quality, float(quality.loss.sum()) + quality.penalty + problem.penalty(codes, components)

    return told_once(measure)


def told_once(measure: Callable[[], tuple[Any, Quality, float]]) -> End:
    """Codes, quality and objective, as the one iteration of a stage."""

    def advance(end: End) -> tuple[End, dict[str, float]]:
        found = End(1, True, *measure())
        return found, {"objective": found.objective}

    empty = np.empty(0)
    none = Quality(empty, empty, 0.0, empty, np.empty((0, 0)))
    return iterate(advance, End(0, False, None, none, 0.0), max_iter=1, name="codes")


class Count(NamedTuple):
    """How many cells of each column were observed."""

    observed: np.ndarray


def count_observed(block: Any, rows: Any, zeros: bool) -> Count:
    if not hasattr(block, "tocsr"):
        return Count((~np.isnan(block)).sum(axis=0))
    missing = np.isnan(block.data)
    if zeros:
        return Count(block.shape[0] - np.bincount(block.indices[missing], minlength=block.shape[1]))
    return Count(np.bincount(block.indices[~missing], minlength=block.shape[1]))
