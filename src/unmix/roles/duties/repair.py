"""The cheapest way out of a conflict: which roles and single grants to take from one user.

    minimise   Σ_p lost_p, then -Σ_p r_p lost_p, then Σ_a taken_a
    so that    Σ_{p ∈ rule} gone_p ≥ held - most       for each broken rule
               gone_p ≤ taken_a                        for each source a of p: gone only if every source is taken
               lost_p ≥ Σ_{a gives p} taken_a - (number of sources - 1)

a small integer program for each user, solved to the end for each of the three in turn. The risk r_p is how bad it is to
hold p wrongly: of two repairs that cost equally many permissions, the one that takes the more dangerous ones is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from unmix.roles.duties.duty import Duty

SLACK = 1e-6  # of a price that has been made small: the solver works to such tolerances


class Source(NamedTuple):
    """Something a user has that can be taken away: `kind` is a role's name or "direct", `name` what is taken."""

    kind: str
    name: str
    permissions: frozenset[str]


class Repair(NamedTuple):
    """What is taken away, and how many permissions the user then lacks."""

    taken: list[Source]
    lost: int


def cheapest_repair(sources: Sequence[Source], broken: Sequence[Duty], risk: Mapping[str, float]) -> Repair:
    """The fewest permissions lost; of these ways the most dangerous permissions, then the fewest things taken."""
    names = sorted(frozenset().union(*(source.permissions for source in sources)))
    number = {name: len(sources) + i for i, name in enumerate(names)}
    size = len(sources) + len(names)  # taken, then gone = lost: both are 1 just where every source is taken
    rows: list[np.ndarray] = []
    least: list[float] = []

    def require(coefficients: dict[int, float], bound: float) -> None:
        row = np.zeros(size)
        row[list(coefficients)] = list(coefficients.values())
        rows.append(row)
        least.append(bound)

    for name in names:
        givers = [a for a, source in enumerate(sources) if name in source.permissions]
        for a in givers:
            require({a: 1.0, number[name]: -1.0}, 0.0)
        require({number[name]: 1.0} | dict.fromkeys(givers, -1.0), 1.0 - len(givers))
    for duty in broken:
        if duty.over == "roles":
            held = [a for a, source in enumerate(sources) if source.kind == source.name and source.name in duty.members]
        else:
            held = [number[name] for name in duty.members if name in number]
        require(dict.fromkeys(held, 1.0), float(len(held) - duty.most))
    chosen = _least(_prices(names, risk, len(sources)), np.array(rows), np.array(least))
    taken = [source for source, out in zip(sources, chosen) if out]
    return Repair(taken, int(chosen[len(sources) :].sum()))


def _prices(names: Sequence[str], risk: Mapping[str, float], n_sources: int) -> list[np.ndarray]:
    """What is made small, one after the other."""
    danger = np.array([risk.get(name, 0.0) for name in names])
    prices = [
        np.append(np.zeros(n_sources), part) for part in (np.ones(len(names)), -danger / max(danger.max(), 1e-300))
    ]
    return [price for price in prices if price.any()] + [np.append(np.ones(n_sources), np.zeros(len(names)))]


def _least(prices: Sequence[np.ndarray], rows: np.ndarray, least: np.ndarray) -> np.ndarray:
    """The 0/1 solution of rows @ x ≥ least of the least first price, among these of the least second one, and so on."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    for price in prices:
        found = milp(
            price,
            constraints=LinearConstraint(rows, lb=least),
            bounds=Bounds(0, 1),
            integrality=np.ones(len(price), dtype=np.int64),
            options={"mip_rel_gap": 0.0},
        )
        rows, least = np.vstack([rows, -price]), np.append(least, -found.fun - SLACK)
    return np.asarray(np.round(found.x).astype(bool))
