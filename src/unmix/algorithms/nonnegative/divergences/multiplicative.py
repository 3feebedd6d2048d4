"""The multiplicative rule of Lee and Seung, step for step: every entry times (pull up) / (pull down).

    Frobenius          Z ← Z ∘ X Uᵀ / (Z U Uᵀ),            U ← U ∘ ZᵀX / (ZᵀZ U)
    Kullback-Leibler   Z ← Z ∘ (X / ZU) Uᵀ / (1 Uᵀ),       U ← U ∘ Zᵀ(X / ZU) / (Zᵀ1)
    any β, Y = ZU      Z ← Z ∘ [ (X ∘ Y^(β-2)) Uᵀ / (Y^(β-1) Uᵀ) ]^γ,   the same for U

Penalties join the denominators (l1 + l2 times the entry); loss.py says which exponent γ then keeps the objective from
rising.  An entry that is zero stays zero.  What is missing (NaN) is left out of every sum.  One pass over the rows an
iteration; codes first, then components.

Lee & Seung, Nature 401, 1999, and NIPS 13, 2000; Févotte & Idier, Neural Computation 23, 2011.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.nonnegative.divergences.beta_divergence import dense, powers, row_divergence
from unmix.algorithms.nonnegative.divergences.divergence import divergence, ratio, reconstruction
from unmix.algorithms.nonnegative.loss import FROBENIUS, KULLBACK_LEIBLER, Rule
from unmix.algorithms.nonnegative.problem import Penalty, Problem, State, slow, split, weigh
from unmix.algorithms.nonnegative.sparse_product import cross_products
from unmix.algorithms.nonnegative.table import is_sparse, weighted_block
from unmix.core.iteration.loop import iterate

CHECKED = 10  # iterations between looks at how far the objective fell


class Statistics(NamedTuple):
    """Numerator and denominator of the step of the components, and the objective before it."""

    up: np.ndarray
    down: np.ndarray
    objective: float


def multiplicative(problem: Problem, state: State, max_iter: int, rule: Rule, name: str = "multiplicative") -> State:
    return iterate(lambda state: advance(problem, state, rule), state, max_iter=max_iter, name=name)


def advance(problem: Problem, state: State, rule: Rule) -> tuple[State, dict[str, float]]:
    """Codes, then components. The objective is that of the new codes with the old components."""
    rows, update = problem.rows(state.codes), STEPS.get(rule.loss, beta_step)
    codes, found = problem.X.step(update, rows, state.components, problem.codes, problem.scale, rule)
    double = state.components.astype(np.float64)
    components = rule.moved(double, found.up, found.down, problem.components).astype(state.components.dtype)
    value = found.objective + problem.components.of(state.components)
    done, reference, latest = slow(problem, state, value, CHECKED)
    unit = float(np.sqrt(problem.scale)) ** rule.loss  # twice, as its square may be no number
    new = State(state.iteration + 1, done, codes, components, value, reference, latest)
    return new, {"objective": value / unit / unit}


def frobenius_step(
    block: Any, rows: Any, components: np.ndarray, penalty: Penalty, scale: float, rule: Rule
) -> tuple[np.ndarray, Statistics]:
    codes, weights = split(rows)
    entries = weighted_block(block, scale, weights)
    if not is_sparse(entries) and np.isnan(entries).any():
        return frobenius_step_observed(entries, codes, weights, components, penalty, rule)
    gram = components @ components.T
    up = entries @ np.ascontiguousarray(components.T)
    codes = rule.moved(codes, up, codes @ gram, penalty)
    weighted = weigh(codes, weights)
    cross = cross_products(entries, weighted)
    products = np.asarray(weighted.T @ codes, dtype=np.float64)
    double = components.astype(np.float64)
    values = entries.data if is_sparse(entries) else entries
    squares = squared_sum(values, entries, weights)
    fit = 0.5 * (squares - 2 * float((cross * double).sum()) + float((products * (double @ double.T)).sum()))
    return codes, Statistics(cross, products @ double, max(fit, 0.0) + penalty.of_rows(codes, weights))


def squared_sum(values: np.ndarray, entries: Any, weights: np.ndarray | None) -> float:
    if weights is None:
        flat = values.reshape(-1)
        return float(np.einsum("i,i->", flat, flat, dtype=np.float64))
    if is_sparse(entries):
        return float(np.repeat(weights, np.diff(entries.indptr)) @ values.astype(np.float64) ** 2)
    return float(weights @ np.einsum("ij,ij->i", values, values, dtype=np.float64))


def frobenius_step_observed(
    entries: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray | None,
    components: np.ndarray,
    penalty: Penalty,
    rule: Rule,
) -> tuple[np.ndarray, Statistics]:
    mask = ~np.isnan(entries)
    filled = np.where(mask, entries, entries.dtype.type(0))
    down = (mask * (codes @ components)) @ components.T
    codes = rule.moved(codes, filled @ components.T, down, penalty)
    inside = mask * (codes @ components)
    weighted = weigh(codes, weights).astype(np.float64)
    error = np.einsum("ij,ij->i", filled - inside, filled - inside, dtype=np.float64)
    fit = 0.5 * float(error.sum() if weights is None else weights @ error)
    return codes, Statistics(weighted.T @ filled, weighted.T @ inside, fit + penalty.of_rows(codes, weights))


def kullback_leibler_step(
    block: Any, rows: Any, components: np.ndarray, penalty: Penalty, scale: float, rule: Rule
) -> tuple[np.ndarray, Statistics]:
    codes, weights = split(rows)
    entries, turned = weighted_block(block, scale, weights), np.ascontiguousarray(components.T)
    mask = None if is_sparse(entries) or not np.isnan(entries).any() else ~np.isnan(entries)
    reach = components.sum(axis=1) if mask is None else mask @ turned
    up = np.asarray(ratio(entries, reconstruction(entries, codes, components)) @ turned)
    codes = rule.moved(codes, up, np.broadcast_to(reach, codes.shape), penalty)
    below, weighted = reconstruction(entries, codes, components), weigh(codes, weights)
    misfit = divergence(entries, below, codes, components)
    cross = cross_products(ratio(entries, below), weighted)
    down = weighted.sum(axis=0, dtype=np.float64)[:, None] if mask is None else weighted.astype(np.float64).T @ mask
    value = float(misfit.sum() if weights is None else weights @ misfit) + penalty.of_rows(codes, weights)
    return codes, Statistics(cross, np.broadcast_to(down, components.shape).copy(), value)


def beta_step(
    block: Any, rows: Any, components: np.ndarray, penalty: Penalty, scale: float, rule: Rule
) -> tuple[np.ndarray, Statistics]:
    codes, weights = split(rows)
    entries, turned = dense(weighted_block(block, scale, weights)), np.ascontiguousarray(components.T)
    low, high = powers(entries, codes @ components, rule.loss)
    codes = rule.moved(codes, high @ turned, low @ turned, penalty)
    below, weighted = codes @ components, weigh(codes, weights)
    low, high = powers(entries, below, rule.loss)
    misfit = row_divergence(entries, below, rule.loss)
    if weights is not None:
        misfit = weights * np.where(weights > 0, misfit, 0.0)  # a row that does not count may be infinitely far
    value = float(misfit.sum()) + penalty.of_rows(codes, weights)
    return codes, Statistics(cross_products(high, weighted), cross_products(low, weighted), value)


STEPS = {FROBENIUS: frobenius_step, KULLBACK_LEIBLER: kullback_leibler_step}
