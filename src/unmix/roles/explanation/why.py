"""Why a user has a permission, or lacks it: by which roles, with whom they share it, and what speaks against it."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from unmix.roles.duties.conflicts import document_holdings
from unmix.roles.explanation.document import given_pairs, held_pairs

MOST_NAMED = 4  # users or roles


def why(tree: dict[str, Any], user: str, permission: str) -> list[str]:
    """One grant of a document of mined roles, in sentences."""
    user = _known(user, tree["assignments"], "user")
    permission = _known(permission, tree["permissions"], "permission")
    held, given = (user, permission) in held_pairs(tree), (user, permission) in given_pairs(tree)
    return [
        _first(user, permission, held, given),
        *_meaning(tree, permission),
        *_sources(tree, user, permission),
        *_against(tree, user, permission),
    ]


def _first(user: str, permission: str, held: bool, given: bool) -> str:
    if held:
        return f"{user} has {permission}" + ("." if given else ", and the roles would take it away.")
    return f"{user} does not have {permission}" + (", and the roles would add it." if given else ".")


def _meaning(tree: dict[str, Any], permission: str) -> list[str]:
    described = tree.get("descriptions", {}).get(permission)
    return [f"{permission}: {described}"] if described else []


def _sources(tree: dict[str, Any], user: str, permission: str) -> list[str]:
    holdings, holds = document_holdings(tree)
    own = holdings[user]
    lines = []
    for role in own.roles:
        if permission in holds[role]:
            peers = [other for other, held in holdings.items() if other != user and role in held.roles]
            lines.append(f"It comes with the role {role}, which {_peers(peers)}.")
    if permission in own.direct:
        lines.append("It is a single grant beside the roles.")
    others = [role for role, members in holds.items() if permission in members and role not in own.roles]
    if not lines and others:
        lines.append(f"The roles that give it are not {user}'s: {_first_of(others)}.")
    everybody = next((b for b in tree["birthright"] if b["permission"] == permission), None)
    if everybody:
        lines.append(f"Nearly everybody has it: {everybody['holders']} users, all but {everybody['without']}.")
    return lines


def _peers(names: list[str]) -> str:
    if not names:
        return "nobody else has"
    return f"{_first_of(names)} also {'has' if len(names) == 1 else 'have'}"


def _first_of(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _against(tree: dict[str, Any], user: str, permission: str) -> list[str]:
    lines = [
        f"To look at: {entry['reason']} (peers: {entry['having']} of {entry['peers']} have it).{_decision(entry)}"
        for entry in tree["exceptions"]
        if (entry["user"], entry["permission"]) == (user, permission)
    ]
    for conflict in tree.get("conflicts", []):
        if conflict["user"] == user and permission in conflict["held"]:
            lines.append(f"It is part of a conflict: {' and '.join(conflict['held'])} ({conflict['rule']}).")
    return lines


def _decision(entry: dict[str, Any]) -> str:
    made = entry.get("review", {"status": "open"})
    if made["status"] == "open":
        return ""
    what = {"accepted": "Decided to be right", "rejected": "Decided to be wrong"}[made["status"]]
    who = f" by {made['by']}" if made["by"] else ""
    return f" {what}{who}{': ' + made['comment'] if made['comment'] else ''}."


def _known(name: str, names: Any, kind: str) -> str:
    if name in names:
        return name
    near = get_close_matches(name, list(names), n=1, cutoff=0.6)
    raise ValueError(f"There is no {kind} named {name!r}{f'; did you mean {near[0]!r}?' if near else '.'}")
