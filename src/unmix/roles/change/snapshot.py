"""A state of access at one time: who has what, by which roles; from a result, a folder, or access without roles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from unmix.roles.access.access import Access
from unmix.roles.access.folder import read_document
from unmix.roles.access.permission import as_text
from unmix.roles.access.read import read
from unmix.roles.continuation.existing import is_document
from unmix.roles.explanation.document import attributes, held_pairs
from unmix.roles.problem.result import Roles
from unmix.roles.review.register import role_id


@dataclass(frozen=True)
class Snapshot:
    """Names as text; ``roles`` and ``held`` are empty where nothing was mined, ``attributes`` where none were given."""

    grants: dict[str, frozenset[str]]
    roles: dict[str, frozenset[str]]
    names: dict[str, str]
    held: dict[str, frozenset[str]]
    attributes: dict[str, dict[str, str]]

    @property
    def users(self) -> set[str]:
        """Who has anything."""
        return {user for user, held in self.grants.items() if held}

    @cached_property
    def shared(self) -> frozenset[str]:
        """Roles that at least two users have; a role of one user explains nothing."""
        often = Counter(role for held in self.held.values() for role in held)
        return frozenset(role for role, users in often.items() if users > 1)


def snapshot(source: Any) -> Snapshot:
    """A result, its document, a folder of results; or anything `read` takes."""
    if isinstance(source, Snapshot):
        return source
    if isinstance(source, Roles):
        return of_result(source)
    if isinstance(source, str | Path) and (Path(source).is_dir() or Path(source).name == "roles.json"):
        path = Path(source)
        source = read_document(path if path.is_dir() else path.parent)
    if is_document(source):
        return of_document(source)
    return of_access(source if isinstance(source, Access) else read(source))


def of_access(access: Access) -> Snapshot:
    grants: dict[str, set[str]] = {str(user): set() for user in access.users}
    for user, permission in access.pairs():
        grants[str(user)].add(as_text(permission))
    return Snapshot(frozen(grants), {}, {}, {}, attributes(access))


def of_result(found: Roles) -> Snapshot:
    plain = of_access(found.access)
    roles = {role_id(name): frozenset(map(as_text, held)) for name, held in found.roles.items()}
    held = {str(user): frozenset(map(role_id, names)) for user, names in found.assignments.items()}
    return Snapshot(plain.grants, roles, {role_id(name): name for name in found.names}, held, plain.attributes)


def of_document(tree: Mapping[str, Any]) -> Snapshot:
    grants: dict[str, set[str]] = {user: set() for user in tree["assignments"]}
    for user, permission in held_pairs(dict(tree)):
        grants.setdefault(user, set()).add(permission)
    ids = {role["name"]: role.get("id") or role_id(role["name"]) for role in tree["roles"]}
    return Snapshot(
        frozen(grants),
        {ids[role["name"]]: frozenset(role["permissions"]) for role in tree["roles"]},
        {ids[name]: name for name in ids},
        {user: frozenset(ids[name] for name in names) for user, names in tree["assignments"].items()},
        {user: {str(k): str(v) for k, v in row.items()} for user, row in (tree.get("user_attributes") or {}).items()},
    )


def frozen(sets: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(members) for name, members in sets.items()}
