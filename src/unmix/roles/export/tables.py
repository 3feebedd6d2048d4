"""A document of mined roles as plain tables: what the CSV bundle and the workbook hold, a table each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

HELD = ("direct", "lost", "improbable")  # kinds of exceptions in which the user has the permission
ACTIONS = {  # (the user has it, what was decided of the entry as it is): what follows
    (True, "rejected"): "revoke",
    (False, "rejected"): "grant",
    (True, "accepted"): "keep",
    (False, "accepted"): "do not grant",
}


class Table(NamedTuple):
    name: str
    titles: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def tables(tree: Mapping[str, Any]) -> list[Table]:
    """All tables, also empty ones, in reading order."""
    ids = role_ids(tree)
    described = descriptions(tree)
    return [
        Table("roles", ("role", "name", "description", "status", "users", "permissions", "decided by", "decided at",
                        "comment"), [role_row(role) for role in tree["roles"]]),
        Table("role_permissions", ("role", "permission", "description"),
              [(role["id"], p, described.get(p, "")) for role in tree["roles"] for p in role["permissions"]]),
        Table("assignments", ("user", "role"),
              [(user, ids[name]) for user, names in tree["assignments"].items() for name in names]),
        Table("single_grants", ("user", "permission", "description"),
              [(user, p, described.get(p, "")) for user, p in tree["direct"]]),
        Table("exceptions", ("user", "permission", "kind", "probability", "risk", "peers", "having", "reason", "status",
                             "decided by", "decided at", "comment"), [entry_row(e) for e in tree["exceptions"]]),
        Table("conflicts", ("user", "rule", "holds", "caused by", "cheapest repair: take"),
              [conflict_row(one) for one in tree.get("conflicts", [])]),
        Table("actions", ("action", "user", "permission", "why", "decided by", "decided at"), actions(tree)),
        Table("decisions", ("at", "by", "what", "on", "comment"),
              [tuple(event[k] or "" for k in ("at", "by", "what", "on", "comment"))
               for event in tree.get("review", {}).get("log", [])]),
    ]  # fmt: skip


def role_ids(tree: Mapping[str, Any]) -> dict[str, str]:
    return {role["name"]: role["id"] for role in tree["roles"]}


def label(role: Mapping[str, Any]) -> str:
    """The name of a role without its id in front.

    >>> label({"id": "R03", "name": "R03 Sales: crm"}), label({"id": "Sales", "name": "Sales"})
    ('Sales: crm', 'Sales')
    """
    rest = role["name"].removeprefix(role["id"]).strip()
    return rest or role["id"]


def descriptions(tree: Mapping[str, Any]) -> dict[str, str]:
    """What permissions are, where somebody said so."""
    return dict(tree.get("descriptions") or {})


def status(thing: Mapping[str, Any]) -> str:
    return str(thing["review"]["status"]) if "review" in thing else "open"


def decided(thing: Mapping[str, Any]) -> tuple[str, str, str]:
    """By whom, when, and the comment."""
    made = thing.get("review", {})
    return made.get("by") or "", made.get("at") or "", made.get("comment") or ""


def role_row(role: Mapping[str, Any]) -> tuple[Any, ...]:
    described = role.get("description", "")
    return (role["id"], label(role), described, status(role), role["n_users"], len(role["permissions"]), *decided(role))


def entry_row(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    keys = ("user", "permission", "kind", "probability", "risk", "peers", "having", "reason")
    return (*(entry[key] for key in keys), status(entry), *decided(entry))


def conflict_row(one: Mapping[str, Any]) -> tuple[Any, ...]:
    causes = "; ".join(f"{cause['from']}: {', '.join(cause['members'])}" for cause in one["causes"])
    return one["user"], one["rule"], "; ".join(one["held"]), causes, "; ".join(step["take"] for step in one["repair"])


def actions(tree: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """What the decisions on exceptions ask to be done."""
    return [
        (ACTIONS[entry["kind"] in HELD, status(entry)], entry["user"], entry["permission"], entry["reason"],
         *decided(entry)[:2])
        for entry in tree["exceptions"]
        if status(entry) != "open"
    ]  # fmt: skip


def only_accepted(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The document with accepted roles alone; what users have from others stays as single grants."""
    kept = [role for role in tree["roles"] if status(role) == "accepted"]
    holds = {role["name"]: frozenset(role["permissions"]) for role in tree["roles"]}
    names = {role["name"] for role in kept}
    direct = {(user, permission) for user, permission in tree["direct"]}
    for user, held in tree["assignments"].items():
        given = frozenset().union(*(holds[name] for name in held if name in names))
        direct |= {(user, p) for name in held if name not in names for p in holds[name] - given}
    assignments = {user: [name for name in held if name in names] for user, held in tree["assignments"].items()}
    return {**tree, "roles": kept, "assignments": assignments, "direct": [list(pair) for pair in sorted(direct)]}
