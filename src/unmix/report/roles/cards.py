"""A card per role: who has it, what it holds, what its users have in common."""

from __future__ import annotations

import re
from typing import Any

from unmix.report.drawing.marks import colour_class
from unmix.report.drawing.markup import Markup, element, join
from unmix.report.drawing.numbers import breakable, clip, count, percent
from unmix.report.roles.matrix import rank_roles

NUMBERED_ROLE = re.compile(r"R\d+( |$)")
MOST_SHOWN = 12
MOST_USERS = 300  # of a role are listed by name; all of them are in assignments.csv


def role_cards(tree: dict[str, Any]) -> Markup:
    users, roles = users_of_roles(tree), tree["roles"]
    cards = [card(k, roles[k], users.get(roles[k]["name"], []), tree) for k in rank_roles(roles)]
    return element(
        "section",
        element("h2", "The roles"),
        element("p", "What each role holds and who has it, those that explain most first.", class_="intro"),
        finder(),
        element("div", cards, class_="cards roles"),
        id="roles",
    )


def users_of_roles(tree: dict[str, Any]) -> dict[str, list[str]]:
    """By the name of a role, those who have it."""
    users: dict[str, list[str]] = {}
    for user, held in tree["assignments"].items():
        for name in held:
            users.setdefault(name, []).append(user)
    return users


def finder() -> Markup:
    """The field in which to search the cards; the page's script brings it to life."""
    return element(
        "p",
        element("label", "Find a role, permission or user", for_="find-role", class_="spoken"),
        element("input", type="search", id="find-role", placeholder="Find a role, permission or user"),
        element("span", role="status", class_="quiet found"),
        class_="find",
        hidden=True,
    )


def card(k: int, role: dict[str, Any], users: list[str], tree: dict[str, Any]) -> Markup:
    return element(
        "article",
        element(
            "header",
            element("h3", element("span", class_=f"swatch {colour_class(k)}", aria_hidden="true"), clip(role["name"])),
            element("p", facts(role, tree), class_="quiet"),
        ),
        element("p", clip(role["description"], 240)) if role.get("description") else None,
        described(role),
        names("Permissions", role["permissions"], MOST_SHOWN, tree.get("descriptions")),
        names("Users", users, 6),
        contained(role),
        element("p", element("a", "Show in the picture", href="#picture", data_role=str(k)), class_="jump"),
        class_="card",
        id=f"role-{k}",
    )


def contained(role: dict[str, Any]) -> Markup | None:
    """Numbered roles by their number alone."""
    if not role["contains"]:
        return None
    short = [name.split()[0] if NUMBERED_ROLE.match(name) else name for name in role["contains"]]
    return element("p", f"Contains {clip(', '.join(short), 120)}.", class_="quiet")


def facts(role: dict[str, Any], tree: dict[str, Any]) -> str:
    share = percent(role["n_users"] / max(1, tree["counts"]["users"]))
    decided = f" · {role['review']['status']}" if "review" in role else ""
    return f"{count(role['n_users'], 'user')} ({share}) · {count(len(role['permissions']), 'permission')}{decided}"


def described(role: dict[str, Any]) -> Markup | None:
    """The attributes its users share."""
    if not role["traits"]:
        return None
    lines = [
        element(
            "li",
            element("strong", f"{clip(trait['attribute'], 30)}: {clip(trait['value'], 40)}"),
            element(
                "span", f" {percent(trait['share'])} of its users, {percent(trait['overall'])} of all", class_="quiet"
            ),
        )
        for trait in role["traits"]
    ]
    return element("ul", lines, class_="traits")


def names(title: str, values: list[str], most: int, explanation: dict[str, str] | None = None) -> Markup | None:
    """The first names as chips, the others behind a click; with its explanation on pointing at it."""
    if not values:
        return None
    explanation = explanation or {}
    first, others = values[:most], values[most : most + MOST_USERS]
    rest = len(values) - most - len(others)
    more = None
    if others:
        ending = element("li", f"and {count(rest, 'other')}", class_="quiet") if rest > 0 else None
        more = element(
            "details",
            element("summary", f"{len(values) - most:,} more"),
            element("ul", [chip(value, explanation.get(value)) for value in others], ending, class_="chips"),
        )
    return element(
        "div",
        element("h4", title),
        join([element("ul", [chip(value, explanation.get(value)) for value in first], class_="chips"), more]),
    )


def chip(value: str, explanation: str | None = None) -> Markup:
    return element("li", breakable(value), title=None if explanation is None else clip(explanation, 240))
