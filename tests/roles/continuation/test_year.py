"""A year of work days: decisions are kept, ids stay with their roles, and nobody gains or loses a permission."""

import pytest

from tests.roles.continuation.company import Company
from unmix.roles import decide_role, mine, review, update
from unmix.roles.review.register import SAME_ROLE, contents, overlap

DAYS = 250
MONTH = 21


def reviewed(found, decisions, day):
    """Of the open roles that several users have, every second one is accepted with a name, one in a year rejected."""
    decisions = review(found, decisions)
    users = {name.split()[0]: sum(name in held for held in found.assignments.values()) for name in found.names}
    waiting = [role for role in decisions.of_status("open") if users[role.id] > 2]
    for role in waiting[::2]:
        decisions = decide_role(decisions, role.id, "accepted", name=f"Role of day {day}", by="ann", at=f"day {day}")
    if day == 0:
        decisions = decide_role(decisions, waiting[1].id, "rejected", by="ann", at="day 0")
    return decisions


def year(company, change, days=DAYS):
    """Every day's roles before and after, with the decisions that were in force."""
    found = mine(company.grants())
    decisions = reviewed(found, None, 0)
    for day in range(1, days + 1):
        before = set(found.access.pairs())
        company.day(**change)
        now = company.grants()
        later = update(
            found, added=sorted(now - before), removed=sorted(before - now), decisions=decisions, time_limit=5
        )
        yield day, found, later, decisions, now
        found = later
        if day % MONTH == 0:
            decisions = reviewed(found, decisions, day)


def check_day(found, later, decisions, now, seen):
    assert set(later.access.pairs()) == now and later.verify()
    today, yesterday = contents(later), contents(found)
    accepted = {role.id: role for role in decisions.of_status("accepted")}
    rows = [frozenset(held) for held in (later.access.permissions_of(user) for user in later.access.users)]
    for role in accepted.values():  # an accepted role is there, as it was and by its name, while somebody can hold it
        if any(role.permissions <= held for held in rows):
            assert today[role.id] == role.permissions and f"{role.id} {role.name}" in later.roles
    for role in decisions.of_status("rejected"):
        assert role.permissions not in today.values()
    for name, held in today.items():  # an id means the same role as yesterday, and a new role a number never used
        if name in yesterday:
            assert overlap(held, yesterday[name]) >= SAME_ROLE or name in accepted
        else:
            assert name not in seen or name in accepted
    seen.update(today)


@pytest.mark.long
def test_a_year():
    company, seen = Company(40, 30, 7, seed=1), set()
    change = {"joins": 0.2, "leaves": 0.2, "moves": 0.2, "drift": 0.05, "odd": 0.05}
    for _, found, later, decisions, now in year(company, change):
        seen.update(contents(found))
        check_day(found, later, decisions, now, seen)
    assert len(decisions.of_status("accepted")) > 3


def test_a_month():
    company, seen = Company(25, 20, 5, seed=2), set()
    change = {"joins": 0.3, "leaves": 0.3, "moves": 0.3, "drift": 0.1, "odd": 0.1}
    for _, found, later, decisions, now in year(company, change, days=12):
        seen.update(contents(found))
        check_day(found, later, decisions, now, seen)
