"""Accelerated hierarchical alternating least squares: the fast solver of ½ ||X - Z U||².

    Z ← non-negative rows by coordinate descent on U Uᵀ and X Uᵀ,   U ← the same on ZᵀZ and ZᵀX

A product with X costs as much as many sweeps over the k×k matrices, so each one is followed by up to `SWEEPS` of them.
One pass over the rows an iteration, 4 n d k operations; only k×k and k×d sums leave a block.

Cichocki & Phan, IEICE Trans. E92-A, 2009; Gillis & Glineur, Neural Computation 24, 2012.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.nonnegative.momentum import Method, descend, with_momentum
from unmix.algorithms.nonnegative.problem import Penalty, Problem, State, split_pair, weigh
from unmix.algorithms.nonnegative.sparse_product import MANY_STORED, cross_products, laid_out, times
from unmix.algorithms.nonnegative.table import is_sparse, scaled, stored_entries, weighted_block

SWEEPS, SHARE = 20, 1e-4  # most sweeps a product; a row is done when a sweep gains less than this share of the first
LEAST_SWEEPS = 3  # of sparse rows, whose products are cheap
NEAR_SWEEPS = 200  # before active sets take over,
LEAST_GAIN = 1e-11  # or when a sweep gains so little
FIRST_SWEEPS = 20  # where only a start for another method is wanted


class Statistics(NamedTuple):
    """Weighted sums over rows: ZᵀZ, ZᵀX, the penalty of the codes and their projected gradient."""

    codes: np.ndarray
    cross: np.ndarray
    penalty: float
    violation: float


def hals(problem: Problem, state: State, max_iter: int) -> State:
    return descend(problem, state, max_iter, METHOD)


def shared(problem: Problem, components: np.ndarray) -> tuple[Any, ...]:
    gram = gram_of(components, problem.codes.l2)
    return gram, laid_out(problem.X, components.T), problem.codes, problem.scale


def sweeps_for(stored: int, lines: int, k: int) -> int:
    """How many sweeps a product with a sparse table pays for: as many as a line has stored entries for every code.

    A small table is swept as if it were dense, so that it gives the same answer.
    """
    if stored < MANY_STORED:
        return SWEEPS
    return max(LEAST_SWEEPS, min(SWEEPS, stored // (lines * k)))


def gram_of(components: np.ndarray, ridge: float) -> np.ndarray:
    """U Uᵀ + ridge, in the precision of U."""
    double = components.astype(np.float64)
    gram = double @ double.T
    gram.flat[:: len(gram) + 1] += ridge
    return gram.astype(components.dtype)


def update_codes(
    block: Any, rows: Any, gram: np.ndarray, turned: np.ndarray, penalty: Penalty, scale: float, lead: float,
    momentum: float,
) -> tuple[np.ndarray, Statistics]:  # fmt: skip
    from unmix.algorithms.nonnegative.sweep import sweep

    (now, before, weights), k = split_pair(rows), len(gram)
    entries = weighted_block(block, scale, weights)
    linear = times(entries, turned, k)
    if penalty.l1:
        linear -= turned.dtype.type(penalty.l1)
    codes, wrong = with_momentum(now, before, lead), np.empty(len(now), now.dtype)
    most = sweeps_for(entries.nnz, len(codes), k) if is_sparse(entries) else SWEEPS
    sweep(gram, linear, codes, most, SHARE, wrong)
    return codes, collect(entries, with_momentum(codes, now, momentum), weights, penalty, wrong)


def collect(entries: Any, codes: np.ndarray, weights: np.ndarray | None, penalty: Penalty, wrong: Any) -> Statistics:
    weighted = weigh(codes, weights)
    double = codes.astype(np.float64)
    products = double.T @ (double if weights is None else double * weights[:, None])
    total = float(wrong.sum(dtype=np.float64) if weights is None else weights @ wrong)
    return Statistics(products, cross_products(entries, weighted), penalty.of_rows(codes, weights), total)


def update_components(
    products: np.ndarray, cross: np.ndarray, components: np.ndarray, penalty: Penalty, most: int = SWEEPS
) -> tuple[np.ndarray, float]:
    """New components from the sums, and their projected gradient before."""
    from unmix.algorithms.nonnegative.sweep import sweep

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


def solve_rows(
    block: Any, gram: np.ndarray, turned: np.ndarray, penalty: Penalty, scale: float, exact: bool = True
) -> np.ndarray:
    """The best codes of the rows for given components, from zero, or codes near them; `gram` holds the ridge."""
    from unmix.algorithms.nonnegative.active_set import solve_rows
    from unmix.algorithms.nonnegative.sweep import sweep

    linear = scaled(block, scale) @ turned - turned.dtype.type(penalty.l1)
    codes, wrong = np.zeros(linear.shape, turned.dtype), np.empty(len(linear), turned.dtype)
    sweep(gram, linear, codes, NEAR_SWEEPS if exact else FIRST_SWEEPS, LEAST_GAIN, wrong)
    if exact:
        solve_rows(gram[None].astype(np.float64), linear, codes)
    return codes


def new_components(problem: Problem, found: Statistics, components: np.ndarray) -> tuple[np.ndarray, float]:
    (k, d), X = components.shape, problem.X
    most = sweeps_for(stored_entries(X), d, k) if X.sparse else SWEEPS
    return update_components(found.codes, found.cross, components, problem.components, most)


METHOD = Method("hals", update_codes, shared, new_components, objective)
