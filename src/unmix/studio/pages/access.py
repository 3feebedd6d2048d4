"""An access file before its roles are mined: what is in it, and what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import count, number, percent
from unmix.report.frame import Section
from unmix.report.headline import tile
from unmix.studio.pages.access_code import python
from unmix.studio.pages.form import (
    Form,
    bring,
    choice_box,
    file_box,
    notices,
    number_box,
    settings_page,
    value,
)
from unmix.studio.store.options import Options
from unmix.studio.store.workspace import Record

PROBLEMS = (
    ("", "exact: everybody keeps what they have"),
    ("infer", "roles behind data that hold errors"),
    ("fewest", "fewer roles, some entries may deviate"),
    ("auto", "exact or inferred, whichever is shorter to tell"),
)
OBJECTIVES = (("", "fewest roles"), ("edges", "fewest assignments"), ("wsc", "least to manage in all"))


def access_page(form: Form) -> str:
    seen, options, others = form.seen, form.options, form.others
    sections: list[Section] = [
        ("question", "Question", question(options)),
        ("beside", "Other files", beside(options, others)),
        ("separation", "Separation of duties", separation(options, seen.get("names", []))),
    ]
    lede = "Who has which permission, one line a grant or a table of 0 and 1: find the roles behind it."
    held = f"{count(seen['users'], 'user')}, {count(seen['permissions'], 'permission')}" if form.able else ""
    said = notices(seen["refused"], seen.get("problems", []))
    code = python(form.table, options, others)
    return settings_page(form, "roles", (lede, held, "Find the roles"), sections, code, tiles(seen), said)


def tiles(seen: dict[str, Any]) -> Markup:
    """Empty where the file could not be read as access."""
    if "users" not in seen:
        return element("div", id="preview")
    filled = seen["grants"] / max(1, seen["users"] * seen["permissions"])
    every = [
        tile("Users", number(seen["users"]), "have something"),
        tile("Permissions", number(seen["permissions"]), "somebody has"),
        tile("Grants", number(seen["grants"]), f"{percent(filled)} of all that could be"),
        tile("Most", number(seen["most"]), "permissions of one user"),
    ]
    return element("dl", every, class_="tiles", id="preview")


def question(options: Options) -> Markup:
    fields = [
        choice_box("problem", "Which roles", options, PROBLEMS),
        choice_box("objective", "What is made small (exact roles)", options, OBJECTIVES),
        number_box("n_roles", "Number of roles (not for exact ones)", options, "as many as needed"),
        number_box("delta", "Deviations allowed (fewer roles)", options, "0", least=0, step="any"),
        number_box("min_users", "Fewest users of a role", options, "1"),
        number_box("min_permissions", "Fewest permissions of a role", options, "1"),
        number_box("max_roles_per_user", "Most roles of a user", options, "no limit"),
        number_box("time_limit", "Seconds, then the best so far", options, "until proven", least=0, step="any"),
        number_box("seed", "Seed", options, "0", least=0),
    ]
    return section("What is asked", "Left empty, the fewest roles that give everybody exactly what they have.", fields,
                   "question")  # fmt: skip


def beside(options: Options, others: list[Record]) -> Markup:
    labels = {
        "attributes": "Users: departments, sites, …",
        "risk": "Risk of permissions",
        "duties": "Rules of separation",
        "keep": "Roles to keep",
        "entitlements": "Permissions: what they are",
        "decisions": "Decision file of an earlier review",
    }
    fields = [file_box(name, label, options, others) for name, label in labels.items()]
    words = "Roles are named by what their users share, entries are ranked by risk, rules are held against everybody."
    return element("div", section("Other files", words, fields, "beside"), bring("Bring another file"))


def separation(options: Options, names: Sequence[str]) -> Markup:
    """Pairs that nobody may hold together; one more line than there are pairs."""
    given = options.get("forbid", [])
    pairs = [*zip(given[::2], given[1::2]), ("", "")]
    lines = [
        element(
            "p",
            [
                element("input", type="text", value=one or None, list="permissions", autocomplete="off",
                        aria_label=f"{which} permission of pair {i + 1}", placeholder="permission")
                for which, one in (("First", a), ("Second", b))
            ],
            class_="pair",
        )
        for i, (a, b) in enumerate(pairs)
    ]  # fmt: skip
    repair = element("input", type="checkbox", id="repair", data_option="repair", value="yes",
                     checked=value(options, "repair") == "yes")  # fmt: skip
    words = "Nobody may hold both permissions of a pair: no role gets both, and users who hold both are listed."
    return element(
        "section",
        element("h2", "Separation of duties"),
        element("p", words, class_="intro"),
        lines,
        element("datalist", [element("option", value=name) for name in names], id="permissions"),
        element("label", repair, " First take the cheapest grants from users in conflict", class_="switch"),
        id="separation",
    )


def section(title: str, words: str, fields: Sequence[Markup], anchor: str) -> Markup:
    inner = element("div", fields, class_="fields")
    return element("section", element("h2", title), element("p", words, class_="intro"), inner, id=anchor)
