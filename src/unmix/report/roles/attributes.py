"""What attributes of users say on the page: rules of roles, birthright of kinds of users, roles that fit others."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.markup import Markup, element, join, table
from unmix.report.drawing.numbers import breakable, clip, count, number, percent
from unmix.roles.description.conditions import in_words
from unmix.roles.meaning.rules import MOSTLY_RIGHT

MOST_RULES = 200
MOST_KINDS = 60
MOST_MISFITS = 100
MOST_PERMISSIONS = 6  # of one kind of user that are named


def by_attribute(tree: dict[str, Any]) -> Markup | None:
    """Nothing where no attributes were given, or they say nothing."""
    parts = [rules(tree), birthright_of_kinds(tree), misfits(tree)]
    if not any(parts):
        return None
    caption = "Who holds what as attributes of users tell it, with how often that is right."
    return element(
        "section", element("h2", "By attributes"), element("p", caption, class_="intro"), parts, id="attributes"
    )


def rules(tree: dict[str, Any]) -> Markup | None:
    """Rules beside roles; precision and recall are drawn towards the share among all where users are few."""
    found = tree.get("rules") or []
    listed = [rule for rule in found if rule["precision"] >= MOSTLY_RIGHT]
    if not listed:
        return None
    weak = len(found) - len(listed)
    less = f" {count(weak, 'more is', 'more are')} only less rare among some users (roles.json)." if weak else ""
    rows = [
        (
            breakable(rule["role"]),
            breakable(f"everyone with {words(rule['condition'])}"),
            percent(rule["precision"]),
            f"{number(rule['both'])} of {number(rule['users'])}",
            percent(rule["recall"]),
            f"{number(rule['both'])} of {number(rule['holders'])}",
        )
        for rule in listed[:MOST_RULES]
    ]
    titles = ("Role", "Goes to", "Precision", "Of these hold it", "Recall", "Of its holders are these")
    caption = (
        f"{count(len(listed), 'role')} of {number(len(tree['roles']))} can be given by a rule. Precision is the share "
        "of those it names who hold the role, recall the share of its holders whom it names, both estimated with "
        f"caution where users are few.{less}"
    )
    body = table("Rules on attributes", titles, rows, class_="rules")
    return apart("Rules", caption, body, len(listed) - MOST_RULES, "rule")


def birthright_of_kinds(tree: dict[str, Any]) -> Markup | None:
    """What nearly all users of a department, site or title have and others do not, a line each."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for entry in tree.get("attribute_birthright") or []:
        kinds.setdefault(words(entry["condition"]), []).append(entry)
    if not kinds:
        return None
    rows = [
        (
            breakable(kind),
            permissions(entries),
            f"{span([entry['holders'] for entry in entries])} of {number(entries[0]['users'])}",
            span([round(100 * entry["others"]) for entry in entries]) + "\N{NO-BREAK SPACE}%",
        )
        for kind, entries in list(kinds.items())[:MOST_KINDS]
    ]
    titles = ("Users with", "Nearly all have", "Have it", "Others have it")
    body = table("Birthright by attribute", titles, rows, class_="kinds")
    caption = "Access that comes with a department, a site or a title: it can be given to everybody of that kind."
    return apart("Birthright by attribute", caption, body, len(kinds) - MOST_KINDS, "kind of user", "kinds of user")


def permissions(entries: list[dict[str, Any]]) -> Markup:
    names = [breakable(entry["permission"]) for entry in entries[:MOST_PERMISSIONS]]
    rest = f" and {number(len(entries) - MOST_PERMISSIONS)} more" if len(entries) > MOST_PERMISSIONS else None
    return join([join(names, ", "), rest])


def misfits(tree: dict[str, Any]) -> Markup | None:
    """Users whose roles others with other attributes have, such as movers who kept everything."""
    listed = tree.get("attribute_misfits") or []
    if not listed:
        return None
    rows = [
        (breakable(one["user"]), breakable("; ".join(map(words, one["like"])) or "–"), clip(one["reason"], 240))
        for one in listed[:MOST_MISFITS]
    ]
    titles = ("User", "Has roles of users with", "Why")
    body = table("Users whose roles fit other attributes", titles, rows, class_="misfits")
    caption = "Somebody who moved and kept everything, or whose attributes are out of date."
    return apart("Roles that fit other attributes better", caption, body, len(listed) - MOST_MISFITS, "user")


def apart(title: str, caption: str, body: Markup, rest: int, noun: str, plural: str | None = None) -> Markup:
    several = f"more {plural}" if plural else None
    more = element("p", f"{count(rest, f'more {noun}', several)} in roles.json.", class_="quiet") if rest > 0 else None
    return element("div", element("h3", title), element("p", caption, class_="intro"), body, more, class_="apart")


def words(condition: list[list[str]]) -> str:
    return in_words(tuple((name, value) for name, value in condition))


def span(values: list[int]) -> str:
    """One number, or the least and the greatest."""
    low, high = min(values), max(values)
    return number(low) if low == high else f"{number(low)}–{number(high)}"
