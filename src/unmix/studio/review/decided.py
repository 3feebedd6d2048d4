"""Steps of a review as the decisions that `unmix.roles` keeps: they outlive the mining (`unmix roles --decisions`)."""

from __future__ import annotations

from typing import Any

from unmix.roles import Decisions
from unmix.roles.review.decisions import Event, ExceptionDecision, RoleDecision
from unmix.studio.review.draft import Draft, Tree
from unmix.studio.review.steps import subject, take

Record = dict[str, Any]


def decisions(tree: Tree, steps: list[Record]) -> Decisions:
    """Roles as they stand with the last word on each, those that are gone as rejected, entries, and every step."""
    draft, gone, words, entries = Draft.of(tree), {}, {}, {}
    listed = {(one["user"], one["permission"]): one for one in tree["exceptions"]}
    for one in steps:
        before, step = {key: frozenset(role.permissions) for key, role in draft.roles.items()}, one["step"]
        take(draft, step)
        for key in before.keys() - draft.roles.keys():
            comment = f"merged into {step['roles'][0]}" if step["do"] == "merge" else one["note"]
            gone[key] = RoleDecision(key, before[key], "rejected", **said_by(one, comment))
        if step["do"] in ("accept", "reopen", "rename"):
            words[step["role"]] = one
        if step["do"] == "decide":
            pair = step["user"], step["permission"]
            entries[pair] = entry(step, listed.get(pair, {}), one)
    standing = [role_decision(role, words.get(role.id), tree) for role in draft.roles.values()]
    return Decisions((*standing, *gone.values()), tuple(entries.values()), (), tuple(map(event, steps)))


def role_decision(role: Any, said: Record | None, tree: Tree) -> RoleDecision:
    mined = next((one["name"] for one in tree["roles"] if one["id"] == role.id), None)
    words: dict[str, Any] = {"name": role.name if role.name != mined else None}
    words |= said_by(said, said["note"]) if said else {}
    return RoleDecision(role.id, frozenset(role.permissions), role.status, **words)


def entry(step: Record, shown: Record, one: Record) -> ExceptionDecision:
    """With the evidence that was shown."""
    evidence = float(shown.get("probability", 0.0)), int(shown.get("peers", 0)), int(shown.get("having", 0))
    words = said_by(one, one["note"])
    return ExceptionDecision(step["user"], step["permission"], step["kind"], step["status"], *evidence, **words)


def said_by(one: Record, comment: str) -> dict[str, Any]:
    """Who said it when, and why; no comment is none."""
    return {"comment": comment or None, "by": one["who"], "at": one["created"]}


def event(one: Record) -> Event:
    step = one["step"]
    what = step["status"] if step["do"] == "decide" else step["do"]
    return Event(what=what, on=subject(step), **said_by(one, one["note"]))
