"""Access from several systems as one: grants of all of them, with the names that more than one of them uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from unmix.roles.access.access import Access
from unmix.roles.access.oddities import Problem, alike_names
from unmix.roles.access.permission import as_text

MOST_EXAMPLES = 3


def join_access(parts: Sequence[Access], names: Sequence[str], prefix: bool = False) -> Access:
    """One access of many; with ``prefix`` every permission starts with the name of its system."""
    if prefix:
        parts = [prefixed(part, name) for part, name in zip(parts, names)]
    user_attributes: dict[Any, dict[str, Any]] = {}
    permission_attributes: dict[Any, dict[str, Any]] = {}
    for part in parts:
        for user, row in part.user_attributes.items():
            user_attributes.setdefault(user, {}).update(row)
        for permission, row in part.permission_attributes.items():
            permission_attributes.setdefault(permission, {}).update(row)
    found = Access.of_pairs(
        (pair for part in parts for pair in part.pairs()),
        user_attributes=user_attributes,
        permission_attributes=permission_attributes,
    )
    odd = [
        problem._replace(sentence=f"{name}: {problem.sentence}")
        for name, part in zip(names, parts)
        for problem in part.problems
    ]
    across = [*alike_names(found.users, "user"), *alike_names(found.permissions, "permission")]
    reported = {problem.sentence for part in parts for problem in part.problems}
    found.problems = (*shared(parts), *odd, *(problem for problem in across if problem.sentence not in reported))
    return found


def prefixed(access: Access, name: str) -> Access:
    new = {old: f"{name}:{as_text(old)}" for old in access.permissions}
    return Access(
        access.users, [new[old] for old in access.permissions], access.matrix, user_attributes=access.user_attributes,
        permission_attributes={new[old]: row for old, row in access.permission_attributes.items() if old in new},
        problems=access.problems,
    )  # fmt: skip


def shared(parts: Sequence[Access]) -> list[Problem]:
    """Permissions that several systems name alike: they count as one, which somebody should know."""
    often = Counter(name for part in parts for name in part.permissions)
    both = [as_text(name) for name, count in often.items() if count > 1]
    if not both:
        return []
    some = ", ".join(both[:MOST_EXAMPLES]) + (f" and {len(both) - MOST_EXAMPLES} more" * (len(both) > MOST_EXAMPLES))
    are = "permission is" if len(both) == 1 else "permissions are"
    sentence = f"{len(both)} {are} in several files and taken as one: {some}; with a prefix they stay apart."
    return [Problem("shared_permissions", len(both), tuple(both[:MOST_EXAMPLES]), sentence)]
