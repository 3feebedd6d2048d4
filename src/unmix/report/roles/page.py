"""Mined roles as one self-contained HTML page a manager can read: before and after, the picture, roles, exceptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from unmix.report.drawing.code import code
from unmix.report.drawing.marks import N_COLOURS
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import count, number, percent
from unmix.report.frame import frame, write_page
from unmix.report.headline import tile
from unmix.report.roles.attributes import by_attribute
from unmix.report.roles.cards import role_cards
from unmix.report.roles.curves import role_curves
from unmix.report.roles.duties import role_duties
from unmix.report.roles.exceptions import KIND_NAMES, birthright, role_exceptions
from unmix.report.roles.matrix import matrix

LEGEND = ("one colour a role", "grant beside the roles", "would be added by the roles")


def render(tree: dict[str, Any]) -> str:
    """The page of a `document` of roles as a string; the same document gives the same bytes."""
    written: list[tuple[str, str, Markup | None]] = [
        ("birthright", "Everybody", birthright(tree)),
        ("picture", "Picture", picture(tree)),
        ("number", "How many", role_curves(tree)),
        ("roles", "Roles", role_cards(tree)),
        ("attributes", "By attributes", by_attribute(tree)),
        ("duties", "Separation of duties", role_duties(tree)),
        ("exceptions", "Exceptions", role_exceptions(tree)),
        ("reproduce", "Reproduce", reproduce(tree)),
    ]
    numbers = {
        "matrix": matrix(tree),
        "roles": [role["name"] for role in tree["roles"]],
        "exceptions": tree["exceptions"],
        "words": KIND_NAMES,
        "colours": N_COLOURS,
    }
    return frame(
        written,
        headline=headline(tree),
        title=count(tree["counts"]["roles"], "role"),
        source=tree.get("source") or "access",
        numbers=numbers,
        styles=("roles.css",),
        scripts=("roles_matrix.js", "roles_lists.js"),
        version=tree.get("version"),
    )


def write(tree: dict[str, Any], path: str | Path) -> Path:
    """Write the page to `path`, whole or not at all."""
    return write_page(render(tree), path)


def headline(tree: dict[str, Any]) -> Markup:
    """Before and after, and how much of it is certain."""
    n = tree["counts"]
    answer = f"{count(n['roles'], 'role')} for {count(n['users'], 'user')}"
    before = n["grants"] + len(tree.get("repaired", ()))
    managed = n["assignments"] + n["role_permissions"] + n["direct"]
    tiles = [
        tile("Before", number(before), "direct grants"),
        tile("After", number(n["assignments"]), "assignments of roles"),
        tile("Roles", number(n["roles"]), f"with {count(n['role_permissions'], 'permission')} in all"),
        tile("Single grants", number(n["direct"]), "kept beside the roles"),
        tile(
            "To manage",
            percent(managed / max(1, before)),
            f"{number(managed)} entries instead of {number(before)}",
        ),
    ]
    return element(
        "section",
        element("h1", answer),
        element("p", effect_on_users(tree), class_="lede"),
        element("dl", tiles, class_="tiles"),
        [element("p", element("strong", "In the data. "), sentence, class_="notice") for sentence in tree["problems"]],
        class_="verdict",
        id="verdict",
    )


def effect_on_users(tree: dict[str, Any]) -> str:
    """What changes for the users, and whether fewer would do."""
    proof = "Proven: no smaller answer exists." if tree["proven"] else sentence(tree["certificate"])
    return f"{change_for_users(tree)} {proof}".strip()


def change_for_users(tree: dict[str, Any]) -> str:
    """Who gains or loses what with these roles; nothing where that was not checked."""
    n = tree["counts"]
    if n["lost"] or n["gained"]:
        return f"{count(n['lost'], 'grant')} would be taken away and {number(n['gained'])} added."
    if tree.get("guaranteed", tree["exact"]):
        if tree.get("repaired"):
            taken = count(len(tree["repaired"]), "grant")
            return f"Nobody gains a permission; {taken} end with the conflicts they cause."
        return "Nobody gains or loses a permission."
    return ""


def sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def picture(tree: dict[str, Any]) -> Markup:
    """The reordered matrix; the script draws it, a reader without one gets the reason."""
    buttons = [
        element("button", sign, type="button", data_zoom=kind, aria_label=words)
        for kind, sign, words in (("in", "+", "Zoom in"), ("out", "−", "Zoom out"), ("fit", "Whole", "Whole picture"))
    ]
    keys = [
        element("li", element("span", class_=f"swatch {kind}", aria_hidden="true"), words)
        for kind, words in zip(("c0", "read-ink", "added"), LEGEND)
    ]
    caption = (
        "Every row is a user, every column a permission, both sorted so that roles form blocks. "
        "Drag to move, use the buttons, two fingers or Ctrl and the wheel to zoom, point at a cell for its names."
    )
    return element(
        "section",
        element("h2", "Who has what"),
        element("p", caption, class_="intro"),
        element("div", element("ul", keys, class_="keys"), element("div", buttons, class_="zoom"), class_="tools"),
        element(
            "div",
            element("canvas", tabindex=0, role="img", aria_label="Users and permissions, coloured by role"),
            element("div", class_="tip", hidden=True),
            element("p", "The picture needs JavaScript; the tables below do not.", class_="unscripted quiet"),
            class_="surface access",
        ),
        element("p", class_="spoken", aria_live="polite"),
        id="picture",
    )


def reproduce(tree: dict[str, Any]) -> Markup:
    """The command that gives the same answer, and what lies beside this page."""
    caption = (
        "Beside this page: roles.csv (role, permission), assignments.csv (user, role), exceptions.csv (what to look "
        "at, and why) and roles.json (all of it)."
    )
    return element(
        "section",
        element("h2", "Reproduce"),
        element("p", caption, class_="intro"),
        element("div", code(tree.get("command") or ""), class_="command"),
        id="reproduce",
    )
