"""Semi-non-negative factorization X ≈ Z U: codes Z ≥ 0, components U free.

    Z ← non-negative rows by coordinate descent on U Uᵀ and X Uᵀ,   U ← (ZᵀZ)⁻¹ ZᵀX

or, step for step, the multiplicative rule  Z ← Z ∘ √[ ((X Uᵀ)⁺ + Z (U Uᵀ)⁻) / ((X Uᵀ)⁻ + Z (U Uᵀ)⁺) ]
with a⁺ = (|a| + a) / 2 and a⁻ = (|a| - a) / 2, both ≥ 0.  One pass over the rows an iteration, 4 n d k operations.

With one-hot codes this is K-means, so it starts there; for the multiplicative rule, which cannot leave zero, with 0.2
added to the codes.

Ding, Li & Jordan, Convex and semi-nonnegative matrix factorizations, IEEE Trans. PAMI 32, 2010.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans.first_labels import first_labels
from unmix.algorithms.kmeans.multi_start import Settings
from unmix.algorithms.nonnegative.fits.encode import assess, decoder
from unmix.algorithms.nonnegative.hals import Statistics, collect, objective, shared, update_codes
from unmix.algorithms.nonnegative.loss import FROBENIUS
from unmix.algorithms.nonnegative.momentum import Method, descend
from unmix.algorithms.nonnegative.precision import SINGLE_PRECISION, in_double, in_precision
from unmix.algorithms.nonnegative.problem import Penalty, Problem, State, begin, column_squares, split, split_pair
from unmix.algorithms.nonnegative.sparse_product import times
from unmix.algorithms.nonnegative.table import Extent, Sums, safe_scale, sums, weighted_block
from unmix.core.aligned.row_file import parts
from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn

OFFSET = 0.2  # of the codes of a start, as in the paper
STARTS = ("kmeans", "random")
DEPENDENT = 1e-12  # share of the largest eigenvalue of ZᵀZ below which codes depend on each other


class Fit(NamedTuple):
    components: np.ndarray
    error: float
    iterations: int
    converged: bool


def fit_semi(
    X: RowBlocks,
    weights: np.ndarray | None,
    k: int,
    *,
    solver: str,
    start: str | np.ndarray,
    extent: Extent,
    max_iter: int,
    tol: float,
    seed: int,
) -> Fit:
    scale = safe_scale(extent.size, X.dtype)
    found: Sums = X.reduce(sums, scale, rows=weights)
    floor = 0.0 if X.dtype == np.float64 else SINGLE_PRECISION * found.squares
    problem = Problem(X, weights, scale, tol=tol, squares=found.squares, floor=floor)
    codes = first_codes(X, weights, scale, k, start, seed, OFFSET if solver == "mu" else 0.0)
    if isinstance(start, np.ndarray):
        components = (start * scale).astype(X.dtype)
    else:
        components = least_squares(X.reduce(first_sums, scale, rows=problem.rows(codes))).astype(X.dtype)
    first = begin(codes, components)
    last = descend(problem, first, max_iter, METHODS[solver])
    if X.dtype != np.float64 and not settled(problem, last):
        problem, last = in_double_precision(problem, first, last, max_iter, METHODS[solver])
    inner = last.components if isinstance(start, np.ndarray) else ordered(last, weights)
    table = X if above_rounding(problem, last) else problem.X
    components = (inner.astype(np.float64) / scale).astype(table.dtype)
    final, quality = assess(table, weights, decoder(components, Penalty(), FROBENIUS), scale)
    components = (components * sizes(final, weights)[:, None]).astype(X.dtype)
    return Fit(components, float(np.sqrt(2 * quality.misfit)) / scale, last.iteration, last.done)


def settled(problem: Problem, last: State) -> bool:
    """Whether single precision was enough."""
    return last.latest <= problem.tol * last.reference and above_rounding(problem, last)


def above_rounding(problem: Problem, last: State) -> bool:
    """Whether what is left of the table is far above the rounding of parts that are large and cancel each other."""
    return last.objective > SINGLE_PRECISION * max(problem.squares, float(strengths(last, problem.weights).sum()))


def in_double_precision(
    problem: Problem, first: State, last: State, max_iter: int, method: Method
) -> tuple[Problem, State]:
    """From the start where rounding took over, else the iterations that are left."""
    state = first if last.objective < problem.floor else last
    problem = in_double(problem)
    new = descend(problem, in_precision(state, np.float64), max_iter - state.iteration, method)
    return problem, new._replace(iteration=state.iteration + new.iteration)


def first_codes(
    X: RowBlocks, weights: np.ndarray | None, scale: float, k: int, start: str | np.ndarray, seed: int, offset: float
) -> np.ndarray:
    n = X.shape[0]
    if isinstance(start, str) and start == "kmeans":
        clusters = min(k, n if weights is None else int((weights > 0).sum()))
        labels = first_labels(X, weights, clusters, Settings(), seed)
        return ((labels[:, None] == np.arange(k)) + offset).astype(X.dtype)
    if isinstance(start, str):  # the code of a row depends on its content alone, so that weights are repeats
        directions = spawn(seed, 0).standard_normal((X.shape[1], k))
        return X.map(random_codes, directions, scale, rows=weights)
    return np.full((n, k), OFFSET, X.dtype)


def random_codes(block: Any, weights: np.ndarray | None, directions: np.ndarray, scale: float) -> np.ndarray:
    """|projections| on random directions, each row scaled to mean one."""
    sizes = np.abs(np.asarray(weighted_block(block, scale, weights) @ directions.astype(block.dtype)))
    means = sizes.mean(axis=1, keepdims=True)
    return np.divide(sizes, means, out=np.ones_like(sizes), where=means > 0) + block.dtype.type(OFFSET)


def first_sums(block: Any, rows: Any, scale: float) -> Statistics:
    codes, weights = split(rows)
    return collect(weighted_block(block, scale, weights), codes, weights, Penalty(), np.zeros(len(codes)))


def least_squares(found: Statistics) -> np.ndarray:
    """The components for given codes; the smallest ones where codes depend on each other."""
    values, directions = np.linalg.eigh(found.codes)
    kept = values > DEPENDENT * values[-1]
    if not kept.all():
        values, directions = values[kept], directions[:, kept]
    out: np.ndarray = (directions / values) @ (directions.T @ found.cross)
    return out


def new_components(problem: Problem, found: Statistics, components: np.ndarray) -> tuple[np.ndarray, float]:
    """They solve their problem exactly, so their gradient is that of the components before."""
    gradient = found.codes @ components.astype(np.float64) - found.cross
    return least_squares(found).astype(components.dtype), float(np.abs(gradient).sum())


def multiply_codes(
    block: Any, rows: Any, gram: np.ndarray, turned: np.ndarray, penalty: Penalty, scale: float, lead: float,
    momentum: float,
) -> tuple[np.ndarray, Statistics]:  # fmt: skip
    """The rule of Ding, Li and Jordan; it takes no momentum."""
    codes, _, weights = split_pair(rows)
    entries = weighted_block(block, scale, weights)
    linear = times(entries, turned, len(gram))
    up = np.maximum(linear, 0) + codes @ np.maximum(-gram, 0)
    down = np.maximum(-linear, 0) + codes @ np.maximum(gram, 0)
    slope = linear - codes @ gram
    wrong = np.where(codes > 0, np.abs(slope), np.maximum(slope, 0)).sum(axis=1)
    codes = codes * np.sqrt(np.divide(up, down, out=np.zeros_like(up), where=down > 0))
    return codes, collect(entries, codes, weights, penalty, wrong)


METHODS = {
    "hals": Method("semi-hals", update_codes, shared, new_components, objective, free=True),
    "mu": Method("multiplicative", multiply_codes, shared, new_components, objective, plain=True),
}


def ordered(last: State, weights: np.ndarray | None) -> np.ndarray:
    """The components that tell most first."""
    order = np.argsort(-np.sqrt(strengths(last, weights)), kind="stable")
    return np.ascontiguousarray(last.components[order])


def strengths(last: State, weights: np.ndarray | None) -> np.ndarray:
    """The sum of squares of every part z u."""
    out: np.ndarray = column_squares(last.codes, weights) * (last.components.astype(np.float64) ** 2).sum(axis=1)
    return out


def sizes(codes: Any, weights: np.ndarray | None) -> np.ndarray:
    """By how much codes are to be divided for Σ z² = Σ z, as one-hot codes have: components are then centres."""
    unit: Any = 0.0  # squares must not overflow
    for part, _ in counted(codes, weights):
        unit = np.maximum(unit, part.max(axis=0, initial=0).astype(np.float64))
    total: Any = 0.0
    squares: Any = 0.0
    for part, weight in counted(codes, weights):
        shares = np.divide(part, unit, out=np.zeros(part.shape), where=unit > 0)
        total, squares = total + weight @ shares, squares + weight @ shares**2
    return np.divide(squares, total, out=np.ones_like(total), where=total > 0) * np.where(unit > 0, unit, 1.0)


def counted(codes: Any, weights: np.ndarray | None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Codes of the rows that count and their weights, a part of the rows at a time."""
    for place, part in parts(codes):
        weight = np.ones(len(part)) if weights is None else weights[place]
        yield part[weight > 0], weight[weight > 0]
