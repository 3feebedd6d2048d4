"""A card per role: who has it, what it holds, what its users have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from unmix.report.drawing.marks import colour_class
from unmix.report.drawing.markup import Markup, element, join
from unmix.report.drawing.numbers import breakable, clip, count, percent
from unmix.report.roles.matrix import rank_roles

NUMBERED_ROLE = re.compile(r"R\d+( |$)")
MOST_SHOWN = 12
MOST_USERS = 300  # of a role are listed by name; all of them are in assignments.csv


def role_cards(tree: dict[str, Any]) -> Markup:
    return roles_section(
        "What each role holds and who has it, those that explain most first.", list(cards_of(tree, card))
    )


def roles_section(words: str, cards: list[Markup], nothing: str | None = None) -> Markup:
    """All cards with a field to find some of them, or words for where there are none."""
    label = "Find a role, permission or user"
    return element(
        "section",
        element("h2", "The roles"),
        element("p", words, class_="intro"),
        element(
            "p",
            element("label", label, for_="find-role", class_="spoken"),
            element("input", type="search", id="find-role", placeholder=label),
            element("span", role="status", class_="quiet found"),
            class_="find",
            hidden=True,
        ),
        element("p", nothing, class_="quiet") if nothing and not cards else element("div", cards, class_="cards roles"),
        id="roles",
    )


def cards_of(tree: dict[str, Any], card: Callable[..., Markup]) -> Iterator[Markup]:
    """Those that explain most first: `card(k, role, its users, tree)` for each role."""
    users: dict[str, list[str]] = {}
    for user, held in tree["assignments"].items():
        for name in held:
            users.setdefault(name, []).append(user)
    roles = tree["roles"]
    yield from (card(k, roles[k], users.get(roles[k]["name"], []), tree) for k in rank_roles(roles))


def card(
    k: int,
    role: dict[str, Any],
    users: list[str],
    tree: dict[str, Any],
    mark: Markup | None = None,
    state: Markup | None = None,
    below: Markup | None = None,
    **attributes: str,
) -> Markup:
    """A mark before its name, its state behind it and what stands below are those of whoever works with it."""
    swatch = element("span", class_=f"swatch {colour_class(k)}", aria_hidden="true")
    return element(
        "article",
        element(
            "header",
            element("h3", mark, swatch, element("span", breakable(clip(role["name"]))), state),
            element("p", facts(role, tree), class_="quiet"),
        ),
        element("p", clip(role["description"], 240)) if role.get("description") else None,
        described(role),
        names("Permissions", role["permissions"], MOST_SHOWN, tree.get("descriptions")),
        names("Users", users, 6),
        contained(role),
        element("p", element("a", "Show in the picture", href="#picture", data_role=str(k)), class_="jump"),
        below,
        class_="card",
        **{"id": f"role-{k}"} | attributes,
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
