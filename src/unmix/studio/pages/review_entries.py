"""Entries to decide: grants that stand out and grants that are missing, each right as it is or to be mended."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import breakable, clip, count, number, percent
from unmix.report.roles.exceptions import KIND_NAMES
from unmix.studio.pages.frame import chip

MOST = 200
# What the two answers mean for each kind of entry: right as it is, wrong and mended.
ANSWERS = {
    "direct": ("Keep", "Revoke"),
    "improbable": ("Keep", "Revoke"),
    "lost": ("Keep", "Let go"),
    "gained": ("Without", "Grant"),
    "missing": ("Without", "Grant"),
}
TITLES = ("User", "Permission", "What", "Wrong with probability", "Risk", "Why it is listed", "Decision")


def entries_section(entries: list[dict[str, Any]], decided: list[list[str]]) -> Markup:
    made = {(user, permission): status for user, permission, status in decided}
    if not entries:
        words = "No grant stands out: every one is explained by a role that several users share."
        return element("section", element("h2", "To decide"), element("p", words, class_="intro"), id="entries")
    still = [one for one in entries if (one["user"], one["permission"]) not in made]
    done = [one for one in entries if (one["user"], one["permission"]) in made]
    shown = [*still, *done][:MOST]
    left = len(entries) - len(shown)
    return element(
        "section",
        element("h2", "To decide"),
        element("p", f"{count(len(still), 'entry', 'entries')} open, the most probably wrong first.", class_="intro"),
        table("Entries to decide", TITLES, [line(one, made) for one in shown], class_="entries"),
        element("p", f"{count(left, 'more entry', 'more entries')} in exceptions.csv.", class_="quiet")
        if left > 0
        else None,
        id="entries",
    )


def line(entry: dict[str, Any], made: dict[tuple[str, str], str]) -> list[Any]:
    status = made.get((entry["user"], entry["permission"]))
    words = dict(zip(("accepted", "rejected"), ANSWERS[entry["kind"]]))
    data = {"data_user": entry["user"], "data_permission": entry["permission"], "data_kind": entry["kind"]}
    who = f"{clip(entry['permission'], 60)} of {clip(entry['user'], 60)}"
    buttons = [
        element("button", word, type="button", data_do="decide", data_status=one, aria_label=f"{word}: {who}", **data)
        for one, word in words.items()
        if one != status
    ]
    why = element("button", "Why?", type="button", class_="plain", data_why=True, aria_label=f"Why: {who}", **data)
    return [
        breakable(entry["user"]),
        breakable(entry["permission"]),
        KIND_NAMES[entry["kind"]],
        percent(entry["probability"]),
        number(entry["risk"], 2),
        element("span", clip(entry["reason"], 200), " ", why),
        element("div", chip(words[status].lower()) if status else None, buttons, class_="decision"),
    ]
