"""A draft as a document of roles again, with everything that reports, files and `unmix roles what-if` read from one."""

from __future__ import annotations

from typing import Any

from unmix.studio.review.draft import Draft, Tree


def plain(tree: Tree, draft: Draft) -> Tree:
    """Roles, assignments and single grants of the draft, the rest as it was mined."""
    return {
        **tree,
        "roles": [listed(role) for role in draft.roles.values()],
        "assignments": {user: names(draft, user) for user in tree["assignments"]},
        "direct": sorted([user, permission] for user, permission in draft.direct),
    }


def names(draft: Draft, user: str) -> list[str]:
    return [role.name for key, role in draft.roles.items() if key in draft.users[user]]


def listed(role: Any) -> dict[str, Any]:
    return {**role.about, "id": role.id, "name": role.name, "permissions": sorted(role.permissions),
            "status": role.status}  # fmt: skip


def reviewed(tree: Tree, draft: Draft, n_steps: int) -> Tree:
    """The whole document; without a step it is the mined one, to the byte."""
    if not n_steps:
        return tree
    given = draft.given()
    lost, gained = sorted(draft.held - given), sorted(given - draft.held)
    found = plain(tree, draft)
    for role in found["roles"]:
        role["n_users"] = len(draft.holders(role["id"]))
        role["contains"] = contained(role, found["roles"])
    found |= {"lost": [list(pair) for pair in lost], "gained": [list(pair) for pair in gained]}
    found["counts"] = tree["counts"] | {
        "roles": len(draft.roles),
        "assignments": sum(map(len, draft.users.values())),
        "role_permissions": sum(len(role["permissions"]) for role in found["roles"]),
        **{kind: len(found[kind]) for kind in ("direct", "lost", "gained")},
    }
    exact = not lost and not gained
    found |= {"certificate": "reviewed", "proven": False, "exact": exact, "guaranteed": exact}
    return found | {"exceptions": entries(tree, draft), "conflicts": still(found) if tree.get("duties") else []}


def contained(role: dict[str, Any], roles: list[dict[str, Any]]) -> list[str]:
    """Names of the roles that are a part of this one with none between."""
    held = set(role["permissions"])
    below = [one for one in roles if one is not role and set(one["permissions"]) < held]
    inner = [set(one["permissions"]) for one in below]
    return sorted(one["name"] for one in below if not any(set(one["permissions"]) < other for other in inner))


def entries(tree: Tree, draft: Draft) -> list[dict[str, Any]]:
    """Entries as mined that still are what they were, and the single grants that steps have made."""
    kept = [e for e in tree["exceptions"] if e["kind"] != "direct" or (e["user"], e["permission"]) in draft.direct]
    known = {(e["user"], e["permission"]) for e in kept if e["kind"] == "direct"}
    made = {"kind": "direct", "probability": 0.0, "risk": 0.0, "peers": 0, "having": 0, "n_roles": 0}
    reason = "a single grant since the review"
    return kept + [
        {"user": user, "permission": permission, **made, "reason": reason}
        for user, permission in sorted(draft.direct - known)
    ]


def still(found: Tree) -> list[dict[str, Any]]:
    from unmix.roles.duties.checked import listed as as_values
    from unmix.roles.explanation.what_if import conflicts_of

    return as_values(conflicts_of(found))
