"""Entries that were not observed do not count: ½ Σ over observed (i, j) of (x_ij - z_i·u_j)².

Row i then has a k×k matrix of its own, Σ_{j observed} u_j u_jᵀ, and so has column j.  All of them come from one product
of the mask with the products of every two entries of each u_j (or z_i), n d k (k+1) operations; coordinate
descent goes on as in hals.py.  Statistics are d k (k+1) / 2 numbers, whatever n.

Reference: Kim & Choi, Weighted nonnegative matrix factorization, ICASSP 2009.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.nonnegative.hals import LEAST_GAIN, NEAR_SWEEPS, SHARE, SWEEPS
from unmix.algorithms.nonnegative.momentum import Method, descend, with_momentum
from unmix.algorithms.nonnegative.problem import Penalty, Problem, State, split_pair, weigh
from unmix.algorithms.nonnegative.table import weighted_block
from unmix.algorithms.principal.latent_gaussian import pairs, unpack

ENTRIES = 2**20  # of the matrices held at once


class Statistics(NamedTuple):
    products: np.ndarray  # (d, k (k+1) / 2) for each column, the sum of z zᵀ over the rows that have it
    cross: np.ndarray  # (k, d)
    penalty: float
    violation: float


def hals_observed(problem: Problem, state: State, max_iter: int) -> State:
    return descend(problem, state, max_iter, METHOD)


def shared(problem: Problem, components: np.ndarray) -> tuple[Any, ...]:
    return components, problem.codes, problem.scale


def update_codes(
    block: np.ndarray, rows: Any, components: np.ndarray, penalty: Penalty, scale: float, lead: float, momentum: float
) -> tuple[np.ndarray, Statistics]:
    (now, before, weights), (k, d) = split_pair(rows), components.shape
    out, ahead, products = np.empty_like(now), np.empty_like(now), np.zeros((d, k * (k + 1) // 2))
    cross, violation = np.zeros((k, d)), 0.0
    packed, turned = pairs(components.T), np.ascontiguousarray(components.T)
    for part in chunks(len(block), k, d):
        weight = None if weights is None else weights[part]
        mask, entries = mask_and_values(block[part], scale, weight)
        codes, wrong = with_momentum(now[part], before[part], lead), np.empty(len(mask), now.dtype)
        improve(mask, entries, packed, turned, codes, penalty, wrong, SWEEPS, SHARE)
        out[part], ahead[part] = codes, with_momentum(codes, now[part], momentum)
        products += mask.T @ weigh(pairs(ahead[part]), weight)
        cross += weigh(ahead[part], weight).T @ entries
        violation += float(wrong.sum(dtype=np.float64) if weight is None else weight @ wrong)
    return out, Statistics(products, cross, penalty.of_rows(ahead, weights), violation)


def chunks(n: int, k: int, d: int) -> Iterator[slice]:
    size = max(16, ENTRIES // max(k * k, d))
    return (slice(start, start + size) for start in range(0, n, size))


def mask_and_values(rows: np.ndarray, scale: float, weights: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The mask of what was observed, as numbers, and the entries with zeros elsewhere."""
    entries = weighted_block(rows, scale, weights)
    mask = ~np.isnan(entries)
    return mask.astype(rows.dtype), np.where(mask, entries, rows.dtype.type(0))


def improve(
    mask: np.ndarray,
    entries: np.ndarray,
    packed: np.ndarray,
    turned: np.ndarray,
    codes: np.ndarray,
    penalty: Penalty,
    wrong: np.ndarray,
    most: int,
    share: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Improve the codes of some rows in place; the matrices and the linear terms of their problems."""
    from unmix.algorithms.nonnegative.sweep import sweep_own

    k = codes.shape[1]
    grams = unpack(mask @ packed, k)
    grams[:, np.arange(k), np.arange(k)] += penalty.l2
    linear = entries @ turned - codes.dtype.type(penalty.l1)
    sweep_own(grams.astype(codes.dtype), linear, codes, most, share, wrong)
    return grams, linear


def update_components(problem: Problem, found: Statistics, components: np.ndarray) -> tuple[np.ndarray, float]:
    from unmix.algorithms.nonnegative.sweep import sweep_own

    penalty = problem.components
    k, dtype = len(components), components.dtype
    grams = unpack(found.products, k)
    grams[:, np.arange(k), np.arange(k)] += penalty.l2
    turned, wrong = components.T.copy(), np.empty(components.shape[1], dtype)
    linear = np.ascontiguousarray((found.cross - penalty.l1).T.astype(dtype))
    sweep_own(grams.astype(dtype), linear, turned, SWEEPS, SHARE, wrong)
    return np.ascontiguousarray(turned.T), float(wrong.sum(dtype=np.float64))


def objective(problem: Problem, found: Statistics, components: np.ndarray) -> float:
    double = components.astype(np.float64)
    doubled = pairs(double.T) * off_diagonal_twice(len(double))
    fit = problem.squares - 2 * float((found.cross * double).sum()) + float((found.products * doubled).sum())
    return max(0.5 * fit, 0.0) + found.penalty + problem.components.of(double)


def off_diagonal_twice(k: int) -> np.ndarray:
    i, j = np.triu_indices(k)
    return np.where(i == j, 1.0, 2.0)


def solve_rows(
    block: np.ndarray, components: np.ndarray, penalty: Penalty, scale: float, exact: bool = True
) -> np.ndarray:
    """The best codes of rows with gaps for given components, from zero, or codes near them."""
    from unmix.algorithms.nonnegative.active_set import solve_rows

    k, d = components.shape
    out = np.zeros((len(block), k), components.dtype)
    packed, turned = pairs(components.T), np.ascontiguousarray(components.T)
    for part in chunks(len(block), k, d):
        mask, entries = mask_and_values(block[part], scale)
        wrong = np.empty(len(mask), out.dtype)
        problems = improve(mask, entries, packed, turned, out[part], penalty, wrong, NEAR_SWEEPS, LEAST_GAIN)
        if exact:
            solve_rows(*problems, out[part])
    return out


METHOD = Method("hals", update_codes, shared, update_components, objective)
