"""Separation of duties on the page: the rules, who is in conflict, what causes it and the cheapest way out."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import breakable, clip, count, number

MOST = 100
TITLES = ("User", "Rule", "Holds", "By", "Cheapest repair", "Permissions lost")


def role_duties(tree: dict[str, Any]) -> Markup | None:
    """Nothing where no rules were given."""
    if not tree.get("duties"):
        return None
    before, after = tree["conflicts_before"], tree["conflicts"]
    return element(
        "section",
        element("h2", "Separation of duties"),
        element("p", said(tree), class_="intro"),
        grid("With the roles", after) if after else None,
        grid("In the access as it is", before) if before else None,
        id="duties",
    )


def said(tree: dict[str, Any]) -> str:
    rules, before, after = len(tree["duties"]), tree["conflicts_before"], tree["conflicts"]
    users = len({one["user"] for one in before})
    today = f"{count(users, 'user')} hold what a rule forbids" if users != 1 else "1 user holds what a rule forbids"
    sentences = [f"{count(rules, 'rule')}: {today if before else 'nobody holds what a rule forbids'}."]
    if tree["repaired"]:
        sentences.append(f"{count(len(tree['repaired']), 'grant')} were taken before mining to end it.")
    if after:
        sentences.append(f"With these roles {count(len({one['user'] for one in after}), 'user')} would be in conflict.")
    elif before:
        sentences.append("With these roles nobody would be in conflict.")
    return " ".join(sentences)


def grid(title: str, rows: list[dict[str, Any]]) -> Markup:
    body = [
        (
            breakable(row["user"]),
            breakable(clip(row["rule"], 80)),
            clip(", ".join(row["held"]), 120),
            clip("; ".join(f"{cause['from']}: {', '.join(cause['members'])}" for cause in row["causes"]), 160),
            clip(", ".join(f"take {step['take']}" for step in row["repair"]), 120),
            number(row["lost"]),
        )
        for row in rows[:MOST]
    ]
    more = f"{count(len(rows) - MOST, 'more conflict')} in conflicts.csv." if len(rows) > MOST else None
    return element(
        "div",
        element("h3", title),
        table(f"Conflicts: {title.lower()}", TITLES, body, class_="conflicts"),
        element("p", more, class_="quiet") if more else None,
        class_="apart",
    )
