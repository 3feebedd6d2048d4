"""Whether a roles.json is what `unmix roles` writes: every part that is read again has the kind it is used as.

A form is a kind of leaf, a list of one form, or a dict: of named parts, or with ``str`` as its key of any names.
"""

from __future__ import annotations

from typing import Any

PAIRS = [[str]]
FORM: dict[Any, Any] = {
    "roles": [{"name": str, "permissions": [str]}],
    "assignments": {str: [str]},
    "permissions": [str],
    "direct": PAIRS,
    "lost": PAIRS,
    "gained": PAIRS,
}
# Parts that older files lack.
MORE: dict[Any, Any] = {
    "birthright": [{"permission": str, "holders": int, "without": int}],
    "exceptions": [{"user": str, "permission": str, "reason": str, "having": int, "peers": int}],
    "duties": [{"name": str, "members": [str], "most": int, "over": str}],
    "conflicts": [{"user": str, "held": [str], "rule": str}],
}


def problem_of(tree: Any) -> str | None:
    """What is wrong with a document; None if nothing is."""
    if not isinstance(tree, dict):
        return "it is no set of named parts"
    form = FORM | {name: part for name, part in MORE.items() if name in tree}
    if (place := _misfit(tree, form)) is not None:
        return f"its {place} is missing or of another kind"
    names = [role["name"] for role in tree["roles"]]
    if not all(name.split() for name in names) or len(set(names)) < len(names):
        return "its roles do not have one name each"
    if not {role for held in tree["assignments"].values() for role in held} <= set(names):
        return "its users have roles that it does not hold"
    if any(len(pair) != 2 for kind in ("direct", "lost", "gained") for pair in tree[kind]):
        return "its grants are no pairs of user and permission"
    if any(duty["over"] not in ("permissions", "roles") for duty in tree.get("duties", [])):
        return "its rules of separation are over neither permissions nor roles"
    return None


def _misfit(tree: Any, form: Any, place: str = "content") -> str | None:
    """The first place that is not as its form says."""
    if isinstance(form, list):
        parts = [(item, form[0], place) for item in tree] if isinstance(tree, list) else None
    elif isinstance(form, dict) and str in form:
        parts = [(item, form[str], place) for item in tree.values()] if isinstance(tree, dict) else None
    elif isinstance(form, dict):
        fits = isinstance(tree, dict) and form.keys() <= tree.keys()
        parts = [(tree[name], part, name) for name, part in form.items()] if fits else None
    else:
        parts = [] if isinstance(tree, form) and not (form is int and isinstance(tree, bool)) else None
    if parts is None:
        return place
    return next((found for part in parts if (found := _misfit(*part)) is not None), None)
