"""A card for each role under review: what it holds, who has it, and what can be done with it."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.marks import colour_class
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import breakable, clip
from unmix.report.roles.cards import MOST_SHOWN, contained, described, facts, finder, names, users_of_roles
from unmix.report.roles.matrix import rank_roles
from unmix.studio.pages.frame import chip

MOST_SPLIT = 400  # permissions that can be marked


def roles_section(tree: dict[str, Any], status: dict[str, str]) -> Markup:
    users, roles = users_of_roles(tree), tree["roles"]
    cards = [card(k, roles[k], users.get(roles[k]["name"], []), tree, status) for k in rank_roles(roles)]
    nothing = "No role is left: what users have stays with them as single grants, or is taken away."
    return element(
        "section",
        element("h2", "The roles"),
        element("p", "Those that explain most first. What a step costs is shown before it is taken.", class_="intro"),
        finder(),
        element("div", cards, class_="cards roles") if cards else element("p", nothing, class_="quiet"),
        id="roles",
    )


def card(k: int, role: dict[str, Any], users: list[str], tree: dict[str, Any], status: dict[str, str]) -> Markup:
    key, name = role["id"], role["name"]
    box = element("input", type="checkbox", name="role", value=key, aria_label=f"Mark {clip(name)}")
    return element(
        "article",
        element(
            "header",
            element(
                "h3",
                box,
                element("span", class_=f"swatch {colour_class(k)}", aria_hidden="true"),
                element("span", breakable(name)),
                chip("accepted") if status.get(key) == "accepted" else None,
            ),
            element("p", facts(role, tree), class_="quiet"),
        ),
        described(role),
        names("Permissions", role["permissions"], MOST_SHOWN),
        names("Users", users, 6),
        contained(role),
        element("p", element("a", "Show in the picture", href="#picture", data_role=str(k)), class_="jump"),
        actions(role, status.get(key) == "accepted"),
        class_="card",
        id=f"role-{key}",
        data_key=key,
        data_name=clip(name),
    )


def actions(role: dict[str, Any], accepted: bool) -> Markup:
    do, word = ("reopen", "Open again") if accepted else ("accept", "Accept")
    label = clip(role["name"])
    return element(
        "div",
        element(
            "p",
            element("button", word, type="button", data_do=do, aria_label=f"{word} {label}"),
            element("button", "Reject", type="button", data_do="reject", data_keep="yes",
                    aria_label=f"Reject {label}, what it gave stays as single grants"),
            element("button", "Reject with its grants", type="button", data_do="reject",
                    aria_label=f"Reject with its grants: {label}"),
            class_="actions",
        ),
        rename(role),
        split(role) if len(role["permissions"]) > 1 else None,
        class_="role-actions",
    )  # fmt: skip


def rename(role: dict[str, Any]) -> Markup:
    box = element("input", type="text", name="name", value=role["name"], maxlength=120, autocomplete="off",
                  aria_label=f"New name of {clip(role['name'])}")  # fmt: skip
    return element(
        "details",
        element("summary", "Rename"),
        element("p", box, element("button", "Rename", type="button", data_do="rename"), class_="actions"),
    )


def split(role: dict[str, Any]) -> Markup:
    """Marked permissions become a role of their own."""
    boxes = [
        element("li", element("label", element("input", type="checkbox", name="permission", value=one), " ",
                              breakable(one)))
        for one in role["permissions"][:MOST_SPLIT]
    ]  # fmt: skip
    box = element("input", type="text", name="part", maxlength=120, autocomplete="off", placeholder="Name of the part",
                  aria_label=f"Name of what is split off {clip(role['name'])}")  # fmt: skip
    return element(
        "details",
        element("summary", "Split"),
        element("ul", boxes, class_="parts"),
        element("p", box, element("button", "Split off", type="button", data_do="split"), class_="actions"),
    )
