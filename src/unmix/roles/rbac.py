"""Role-based access control: users, roles, permissions, UA and PA, and what follows from them.

UA ⊆ users × roles, PA ⊆ roles × permissions, and users get UPA = UA ⊗ PA, the Boolean product. A permission may be a
pair (object, operation). Reference: ANSI INCITS 359-2012, core RBAC.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.core.storage.folder import Results, replacing_folder
from unmix.roles.access.access import Access, Name
from unmix.roles.access.bits import Bits, from_pairs, product
from unmix.roles.access.permission import SEPARATOR, object_and_operation, unknown_name
from unmix.roles.access.relation import Relation, is_matrix, read_relation, write_relation
from unmix.roles.problem.result import Roles

FILES = "assignments.csv", "roles.csv"
RESULTS = Results(r"assignments\.csv", r"(assignments|roles)\.csv")


class RBAC:
    """Who has which role, and what each role allows.

    Parameters
    ----------
    UA : who has which role
        Pairs (user, role), a mapping of user to roles, a matrix users × roles of 0 and 1 (array, sparse, frame), or a
        path.
    PA : which role has which permission
        The same for roles and permissions.
    users, roles, permissions : sequence of names, optional
        Names of rows and columns of matrices (0, 1, 2, … by default), and names that have no pair; others are refused.

    Attributes
    ----------
    users, roles, permissions : list of names
    UA, PA, UPA : csr_array of bool
        users × roles, roles × permissions, and users × permissions: their Boolean product.

    Examples
    --------
    >>> from unmix.roles import RBAC
    >>> model = RBAC({"ann": ["clerk", "boss"], "bob": ["clerk"]}, {"clerk": ["mail:read"], "boss": ["pay:sign"]})
    >>> sorted(model.assigned_users("clerk")), sorted(model.assigned_permissions("boss"))
    (['ann', 'bob'], ['pay:sign'])
    >>> sorted(model.user_permissions("ann")), model.check_access("bob", "pay:sign")
    (['mail:read', 'pay:sign'], False)
    >>> model.assign_user("bob", "boss")
    >>> model.UPA.toarray().astype(int).tolist()
    [[1, 1], [1, 1]]
    """

    def __init__(
        self,
        UA: Any,
        PA: Any,
        *,
        users: Sequence[Name] | None = None,
        roles: Sequence[Name] | None = None,
        permissions: Sequence[Name] | None = None,
    ):
        held = read_relation(UA, users, roles, ("user", "role"))
        gives = read_relation(PA, roles, permissions, ("role", "permission"))
        if roles is None and is_matrix(UA) and is_matrix(PA) and held.columns != gives.rows:
            raise ValueError(
                f"UA is a matrix of {len(held.columns)} roles (columns), PA one of {len(gives.rows)} (rows); give PA "
                "as roles × permissions with the roles of UA, or name them with roles=."
            )
        self._roles_of = Links(held.rows, "user")
        self._users_of = Links((*held.columns, *gives.rows), "role")
        self._permissions_of = Links((*held.columns, *gives.rows), "role")
        self._roles_with = Links(gives.columns, "permission")
        for user, role in held.pairs:
            self.assign_user(user, role)
        for role, permission in gives.pairs:
            self.grant_permission(role, permission)

    @classmethod
    def of_roles(cls, found: Roles) -> RBAC:
        """The roles and assignments that :func:`mine` found; what it left as single grants is no part of them."""
        access = found.access
        return cls(found.user_roles, found.role_permissions, users=access.users, roles=found.names,
                   permissions=access.permissions)  # fmt: skip

    def __repr__(self) -> str:
        return f"RBAC({len(self.users)} users, {len(self.roles)} roles, {len(self.permissions)} permissions)"

    @property
    def users(self) -> list[Name]:
        return list(self._roles_of)

    @property
    def roles(self) -> list[Name]:
        return list(self._users_of)

    @property
    def permissions(self) -> list[Name]:
        return list(self._roles_with)

    @property
    def UA(self) -> sp.csr_array:
        return matrix(self.user_roles().pairs, self.users, self.roles)

    @property
    def PA(self) -> sp.csr_array:
        return matrix(self.role_permissions().pairs, self.roles, self.permissions)

    @property
    def UPA(self) -> sp.csr_array:
        return product(self.UA, Bits.of(self.PA)).sparse()

    @property
    def access(self) -> Access:
        """Who has what through roles, as data to mine or to compare with."""
        return Access(self.users, self.permissions, self.UPA)

    def user_roles(self) -> Relation:
        """UA as pairs (user, role), with all users and roles."""
        return Relation(self.users, self.roles, self._roles_of.pairs(self.roles))

    def role_permissions(self) -> Relation:
        """PA as pairs (role, permission), with all roles and permissions."""
        return Relation(self.roles, self.permissions, self._permissions_of.pairs(self.permissions))

    def assigned_users(self, role: Name) -> frozenset[Name]:
        return frozenset(self._users_of.find(role))

    def assigned_roles(self, user: Name) -> frozenset[Name]:
        return frozenset(self._roles_of.find(user))

    def assigned_permissions(self, role: Name) -> frozenset[Name]:
        return frozenset(self._permissions_of.find(role))

    def roles_with(self, permission: Name) -> frozenset[Name]:
        """Roles that have a permission."""
        return frozenset(self._roles_with.find(permission))

    def user_permissions(self, user: Name) -> frozenset[Name]:
        """What a user gets through all roles together."""
        return frozenset[Name]().union(*(self._permissions_of[role] for role in self._roles_of.find(user)))

    def permitted_users(self, permission: Name) -> frozenset[Name]:
        """Users who get a permission through any role."""
        return frozenset[Name]().union(*(self._users_of[role] for role in self._roles_with.find(permission)))

    def check_access(self, user: Name, permission: Name) -> bool:
        return not self._roles_with.find(permission).keys().isdisjoint(self._roles_of.find(user))

    def objects(self, separator: str = SEPARATOR) -> list[Name]:
        return sorted({object_and_operation(name, separator)[0] for name in self._roles_with}, key=str)

    def operations(self, object_: Name | None = None, separator: str = SEPARATOR) -> list[Name]:
        """What can be done with an object, or with any."""
        split = (object_and_operation(name, separator) for name in self._roles_with)
        return sorted({done for thing, done in split if object_ is None or thing == object_}, key=str)

    def role_operations(self, role: Name, object_: Name, separator: str = SEPARATOR) -> list[Name]:
        """What users of a role may do with an object."""
        split = (object_and_operation(name, separator) for name in self._permissions_of.find(role))
        return sorted({done for thing, done in split if thing == object_}, key=str)

    def add_user(self, user: Name, roles: Iterable[Name] = ()) -> None:
        self._roles_of.add(user)
        for role in roles:
            self.assign_user(user, role)

    def add_role(self, role: Name, permissions: Iterable[Name] = ()) -> None:
        self._users_of.add(role)
        self._permissions_of.add(role)
        for permission in permissions:
            self.grant_permission(role, permission)

    def assign_user(self, user: Name, role: Name) -> None:
        """Give a role to a user; both have to be there."""
        held, holders = self._roles_of.find(user), self._users_of.find(role)
        held[role] = holders[user] = None

    def deassign_user(self, user: Name, role: Name) -> None:
        held, holders = self._roles_of.find(user), self._users_of.find(role)
        if role not in held:
            raise KeyError(f"The user {user!r} does not have the role {role!r}.")
        del held[role], holders[user]

    def grant_permission(self, role: Name, permission: Name) -> None:
        """Give a permission to a role; a new permission is added."""
        self._permissions_of.find(role)[permission] = None
        self._roles_with.setdefault(permission, {})[role] = None

    def revoke_permission(self, role: Name, permission: Name) -> None:
        given, givers = self._permissions_of.find(role), self._roles_with.find(permission)
        if permission not in given:
            raise KeyError(f"The role {role!r} does not have the permission {permission!r}.")
        del given[permission], givers[role]

    def delete_user(self, user: Name) -> None:
        for role in self._roles_of.find(user):
            del self._users_of[role][user]
        del self._roles_of[user]

    def delete_role(self, role: Name) -> None:
        for user in self._users_of.find(role):
            del self._roles_of[user][role]
        for permission in self._permissions_of[role]:
            del self._roles_with[permission][role]
        del self._users_of[role], self._permissions_of[role]

    def delete_permission(self, permission: Name) -> None:
        for role in self._roles_with.find(permission):
            del self._permissions_of[role][permission]
        del self._roles_with[permission]

    def write(self, directory: str | Path) -> None:
        """assignments.csv and roles.csv in a folder, which :meth:`read` takes back."""
        with replacing_folder(Path(directory), RESULTS) as folder:
            write_relation(self.user_roles(), folder / FILES[0], ("user", "role"))
            write_relation(self.role_permissions(), folder / FILES[1], ("role", "permission"))

    @classmethod
    def read(cls, directory: str | Path) -> RBAC:
        """From a folder with assignments.csv (user, role) and roles.csv (role, permission), as `unmix roles` writes."""
        return cls(*(Path(directory) / name for name in FILES))


class Links(dict[Name, dict[Name, None]]):
    """Names, each with the names it is linked to, in the order in which they came."""

    def __init__(self, names: Iterable[Name], kind: str):
        super().__init__({name: {} for name in names})
        self.kind = kind

    def find(self, name: Name) -> dict[Name, None]:
        if name not in self:
            raise KeyError(unknown_name(self.kind, name, self))
        return self[name]

    def add(self, name: Name) -> None:
        if name in self:
            raise ValueError(f"There is a {self.kind} named {name!r} already.")
        self[name] = {}

    def pairs(self, order: list[Name]) -> list[tuple[Name, Name]]:
        """All links, those of one name in the order of the names they lead to."""
        rank = {name: k for k, name in enumerate(order)}
        return [(name, other) for name, linked in self.items() for other in sorted(linked, key=rank.__getitem__)]


def matrix(pairs: Iterable[tuple[Name, Name]], rows: list[Name], columns: list[Name]) -> sp.csr_array:
    numbers: list[Mapping[Name, int]] = [{name: k for k, name in enumerate(names)} for names in (rows, columns)]
    found = [(numbers[0][row], numbers[1][column]) for row, column in pairs]
    index = np.array(found, dtype=np.int64).reshape(-1, 2)
    return from_pairs(index[:, 0], index[:, 1], (len(rows), len(columns)))
