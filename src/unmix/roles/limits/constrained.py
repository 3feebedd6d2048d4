"""Roles under constraints as one integer programme over candidate roles.

x_r = role used, y_ur = user u has it, z_rp = it holds p, w_urp ≤ y_ur, z_rp, d_up = granted singly:
min Σ cost, Σ_r w_urp + d_up ≥ 1 for every grant, Σ_r y_ur ≤ most roles a user, Σ_u y_ur ≥ s x_r, Σ_p z_rp ≥ t x_r.
Where permission sets cost nothing, z_rp = x_r without loss, and w_urp is y_ur.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import NamedTuple, ParamSpec, TypeVar

import numpy as np
import scipy.sparse as sp

from unmix.roles.cover.program import Solution, solve
from unmix.roles.problem.budget import Budget


class Limits(NamedTuple):
    """What is asked of the roles."""

    min_users: int = 1
    min_permissions: int = 1
    max_roles_per_user: int | None = None
    conflicts: Sequence[tuple[int, int]] = ()  # pairs of candidates no user may have together
    kept: Sequence[int] = ()  # candidates that must be there, whatever the limits


class Prices(NamedTuple):
    """Cost of a role, of an edge to a user, of an edge to a permission, and of a single grant."""

    role: float = 1.0
    user: float = 0.0
    permission: float = 0.0
    direct: float = 1e4


class Choice(NamedTuple):
    """Permission sets of the roles used, who has them, and the single grants."""

    chosen: np.ndarray
    roles: np.ndarray
    assignment: np.ndarray
    direct: np.ndarray
    solution: Solution


P = ParamSpec("P")
T = TypeVar("T")
ROWS_PER_TIME_CHECK = 256  # rows between two looks at the time


class OutOfTime(Exception):
    """The programme was not built in time."""


def unless_out_of_time(build: Callable[P, T | None]) -> Callable[P, T | None]:
    """The function, with no answer where its programme was not built in time."""

    @wraps(build)
    def built(*given: P.args, **named: P.kwargs) -> T | None:
        try:
            return build(*given, **named)
        except OutOfTime:
            return None

    return built


class Model:
    """Variables and rows of the programme, gathered as triples; building ends with the time there is."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.cost: list[float] = []
        self.triples: list[tuple[int, int, float]] = []
        self.lower: list[float] = []
        self.upper: list[float] = []

    def variable(self, cost: float) -> int:
        self.cost.append(cost)
        return len(self.cost) - 1

    def table(self, n_rows: int, n_columns: int, cost: float = 0.0) -> np.ndarray:
        """Variables of one cost, as numbers in an array."""
        return np.array([self.variable(cost) for _ in range(n_rows * n_columns)], int).reshape(n_rows, n_columns)

    def row(self, terms: list[tuple[int, float]], lower: float, upper: float = np.inf) -> None:
        if len(self.lower) % ROWS_PER_TIME_CHECK == ROWS_PER_TIME_CHECK - 1 and self.budget.over:
            raise OutOfTime
        self.triples.extend((len(self.lower), variable, value) for variable, value in terms)
        self.lower.append(lower)
        self.upper.append(upper)

    def solve(self, fixed: list[int]) -> Solution:
        rows, columns, values = zip(*self.triples)
        shape = (len(self.lower), len(self.cost))
        matrix = sp.csr_array((values, (rows, columns)), shape=shape)
        return solve(np.array(self.cost), matrix, self.lower, self.upper, self.budget, fixed=fixed)


@unless_out_of_time
def choose(
    matrix: np.ndarray, sets: np.ndarray, holders: np.ndarray, limits: Limits, prices: Prices, budget: Budget
) -> Choice | None:
    """The cheapest choice among the candidate sets; None if the solver found nothing in time."""
    model = Model(budget)
    x = [model.variable(prices.role) for _ in sets]
    y = {(u, r): model.variable(prices.user) for r, u in np.argwhere(holders)}
    z = {(r, p): model.variable(prices.permission) if prices.permission else x[r] for r, p in np.argwhere(sets)}
    d = {(u, p): model.variable(prices.direct) for u, p in np.argwhere(matrix)}
    cover_rows(model, sets, holders, y, z, d, bool(prices.permission))
    for variables in (y, z):
        for key, variable in variables.items():
            r = key[1] if variables is y else key[0]
            if variable != x[r]:
                model.row([(x[r], 1.0), (variable, -1.0)], 0.0)
    limit_rows(model, sets, holders, limits, x, y, z)
    # A kept role holds exactly the permissions it was given with.
    fixed = [x[r] for r in limits.kept] + [z[r, p] for r in limits.kept for p in np.flatnonzero(sets[r])]
    solution = model.solve(fixed)
    if solution.x is None:
        return None
    return read_choice(solution, matrix, sets, x, y, z, d)


def cover_rows(
    model: Model, sets: np.ndarray, holders: np.ndarray, y: dict, z: dict, d: dict, choose_sets: bool
) -> None:
    """Every grant comes from a role the user has and that holds it, or singly."""
    for (u, p), single in d.items():
        terms = [(single, 1.0)]
        for r in np.flatnonzero(holders[:, u] & sets[:, p]):
            if choose_sets:
                both = model.variable(0.0)
                model.row([(y[u, r], 1.0), (both, -1.0)], 0.0)
                model.row([(z[r, p], 1.0), (both, -1.0)], 0.0)
                terms.append((both, 1.0))
            else:
                terms.append((y[u, r], 1.0))
        model.row(terms, 1.0)


def limit_rows(
    model: Model, sets: np.ndarray, holders: np.ndarray, limits: Limits, x: list[int], y: dict, z: dict
) -> None:
    for r in range(len(x)):
        if r in set(limits.kept):
            continue
        users, permissions = np.flatnonzero(holders[r]), np.flatnonzero(sets[r])
        model.row([(y[u, r], 1.0) for u in users] + [(x[r], -float(limits.min_users))], 0.0)
        if z[r, permissions[0]] == x[r]:
            if permissions.size < limits.min_permissions:
                model.row([(x[r], 1.0)], 0.0, 0.0)
        else:
            model.row([(z[r, p], 1.0) for p in permissions] + [(x[r], -float(limits.min_permissions))], 0.0)
    for u in range(holders.shape[1]):
        mine = [r for r in range(len(x)) if holders[r, u]]
        if limits.max_roles_per_user is not None and len(mine) > limits.max_roles_per_user:
            model.row([(y[u, r], 1.0) for r in mine], 0.0, float(limits.max_roles_per_user))
        for a, b in limits.conflicts:
            if holders[a, u] and holders[b, u]:
                model.row([(y[u, a], 1.0), (y[u, b], 1.0)], 0.0, 1.0)


def read_choice(
    solution: Solution, matrix: np.ndarray, sets: np.ndarray, x: list[int], y: dict, z: dict, d: dict
) -> Choice:
    value = np.asarray(solution.x) > 0.5
    chosen = np.flatnonzero(value[x])
    number = {r: k for k, r in enumerate(chosen)}
    assignment = np.zeros((matrix.shape[0], chosen.size), bool)
    roles = np.zeros((chosen.size, matrix.shape[1]), bool)
    for (u, r), variable in y.items():
        if value[variable] and r in number:
            assignment[u, number[r]] = True
    for (r, p), variable in z.items():
        if value[variable] and r in number:
            roles[number[r], p] = True
    direct = np.zeros(matrix.shape, bool)
    for (u, p), variable in d.items():
        direct[u, p] = value[variable]
    return Choice(chosen, roles, assignment, direct, solution)
