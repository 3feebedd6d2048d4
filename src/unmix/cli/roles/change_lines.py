"""What changed between two states of access, in lines for the terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from unmix.cli.roles.lines import first_few, plural

if TYPE_CHECKING:
    from unmix.roles.change.compare import Change

MOST_LISTED = 8  # people, grants and roles named one by one
LOST_WORDS = {
    "leaver": "by leavers", "assignment": "with roles left", "role changed": "with changed roles",
    "single": "taken singly",
}  # fmt: skip
GAINED_WORDS = {
    "joiner": "by joiners", "assignment": "with roles taken up", "role changed": "with changed roles",
    "single": "given singly",
}  # fmt: skip


def change_lines(change: Change) -> list[str]:
    """People, grants, roles; what nobody can explain by a role is named."""
    return [*people(change), *grants(change), *roles(change)]


def people(change: Change) -> list[str]:
    before, now = change.users
    counts = (
        f"{plural(len(change.joiners), 'joiner')}, {plural(len(change.movers), 'mover')}, "
        f"{plural(len(change.leavers), 'leaver')}"
    )
    lines = [f"Users: {before} before, {now} now ({counts})."]
    lines += [f"  joined: {first_few(change.joiners, MOST_LISTED)}"] if change.joiners else []
    lines += [f"  left: {first_few(change.leavers, MOST_LISTED)}"] if change.leavers else []
    lines += [f"  moved: {moved(mover)}" for mover in change.movers[:MOST_LISTED]]
    lines += more(len(change.movers) - MOST_LISTED, "mover")
    if change.reassigned:
        have = "has what they had" if len(change.reassigned) == 1 else "have what they had"
        lines.append(f"  {plural(len(change.reassigned), 'user')} {have}, by other roles")
    return lines


def moved(mover: Any) -> str:
    words = [f"from {first_few(list(mover.left), 2)}"] if mover.left else []
    words += [f"to {first_few(list(mover.joined), 2)}"] if mover.joined else []
    words += [f"{key} {old} → {new}" for key, old, new in mover.attributes[:2]]
    return f"{mover.user} ({'; '.join(words) or f'{mover.gained} grants gained, {mover.lost} lost'})"


def grants(change: Change) -> list[str]:
    lines = [counted("Grants gained", change.gained, GAINED_WORDS), counted("Grants lost", change.lost, LOST_WORDS)]
    odd = [grant for grant in change.unexplained if change.roles[1]]
    if odd:
        lines.append(f"  no role explains {plural(len(odd), 'grant')} gained:")
        lines += [f"    {grant.user}: {grant.permission}" for grant in odd[:MOST_LISTED]]
        lines += more(len(odd) - MOST_LISTED, "grant", "    ")
    return lines


def counted(title: str, listed: list[Any], words: dict[str, str]) -> str:
    often = Counter(grant.cause for grant in listed)
    parts = [f"{often[cause]} {said}" for cause, said in words.items() if often[cause]]
    return f"{title}: {len(listed)}" + (f" ({', '.join(parts)})." if parts else ".")


def roles(change: Change) -> list[str]:
    before, now = change.roles
    if not before or not now:
        return []
    lines = [
        f"Roles: {before} before, {now} now ({len(change.same)} the same, {len(change.drifted)} changed, "
        f"{len(change.appeared)} appeared, {len(change.vanished)} vanished)."
    ]
    for drift in change.drifted[:MOST_LISTED]:
        parts = [f"+{name}" for name in drift.added[:3]] + [f"−{name}" for name in drift.removed[:3]]
        rest = len(drift.added) + len(drift.removed) - len(parts)
        name = drift.old if drift.old == drift.new else f"{drift.old} → {drift.new}"
        tail = f" and {rest} more" if rest else ""
        lines.append(f"  changed: {name} ({100 * drift.overlap:.0f} % in common): {', '.join(parts)}{tail}")
    lines += more(len(change.drifted) - MOST_LISTED, "changed role")
    lines += [f"  appeared: {first_few(change.appeared, MOST_LISTED)}"] if change.appeared else []
    return lines + ([f"  vanished: {first_few(change.vanished, MOST_LISTED)}"] if change.vanished else [])


def more(rest: int, noun: str, indent: str = "  ") -> list[str]:
    return [f"{indent}and {plural(rest, f'more {noun}')}"] if rest > 0 else []
