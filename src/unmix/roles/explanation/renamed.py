"""A document of mined roles under the names that reviewers gave, wherever a role is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def renamed(tree: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """The document with the names ``given`` to ids; the id stays in front, so that no two roles are called alike."""
    new = {role["name"]: f"{role['id']} {given[role['id']]}" for role in tree["roles"] if role["id"] in given}
    found = {**tree, "roles": [named_role(role, new) for role in tree["roles"]]}
    found["assignments"] = {user: listed(names, new) for user, names in tree["assignments"].items()}
    for part in ("first_roles", "rules"):
        if tree.get(part):
            found[part] = [{**entry, "role": new.get(entry["role"], entry["role"])} for entry in tree[part]]
    if tree.get("conflicts"):
        found["conflicts"] = [named_conflict(conflict, new) for conflict in tree["conflicts"]]
    return found


def listed(names: list[str], new: Mapping[str, str]) -> list[str]:
    return [new.get(name, name) for name in names]


def named_role(role: Mapping[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    found = {**role, "name": new.get(role["name"], role["name"])}
    return {**found, "contains": listed(role["contains"], new)} if role.get("contains") else found


def named_conflict(conflict: Mapping[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    """With the roles that cause it, and those that a repair takes."""
    causes = [{**cause, "from": new.get(cause["from"], cause["from"])} for cause in conflict["causes"]]
    repair = [
        {**step, "from": new[step["from"]], "take": new[step["from"]]}
        if step["take"] == step["from"] and step["from"] in new
        else step
        for step in conflict["repair"]
    ]
    return {**conflict, "causes": causes, "repair": repair}
