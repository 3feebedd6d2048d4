"""Who holds what a rule forbids, and by which assignments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from unmix.roles.duties.duty import Duty
from unmix.roles.duties.repair import Source, cheapest_repair

DIRECT = "direct"


class Conflict(NamedTuple):
    """One user and one rule.

    `causes` are what gives the members: (role, or "direct" for a single grant; its members of the rule). `repair` is
    the part of the user's cheapest repair that this rule needs: roles, or ("direct", permission), to be taken away;
    `lost` is how many permissions the user's whole repair costs.
    """

    user: str
    duty: Duty
    held: tuple[str, ...]
    causes: tuple[tuple[str, tuple[str, ...]], ...]
    repair: tuple[tuple[str, str], ...]
    lost: int


class Holding(NamedTuple):
    """What a user has: roles, and single grants."""

    roles: tuple[str, ...]
    direct: tuple[str, ...]


def find_conflicts(
    holdings: Mapping[str, Holding],
    role_permissions: Mapping[str, Iterable[str]],
    duties: Iterable[Duty],
    risk: Mapping[str, float] | None = None,
) -> list[Conflict]:
    """Every user and rule in conflict, users in their order; a permission's `risk` is how bad it is to hold it wrongly.

    For plain access without roles, give holdings of single grants.
    """
    rules, holds = list(duties), {name: frozenset(members) for name, members in role_permissions.items()}
    suspects = _suspects(holdings, holds, rules)
    found: list[Conflict] = []
    for user in suspects:
        found.extend(_of_user(user, holdings[user], holds, rules, risk or {}))
    return found


def _suspects(holdings: Mapping[str, Holding], holds: Mapping[str, frozenset[str]], rules: list[Duty]) -> list[str]:
    """Users who hold at least two members of some rule; the others need no closer look."""
    telling = frozenset().union(*(duty.members for duty in rules)) if rules else frozenset()
    by_role = {name: members & telling for name, members in holds.items()}
    found = []
    for user, holding in holdings.items():
        seen = set(holding.direct) & telling
        for role in holding.roles:
            seen |= by_role.get(role, frozenset())
        if len(seen | (set(holding.roles) & telling)) > 1:
            found.append(user)
    return found


def _of_user(
    user: str, holding: Holding, holds: Mapping[str, frozenset[str]], rules: list[Duty], risk: Mapping[str, float]
) -> list[Conflict]:
    sources = [Source(role, role, holds.get(role, frozenset())) for role in holding.roles]
    sources += [Source(DIRECT, permission, frozenset([permission])) for permission in holding.direct]
    permissions = frozenset().union(*(source.permissions for source in sources)) if sources else frozenset()
    held = {"permissions": permissions, "roles": frozenset(holding.roles)}
    broken = [duty for duty in rules if len(duty.members & held[duty.over]) > duty.most]
    if not broken:
        return []
    repair = cheapest_repair(sources, broken, risk)
    return [_conflict(user, duty, held[duty.over], sources, repair.taken, repair.lost) for duty in broken]


def _conflict(
    user: str, duty: Duty, held: frozenset[str], sources: list[Source], taken: list[Source], lost: int
) -> Conflict:
    members = duty.members & held
    causes: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        given = {source.name} & members if duty.over == "roles" else source.permissions & members
        if given:
            causes[source.kind].update(given)
    needed = [source for source in taken if (source.permissions | {source.name}) & members]
    return Conflict(
        user, duty, tuple(sorted(members)), tuple((name, tuple(sorted(given))) for name, given in causes.items()),
        tuple((source.kind, source.name) for source in needed), lost,
    )  # fmt: skip


def plain_holdings(pairs: Iterable[tuple[str, str]]) -> dict[str, Holding]:
    """Access without roles: every grant is single."""
    held: dict[str, list[str]] = defaultdict(list)
    for user, permission in pairs:
        held[user].append(permission)
    return {user: Holding((), tuple(permissions)) for user, permissions in held.items()}


def document_holdings(tree: Mapping[str, Any]) -> tuple[dict[str, Holding], dict[str, list[str]]]:
    """Holdings and permissions of roles of a document of mined roles."""
    single: dict[str, list[str]] = defaultdict(list)
    for user, permission in tree["direct"]:
        single[user].append(permission)
    held = {user: Holding(tuple(roles), tuple(single.pop(user, ()))) for user, roles in tree["assignments"].items()}
    held |= {user: Holding((), tuple(permissions)) for user, permissions in single.items()}
    return held, {role["name"]: role["permissions"] for role in tree["roles"]}
