"""One pass over any table: every cell replaced by a parabola, rows and columns with matrices of their own.

    ½ bend (m - m₀)² + slope (m - m₀),   m = z·U + b:     G_i = Σ_j bend_ij u_j u_jᵀ,   c_i = G_i z_i - Σ_j slope_ij u_j

Losses whose parabola lies above them go down whatever the step; for the others a row that got worse is tried again with
a steeper parabola, and stays where it was if that does not help.  All matrices of some rows come from one product of
the bends with the products of every two entries of each u_j: n d k (k+1) operations a pass on either side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.design import Parabolas, parabolas, read_cells
from unmix.algorithms.factorization.problem import (
    Rules,
    Statistics,
    counted,
    split_components,
    unpack_rows,
    weighed,
    with_ones,
)
from unmix.algorithms.factorization.quadratic import improve
from unmix.algorithms.principal.latent_gaussian import pairs, unpack

ENTRIES = 2**17  # of the matrices held at once
STEEPER, TRIES = 4.0, 6
ROUNDING = 1e-12


class Seen(NamedTuple):
    """Some rows: cells, how often each counts, and the model they are seen by."""

    cells: np.ndarray
    mask: np.ndarray
    U: np.ndarray
    b: np.ndarray
    packed: np.ndarray  # products of every two entries of each column of U

    def rows(self, chosen: np.ndarray) -> Seen:
        return self._replace(cells=self.cells[chosen], mask=self.mask[chosen])


class Placed(NamedTuple):
    """Codes, the parabolas there, and what each row costs with its penalty."""

    codes: np.ndarray
    at: Parabolas
    cost: np.ndarray


def general_pass(
    block: Any, rows: Any, rules: Rules, components: np.ndarray, effort: int
) -> tuple[np.ndarray, Statistics]:
    """New codes, and the sums that the components need; ``effort`` is the number of steps of the codes."""
    given = unpack_rows(rows, rules)
    block = counted(block, given.weights)
    (U, b), k = split_components(components, rules.intercept), given.codes.shape[1] + rules.intercept
    D = components.shape[1]
    packed = pairs(U.T.astype(np.float64))
    out = np.empty_like(given.codes)
    total = Statistics(0.0, 0.0, np.zeros((D, k * (k + 1) // 2)), np.zeros((k, D)))
    for part in chunks(len(out), k, D):
        entries = None if given.entries is None else given.entries[part]
        seen = Seen(*read_cells(block[part], entries, rules.zeros), U, b, packed)
        first = last = place(rules, seen, given.codes[part])
        for _ in range(effort):
            last = moved(rules, seen, last)
        out[part] = last.codes
        gather(total, given.weights[part], seen, last, rules.intercept)
        total = total._replace(
            entering=total.entering + weighed(given.weights[part], first.cost),
            leaving=total.leaving + weighed(given.weights[part], last.cost),
        )
    return out, total


def chunks(n: int, k: int, D: int) -> Iterator[slice]:
    size = max(16, ENTRIES // max(k * k, D, 1))
    return (slice(start, start + size) for start in range(0, n, size))


def place(rules: Rules, seen: Seen, codes: np.ndarray) -> Placed:
    m = codes @ seen.U + seen.b
    at = parabolas(rules.design, seen.cells, seen.mask, m)
    return Placed(codes, at, at.value + rules.pays(codes))


def moved(rules: Rules, seen: Seen, now: Placed, effort: int = 1) -> Placed:
    """Every row a step further, none of them worse."""
    steeper = 1.0
    new = stepped(rules, seen, now, steeper, effort)
    if rules.design.safe:
        return new
    for _ in range(TRIES):
        worse = np.flatnonzero(~(new.cost <= now.cost * (1 + ROUNDING)))
        if not len(worse):
            return new
        steeper *= STEEPER
        again = stepped(rules, seen.rows(worse), chosen(now, worse), steeper, effort)
        new = replaced(new, worse, again)
    worse = np.flatnonzero(~(new.cost <= now.cost * (1 + ROUNDING)))
    return replaced(new, worse, chosen(now, worse))


def stepped(rules: Rules, seen: Seen, now: Placed, steeper: float, effort: int) -> Placed:
    k = now.codes.shape[1]
    gram = unpack(now.at.bend.astype(np.float64, copy=False) @ seen.packed, k) * steeper
    cross = np.matmul(gram, now.codes[:, :, None])[:, :, 0] - now.at.slope @ seen.U.T
    return place(rules, seen, improve(rules.codes, gram, cross, now.codes, effort))


def chosen(placed: Placed, rows: np.ndarray) -> Placed:
    return Placed(placed.codes[rows], Parabolas(*(part[rows] for part in placed.at)), placed.cost[rows])


def replaced(placed: Placed, rows: np.ndarray, by: Placed) -> Placed:
    for old, new in zip((placed.codes, placed.cost, *placed.at), (by.codes, by.cost, *by.at), strict=True):
        old[rows] = new
    return placed


def gather(total: Statistics, weights: np.ndarray, seen: Seen, placed: Placed, intercept: bool) -> None:
    """Add what the components need, in place."""
    codes = with_ones(placed.codes, intercept).astype(np.float64)
    slope, bend = (part.astype(np.float64, copy=False) for part in placed.at[1:])
    heavy = codes * weights[:, None]
    total.products[:] += bend.T @ (pairs(codes) * weights[:, None])
    m = (placed.codes @ seen.U + seen.b).astype(np.float64, copy=False)
    m *= bend
    m -= slope
    total.pull[:] += heavy.T @ m
