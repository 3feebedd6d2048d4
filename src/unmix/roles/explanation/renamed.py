"""A document of mined roles under the names that reviewers gave, wherever a role is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def renamed(tree: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """The document with the names ``given`` to ids; the id stays in front, so that no two roles are called alike."""
    new = {role["name"]: f"{role['id']} {given[role['id']]}" for role in tree["roles"] if role["id"] in given}
    found = {**tree, "roles": [named_role(role, new) for role in tree["roles"]]}
    found["assignments"] = {user: listed(names, new) for user, names in tree["assignments"].items()}
    if tree.get("first_roles"):
        found["first_roles"] = [{**step, "role": new.get(step["role"], step["role"])} for step in tree["first_roles"]]
    if tree.get("rules"):
        found["rules"] = [named_rule(rule, new) for rule in tree["rules"]]
    if tree.get("attribute_misfits"):
        found["attribute_misfits"] = [named_misfit(one, new) for one in tree["attribute_misfits"]]
    if tree.get("conflicts"):
        found["conflicts"] = [named_conflict(conflict, new) for conflict in tree["conflicts"]]
    return found


def listed(names: list[str], new: Mapping[str, str]) -> list[str]:
    return [new.get(name, name) for name in names]


def named_role(role: Mapping[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    found = {**role, "name": new.get(role["name"], role["name"])}
    return {**found, "contains": listed(role["contains"], new)} if role.get("contains") else found


def named_rule(rule: Mapping[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    """With its sentence, which begins with the role."""
    old = rule["role"]
    name = new.get(old, old)
    return {**rule, "role": name, "sentence": f"{name}{rule['sentence'][len(old) :]}"}


def named_misfit(one: Mapping[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    """With its reason, which names what is lacking, then what is held, in this order."""
    reason, rest = "", one["reason"]
    for name in (*one["lacks"], *one["holds"]):
        before, _, rest = rest.partition(name)
        reason += before + new.get(name, name)
    return {**one, "lacks": listed(one["lacks"], new), "holds": listed(one["holds"], new), "reason": reason + rest}


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
