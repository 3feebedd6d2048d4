"""The page for sign-off: what was decided on roles and exceptions, by whom, what is open, and room for signatures."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import count, number
from unmix.report.frame import frame, write_page
from unmix.report.headline import tile
from unmix.report.roles.attributes import by_attribute
from unmix.report.roles.duties import role_duties
from unmix.report.roles.page import change_for_users
from unmix.report.roles.sign_off_tables import (
    decided_exceptions,
    decided_roles,
    decision_log,
    held_by_roles,
    rejected_roles,
)

LINES = ("Name", "Function", "Date", "Signature")


def render(tree: dict[str, Any]) -> str:
    """The page of a document with decisions on it (`annotate`); the same document gives the same bytes."""
    written: list[tuple[str, str, Markup | None]] = [
        ("roles", "Roles", decided_roles(tree)),
        ("rejected", "Rejected", rejected_roles(tree)),
        ("exceptions", "Exceptions", decided_exceptions(tree)),
        ("attributes", "By attributes", by_attribute(tree)),
        ("duties", "Separation of duties", role_duties(tree)),
        ("holds", "What roles hold", held_by_roles(tree)),
        ("log", "Log", decision_log(tree)),
        ("sign", "Signatures", signatures(tree)),
    ]
    return frame(
        written,
        headline=headline(tree),
        title="Sign-off",
        source=tree.get("source") or "access",
        numbers={"fingerprint": fingerprint(tree)},
        styles=("roles.css", "sign_off.css"),
        scripts=(),
        version=tree.get("version"),
    )


def write(tree: dict[str, Any], path: str | Path) -> Path:
    """Write the page to `path`, whole or not at all."""
    return write_page(render(tree), path)


def headline(tree: dict[str, Any]) -> Markup:
    """Whether everything is decided, and how much is."""
    roles, entries, n = tree["review"]["roles"], tree["review"]["exceptions"], tree["counts"]
    rejected, said = len(tree["review"]["rejected_roles"]), entries["accepted"] + entries["rejected"]
    tiles = [
        tile("Roles accepted", number(roles["accepted"]), f"of {number(sum(roles.values()))}"),
        tile("Changed since", number(roles["changed"]), "accepted with other permissions"),
        tile("Open", number(roles["open"]), "not yet decided"),
        tile("Rejected", number(rejected), "not proposed again"),
        tile("Exceptions decided", number(said), f"of {number(sum(entries.values()))}"),
        tile("Users", number(n["users"]), f"with {count(n['permissions'], 'permission')}"),
    ]  # fmt: skip
    return element(
        "section",
        element("h1", answer(tree)),
        element("p", f"{change_for_users(tree)} {managed(tree)}".strip(), class_="lede"),
        element("dl", tiles, class_="tiles"),
        [element("p", element("strong", "Before signing. "), words, class_="notice") for words in warnings(tree)],
        class_="verdict",
        id="verdict",
    )


def managed(tree: dict[str, Any]) -> str:
    """What is managed with the roles, instead of what was before."""
    n = tree["counts"]
    before = n["grants"] + len(tree.get("repaired", ()))
    single = f" and {count(n['direct'], 'single grant')}" if n["direct"] else ""
    return f"{count(n['assignments'], 'assignment')} of roles{single} stand for {count(before, 'direct grant')}."


def answer(tree: dict[str, Any]) -> str:
    roles, entries = tree["review"]["roles"], tree["review"]["exceptions"]
    left = roles["changed"] + roles["open"]
    if not left and not entries["open"]:
        return (
            f"All {count(roles['accepted'], 'role')} decided" if roles["accepted"] != 1 else "The one role is decided"
        )
    parts = [count(left, "role")] * bool(left) + [count(entries["open"], "exception")] * bool(entries["open"])
    alone = left + entries["open"] == 1
    return f"{' and '.join(parts)} still {'needs' if alone else 'need'} a decision"


def warnings(tree: dict[str, Any]) -> list[str]:
    """What somebody who signs should know first."""
    review, found = tree["review"], []
    conflicts = len({one["user"] for one in tree.get("conflicts", [])})
    if conflicts:
        verb = "holds" if conflicts == 1 else "hold"
        found.append(f"{count(conflicts, 'user')} {verb} what a rule of separation forbids.")
    if review["roles"]["rejected"]:
        found.append("These results still hold roles that were rejected; mine again with the decisions.")
    if review["gone"]:
        names = ", ".join(role["id"] for role in review["gone"][:5])
        found.append(f"Accepted earlier, but not among these roles: {names}.")
    again = sum(entry["review"]["again"] for entry in tree["exceptions"])
    if again:
        found.append(f"{count(again, 'exception')} were decided on evidence that has changed since.")
    if tree.get("interrupted"):
        found.append("The search was stopped early; the roles are the best found until then.")
    return found


def fingerprint(tree: dict[str, Any]) -> str:
    """SHA-256 of what is signed: roles with their permissions and states, who has them, single grants, decisions."""
    content = [
        [[role["id"], role["name"], sorted(role["permissions"]), role["review"]["status"]] for role in tree["roles"]],
        sorted([user, sorted(names)] for user, names in tree["assignments"].items()),
        sorted(map(list, tree["direct"])),
        sorted([entry["user"], entry["permission"], entry["review"]["status"]] for entry in tree["exceptions"]),
        [[role["id"], role["permissions"]] for role in tree["review"]["rejected_roles"]],
    ]
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def signatures(tree: dict[str, Any]) -> Markup:
    """The statement, what it is about, and lines to write on."""
    roles = tree["review"]["roles"]
    statement = (
        f"I have reviewed the roles above. I confirm the {count(roles['accepted'], 'role')} listed as accepted and the "
        "decisions on exceptions; what is listed as open or changed is not part of this sign-off."
    )
    blocks = [
        element(
            "dl",
            [element("div", element("dt", line), element("dd", class_="line")) for line in LINES],
            class_="signature",
        )
        for _ in range(2)
    ]
    return element(
        "section",
        element("h2", "Signatures"),
        element("p", statement, class_="intro"),
        element("div", blocks, class_="signatures"),
        element("p", "This page is about exactly this content, whose fingerprint (SHA-256) is ",
                element("code", fingerprint(tree), class_="fingerprint"), ".", class_="quiet"),
        id="sign",
    )  # fmt: skip
