"""Who has what: users, permissions and the Boolean matrix UPA between them, under the names that were given.

UPA ⊆ users × permissions; a permission may be a pair (object, operation). UA ⊆ users × roles and PA ⊆ roles ×
permissions are what the search looks for: UPA = UA ⊗ PA.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import Bits, from_pairs, structure
from unmix.roles.access.grants import without_duplicates
from unmix.roles.access.oddities import Problem
from unmix.roles.access.permission import SEPARATOR, as_text, is_pair, object_and_operation, unknown_name

Name = Hashable


class Access:
    """Users, permissions and who has what.

    Parameters
    ----------
    users, permissions : sequence of names
    matrix : sparse or dense array of shape (n_users, n_permissions)
    user_attributes, permission_attributes : mapping of name to mapping, optional
    problems : what was odd in the source, see :func:`read`

    Examples
    --------
    >>> access = Access.of_pairs([("ann", "mail:read"), ("ann", "mail:send"), ("bob", "mail:read")])
    >>> sorted(access.permissions_of("ann")), sorted(access.users_of("mail:read"))
    (['mail:read', 'mail:send'], ['ann', 'bob'])
    >>> access.objects(), access.operations("mail")
    (['mail'], ['read', 'send'])
    >>> Access.of_pairs([("ann", ("mail", "read")), ("ann", ("crm", "read"))]).objects()
    ['crm', 'mail']
    """

    def __init__(
        self,
        users: Sequence[Name],
        permissions: Sequence[Name],
        matrix: Any,
        *,
        user_attributes: Mapping[Name, Mapping[str, Any]] | None = None,
        permission_attributes: Mapping[Name, Mapping[str, Any]] | None = None,
        problems: Iterable[Problem] = (),
    ):
        self.users, self.permissions = list(users), list(permissions)
        self.matrix: sp.csr_array = structure(without_duplicates(matrix))
        if self.matrix.shape != (len(self.users), len(self.permissions)):
            raise ValueError(
                f"The matrix has shape {self.matrix.shape}, but there are {len(self.users)} users and "
                f"{len(self.permissions)} permissions; give one name for each row and column."
            )
        for kind, names in (("user", self.users), ("permission", self.permissions)):
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise ValueError(f"Two {kind}s are named {twice!r}; every {kind} needs a name of its own.")
        self.user_attributes = dict(user_attributes or {})
        self.permission_attributes = dict(permission_attributes or {})
        self.problems = tuple(problems)

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[Name, Name]], **options: Any) -> Access:
        """Users and permissions in order of first appearance."""
        users: dict[Name, int] = {}
        permissions: dict[Name, int] = {}
        rows, columns = [], []
        for user, permission in pairs:
            rows.append(users.setdefault(user, len(users)))
            columns.append(permissions.setdefault(permission, len(permissions)))
        shape = (len(users), len(permissions))
        return cls(list(users), list(permissions), from_pairs(np.array(rows), np.array(columns), shape), **options)

    def __repr__(self) -> str:
        return f"Access({len(self.users)} users, {len(self.permissions)} permissions, {self.matrix.nnz} grants)"

    @cached_property
    def bits(self) -> Bits:
        """The rows, bit-packed."""
        return Bits.of(self.matrix)

    @cached_property
    def user_number(self) -> dict[Name, int]:
        return {name: i for i, name in enumerate(self.users)}

    @cached_property
    def permission_number(self) -> dict[Name, int]:
        return {name: j for j, name in enumerate(self.permissions)}

    def find_permission(self, name: Name) -> Name | None:
        """The permission of this name; the text "object:operation" stands for the pair, where that is the name."""
        return name if name in self.permission_number else self._by_text.get(name)

    @cached_property
    def _by_text(self) -> dict[Name, Name]:
        return {as_text(name): name for name in self.permissions if is_pair(name)}

    @cached_property
    def transposed(self) -> sp.csr_array:
        return sp.csr_array(self.matrix.T)

    def permissions_of(self, user: Name) -> frozenset[Name]:
        i = position(self.user_number, user, "user")
        return frozenset(self.permissions[j] for j in row(self.matrix, i))

    def users_of(self, permission: Name) -> frozenset[Name]:
        j = position(self.permission_number, permission, "permission")
        return frozenset(self.users[i] for i in row(self.transposed, j))

    def pairs(self) -> list[tuple[Name, Name]]:
        """All grants, user by user."""
        grants = sp.coo_array(self.matrix)
        return [(self.users[i], self.permissions[j]) for i, j in zip(*grants.coords)]

    def split(self, separator: str = SEPARATOR) -> dict[Name, tuple[Name, Name]]:
        """Permissions as (object, operation): pairs as they are, texts like "object:operation" cut at the last mark."""
        return {name: object_and_operation(name, separator) for name in self.permissions}

    def objects(self, separator: str = SEPARATOR) -> list[Name]:
        return sorted({object_ for object_, _ in self.split(separator).values()}, key=str)

    def operations(self, object_: Name, separator: str = SEPARATOR) -> list[Name]:
        """What can be done with an object."""
        return sorted((done for thing, done in self.split(separator).values() if thing == object_), key=str)


def position(numbers: Mapping[Name, int], name: Name, kind: str) -> int:
    if name not in numbers:
        raise KeyError(unknown_name(kind, name, numbers))
    return numbers[name]


def row(matrix: sp.csr_array, i: int) -> np.ndarray:
    return matrix.indices[matrix.indptr[i] : matrix.indptr[i + 1]]
