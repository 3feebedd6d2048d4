"""A document of mined roles with what was decided: names, states, and which questions are still open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from unmix.roles.explanation.exceptions import COVERED
from unmix.roles.explanation.renamed import renamed
from unmix.roles.review.decisions import Decisions, ExceptionDecision, RoleDecision

EVIDENCE_MOVED = 0.1  # in the probability, or in the share of peers who have it: then an entry is asked about again


def annotate(tree: Mapping[str, Any], decisions: Decisions) -> dict[str, Any]:
    """The document with a ``review`` for every role and exception; entries still to be decided come first.

    A role is ``"accepted"``, ``"changed"`` (accepted with other permissions than it has now), ``"open"``, or
    ``"rejected"``, where the document was mined before that was decided. An entry is
    ``"accepted"``, ``"rejected"`` or ``"open"``; ``again`` says that it was decided on other evidence. Roles have the
    names that were given to them, also where they were mined before.
    """
    by_id, by_entry = decisions.by_id, decisions.by_entry
    tree = renamed(tree, {role.id: role.name for role in decisions.roles if role.name and role.status != "rejected"})
    roles = [{**role, "review": role_review(role, by_id.get(role["id"]))} for role in tree["roles"]]
    for role in roles:
        role["description"] = role["review"]["description"] or role.get("description", "")
    entries = [
        {
            **entry,
            "reason": reason(entry, decisions),
            "review": entry_review(entry, by_entry.get((entry["user"], entry["permission"]))),
        }
        for entry in tree["exceptions"]
    ]
    entries.sort(key=lambda entry: entry["review"]["status"] != "open")  # stable: the order of risk within each
    found = {**tree, "roles": roles, "exceptions": entries}
    found["review"] = summary(found, decisions)
    return found


def role_review(role: Mapping[str, Any], made: RoleDecision | None) -> dict[str, Any]:
    if made is None:
        made = RoleDecision(role["id"], frozenset(role["permissions"]))
    held = frozenset(role["permissions"])
    changed = made.status == "accepted" and held != made.permissions
    return {
        "status": "changed" if changed else made.status,
        "name": made.name,
        "description": made.description,
        "comment": made.comment,
        "by": made.by,
        "at": made.at,
        "added": sorted(held - made.permissions) if changed else [],
        "removed": sorted(made.permissions - held) if changed else [],
    }


def entry_review(entry: Mapping[str, Any], made: ExceptionDecision | None) -> dict[str, Any]:
    if made is None:
        return {"status": "open", "comment": None, "by": None, "at": None, "again": False}
    moved = evidence_moved(entry, made)
    status = "open" if moved else made.status
    return {"status": status, "comment": made.comment, "by": made.by, "at": made.at, "again": moved}


def reason(entry: Mapping[str, Any], decisions: Decisions) -> str:
    """Why an entry is listed: grants that have no reason but a rejected role say so."""
    if entry["kind"] == "direct" and entry["reason"] == COVERED:
        gave = [role.id for role in decisions.of_status("rejected") if entry["permission"] in role.permissions]
        if gave:
            return f"the role that gave it was rejected ({', '.join(gave[:3])})"
    return str(entry["reason"])


def evidence_moved(entry: Mapping[str, Any], made: ExceptionDecision) -> bool:
    """Whether an entry is of another kind now, or clearly more or less probable, or as common among its peers."""
    share, before = (having / peers if peers else 0.0
                     for having, peers in ((entry["having"], entry["peers"]), (made.having, made.peers)))  # fmt: skip
    return (
        entry["kind"] != made.kind
        or abs(entry["probability"] - made.probability) > EVIDENCE_MOVED
        or abs(share - before) > EVIDENCE_MOVED
    )


def summary(tree: Mapping[str, Any], decisions: Decisions) -> dict[str, Any]:
    """How many of each state, what was rejected, and what was accepted but is not there any more."""
    roles = Counter(role["review"]["status"] for role in tree["roles"])
    entries = Counter(entry["review"]["status"] for entry in tree["exceptions"])
    there = {role["id"] for role in tree["roles"]}
    listed = {(entry["user"], entry["permission"]) for entry in tree["exceptions"]}
    return {
        "roles": {state: roles[state] for state in ("accepted", "changed", "open", "rejected")},
        "exceptions": {state: entries[state] for state in ("accepted", "rejected", "open")},
        "rejected_roles": [shown(role) for role in decisions.of_status("rejected")],
        "gone": [shown(role) for role in decisions.of_status("accepted") if role.id not in there],
        "settled": sum((one.user, one.permission) not in listed for one in decisions.exceptions),
        "log": [{"at": e.at, "by": e.by, "what": e.what, "on": e.on, "comment": e.comment} for e in decisions.log],
    }


def shown(role: RoleDecision) -> dict[str, Any]:
    return {"id": role.id, "name": role.name, "permissions": sorted(role.permissions), "comment": role.comment,
            "by": role.by, "at": role.at}  # fmt: skip
