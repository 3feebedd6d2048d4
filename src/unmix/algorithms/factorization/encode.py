"""The best codes of rows for given components, each row for itself, and how well they do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.design import read_cells, values
from unmix.algorithms.factorization.full_pass import code_problem
from unmix.algorithms.factorization.general_pass import Placed, Seen, chosen, chunks, moved, place, replaced
from unmix.algorithms.factorization.normal_codes import normal_model, posterior, wide_cells
from unmix.algorithms.factorization.problem import Rules, counted, split_components, unpack_rows
from unmix.algorithms.factorization.quadratic import JITTER, improve, solved
from unmix.algorithms.principal.latent_gaussian import pairs
from unmix.constraints.ridge import Ridge
from unmix.core.summation.tree import merge

STEPS, EFFORT = 200, 20
RELAXED_STEPS, LEAST_RIDGE = 20, 1e-3
LEAST_GAIN = 1e-9  # of a row's cost: then its code has settled
FARTHEST = 16.0  # times a step, where steps go the same way


class Quality(NamedTuple):
    """Weighted sums over rows: the loss by column, the penalty of the codes, their sum and products."""

    loss: np.ndarray  # (d,)
    cells: np.ndarray  # (d,) how many cells counted
    penalty: float
    total: np.ndarray  # (k,)
    products: np.ndarray  # (k, k)


def encode_rows(block: Any, rows: Any, rules: Rules, components: np.ndarray) -> tuple[np.ndarray, Quality]:
    """Codes of a block from nothing but the components; ``rows`` hold weights alone (codes of width 0)."""
    given = unpack_rows(rows, rules)
    with np.errstate(over="ignore", invalid="ignore"):  # rows without weight may hold anything
        codes = best_codes(block, given.entries, rules, components)
        if (lost := np.flatnonzero(~np.isfinite(codes).all(axis=1) & (given.weights > 0))).size:
            raise ValueError(f"row {lost[0]} of X is too far from what was fitted to have a code; leave such rows out")
        return codes, assess_rows(block, (codes, *rows[1:]) if isinstance(rows, tuple) else codes, rules, components)


def assess_rows(block: Any, rows: Any, rules: Rules, components: np.ndarray) -> Quality:
    """How well given codes do."""
    given = unpack_rows(rows, rules)
    U, b = split_components(components, rules.intercept)
    block = counted(block, given.weights)
    quality, codes = None, np.where(given.weights[:, None] > 0, given.codes, 0) if rules.weighted else given.codes
    packed = np.empty((components.shape[1], 0))  # costs need no products
    if rules.full and given.entries is None and not hasattr(block, "tocsr") and not has_gaps(block):
        return assess_full(block, codes, rules, components, given.weights)
    for part in chunks(len(codes), len(components), max(components.shape[1], block.shape[1])):
        entries = None if given.entries is None else given.entries[part]
        seen = Seen(*read_cells(block[part], entries, rules.zeros), U, b, packed)
        found = assess(rules, seen, codes[part], given.weights[part])
        quality = found if quality is None else merge(quality, found)
    assert quality is not None
    return quality


def assess_full(
    block: np.ndarray, codes: np.ndarray, rules: Rules, components: np.ndarray, weights: np.ndarray
) -> Quality:
    """The same for rows that are full under quadratic losses, from residuals."""
    residuals = codes @ components[: codes.shape[1]]
    if rules.intercept:
        residuals += components[-1]
    np.subtract(rules.design.targets(block), residuals, out=residuals)
    squares = 0.5 * rules.design.factors * np.einsum("ij,ij,i->j", residuals, residuals, weights.astype(block.dtype))
    loss = np.zeros(block.shape[1])
    for group in rules.design.groups:
        loss[group.columns] = squares[group.place].reshape(-1, len(group.columns)).sum(axis=0)
    double = codes.astype(np.float64)
    weighted = double * weights[:, None]
    paid = float(weights @ rules.pays(codes))
    counted = np.full(block.shape[1], float(weights.sum()))
    return Quality(loss, counted, paid, weighted.sum(axis=0), double.T @ weighted)


def assess(rules: Rules, seen: Seen, codes: np.ndarray, weights: np.ndarray) -> Quality:
    cost = values(rules.design, seen.cells, seen.mask, codes @ seen.U + seen.b)
    double = codes.astype(np.float64)
    weighted = double * weights[:, None]
    penalty = float(weights @ rules.pays(codes))
    if not np.isfinite(cost).all():
        cost = np.where(weights[:, None] > 0, cost, 0.0)
    return Quality(weights @ cost, weights @ seen.mask, penalty, weighted.sum(axis=0), double.T @ weighted)


def best_codes(block: Any, entries: np.ndarray | None, rules: Rules, components: np.ndarray) -> np.ndarray:
    if rules.noise is not None:
        return expected_codes(block, entries, rules, components)
    U, b = split_components(components, rules.intercept)
    if not len(U):
        return np.zeros((block.shape[0], 0), components.dtype)
    if rules.full and entries is None and not has_gaps(block):
        targets = rules.design.targets(block)
        gram, cross = code_problem(targets, rules, components)
        return improve(rules.codes, gram, cross, first_codes(rules, gram, cross), EFFORT)
    packed, out = pairs(U.T.astype(np.float64)), np.empty((block.shape[0], len(U)), components.dtype)
    for part in chunks(len(out), len(components), components.shape[1]):
        weights = None if entries is None else entries[part]
        seen = Seen(*read_cells(block[part], weights, rules.zeros), U, b, packed)
        out[part] = from_nothing(rules, seen)
    return out


def from_nothing(rules: Rules, seen: Seen) -> np.ndarray:
    """The codes of some rows; where steps may end in one valley of several, the best of some."""
    first = settled(rules, seen, place(rules, seen, rules.codes.prox(plain_codes(rules, seen), 0.0)))
    if rules.codes.entry is not None:
        first = settled(rules, seen, first, effort=EFFORT)
    if rules.codes.convex or rules.design.quadratic:
        return first.codes
    starts = [relaxed(rules, seen), *axes(rules, first.codes)]
    for codes in starts:
        other = place(rules, seen, rules.codes.prox(codes, 0.0))
        other = settled(rules, seen, other) if codes is starts[0] else other
        better = np.flatnonzero(other.cost < first.cost)
        first = replaced(first, better, chosen(other, better))
    return settled(rules, seen, first).codes


def relaxed(rules: Rules, seen: Seen) -> np.ndarray:
    """Codes under next to no constraint."""
    free = rules._replace(codes=Ridge(LEAST_RIDGE))
    return settled(free, seen, place(free, seen, plain_codes(rules, seen)), RELAXED_STEPS).codes


def axes(rules: Rules, codes: np.ndarray) -> Iterator[np.ndarray]:
    """Codes that hold one component alone, where constraints say how much of it."""
    if rules.codes.bounded:
        for c in range(codes.shape[1]):
            for sign in (1.0, -1.0) if rules.codes.symmetric else (1.0,):
                alone = np.zeros_like(codes)
                alone[:, c] = sign
                yield alone


def plain_codes(rules: Rules, seen: Seen) -> np.ndarray:
    """Zeros; for losses that have no parabola there, all equal and as large as the row."""
    codes = np.zeros((len(seen.cells), len(seen.U)), seen.U.dtype)
    if all(group.loss.at_start() is group.loss for group in rules.design.groups):
        return codes
    size = (seen.cells * seen.mask).sum(axis=1) / max(float(np.abs(seen.U).sum()), np.finfo(float).tiny)
    return codes + np.maximum(size, np.finfo(codes.dtype).tiny)[:, None].astype(codes.dtype)


def expected_codes(block: Any, entries: np.ndarray | None, rules: Rules, components: np.ndarray) -> np.ndarray:
    """Codes with a normal law: their means given what was observed of each row."""
    model = normal_model(rules, components)
    out = np.empty((block.shape[0], len(components) - 1), components.dtype)
    for part in chunks(len(out), len(components), components.shape[1]):
        cells = wide_cells(rules, block[part], None if entries is None else entries[part])
        out[part] = posterior(*cells, model).means
    return out


def has_gaps(block: Any) -> bool:
    return bool(np.isnan(block.data if hasattr(block, "tocsr") else block).any())


def first_codes(rules: Rules, gram: np.ndarray, cross: np.ndarray) -> np.ndarray:
    """Least squares, brought within the constraint."""
    if cross.shape[1] == 0:
        return cross
    ridge = JITTER * np.full(cross.shape[1], max(float(np.trace(gram[0])), np.finfo(float).tiny))
    return rules.codes.prox(solved(gram, cross, ridge).astype(cross.dtype), 0.0)


def settled(rules: Rules, seen: Seen, now: Placed, steps: int = STEPS, effort: int = 1) -> Placed:
    """Step after step until no row gains, every third one far along the way of two; settled rows are left alone."""
    active = np.arange(len(now.codes))
    way: list[np.ndarray] = [now.codes.copy()]  # of all rows, whether they move or not
    for _ in range(steps):
        before: Placed = chosen(now, active)
        new = moved(rules, seen.rows(active), before, effort)
        now = replaced(now, active, new)
        finite = np.isfinite(new.cost)
        gained = np.where(finite, before.cost, 0.0) - np.where(finite, new.cost, 0.0)
        active = active[gained > LEAST_GAIN * np.abs(np.where(finite, new.cost, 0.0))]
        if not len(active):
            break
        way.append(now.codes.copy())
        if len(way) == 3:
            now = farther(rules, seen, now, active, [codes[active] for codes in way])
            way = [now.codes.copy()]
    return now


def farther(rules: Rules, seen: Seen, now: Placed, active: np.ndarray, way: list[np.ndarray]) -> Placed:
    """Rows along the way of their last two steps, where that costs less:  z' = z₀ + 2 a r + a² v.

    r = z₁ - z₀,  v = z₂ - z₁ - r,  a = |r| / |v|  (Varadhan & Roland, Scandinavian Journal of Statistics 35, 2008).
    """
    r = way[1] - way[0]
    v = way[2] - way[1] - r
    bend = np.linalg.norm(v, axis=1, keepdims=True)
    length = np.divide(np.linalg.norm(r, axis=1, keepdims=True), bend, out=np.ones_like(bend), where=bend > 0)
    length = np.clip(length, 1.0, FARTHEST)
    codes = rules.codes.prox(way[0] + 2 * length * r + length**2 * v, 0.0)
    other = place(rules, seen.rows(active), codes)
    better = np.flatnonzero(other.cost < now.cost[active])
    return replaced(now, active[better], chosen(other, better))
