"""What a draft costs to manage, and what a step changes of that, of what users have and of conflicts."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.numbers import count
from unmix.roles.explanation.what_if import conflicts_of
from unmix.studio.review.draft import Draft, Pair, Tree
from unmix.studio.review.result import plain
from unmix.studio.review.steps import Step, take

MOST_NAMED = 20
PARTS = ("roles", "assignments", "role_permissions", "direct")


def cost(draft: Draft) -> dict[str, int]:
    """Entries to manage: roles, assignments of them, permissions in them, single grants; each counts one."""
    parts = {
        "roles": len(draft.roles),
        "assignments": sum(map(len, draft.users.values())),
        "role_permissions": sum(len(role.permissions) for role in draft.roles.values()),
        "direct": len(draft.direct),
    }
    return {**parts, "total": sum(parts.values())}


def taken(tree: Tree, draft: Draft, step: Step) -> dict[str, Any]:
    """Take the step, and say what it changes: numbers, who gains or loses what, conflicts, and all in a sentence."""
    before, had, conflicts = cost(draft), draft.given(), in_conflict(tree, draft)
    take(draft, step)
    after, has, left = cost(draft), draft.given(), in_conflict(tree, draft)
    lost, gained = sorted(had - has), sorted(has - had)
    change: dict[str, Any] = {name: after[name] - before[name] for name in before}
    change |= {"lost": len(lost), "gained": len(gained), "new_conflicts": len(left - conflicts)}
    change["solved_conflicts"] = len(conflicts - left)
    change["sentence"] = sentence(change, lost, gained, bool(tree.get("duties")))
    return change | {"first_lost": lost[:MOST_NAMED], "first_gained": gained[:MOST_NAMED]}


def in_conflict(tree: Tree, draft: Draft) -> set[Pair]:
    """Users and rules; nothing is looked at where there are no rules."""
    if not tree.get("duties"):
        return set()
    return {(one.user, one.duty.name) for one in conflicts_of(plain(tree, draft))}


def sentence(change: dict[str, Any], lost: list[Pair], gained: list[Pair], rules: bool) -> str:
    """The change in words, what users have first."""
    parts = []
    for pairs, word in ((gained, "gained"), (lost, "lost")):
        if pairs:
            parts.append(f"{count(len(pairs), 'grant')} {word} by {count(len({user for user, _ in pairs}), 'user')}")
    if not parts:
        parts.append("nobody gains or loses a permission")
    parts.append(to_manage(change))
    if rules and (change["new_conflicts"] or change["solved_conflicts"]):
        new, solved = change["new_conflicts"], change["solved_conflicts"]
        parts.append(" and ".join(filter(None, [new and f"{count(new, 'new conflict')} of duties", solved and
                                                f"{count(solved, 'conflict')} of duties solved"])))  # fmt: skip
    words = "; ".join(parts)
    return f"{words[:1].upper()}{words[1:]}."


def to_manage(change: dict[str, Any]) -> str:
    total = change["total"]
    if not any(change[name] for name in PARTS):
        return "as much to manage as before"
    nouns = {"roles": "role", "assignments": "assignment", "role_permissions": "permission of roles"}
    nouns["direct"] = "single grant"
    plurals = {"role_permissions": "permissions of roles"}
    said = [
        f"{'+' if change[name] > 0 else '−'}{count(abs(change[name]), noun, plurals.get(name))}"
        for name, noun in nouns.items()
        if change[name]
    ]
    word = f"{abs(total)} {'more' if total > 0 else 'fewer'} to manage" if total else "as much to manage as before"
    return f"{word} ({', '.join(said)})"
