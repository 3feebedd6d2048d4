"""The whole fit of a non-negative factorization: scale, start, solver, canonical order, quality."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.nonnegative import hals, missing
from unmix.algorithms.nonnegative.compressed import descend_compressed
from unmix.algorithms.nonnegative.divergences.kullback_leibler import coordinate_descent
from unmix.algorithms.nonnegative.divergences.multiplicative import multiplicative
from unmix.algorithms.nonnegative.fits.encode import Decoder, Quality, assess, decoder, rescaled
from unmix.algorithms.nonnegative.fits.online import OnlineSums, sums_of
from unmix.algorithms.nonnegative.fits.several_starts import from_several_starts
from unmix.algorithms.nonnegative.loss import FROBENIUS, KULLBACK_LEIBLER, Rule
from unmix.algorithms.nonnegative.precision import descend_in_digits
from unmix.algorithms.nonnegative.problem import Penalty, Problem, State, begin, column_squares
from unmix.algorithms.nonnegative.start import Start, constant_codes, make_start
from unmix.algorithms.nonnegative.table import Extent, Sums, safe_scale, sums
from unmix.core.aligned.row_file import parts
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn

WARM_UP_ITERATIONS = 10  # iterations of least squares that bring a start near the optimum of the divergence


class Settings(NamedTuple):
    """``start`` is a kind, or the components to start from, with codes or without."""

    solver: str
    loss: float  # its β
    start: str | Start
    alphas: tuple[float, float]  # of codes and components, a unit of the table
    l1_ratio: float
    max_iter: int
    tol: float
    shuffle: bool = False  # the order in which components are improved


class Fit(NamedTuple):
    components: np.ndarray
    codes: Any  # of all rows, wherever they are
    error: float  # √(2 D), in the units of the table
    iterations: int
    converged: bool
    seen: OnlineSums


def penalties(settings: Settings, weight: float, d: int) -> tuple[Penalty, Penalty]:
    """Of codes and components: as in scikit-learn, times the length of the other side of the table."""
    share = settings.l1_ratio
    codes, components = (a * size for a, size in zip(settings.alphas, (d, weight)))
    return Penalty(codes * share, codes * (1 - share)), Penalty(components * share, components * (1 - share))


def factorize(X: RowBlocks, weights: np.ndarray | None, k: int, settings: Settings, extent: Extent, seed: int) -> Fit:
    scale = safe_scale(extent.size, X.dtype)
    found: Sums = X.reduce(sums, scale, rows=weights)
    codes, components = penalties(settings, found.weight, X.shape[1])
    root = float(np.sqrt(scale))  # exact: the scale is a power of four, half of it goes to either factor
    problem = Problem(
        X,
        weights,
        scale,
        rescaled(codes, settings.loss, scale, root),
        rescaled(components, settings.loss, scale, root),
        settings.tol,
        found.squares,
    )
    level = float(np.sqrt(found.total / max(found.entries, 1.0) / k))
    order = spawn(seed, 3).permutation(k) if settings.shuffle else None
    # the start is given no name here: its n k numbers are free for others after the first iteration
    last = solve(
        problem, starting_state(problem, k, settings, found, root, seed, order), settings, extent.missing > 0, level
    )
    kept = isinstance(settings.start, Start)
    ordered = given_order(last, order) if kept else canonical(last, weights, any(settings.alphas))
    in_units = (ordered.astype(np.float64) / root).astype(X.dtype)
    given = decoder(in_units, codes, settings.loss)
    end = final_codes(X, weights, given, scale, components.of(in_units))
    seen = OnlineSums(*sums_of(end.quality, given, scale), found.weight, found.weight, scale)
    return Fit(in_units, end.codes, end.error, last.iteration, last.done, seen)


class End(NamedTuple):
    """The codes that are returned, and how good they are."""

    iteration: int
    done: bool
    codes: Any
    quality: Quality
    error: float


def final_codes(X: RowBlocks, weights: np.ndarray | None, given: Decoder, scale: float, penalty: float) -> End:
    """The best codes for the components found, whose objective ends the trace: that of a step lies above it."""

    def advance(end: End) -> tuple[End, dict[str, float]]:
        codes, quality = assess(X, weights, given, scale)
        error = float(np.sqrt(2 * max(quality.misfit, 0.0))) / float(np.sqrt(scale)) ** given.loss
        with np.errstate(over="ignore", under="ignore"):
            value = 0.5 * np.float64(error) ** 2 + of_counted(given.penalty, codes, weights) + penalty
        return End(1, True, codes, quality, error), {"objective": float(value)}

    nothing = np.empty((0, 0))
    return iterate(advance, End(0, False, nothing, Quality(0.0, nothing, nothing), 0.0), max_iter=1, name="codes")


def of_counted(penalty: Penalty, codes: Any, weights: np.ndarray | None) -> float:
    """The penalty of the codes of rows that count; others may be of any size."""
    total = 0.0
    for place, part in parts(codes) if any(penalty) else ():
        counts = slice(None) if weights is None else np.flatnonzero(weights[place])
        total += penalty.of_rows(part[counts], None if weights is None else weights[place][counts])
    return total


def starting_state(
    problem: Problem, k: int, settings: Settings, found: Sums, root: float, seed: int, order: np.ndarray | None
) -> Start:
    """Where the solver starts, in the units of the scaled table and in the order in which it is to work."""
    X, given = problem.X, settings.start
    if isinstance(given, str):
        start = make_start(problem, k, given, found, seed)
    else:
        codes = constant_codes(X, k, found) if given.codes.size == 0 else (given.codes * root).astype(X.dtype)
        start = Start(codes, (given.components * root).astype(X.dtype))
    if order is None:
        return start
    return start._replace(codes=np.ascontiguousarray(start.codes[:, order]), components=start.components[order])


def given_order(last: State, order: np.ndarray | None) -> np.ndarray:
    """Components in the order in which they were given."""
    return last.components if order is None else last.components[np.argsort(order)]


def solve(problem: Problem, start: Start, settings: Settings, gaps: bool, level: float) -> State:
    """Run the solver that was asked for; ``level`` is the usual size of an entry of a factor."""
    state, images, vectors = begin(start.codes, start.components), start.images, start.vectors
    del start
    if settings.solver == "multiplicative":
        return multiplicative(problem, state, settings.max_iter, Rule(settings.loss))
    if images is not None and vectors is not None and not gaps:
        handed = [state]
        del state
        state = descend_compressed(problem, handed, images, vectors)
    del images
    if settings.loss == FROBENIUS:
        handed = [state]
        del state
        return descend_in_digits(problem, handed, settings.max_iter, missing.METHOD if gaps else hals.METHOD)
    least_squares = missing.hals_observed if gaps else hals.hals
    named = isinstance(settings.start, str)
    if settings.loss != KULLBACK_LEIBLER:
        if not named:
            return multiplicative(problem, state, settings.max_iter, Rule(settings.loss, swift=True))
        return from_several_starts(problem, state, least_squares, settings.max_iter, settings.loss, level)
    if named:
        near = least_squares(problem._replace(tol=0.0), state, WARM_UP_ITERATIONS)
        state = begin(near.codes, near.components)
    return coordinate_descent(problem, state, settings.max_iter)


def canonical(last: State, weights: np.ndarray | None, penalised: bool) -> np.ndarray:
    """Components that tell most first; both factors equally large where no penalty decides."""
    components = last.components.astype(np.float64)
    of_codes = np.sqrt(column_squares(last.codes, weights))
    of_components = np.sqrt((components**2).sum(axis=1))
    strength = of_codes * of_components
    if not penalised:
        balance = np.sqrt(np.divide(of_codes, of_components, out=np.zeros_like(strength), where=strength > 0))
        components = components * balance[:, None]
    return np.ascontiguousarray(components[np.argsort(-strength, kind="stable")])
