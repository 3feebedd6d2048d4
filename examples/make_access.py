"""Writes access.csv and users.csv: who may do what in a made-up company of 60 people, with the slips of some years.

    python examples/make_access.py

Nobody in it exists. What was put in by hand, to be found again: one clerk who can both create and approve payments,
two people who kept rights of the department they left, one right given for a day, and one that was forgotten.
"""

import csv
from pathlib import Path

FOLDER = Path(__file__).parent
EVERYBODY = ("mail:read", "mail:send", "wiki:read", "calendar:use")
DEPARTMENTS = {
    "Sales": (20, ("crm:read", "crm:write", "quotes:create", "prices:read")),
    "Engineering": (22, ("repo:read", "repo:write", "tickets:write", "deploy:staging", "logs:read")),
    "Finance": (12, ("ledger:read", "ledger:post", "pay:create", "invoices:read")),
    "People": (6, ("staff:read", "staff:write", "contracts:read")),
}
LEADS = {
    "Sales": (3, ("prices:write", "quotes:approve")),
    "Engineering": (4, ("deploy:production", "repo:admin")),
    "Finance": (2, ("pay:approve", "ledger:close")),
}
LEADS_DO_NOT = {"Finance": ("pay:create",)}  # who approves does not create
GIVEN = [
    ("Finance-07", "pay:approve"),
    ("Finance-04", "crm:write"),
    ("Finance-04", "crm:read"),
    ("Engineering-15", "quotes:create"),
    ("Sales-12", "staff:read"),
]
FORGOTTEN = [("Engineering-09", "wiki:read")]


def main() -> None:
    people, grants = [], []
    for department, (size, own) in DEPARTMENTS.items():
        n_leads, more = LEADS.get(department, (0, ()))
        for number in range(1, size + 1):
            user, lead = f"{department}-{number:02}", number <= n_leads
            people.append((user, department, "lead" if lead else "member"))
            rights = [right for right in own if not (lead and right in LEADS_DO_NOT.get(department, ()))]
            grants += [(user, right) for right in (*EVERYBODY, *rights, *(more if lead else ()))]
    grants = [grant for grant in grants if grant not in FORGOTTEN] + GIVEN
    write("access.csv", ("user", "permission"), grants)
    write("users.csv", ("user", "department", "position"), people)


def write(name: str, header: tuple[str, ...], lines: list[tuple[str, ...]]) -> None:
    with (FOLDER / name).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *lines])


if __name__ == "__main__":
    main()
