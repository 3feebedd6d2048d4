"""Roles that were found: what they hold, who gets them, what remains outside, and how much of it is proven."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.access import Access, Name, row
from unmix.roles.access.bits import Bits, covers, product, structure
from unmix.roles.problem.cost_tiers import rounded, total
from unmix.roles.problem.hierarchy import direct_permissions, reduction


class Grant(NamedTuple):
    """A grant outside the roles: "direct" is given singly, "missing" held but not given, "extra" given but not held."""

    user: Name
    permission: Name
    kind: str


@dataclass
class Roles:
    """What :func:`mine` returns.

    Attributes
    ----------
    roles : dict of name to frozenset of permissions
    assignments : dict of user to frozenset of role names
    exceptions : list of Grant
        Single grants beside the roles (``"direct"``); with ``problem="fewest"`` also grants that the roles do not give
        (``"missing"``) and permissions that they give but the user did not have (``"extra"``).
    certificate : str
        ``"minimal"``, or a sentence with the proven lower bound and the gap.
    value, lower_bound : float
        The objective, and what it is at least.
    hierarchy : dict of name to frozenset of the roles directly below (contained in) it
    retired : tuple of ids that roles had which are no longer there
    """

    access: Access
    names: list[str]
    role_permissions: sp.csr_array
    user_roles: sp.csr_array
    direct: sp.csr_array
    value: float
    lower_bound: float
    what: str = "roles"
    deviating: bool = False
    interrupted: bool = False
    singles_proven: bool = True  # no answer grants less singly, which comes before few roles
    inherits: sp.csr_array | None = field(default=None, repr=False)
    retired: tuple[str, ...] = ()  # ids of roles of the past, which no other role gets

    def __repr__(self) -> str:
        return f"Roles({len(self.names)} roles, {self.user_roles.nnz} assignments, {self.certificate})"

    @cached_property
    def roles(self) -> dict[str, frozenset[Name]]:
        return {
            name: frozenset(self.access.permissions[j] for j in row(self.role_permissions, k))
            for k, name in enumerate(self.names)
        }

    @cached_property
    def assignments(self) -> dict[Name, frozenset[str]]:
        return {
            user: frozenset(self.names[k] for k in row(self.user_roles, i)) for i, user in enumerate(self.access.users)
        }

    @cached_property
    def given(self) -> sp.csr_array:
        """What users get through roles: the Boolean product UA ⊗ PA."""
        return product(self.user_roles, Bits.of(self.role_permissions)).sparse()

    @cached_property
    def exceptions(self) -> list[Grant]:
        given = structure(self.given.astype(np.int8) + self.direct.astype(np.int8))
        signed = self.access.matrix.astype(np.int8) - given.astype(np.int8)
        found = self.listed(self.direct, "direct")
        return found + self.listed(signed > 0, "missing") + self.listed(signed < 0, "extra")

    def listed(self, matrix: Any, kind: str) -> list[Grant]:
        users, permissions = structure(matrix).tocoo().coords
        return [Grant(self.access.users[i], self.access.permissions[j], kind) for i, j in zip(users, permissions)]

    @property
    def proven(self) -> bool:
        return self.value <= self.lower_bound and self.singles_proven and not self.interrupted

    @property
    def gap(self) -> float:
        """How far the answer may be from the best, as a share of the answer."""
        if self.proven or not self.value:
            return 0.0
        return (self.value - self.lower_bound) / self.value if np.isfinite(self.value) else 1.0

    @property
    def certificate(self) -> str:
        if self.proven:
            return "minimal"
        stop = "interrupted, " if self.interrupted else ""
        beside = "" if self.singles_proven else f" beside {self.direct.nnz} single grants"
        return (
            f"{stop}not proven: {self.value:g} {self.what} found{beside}, at least {self.lower_bound:g} needed "
            f"(gap {100 * self.gap:.1f} %)"
        )

    @property
    def deviations(self) -> str:
        """How many entries deviate, in words, for the certificates of inferred roles."""
        one, grants = self.value == 1, self.access.matrix.nnz
        number = f"{self.value:.0f} {'entry' if one else 'entries'} deviate{'s' * one}"
        entries = number if self.value else "no entry deviates"
        return f"{entries} from {grants} grant{'s' * (grants != 1)}"

    @cached_property
    def hierarchy(self) -> dict[str, frozenset[str]]:
        below = reduction(self.role_permissions)
        return {name: frozenset(self.names[j] for j in row(below, k)) for k, name in enumerate(self.names)}

    def complexity(self, weights: tuple[float, ...] = (1, 1, 1, 1, 1), hierarchy: bool = True) -> float:
        """Weighted structural complexity w_r|R| + w_u|UA| + w_p|PA| + w_h|RH| + w_d|direct grants|.

        With ``hierarchy`` a role lists only what it adds to the roles it inherits from; those are the ones the search
        chose, or all roles directly below.
        """
        return rounded(total(weights, self.counts(hierarchy)))

    def counts(self, hierarchy: bool = True) -> tuple[int, ...]:
        """|R|, |UA|, |PA|, |RH| and the number of single grants, which the complexity weighs."""
        k = len(self.names)
        below = sp.csr_array((k, k), dtype=bool)
        if hierarchy:
            below = self.inherits if self.inherits is not None else reduction(self.role_permissions)
        listed = direct_permissions(self.role_permissions, below)
        return k, self.user_roles.nnz, listed.nnz, below.nnz, self.direct.nnz

    def verify(self) -> bool:
        """Recomputes the Boolean product: True if users get exactly what they had, apart from the listed deviations."""
        given = self.given.astype(np.int8) + self.direct.astype(np.int8)
        wrong = structure(structure(given).astype(np.int8) - self.access.matrix.astype(np.int8))
        if not self.deviating:
            return bool(wrong.nnz == 0)
        return wrong.nnz == sum(grant.kind != "direct" for grant in self.exceptions)

    def pairs(self) -> list[tuple[Name, Name]]:
        """(role, permission) for every role."""
        return [(name, permission) for name, held in self.roles.items() for permission in sorted(held, key=str)]

    def fits(self) -> bool:
        """Whether no role is given to somebody who lacks one of its permissions."""
        can = covers(self.access.bits, Bits.of(self.role_permissions))
        return bool(can[self.user_roles.tocoo().coords].all())
