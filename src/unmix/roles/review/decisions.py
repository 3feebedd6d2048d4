"""What reviewers decided: on each role and on each exception, by whom, when, and on what evidence.

A decision is about content: a role is its set of permissions, an exception its user, permission and the evidence that
was shown. What is decided stays decided as long as the content is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

ROLE_STATES = ("open", "accepted", "rejected")
EXCEPTION_STATES = ("accepted", "rejected")


@dataclass(frozen=True)
class RoleDecision:
    """A role as it was shown, and what was said of it; names of permissions are text."""

    id: str
    permissions: frozenset[str]
    status: str = "open"
    name: str | None = None
    description: str | None = None
    comment: str | None = None
    by: str | None = None
    at: str | None = None


@dataclass(frozen=True)
class ExceptionDecision:
    """An entry as it was shown; accepted: it is right as it is, rejected: it is wrong and to be mended."""

    user: str
    permission: str
    kind: str
    status: str
    probability: float
    peers: int
    having: int
    comment: str | None = None
    by: str | None = None
    at: str | None = None


@dataclass(frozen=True)
class Event:
    """One line of the log: who did what to which role or entry, and when."""

    at: str
    by: str | None
    what: str
    on: str
    comment: str | None = None


@dataclass(frozen=True)
class Decisions:
    """All decisions; ``roles`` also lists roles still open, so that their ids stay theirs.

    Examples
    --------
    >>> from unmix.roles import decide_role, mine, review
    >>> found = mine([("ann", "mail"), ("ann", "crm"), ("bob", "mail"), ("bob", "crm"), ("eve", "payroll")])
    >>> decisions = decide_role(review(found), "R01", "accepted", name="Sales", by="ann")
    >>> [(role.id, role.status, role.name) for role in decisions.roles]
    [('R01', 'accepted', 'Sales'), ('R02', 'open', None)]
    """

    roles: tuple[RoleDecision, ...] = ()
    exceptions: tuple[ExceptionDecision, ...] = ()
    retired: tuple[str, ...] = ()
    log: tuple[Event, ...] = ()

    @property
    def by_id(self) -> dict[str, RoleDecision]:
        return {role.id: role for role in self.roles}

    @property
    def by_entry(self) -> dict[tuple[str, str], ExceptionDecision]:
        return {(entry.user, entry.permission): entry for entry in self.exceptions}

    def of_status(self, status: str) -> list[RoleDecision]:
        return [role for role in self.roles if role.status == status]


def decide_role(
    decisions: Decisions,
    role: str,
    status: str | None = None,
    *,
    name: str | None = None,
    description: str | None = None,
    comment: str | None = None,
    by: str | None = None,
    at: str | None = None,
) -> Decisions:
    """The decisions with one more, on a role; what is not given stays as it was.

    Parameters
    ----------
    decisions : Decisions
    role : str
        Its id, such as "R03".
    status : {"accepted", "rejected", "open"}, optional
    name, description, comment : str, optional
        Only a comment is left out of what later runs show of the role.
    by : str, optional
        Who decides.
    at : str, optional
        When, as ISO 8601 text; now by default.
    """
    before = decisions.by_id.get(role)
    if before is None:
        known = ", ".join(list(decisions.by_id)[:5]) or "none"
        raise ValueError(f"There is no role with the id {role!r} to decide on; known are {known}, ….")
    if status is not None and status not in ROLE_STATES:
        raise ValueError(f"status is {status!r}; it must be one of {', '.join(map(repr, ROLE_STATES))}.")
    given: dict[str, Any] = {"status": status, "name": _clean("name", name), "description": description}
    changed = {key: value for key, value in given.items() if value is not None}
    when = at or now()
    after = replace(before, **changed, comment=comment or before.comment, by=by or before.by, at=when)
    events = [Event(when, by, _what(key, value), role, comment) for key, value in changed.items()]
    events = events or [Event(when, by, "comment", role, comment)]
    roles = tuple(after if one.id == role else one for one in decisions.roles)
    return replace(decisions, roles=roles, log=(*decisions.log, *events))


def decide_exception(
    decisions: Decisions,
    entry: Mapping[str, Any] | Any,
    status: str,
    *,
    comment: str | None = None,
    by: str | None = None,
    at: str | None = None,
) -> Decisions:
    """The decisions with one more, on an exception as `explain` or a document lists it."""
    if status not in EXCEPTION_STATES:
        raise ValueError(f"status is {status!r}; it must be one of {', '.join(map(repr, EXCEPTION_STATES))}.")
    from unmix.roles.access.permission import as_text

    shown = entry if isinstance(entry, Mapping) else entry._asdict()
    user, permission, when = str(shown["user"]), as_text(shown["permission"]), at or now()
    made = ExceptionDecision(
        user, permission, str(shown["kind"]), status, float(shown["probability"]), int(shown["peers"]),
        int(shown["having"]), comment, by, when,
    )  # fmt: skip
    others = tuple(one for one in decisions.exceptions if (one.user, one.permission) != (user, permission))
    event = Event(when, by, status, f"{user} / {permission}", comment)
    return replace(decisions, exceptions=(*others, made), log=(*decisions.log, event))


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _what(key: str, value: str) -> str:
    return value if key == "status" else f"{key}: {value}"


def _clean(what: str, value: str | None) -> str | None:
    if value is not None and not value.strip():
        raise ValueError(f"The {what} of a role is blank; give some text.")
    return None if value is None else value.strip()
