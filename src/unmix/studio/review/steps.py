"""What a reviewer can do: accept, rename, merge, split or reject a role, and decide on an entry.

A step is a dict of JSON values, {"do": "merge", "roles": ["R01", "R04"]}; `take` checks it and changes the draft.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unmix.studio.review.draft import Draft, Role

LONGEST_NAME = 120
HELD = ("direct", "improbable", "lost")  # entries that users have; the others (gained, missing) they have not
Step = dict[str, Any]


def take(draft: Draft, step: Step) -> None:
    """Change the draft; ValueError with a sentence where this cannot be done."""
    do = step.get("do")
    if not isinstance(do, str) or do not in STEPS:
        raise ValueError(f"A step is one of {', '.join(STEPS)}.")
    STEPS[do](draft, step)


def accept(draft: Draft, step: Step) -> None:
    role_of(draft, step.get("role")).status = "accepted"


def reopen(draft: Draft, step: Step) -> None:
    role_of(draft, step.get("role")).status = "open"


def rename(draft: Draft, step: Step) -> None:
    role, name = role_of(draft, step.get("role")), a_name(step.get("name"))
    unused(draft, name, role)
    role.name = name


def merge(draft: Draft, step: Step) -> None:
    """Users of any get the permissions of all; the first keeps its id and name."""
    keys = step.get("roles")
    if not isinstance(keys, list) or not 2 <= len({str(key) for key in keys}) == len(keys):
        raise ValueError("Mark two roles or more to merge them.")
    first, *others = [role_of(draft, key) for key in keys]
    gone = {role.id for role in others}
    for role in others:
        first.permissions |= role.permissions
        del draft.roles[role.id]
    touched = [user for user, roles in draft.users.items() if roles & (gone | {first.id})]
    for user in touched:
        draft.users[user] = draft.users[user] - gone | {first.id}
    draft.without_needless(touched)


def split(draft: Draft, step: Step) -> None:
    """Some permissions become a role of their own, with the same users: nobody gains or loses anything."""
    role, parts = role_of(draft, step.get("role")), step.get("permissions")
    chosen = {part for part in parts if isinstance(part, str)} if isinstance(parts, list) else set()
    if not chosen or not chosen < role.permissions:
        raise ValueError("Choose some permissions of the role, and not all of them, to split them off.")
    name = a_name(step.get("name"))
    unused(draft, name, None)
    made = Role(draft.new_id(), name, chosen, {"traits": role.about.get("traits", [])})
    role.permissions -= chosen
    draft.roles[made.id] = made
    for user in draft.holders(role.id):
        draft.users[user].add(made.id)


def reject(draft: Draft, step: Step) -> None:
    """The role goes; with `keep`, what nothing else gives its users stays with them as single grants."""
    role = role_of(draft, step.get("role"))
    users = draft.holders(role.id)
    for user in users:
        draft.users[user].discard(role.id)
        if step.get("keep") is True:
            draft.direct |= {(user, p) for p in role.permissions - draft.by_roles(user)}
    del draft.roles[role.id]


def decide(draft: Draft, step: Step) -> None:
    """An entry is right as it is (accepted), or wrong and mended (rejected): what users then have follows."""
    user, permission, kind, status = (step.get(name) for name in ("user", "permission", "kind", "status"))
    if not isinstance(user, str) or user not in draft.users or not isinstance(permission, str):
        raise ValueError("There is no such entry to decide on.")
    if kind not in (*HELD, "gained", "missing") or status not in ("accepted", "rejected"):
        raise ValueError("An entry is accepted as it is, or rejected.")
    draft.decided[user, permission] = status
    if (kind in HELD) == (status == "accepted"):
        if permission not in draft.by_roles(user):
            draft.direct.add((user, permission))
    else:
        revoke(draft, user, permission)


def revoke(draft: Draft, user: str, permission: str) -> None:
    """Without this permission: roles of the user that hold it go, and what else they gave stays as single grants."""
    had = draft.by_roles(user)
    draft.users[user] = {key for key in draft.users[user] if permission not in draft.roles[key].permissions}
    draft.direct |= {(user, p) for p in had - draft.by_roles(user)}
    draft.direct.discard((user, permission))


def role_of(draft: Draft, key: Any) -> Role:
    if not isinstance(key, str) or key not in draft.roles:
        raise ValueError(f"There is no role {str(key)[:40]!r} any more; it may have been merged or rejected.")
    return draft.roles[key]


def a_name(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_NAME:
        raise ValueError(f"A role needs a name of at most {LONGEST_NAME} characters.")
    return value.strip().encode("utf-8", "replace").decode()


def unused(draft: Draft, name: str, own: Role | None) -> None:
    if any(role.name == name for role in draft.roles.values() if role is not own):
        raise ValueError(f"There is a role named {name!r} already; merge the two, or choose another name.")


def subject(step: Step) -> str:
    """What a step is about, in words."""
    if step["do"] == "decide":
        return f"{step['user']} / {step['permission']}"
    if step["do"] == "merge":
        return " + ".join(step["roles"])
    if step["do"] == "rename":
        return f"{step['role']} → {step['name']}"
    if step["do"] == "split":
        return f"{step['role']} → {step['name']}: {', '.join(step['permissions'])}"
    return str(step["role"])


STEPS: dict[str, Callable[[Draft, Step], None]] = {
    "accept": accept, "reopen": reopen, "rename": rename, "merge": merge, "split": split, "reject": reject,
    "decide": decide,
}  # fmt: skip
