"""Whether a roles.json is what `unmix roles` writes: every part that is read again has the kind it is used as.

A part that older files lack is marked by "?" (form.py).
"""

from __future__ import annotations

from typing import Any

from unmix.roles.access.form import misfit

KINDS = ("direct", "lost", "gained", "improbable", "missing")  # of exceptions
PAIRS = [[str]]
LISTED = ("permissions", "roles", "direct", "lost", "gained")  # parts that are counted too
MADE: dict[Any, Any] = {"comment": str | None, "by": str | None, "at": str | None}
CONFLICT: dict[Any, Any] = {
    "user": str,
    "held": [str],
    "rule": str,
    "causes": [{"from": str, "members": [str]}],
    "repair": [{"take": str}],
    "lost": int,
}
ROLE_REVIEW = {
    **MADE,
    "status": ("open", "accepted", "changed", "rejected"),
    "description": str | None,
    "added": [str],
    "removed": [str],
}
REVIEW: dict[Any, Any] = {
    "roles": dict.fromkeys(("accepted", "changed", "open", "rejected"), int),
    "exceptions": dict.fromkeys(("accepted", "rejected", "open"), int),
    "rejected_roles": [{**MADE, "id": str, "name": str | None, "permissions": [str]}],
    "gone": [{**MADE, "id": str, "name": str | None, "permissions": [str]}],
    "settled": int,
    "log": [{"at": str, "by": str | None, "what": str, "on": str, "comment": str | None}],
}
FORM: dict[Any, Any] = {
    "roles": [
        {
            "name": str, "permissions": [str], "id?": str, "description?": str, "n_users?": int, "contains?": [str],
            "review?": ROLE_REVIEW,
        }
    ],
    "assignments": {str: [str]},
    "permissions": [str],
    "direct": PAIRS,
    "lost": PAIRS,
    "gained": PAIRS,
    "birthright?": [{"permission": str, "holders": int, "without": int}],
    "exceptions?": [
        {
            "user": str, "permission": str, "reason": str, "having": int, "peers": int, "kind": KINDS,
            "probability": float, "risk": float,
            "review?": {**MADE, "status": ("open", "accepted", "rejected"), "again": bool},
        }
    ],
    "duties?": [{"name": str, "members": [str], "most": int, "over": str}],
    "conflicts?": [CONFLICT],
    "conflicts_before?": [CONFLICT],
    "repaired?": PAIRS,
    "retired?": [str],
    "descriptions?": {str: str},
    "user_attributes?": {str: {str: str}},
    "counts?": {"users": int, "permissions": int, "grants": int, "roles": int, "assignments": int,
                "role_permissions": int, "direct": int, "lost": int, "gained": int},
    "review?": REVIEW,
    "source?": str | None,
    "version?": str | None,
    "certificate?": str,
}  # fmt: skip


def problem_of(tree: Any) -> str | None:
    """What is wrong with a document; None if nothing is."""
    if not isinstance(tree, dict):
        return "it is no set of named parts"
    if (place := misfit(tree, FORM)) is not None:
        return f"its {place} is missing or of another kind"
    names = [role["name"] for role in tree["roles"]]
    ids = [role["id"] for role in tree["roles"] if "id" in role]
    if not all(name.split() for name in names) or len(set(names)) < len(names) or len(set(ids)) < len(ids):
        return "its roles do not have one name and id each"
    if not {role for held in tree["assignments"].values() for role in held} <= set(names):
        return "its users have roles that it does not hold"
    if any(len(pair) != 2 for kind in ("direct", "lost", "gained", "repaired") for pair in tree.get(kind, ())):
        return "its grants are no pairs of user and permission"
    if any(n != len(tree[name]) for name, n in tree.get("counts", {}).items() if name in LISTED):
        return "its counts are not those of its lists"
    if any(duty["over"] not in ("permissions", "roles") for duty in tree.get("duties", [])):
        return "its rules of separation are over neither permissions nor roles"
    return None
