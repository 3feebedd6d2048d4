"""Roles as they stand after some steps of a review: who has which role, what each holds, single grants beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from unmix.roles.explanation.document import held_pairs

Tree = dict[str, Any]
Pair = tuple[str, str]


@dataclass
class Role:
    """`about` is what mining said of it; `status` is open or accepted (a rejected one is gone)."""

    id: str
    name: str
    permissions: set[str]
    about: dict[str, Any]
    status: str = "open"


def decided(role: dict[str, Any]) -> str:
    """What a decision file of an earlier review says of it, where one was given."""
    return "accepted" if role.get("review", {}).get("status") == "accepted" else "open"


@dataclass
class Draft:
    """Changed in place by the steps (steps.py); `held` is the access as it was before anybody mined."""

    roles: dict[str, Role]
    users: dict[str, set[str]]  # user -> ids of roles
    direct: set[Pair]
    held: frozenset[Pair]
    decided: dict[Pair, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)  # ids that were ever given

    @classmethod
    def of(cls, tree: Tree) -> Draft:
        roles = {r["id"]: Role(r["id"], r["name"], set(r["permissions"]), r, decided(r)) for r in tree["roles"]}
        ids = {role.name: key for key, role in roles.items()}
        users = {user: {ids[name] for name in names} for user, names in tree["assignments"].items()}
        direct = {(user, permission) for user, permission in tree["direct"]}
        return cls(roles, users, direct, frozenset(held_pairs(tree)), used=set(roles))

    def holders(self, key: str) -> list[str]:
        return [user for user, roles in self.users.items() if key in roles]

    def by_roles(self, user: str) -> set[str]:
        """What the roles of a user give."""
        return set().union(*(self.roles[key].permissions for key in self.users[user]))

    def given(self) -> set[Pair]:
        """Everything that users get."""
        return {(user, p) for user, keys in self.users.items() for key in keys for p in self.roles[key].permissions} | (
            self.direct
        )

    def without_needless(self, users: list[str]) -> None:
        """Single grants that a role gives as well are none."""
        for user in users:
            self.direct -= {(user, permission) for permission in self.by_roles(user)}

    def new_id(self) -> str:
        """The next number that no role had."""
        taken = [int(found[1]) for key in self.used if (found := re.fullmatch(r"R0*(\d+)", key))]
        width = max([len(key) - 1 for key in self.used if re.fullmatch(r"R\d+", key)], default=1)
        key = f"R{max(taken, default=0) + 1:0{width}d}"
        self.used.add(key)
        return key
