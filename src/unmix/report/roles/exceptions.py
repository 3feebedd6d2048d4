"""What an auditor should look at: birthright access, exceptions with their reasons, users who fit no role."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import breakable, clip, count, number, percent

FIRST = 50  # rows without a script; with one, all can be searched
MOST_OUTLIERS = 100
KIND_NAMES = {
    "direct": "single grant beside the roles",
    "lost": "not given by the roles",
    "gained": "added by the roles",
    "improbable": "probably wrong",
    "missing": "probably missing",
}
TITLES = ("User", "Permission", "What", "Probability", "Risk", "Why")


def role_exceptions(tree: dict[str, Any]) -> Markup:
    rows = tree["exceptions"]
    if not rows:
        caption = "No single grant stands out from what users with the same roles have."
        if not tree["outliers"]:
            caption = "Every grant is explained by a role that several users share."
        body: list[Any] = [element("p", caption, class_="intro")]
    else:
        caption = f"{count(len(rows), 'entry', 'entries')}, the most probably wrong first. Click a title to sort."
        body = [element("p", caption, class_="intro"), search(), grid(rows)]
    return element("section", element("h2", "Exceptions"), body, outliers(tree["outliers"]), id="exceptions")


def search() -> Markup:
    return element(
        "p",
        element("label", "Search the exceptions", for_="find-exception", class_="spoken"),
        element("input", type="search", id="find-exception", placeholder="Search the exceptions"),
        element("span", role="status", class_="quiet found"),
        class_="find",
        hidden=True,
    )


def grid(rows: list[dict[str, Any]]) -> Markup:
    body = [
        (
            breakable(row["user"]),
            breakable(row["permission"]),
            KIND_NAMES[row["kind"]],
            percent(row["probability"]),
            number(row["risk"], 2),
            clip(row["reason"], 200),
        )
        for row in rows[:FIRST]
    ]
    more = f"{count(len(rows) - FIRST, 'more entry', 'more entries')} in exceptions.csv." if len(rows) > FIRST else None
    return element(
        "div", table("Exceptions", TITLES, body, class_="exceptions"), element("p", more, class_="quiet rest")
    )


def outliers(rows: list[dict[str, Any]]) -> Markup | None:
    """Users most of whose access is their own."""
    if not rows:
        return None
    body = [
        (breakable(row["user"]), number(row["grants"]), number(row["explained"]), row["reason"])
        for row in rows[:MOST_OUTLIERS]
    ]
    title = "Users who fit no role"
    caption = "Most of what they have, nobody else with their roles has: look at them one by one."
    more = f"{count(len(rows) - MOST_OUTLIERS, 'more user')} in exceptions.csv." if len(rows) > MOST_OUTLIERS else None
    grid = table(title, ("User", "Permissions", "From shared roles", "Why"), body, class_="outliers")
    return element(
        "div",
        element("h3", title),
        element("p", caption, class_="intro"),
        element(
            "details",
            element("summary", count(len(rows), "user")),
            grid,
            element("p", more, class_="quiet"),
            open=len(rows) <= 12,
        ),
        class_="apart",
    )


def birthright(tree: dict[str, Any]) -> Markup | None:
    """What nearly everybody has."""
    rows = tree["birthright"]
    if not rows:
        return None
    chips = [
        element("li", breakable(row["permission"]), element("span", f" {lacking(row['without'])}", class_="quiet"))
        for row in rows[:60]
    ]
    more = element("li", f"and {len(rows) - 60:,} more", class_="quiet") if len(rows) > 60 else None
    return element(
        "section",
        element("h2", "What nearly everybody has"),
        element("p", "Birthright access: give it to every user when they start, outside any role.", class_="intro"),
        element("ul", chips, more, class_="chips wide"),
        id="birthright",
    )


def lacking(without: int) -> str:
    return "everybody" if not without else f"all but {number(without)}"
