"""Problem "infer" for tables of any size: roles by the shortest description, with what they and errors take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.access.access import Access
from unmix.roles.access.bits import structure
from unmix.roles.description.code_length import Rates, description_length
from unmix.roles.description.conditions import conditions_of
from unmix.roles.description.fit import shortest_description
from unmix.roles.description.kept import NOTHING_KEPT, KeptRoles
from unmix.roles.description.limits import NO_LIMITS, Limits
from unmix.roles.description.membership import Memberships
from unmix.roles.description.task import Task
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.request import named
from unmix.roles.problem.result import Roles


@dataclass(repr=False)
class DescribedRoles(Roles):
    """Roles under noise, as many as make the description of the data shortest.

    Attributes beside those of :class:`Roles`
    -----------------------------------------
    rates : Rates
        How often a grant is missing that a role gives, and there though none does.
    bits : float
        Length of the description by roles, assignments and errors.
    bits_without : float
        The same without roles, every grant by itself.
    """

    rates: Rates | None = None
    bits: float = 0.0
    bits_without: float = 0.0

    @property
    def proven(self) -> bool:
        return False

    @property
    def certificate(self) -> str:
        stop = "interrupted, " if self.interrupted else ""
        share = 100 * self.bits / self.bits_without if self.bits_without else 100.0
        bits = f"roles and errors take {share:.0f} % of the bits of single grants"
        return f"{stop}inferred, not proven: {self.deviations}; {bits}"


def infer_by_description(
    access: Access,
    budget: Budget,
    seed: int,
    observe: Callable[[str], None] | None = None,
    *,
    limits: Limits = NO_LIMITS,
    steer: bool = True,
    kept: KeptRoles = NOTHING_KEPT,
) -> DescribedRoles:
    """Roles of access data of any size; the one most held first. Attributes of users steer if there are any.

    Of bits, those of giving up existing roles are not counted.
    """
    X = access.matrix.astype(np.float64)
    conditions = conditions_of(access) if steer and access.user_attributes else None
    code = Memberships(X.shape[0], conditions)
    best = shortest_description(X, seed, Task(code, limits, budget, kept), observe)
    order = np.argsort(-best.users, kind="stable")
    cells, none = float(X.shape[0]) * X.shape[1], np.empty(0)
    return DescribedRoles(
        access=access,
        names=named([], len(order)),
        role_permissions=structure(best.roles[order]),
        user_roles=structure(best.held[:, order]),
        direct=csr_array(X.shape, dtype=bool),
        value=float(best.granted + X.nnz - 2 * best.agreed),
        lower_bound=0.0,
        what="deviations",
        deviating=True,
        interrupted=budget.interrupted,
        rates=best.rates(X),
        bits=best.bits(X) - best.change_bits,
        bits_without=description_length(X.nnz, 0, 0, cells, none, none, X.shape),
    )
