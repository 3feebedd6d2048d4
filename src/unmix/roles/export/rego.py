"""Roles as a policy in Rego, the language of Open Policy Agent: data as literals, and a rule that reads them.

Names stand only inside string literals, escaped as in JSON and in ASCII, so that none can become code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from unmix.roles.export.tables import label, role_ids

HEAD = """# Made by unmix: who may do what, by roles.
# Ask for data.unmix.roles.allow with input {"user": "...", "permission": "..."}.
package unmix.roles

import rego.v1

default allow := false

allow if {
	some role in user_roles[input.user]
	input.permission in role_permissions[role]
}

allow if input.permission in single_grants[input.user]

# The roles by which the user of the input has the permission.
because contains role if {
	some role in user_roles[input.user]
	input.permission in role_permissions[role]
}
"""


def rego_policy(tree: Mapping[str, Any]) -> str:
    """The policy as text."""
    ids = role_ids(tree)
    single: dict[str, list[str]] = {}
    for user, permission in tree["direct"]:
        single.setdefault(user, []).append(permission)
    parts = [
        HEAD,
        _object("role_names", {role["id"]: _text(label(role)) for role in tree["roles"]}),
        _object("role_permissions", {role["id"]: _set(role["permissions"]) for role in tree["roles"]}),
        _object("user_roles", {user: _set(ids[n] for n in names) for user, names in tree["assignments"].items()}),
        _object("single_grants", {user: _set(held) for user, held in single.items()}),
    ]
    return "\n".join(parts)


def _text(value: str) -> str:
    """A string literal; what is no character of Unicode becomes visible text.

    >>> _text('a"] }\\n')
    '"a\\\\"] }\\\\n"'
    """
    return json.dumps(value.encode("utf-8", errors="backslashreplace").decode("utf-8"))


def _set(members: Iterable[str]) -> str:
    listed = ", ".join(map(_text, members))
    return f"{{{listed}}}" if listed else "set()"


def _object(name: str, values: Mapping[str, str]) -> str:
    if not values:
        return f"{name} := {{}}\n"
    lines = "".join(f"\t{_text(key)}: {value},\n" for key, value in values.items())
    return f"{name} := {{\n{lines}}}\n"
