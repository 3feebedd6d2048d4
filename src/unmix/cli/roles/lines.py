"""What `unmix roles` says, in lines: the answer, decisions, conflicts, what a change does."""

from __future__ import annotations

from typing import Any

GUARANTEE = "Guarantee: nobody gains or loses a permission (recomputed from the written files)."
REPAIRED = (
    "Guarantee: nobody gains a permission, or loses one but those taken below (recomputed from the written files)."
)


def summary(tree: dict[str, Any]) -> str:
    """The answer in a few lines."""
    n = tree["counts"]
    size = f"{plural(n['users'], 'user')} and {plural(n['permissions'], 'permission')}"
    before = n["grants"] + len(tree["repaired"])
    lines = [
        f"{plural(n['roles'], 'role')} for {size}: {tree['certificate']}",
        f"Before: {plural(before, 'direct grant')}. After: {plural(n['assignments'], 'assignment')} of roles"
        + (f" and {plural(n['direct'], 'direct grant')}." if n["direct"] else "."),
    ]
    if tree["guaranteed"]:
        lines.append(GUARANTEE if not tree["repaired"] else REPAIRED)
    elif n["lost"] or n["gained"]:
        lines.append(
            f"Deviations: not given by the roles {plural(n['lost'], 'grant')}, given in addition {n['gained']}."
        )
    if tree["held_out"]:
        part = tree["held_out"]
        lines.append(
            f"New users: {100 * part['error']:.1f} % of the hidden entries are predicted wrongly, "
            f"{100 * part['over']:.1f} % too much and {100 * part['under']:.1f} % too little."
        )
    if tree["birthright"]:
        lines.append(f"Birthright: nearly everybody has {first_few([b['permission'] for b in tree['birthright']])}.")
    lines += reviewed(tree)
    if tree["exceptions"]:
        worst = tree["exceptions"][0]
        lines.append(
            f"Exceptions: {len(tree['exceptions'])}, first {worst['user']} with {worst['permission']} "
            f"({worst['reason']})."
        )
    if tree["outliers"]:
        strange = [entry["user"] for entry in tree["outliers"]]
        lines.append(f"{plural(len(strange), 'user')} fit{'s' * (len(strange) == 1)} no role: {first_few(strange)}.")
    lines += by_attribute(tree)
    lines += separation(tree)
    lines += [f"Note: {sentence}" for sentence in tree["problems"]]
    return "\n".join(printable(line) for line in lines)


def reviewed(tree: dict[str, Any]) -> list[str]:
    """How much of the answer is decided, where decisions were given."""
    if "review" not in tree:
        return []
    roles, entries, gone = tree["review"]["roles"], tree["review"]["exceptions"], tree["review"]["gone"]
    lines = [
        f"Decided: {plural(roles['accepted'], 'role')} accepted, {roles['changed']} changed since, "
        f"{roles['open']} open; "
        f"{plural(entries['accepted'] + entries['rejected'], 'exception')} decided, {entries['open']} open."
    ]
    if gone:
        lines.append(f"Accepted, but not among these roles: {first_few([role['id'] for role in gone])}.")
    return lines


def by_attribute(tree: dict[str, Any]) -> list[str]:
    """What attributes say of roles and users, in a line each; nothing where there are none."""
    from unmix.roles.meaning.rules import MOSTLY_RIGHT

    lines = []
    rules = [rule for rule in tree.get("rules", ()) if rule["precision"] >= MOSTLY_RIGHT]
    if rules:
        first = rules[0]["sentence"]
        lines.append(f"Rules: {plural(len(rules), 'role')} of {len(tree['roles'])} by attributes, first {first}.")
    if tree.get("attribute_misfits"):
        users = [f"{one['user']} ({one['reason']})" for one in tree["attribute_misfits"]]
        lines.append(f"Roles fit other attributes better: {first_few(users, 2)}.")
    return lines


def separation(tree: dict[str, Any]) -> list[str]:
    """Who holds what a rule forbids, before and with the roles, in a line or two."""
    if not tree["duties"]:
        return []
    before, after = tree["conflicts_before"], tree["conflicts"]
    users = {one["user"]: one for one in before}
    if not before and not after:
        return ["Separation of duties: nobody holds what a rule forbids."]
    named = [f"{user} ({' and '.join(one['held'])})" for user, one in users.items()]
    lines = [f"Separation of duties: {plural(len(users), 'user')} in conflict: {first_few(named)}; see conflicts.csv."]
    if tree["repaired"]:
        taken = [f"{permission} of {user}" for user, permission in tree["repaired"]]
        lines.append(f"Repaired: {plural(len(taken), 'grant')} taken before mining: {first_few(taken)}.")
    if after:
        lines.append(f"With these roles {plural(len({one['user'] for one in after}), 'user')} would be in conflict.")
    return lines


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def first_few(names: list[str], most: int = 4) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def printable(line: str) -> str:
    """No control character of a name reaches the terminal."""
    return "".join(c if c.isprintable() else "�" for c in line)


def in_conflict(change: Any, tree: dict[str, Any]) -> list[str]:
    """Conflicts after a change, in lines; nothing where there are no rules."""
    if not tree.get("duties"):
        return []
    lines = [f"Conflicts with rules of separation: {len(change.conflicts)} ({change.solved} fewer than before)."]
    lines += [f"  {one.user}: {' and '.join(one.held)} ({one.duty.name})" for one in change.conflicts[:20]]
    return lines


def moved(lost: list[tuple[str, str]], gained: list[tuple[str, str]]) -> list[str]:
    """Who loses and who gains, in lines."""
    lines = []
    for words, pairs in (("lose", lost), ("gain", gained)):
        users = len({user for user, _ in pairs})
        if not pairs:
            lines.append(f"Nobody {words}s a permission.")
            continue
        verb = f"{words}s" if users == 1 else words
        lines.append(f"{plural(users, 'user')} {verb} {plural(len(pairs), 'permission')}:")
        lines += [f"  {user}: {permission}" for user, permission in pairs[:20]]
        lines += [f"  and {len(pairs) - 20} more"] if len(pairs) > 20 else []
    return lines
