"""Accelerated hierarchical alternating least squares: the fast solver of ½ ||X - Z U||².

    Z ← non-negative rows by coordinate descent on U Uᵀ and X Uᵀ,   U ← the same on ZᵀZ and ZᵀX

A product with X costs as much as many sweeps over the k×k matrices, so each one is followed by up to `SWEEPS` of them.
One pass over the rows an iteration, 4 n d k operations; only k×k and k×d sums leave a block.

Cichocki & Phan, IEICE Trans. E92-A, 2009; Gillis & Glineur, Neural Computation 24, 2012.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.loop import iterate
from unmix.factors.nonnegative.problem import Penalty, Problem, State, split, weigh
from unmix.factors.nonnegative.table import scaled

SWEEPS, SHARE = 20, 1e-6  # most sweeps a product; a row is done when a sweep gains less than this share of the first
EXACT_SWEEPS = 5000


class Statistics(NamedTuple):
    """Weighted sums over rows: ZᵀZ, ZᵀX, the penalty of the codes and their projected gradient."""

    codes: np.ndarray
    cross: np.ndarray
    penalty: float
    violation: float


def hals(problem: Problem, state: State, max_iter: int) -> State:
    return iterate(lambda state: advance(problem, state), state, max_iter=max_iter, name="hals")


def advance(problem: Problem, state: State) -> tuple[State, dict[str, float]]:
    """One pass over the data, then the components."""
    rows, gram = problem.rows(state.codes), gram_of(state.components, problem.codes.l2)
    turned = np.ascontiguousarray(state.components.T)
    codes, found = problem.X.step(update_codes, rows, gram, turned, problem.codes, problem.scale)
    components, violation = update_components(found.codes, found.cross, state.components, problem.components)
    value = objective(problem, found, components)
    return judge(problem, state, codes, components, value, found.violation + violation)


def judge(
    problem: Problem, state: State, codes: np.ndarray, components: np.ndarray, value: float, violation: float
) -> tuple[State, dict[str, float]]:
    """Done when the projected gradient has fallen to ``tol`` of what it was in the first iteration."""
    reference = violation if state.iteration == 0 else state.reference
    done = bool(violation <= problem.tol * reference)
    new = State(state.iteration + 1, done, codes, components, value, reference)
    unit = problem.scale**2
    return new, {"objective": value / unit if unit else value, "violation": violation / reference if reference else 0.0}


def gram_of(components: np.ndarray, ridge: float) -> np.ndarray:
    """U Uᵀ + ridge, in the precision of U."""
    double = components.astype(np.float64)
    gram = double @ double.T
    gram.flat[:: len(gram) + 1] += ridge
    return gram.astype(components.dtype)


def update_codes(
    block: Any, rows: Any, gram: np.ndarray, turned: np.ndarray, penalty: Penalty, scale: float
) -> tuple[np.ndarray, Statistics]:
    from unmix.factors.nonnegative.sweep import sweep

    codes, weights = split(rows)
    entries = scaled(block, scale)
    linear = entries @ turned - turned.dtype.type(penalty.l1)
    codes, wrong = codes.copy(), np.empty(len(codes), codes.dtype)
    sweep(gram, linear, codes, SWEEPS, SHARE, wrong)
    return codes, collect(entries, codes, weights, penalty, wrong)


def collect(entries: Any, codes: np.ndarray, weights: np.ndarray | None, penalty: Penalty, wrong: Any) -> Statistics:
    weighted = weigh(codes, weights)
    double = codes.astype(np.float64)
    products = double.T @ (double if weights is None else double * weights[:, None])
    cross = np.asarray((entries.T @ weighted).T, dtype=np.float64)
    total = float(wrong.sum(dtype=np.float64) if weights is None else weights @ wrong)
    return Statistics(products, cross, penalty.of_rows(codes, weights), total)


def update_components(
    products: np.ndarray, cross: np.ndarray, components: np.ndarray, penalty: Penalty, most: int = SWEEPS
) -> tuple[np.ndarray, float]:
    """New components from the sums, and their projected gradient before."""
    from unmix.factors.nonnegative.sweep import sweep

    dtype = components.dtype
    gram = products + penalty.l2 * np.eye(len(products))
    linear = np.ascontiguousarray((cross - penalty.l1).T.astype(dtype))
    turned, wrong = components.T.copy(), np.empty(components.shape[1], dtype)
    sweep(gram.astype(dtype), linear, turned, most, SHARE, wrong)
    return np.ascontiguousarray(turned.T), float(wrong.sum(dtype=np.float64))


def objective(problem: Problem, found: Statistics, components: np.ndarray) -> float:
    """½ (||X||² - 2 <ZᵀX, U> + <ZᵀZ, U Uᵀ>) and the penalties."""
    double = components.astype(np.float64)
    fit = problem.squares - 2 * float((found.cross * double).sum()) + float((found.codes * (double @ double.T)).sum())
    return max(0.5 * fit, 0.0) + found.penalty + problem.components.of(double)


def solve_rows(block: Any, gram: np.ndarray, turned: np.ndarray, penalty: Penalty, scale: float) -> np.ndarray:
    """The best codes of the rows for given components, from zero; `gram` holds the ridge."""
    from unmix.factors.nonnegative.sweep import sweep

    linear = scaled(block, scale) @ turned - turned.dtype.type(penalty.l1)
    codes, wrong = np.zeros(linear.shape, turned.dtype), np.empty(len(linear), turned.dtype)
    sweep(gram, linear, codes, EXACT_SWEEPS, float(np.finfo(turned.dtype).eps) ** 1.75, wrong)
    return codes
