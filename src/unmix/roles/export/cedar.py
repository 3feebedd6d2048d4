"""Roles as policies in Cedar: a permit for every role, and who is in which role as entities.

Permissions are actions, roles are groups of users; names stand only inside string literals in ASCII, so that none can
become code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from unmix.roles.export.tables import label, role_ids

HEAD = "// Made by unmix: who may do what. Permissions are actions; the file of entities says who has which role.\n"


def cedar_policies(tree: Mapping[str, Any]) -> str:
    """The policies as text."""
    single: dict[str, list[str]] = {}
    for user, permission in tree["direct"]:
        single.setdefault(user, []).append(permission)
    parts = [HEAD]
    for role in tree["roles"]:
        if role["permissions"]:
            notes = f"@id({quoted(role['id'])})\n@name({quoted(label(role))})\n"
            parts.append(notes + _permit(f"principal in Role::{quoted(role['id'])}", role["permissions"]))
    for k, (user, held) in enumerate(single.items(), 1):
        notes = f"@id({quoted(f'single-{k}')})\n"
        parts.append(notes + _permit(f"principal == User::{quoted(user)}", held))
    return "\n".join(parts)


def cedar_entities(tree: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Users with their roles as parents, and the roles, in Cedar's form of JSON."""
    ids = role_ids(tree)
    roles = [_entity("Role", role["id"], []) for role in tree["roles"]]
    held = dict.fromkeys([*tree["assignments"], *(user for user, _ in tree["direct"])])
    users = [_entity("User", user, [ids[name] for name in tree["assignments"].get(user, [])]) for user in held]
    return roles + users


def _entity(kind: str, name: str, parents: list[str]) -> dict[str, Any]:
    above = [{"type": "Role", "id": plain(parent)} for parent in parents]
    return {"uid": {"type": kind, "id": plain(name)}, "attrs": {}, "parents": above}


def _permit(principal: str, permissions: Iterable[str]) -> str:
    listed = ",\n    ".join(f"Action::{quoted(permission)}" for permission in permissions)
    return f"permit (\n  {principal},\n  action in [\n    {listed}\n  ],\n  resource\n);\n"


def plain(value: str) -> str:
    """What is no character of Unicode becomes visible text."""
    return value.encode("utf-8", errors="backslashreplace").decode("utf-8")


def quoted(value: str) -> str:
    """A string literal of Cedar.

    >>> print(quoted('a"\\n)'))
    "a\\"\\u{a})"
    """
    escaped = []
    for character in plain(value):
        if character in '"\\':
            escaped.append("\\" + character)
        elif " " <= character <= "~":
            escaped.append(character)
        else:
            escaped.append(f"\\u{{{ord(character):x}}}")
    return f'"{"".join(escaped)}"'
