"""The cheapest way out of a conflict: which roles and single grants to take from one user.

    minimise   Σ_p r_p lost_p   (then the number of things taken)
    so that    Σ_{p ∈ rule} gone_p ≥ held - most       for each broken rule
               gone_p ≤ taken_a                        for each source a of p: gone only if every source is taken
               lost_p ≥ Σ_{a gives p} taken_a - (number of sources - 1)

a small integer program for each user, solved to the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from unmix.roles.duties.duty import Duty


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
    """Least loss by risk, then by number of permissions, then the fewest things taken."""
    from scipy.optimize import Bounds, LinearConstraint, milp

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
    found = milp(
        _prices(names, risk, len(sources)),
        constraints=LinearConstraint(np.array(rows), lb=np.array(least)),
        bounds=Bounds(0, 1),
        integrality=np.ones(size, dtype=np.int64),
    )
    chosen = np.round(found.x[: len(sources)]).astype(bool)
    taken = [source for source, out in zip(sources, chosen) if out]
    return Repair(taken, round(float(found.x[len(sources) :].sum())))


def _prices(names: Sequence[str], risk: Mapping[str, float], n_sources: int) -> np.ndarray:
    """What the tool calls risk is how bad a wrong grant is: what is dangerous to hold is cheap to take away."""
    worth = np.array([1.0 / (1.0 + risk.get(name, 0.0)) for name in names])
    return np.concatenate([np.full(n_sources, 1e-3 * worth.min(initial=1.0) / (n_sources + 1)), worth])
