"""Mined roles on one page: the picture, roles to accept, change or reject, entries to decide, and the review so far."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.marks import N_COLOURS
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import count, number
from unmix.report.headline import tile
from unmix.report.roles.duties import role_duties
from unmix.report.roles.exceptions import birthright
from unmix.report.roles.page import effect_on_users, picture, reproduce
from unmix.studio.pages.access import PROBLEMS
from unmix.studio.pages.files import file_list, files_section
from unmix.studio.pages.frame import moment, page
from unmix.studio.pages.review_entries import entries_section
from unmix.studio.pages.review_roles import roles_to_review
from unmix.studio.review.steps import subject
from unmix.studio.store.workspace import Record

FILES = {
    "review.zip": "all of these in one",
    "roles.csv": "role, permission",
    "assignments.csv": "user, role",
    "exceptions.csv": "single grants, and what to look at",
    "conflicts.csv": "users in conflict with rules of separation",
    "changes.csv": "who loses or gains what against the access as it was",
    "steps.csv": "every step: who, when, why, and its cost",
    "decisions.json": "the decision file, for the next mining",
    "roles.json": "all of it, for unmix roles what-if and why",
    "roles.xlsx": "the tables as a workbook",
    "groups.scim.json": "roles as SCIM groups",
    "policy.rego": "roles as a Rego policy",
    "policies.cedar": "roles as Cedar policies",
    "entities.json": "users and roles for Cedar",
    "roles-export.json": "roles in the published form",
    "roles.schema.json": "the schema of that form",
}
MINED = ("report.html", "roles.csv", "assignments.csv", "exceptions.csv", "conflicts.csv", "roles.json")
DONE = {
    "accept": "accepted",
    "reopen": "opened again",
    "rename": "renamed",
    "merge": "merged",
    "split": "split",
    "reject": "rejected",
    "decide": "decided",
}


def review_page(run: Record, table: Record, seen: dict[str, Any], steps: list[Record], who: str) -> str:
    tree = seen["tree"]
    sections: list[tuple[str, str, Markup | None]] = [
        ("picture", "Picture", picture(tree)),
        ("roles", "Roles", roles_to_review(tree, seen["status"])),
        ("duties", "Separation of duties", role_duties(tree)),
        ("entries", "To decide", entries_section(seen["entries"], seen["decided"])),
        ("birthright", "Everybody", birthright(tree)),
        ("review", "Review", review_section(run, steps, who)),
        ("files", "Files", files(run, bool(tree.get("duties")))),
        ("reproduce", "Reproduce", reproduce(tree)),
    ]
    names = [role["name"] for role in tree["roles"]]
    numbers = {"matrix": seen["matrix"], "roles": names, "exceptions": [], "words": {}, "colours": N_COLOURS}
    address = f"/tables/{run['of']}/roles" + (f"?{run['query']}" if run["query"] else "")
    return page(
        count(len(names), "role"),
        headline=headline(seen, len(steps)),
        sections=sections,
        source=table["file"],
        numbers=numbers,
        styles=("roles.css",),
        scripts=("roles_matrix.js", "roles_lists.js", "actions.js"),
        modules=("review.js",),
        tools=element("a", "Settings", href=address, class_="tool"),
        foot=bar(run),
    )


def headline(seen: dict[str, Any], n_steps: int) -> Markup:
    """What there is now, and what it costs beside what was mined and what was there before."""
    tree, now, mined = seen["tree"], seen["cost"], seen["mined"]
    n = tree["counts"]
    before = n["grants"] + len(tree.get("repaired", ()))
    words = effect_on_users(tree) if not n_steps else f"After {count(n_steps, 'step')} of review: {changes(n)}"
    decided = f"{len(seen['decided'])} of {number(len(seen['entries']))}"
    accepted = sum(status == "accepted" for status in seen["status"].values())
    tiles = [
        tile("To manage", number(now["total"]), f"{number(mined['total'])} as mined, {number(before)} grants before"),
        tile("Roles", number(now["roles"]), f"{number(accepted)} accepted"),
        tile("Assignments", number(now["assignments"]), "of roles to users"),
        tile("Single grants", number(now["direct"]), "beside the roles"),
        tile("Entries decided", decided, "that were to be looked at"),
        tile("Conflicts", number(len(tree["conflicts"])), "of duties") if tree.get("duties") else None,
    ]
    return element(
        "section",
        element("h1", f"{count(n['roles'], 'role')} for {count(n['users'], 'user')}"),
        element("p", words, class_="lede"),
        element("dl", tiles, class_="tiles"),
        [element("p", element("strong", "In the data. "), on_page(one), class_="notice") for one in tree["problems"]],
        class_="verdict",
        id="verdict",
    )


def on_page(sentence: str) -> str:
    """An option of the command in the words of the settings."""
    for value, words in PROBLEMS:
        sentence = sentence.replace(f"--problem {value} ", f"“{words}” in the settings ") if value else sentence
    return sentence


def changes(n: dict[str, int]) -> str:
    if not n["lost"] and not n["gained"]:
        return "nobody gains or loses a permission against the access as it was."
    return f"{count(n['lost'], 'grant')} lost and {number(n['gained'])} gained against the access as it was."


def review_section(run: Record, steps: list[Record], who: str) -> Markup:
    """Every step, the last one first, and the way back."""
    name = element("input", type="text", id="who", value=who, maxlength=80, autocomplete="name")
    undo = element("button", "Undo the last step", type="button", id="undo", disabled=not steps)
    lines = [step_line(one) for one in reversed(steps)]
    nothing = "Nothing is decided yet. Accept, rename, merge, split or reject roles above, and decide on entries."
    return element(
        "section",
        element("h2", "The review so far"),
        element("p", "Every step with who took it and what it cost; nothing is written over.", class_="intro"),
        element(
            "div", element("label", element("span", "You are"), name, class_="field"), undo, class_="fields reviewer"
        ),
        element("ol", lines, class_="steps", reversed=True) if lines else element("p", nothing, class_="quiet"),
        id="review",
        data_run=run["id"],
    )


def step_line(one: Record) -> Markup:
    step = one["step"]
    what = DONE[step["do"]] if step["do"] != "decide" else step["status"]
    cost = (one["cost"] or {}).get("sentence") if step["do"] not in ("accept", "reopen", "rename") else None
    return element(
        "li",
        element("strong", what),
        " ",
        subject(step),
        element("span", f" {cost}", class_="quiet") if cost else None,
        element("span", f" “{one['note']}”", class_="quiet") if one["note"] else None,
        element("span", f" {one['who']}, ", moment(one["created"]), class_="quiet when"),
    )


def files(run: Record, rules: bool) -> Markup:
    def listed(names: dict[str, str], folder: str) -> Markup:
        there = {name: words for name, words in names.items() if rules or name != "conflicts.csv"}
        return file_list(there, f"/runs/{run['id']}/{folder}")

    mined = {name: FILES.get(name, "the report, one file to send") for name in MINED}
    behind = element("details", element("summary", "As mined, before the review"), listed(mined, "files"),
                     class_="behind")  # fmt: skip
    return files_section(
        run, element("p", "The result of the review:", class_="intro"), listed(FILES, "review"), behind
    )


def bar(run: Record) -> Markup:
    """At the foot of the window: the step that is thought of, what it would cost, and whether to take it."""
    note = element("input", type="text", id="note", maxlength=500, placeholder="Why (optional)", aria_label="Why")
    step = element(
        "div",
        element("div", element("strong", id="step-is"), " ", element("span", id="step-costs"), role="status"),
        element("details", element("summary", "Who gains or loses what"), element("ul", id="step-moves"), id="moves"),
        element("p", note, element("button", "Do it", type="button", id="do", class_="primary"),
                element("button", "Leave it", type="button", id="leave"), class_="actions"),
        id="step",
        hidden=True,
    )  # fmt: skip
    merge = element("button", "Merge the marked roles", type="button", id="merge", disabled=True)
    hint = element("span", "Mark two roles to merge them.", id="hint", class_="looked-at")
    return element(
        "aside",
        element("div", element("div", hint, merge, class_="choice", id="marked"), step, class_="bar-of-choices"),
        element("p", class_="told wrong", id="told", role="alert"),
        class_="dock",
        aria_label="The next step",
        data_run=run["id"],
    )
