"""Tables of the page for sign-off: roles, rejected ones, exceptions, what every role holds, and the log."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.markup import Markup, element, join, table
from unmix.report.drawing.numbers import breakable, clip, count, number
from unmix.report.roles.exceptions import KIND_NAMES
from unmix.roles.export.tables import ACTIONS, HELD, label

MOST_ROLES = 1000
MOST_ENTRIES = 300
MOST_OPEN = 25
MOST_PERMISSIONS = 300
MOST_USERS = 60
MOST_EVENTS = 300
ORDER = ("changed", "open", "rejected", "accepted")
STATES = {"accepted": "accepted", "changed": "changed since", "open": "open", "rejected": "rejected"}


def decided_roles(tree: dict[str, Any]) -> Markup:
    """Every role with its decision; what is not decided comes first."""
    roles = in_order(tree)
    rows = [
        (
            element("a", role["id"], href=f"#holds-{k}"),
            named(role),
            state(role["review"]["status"]),
            number(role["n_users"]),
            number(len(role["permissions"])),
            who(role["review"]),
            remark(role["review"]),
        )
        for k, role in enumerate(roles[:MOST_ROLES])
    ]
    titles = ("Role", "Name", "Decision", "Users", "Permissions", "By", "Remark")
    return element(
        "section",
        element("h2", "Roles"),
        element("p", "What was decided on each role; what still needs a decision comes first.", class_="intro"),
        table("Roles and decisions", titles, rows, class_="decided"),
        more(len(roles) - MOST_ROLES, "role", "roles.csv"),
        id="roles",
    )


def in_order(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """Roles that need a decision first."""
    return sorted(tree["roles"], key=lambda role: ORDER.index(role["review"]["status"]))


def named(role: dict[str, Any]) -> Markup:
    described = role.get("description") or ""
    return join([
        element("strong", breakable(label(role))),
        element("span", clip(described, 240), class_="told quiet") if described else None,
    ])  # fmt: skip


def state(status: str) -> Markup:
    return element("span", STATES[status], class_=f"state {status}")


def who(made: dict[str, Any]) -> Markup | str:
    if not made["by"] and not made["at"]:
        return "–"
    day = (made["at"] or "")[:10]
    return join([made["by"] or "", element("span", day, class_="told quiet day") if day else None])


def remark(made: dict[str, Any]) -> Markup | str:
    """The comment, and what changed since the role was accepted."""
    parts: list[Any] = [clip(made["comment"], 240)] if made["comment"] else []
    for words, names in (("came: ", made.get("added", ())), ("went: ", made.get("removed", ()))):
        if names:
            rest = f" and {count(len(names) - 4, 'other')}" if len(names) > 4 else ""
            parts.append(element("span", words, ", ".join(clip(n, 40) for n in names[:4]), rest, class_="told"))
    return join(parts) if parts else "–"


def rejected_roles(tree: dict[str, Any]) -> Markup | None:
    listed = tree["review"]["rejected_roles"]
    if not listed:
        return None
    rows = [
        (role["id"], breakable(role["name"] or "–"), clip(", ".join(role["permissions"]), 160), who(role), remark(role))
        for role in listed[:MOST_ROLES]
    ]
    return element(
        "section",
        element("h2", "Rejected roles"),
        element("p", "These sets of permissions are not proposed again.", class_="intro"),
        table("Rejected roles", ("Role", "Name", "Permissions", "By", "Remark"), rows, class_="rejected-roles"),
        id="rejected",
    )


def decided_exceptions(tree: dict[str, Any]) -> Markup | None:
    """What is to be done, then what is still open."""
    entries = tree["exceptions"]
    if not entries:
        return None
    done = [entry for entry in entries if entry["review"]["status"] != "open"]
    left = [entry for entry in entries if entry["review"]["status"] == "open"]
    rows = [
        (
            element("span", ACTIONS[entry["kind"] in HELD, entry["review"]["status"]], class_="action"),
            breakable(entry["user"]),
            permission(tree, entry["permission"]),
            clip(entry["reason"], 160),
            who(entry["review"]),
            remark(entry["review"]),
        )
        for entry in done[:MOST_ENTRIES]
    ]
    titles = ("Action", "User", "Permission", "Why it stood out", "By", "Remark")
    return element(
        "section",
        element("h2", "Exceptions"),
        element("p", f"{count(len(done), 'entry', 'entries')} decided, {number(len(left))} open.", class_="intro"),
        table("Decided exceptions", titles, rows, class_="actions") if rows else None,
        more(len(done) - MOST_ENTRIES, "decided entry", "exceptions.csv", "decided entries"),
        open_entries(tree, left) if left else None,
        id="exceptions",
    )


def open_entries(tree: dict[str, Any], left: list[dict[str, Any]]) -> Markup:
    rows = [
        (breakable(e["user"]), permission(tree, e["permission"]), KIND_NAMES[e["kind"]], clip(e["reason"], 160))
        for e in left[:MOST_OPEN]
    ]
    return element(
        "div",
        element("h3", "Still open"),
        table("Open exceptions", ("User", "Permission", "What", "Why"), rows, class_="open-entries"),
        more(len(left) - MOST_OPEN, "open entry", "exceptions.csv", "open entries"),
        class_="apart",
    )


def permission(tree: dict[str, Any], name: str) -> Markup:
    described = (tree.get("descriptions") or {}).get(name)
    return join([breakable(name), element("span", clip(described, 120), class_="told quiet") if described else None])


def held_by_roles(tree: dict[str, Any]) -> Markup:
    """The permissions and users of every role, to open one by one and printed in full."""
    roles = in_order(tree)
    users: dict[str, list[str]] = {}
    for user, names in tree["assignments"].items():
        for name in names:
            users.setdefault(name, []).append(user)
    parts = [holding(tree, k, role, users.get(role["name"], [])) for k, role in enumerate(roles[:MOST_ROLES])]
    return element(
        "section",
        element("h2", "What roles hold"),
        element("p", "Permissions and users of every role.", class_="intro"),
        element("div", parts, class_="holdings"),
        id="holds",
    )


def holding(tree: dict[str, Any], k: int, role: dict[str, Any], users: list[str]) -> Markup:
    held, described = role["permissions"], tree.get("descriptions") or {}
    items = [
        element("li", breakable(name), element("span", f" {clip(described.get(name, ''), 120)}", class_="quiet"))
        for name in held[:MOST_PERMISSIONS]
    ]
    shown = ", ".join(clip(user, 40) for user in users[:MOST_USERS]) or "nobody"
    rest = f" and {count(len(users) - MOST_USERS, 'other')} (assignments.csv)" if len(users) > MOST_USERS else ""
    return element(
        "details",
        element("summary", element("strong", clip(role["name"])), " ", state(role["review"]["status"]), " ",
                f"{count(len(users), 'user')}, {count(len(held), 'permission')}"),
        element("ul", items, class_="held", id=f"holds-{k}"),  # a link to what is inside opens it
        more(len(held) - MOST_PERMISSIONS, "permission", "roles.csv"),
        element("p", element("span", "Users: ", class_="quiet"), shown, rest),
        class_="opens",
    )  # fmt: skip


def decision_log(tree: dict[str, Any]) -> Markup | None:
    """Every decision in the order in which they were taken, the last first."""
    log = tree["review"]["log"][::-1]
    if not log:
        return None
    rows = [
        (event["at"].replace("T", " ")[:16], event["by"] or "–", clip(event["what"], 120), breakable(event["on"]),
         clip(event["comment"] or "–", 200))
        for event in log[:MOST_EVENTS]
    ]  # fmt: skip
    return element(
        "section",
        element("h2", "Log"),
        element("p", "Who decided what, the last first; times as recorded.", class_="intro"),
        table("Log of decisions", ("When", "Who", "What", "On", "Comment"), rows, class_="log"),
        more(len(log) - MOST_EVENTS, "earlier decision", "the decision file"),
        id="log",
    )


def more(rest: int, noun: str, where: str, plural: str | None = None) -> Markup | None:
    """What a table leaves out, and where it is."""
    if rest <= 0:
        return None
    several = f"more {plural}" if plural else None
    return element("p", f"{count(rest, f'more {noun}', several)} in {where}.", class_="quiet")
