"""Roles, assignments, permissions and decisions as JSON of a published form, with its schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from unmix.roles.export.tables import actions, descriptions, label, role_ids, status

FORMAT = "unmix-roles"
VERSION = 1


def json_roles(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The exported form; `schema("roles")` describes it."""
    ids, described = role_ids(tree), descriptions(tree)
    single: dict[str, list[str]] = {}
    for user, permission in tree["direct"]:
        single.setdefault(user, []).append(permission)
    users = dict.fromkeys([*tree["assignments"], *single])
    return {
        "format": FORMAT,
        "version": VERSION,
        "source": tree.get("source") or "",
        "made_by": f"unmix {tree.get('version') or ''}".strip(),
        "certificate": tree["certificate"],
        "roles": [role_entry(role, ids) for role in tree["roles"]],
        "users": [
            {"user": user, "roles": [ids[name] for name in tree["assignments"].get(user, [])],
             "single_grants": single.get(user, [])}
            for user in users
        ],
        "permissions": [{"permission": name, "description": described.get(name, "")} for name in tree["permissions"]],
        "exceptions": [
            {**{key: entry[key] for key in ("user", "permission", "kind", "probability", "risk", "reason")},
             "status": status(entry)}
            for entry in tree["exceptions"]
        ],
        "actions": [{"action": row[0], "user": row[1], "permission": row[2]} for row in actions(tree)],
        "retired": list(tree.get("retired", ())),
    }  # fmt: skip


def role_entry(role: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    made = role.get("review", {})
    return {
        "id": role["id"],
        "name": label(role),
        "description": role.get("description", ""),
        "status": status(role),
        "decided_by": made.get("by"),
        "decided_at": made.get("at"),
        "permissions": list(role["permissions"]),
        "contains": [ids[name] for name in role.get("contains", []) if name in ids],
    }


def schema(name: str) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of exported ``"roles"`` or of the file of ``"decisions"``."""
    if name not in ("roles", "decisions"):
        raise ValueError(f'name is {name!r}; it must be "roles" or "decisions".')
    text = files("unmix.roles.export").joinpath("schemas", f"{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
