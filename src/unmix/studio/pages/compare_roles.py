"""Two runs of roles side by side: which roles survived, what each costs to manage, who came, moved and left."""

from __future__ import annotations

from typing import Any, NamedTuple

from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import clip, count, number, percent
from unmix.report.frame import Section
from unmix.report.headline import tile
from unmix.studio.pages.compare import command_section, comparison, settings_section, side_by_side
from unmix.studio.pages.files import file_list
from unmix.studio.pages.home import settings_line, verdict_line
from unmix.studio.store.options import OPTIONS, read_options
from unmix.studio.store.workspace import Record

FILES = {
    "roles.csv": "roles the same, changed, appeared, vanished",
    "grants.csv": "who gained or lost what in the access, and by which role",
    "people.csv": "joiners, movers, leavers",
    "change.json": "all of it",
}
MOST_LISTED = 200  # lines of a table; all of them are in the files
CAUSES = {
    "joiner": "came",
    "leaver": "left",
    "assignment": "another role",
    "role changed": "the role changed",
    "single": "a single grant",
}


class Side(NamedTuple):
    """A run, the names of all files by their identifiers, what it has, how many steps its review took, its folder."""

    run: Record
    files: dict[str, str]
    seen: dict[str, Any]
    n_steps: int
    folder: str


def compare_roles_page(old: Side, new: Side, change: dict[str, Any]) -> str:
    title, words = survived(change)
    sections: list[Section] = [
        ("sides", "Side by side", side_by_side(side("Before", old), side("Now", new))),
        ("settings", "Settings", settings_section(settings(old), settings(new))),
        ("roles", "Roles", roles_section(old, new, change)),
        ("people", "People", people_section(change)),
        ("grants", "Access", grants_section(old, new, change)),
        ("files", "Files", files(old, new)),
        ("reproduce", "As a command", command(old, new)),
    ]
    return comparison(title, words, sections)


def survived(change: dict[str, Any]) -> tuple[str, str]:
    """How many of the roles before are there now, and whether the access itself changed."""
    before, now = change["roles"]
    same, changed = len(change["same"]), len(change["drifted"])
    parts = [f"{same} the same", f"{changed} changed", f"{len(change['appeared'])} appeared"]
    words = (
        f"{count(before, 'role')} before, {number(now)} now: {', '.join(parts)}, {len(change['vanished'])} vanished."
    )
    gained, lost = len(change["gained"]), len(change["lost"])
    access = (
        f" In the access itself {count(gained, 'grant')} came and {number(lost)} went."
        if gained or lost
        else " Both are of the same access: nobody had more or less."
    )
    if same == before == now:
        return f"{'The role' if now == 1 else f'All {now} roles'} stayed the same", words + access
    return ("No role" if not same else f"{same} of {count(before, 'role')}") + " stayed the same", words + access


def side(name: str, of: Side) -> Markup:
    cost, counts, conflicts = of.seen["cost"], of.seen["counts"], of.seen["conflicts"]
    tiles = [
        tile("To manage", number(cost["total"]), f"instead of {count(counts['grants'], 'grant')}"),
        tile("Roles", number(cost["roles"]), f"with {count(cost['role_permissions'], 'permission')}"),
        tile("Assignments", number(cost["assignments"]), f"to {count(counts['users'], 'user')}"),
        tile("Single grants", number(cost["direct"]), "beside the roles"),
        tile(
            "Users would get", f"+{number(counts['gained'])} −{number(counts['lost'])}", "against the access as it was"
        ),
        tile("Conflicts", number(conflicts), "of duties") if conflicts is not None else None,
    ]
    reviewed = f" · after {count(of.n_steps, 'step')} of review" if of.n_steps else ""
    return element(
        "article",
        element("p", name, class_="quiet"),
        element("h3", element("a", verdict_line(of.run), href=f"/runs/{of.run['id']}")),
        element("p", clip(of.files.get(of.run["of"], ""), 60), " · ", settings_line(of.run), reviewed, class_="quiet"),
        element("dl", tiles, class_="tiles"),
        class_="card",
    )


def moved(counts: dict[str, int]) -> str:
    """What users would gain and lose by these roles."""
    if not counts["gained"] and not counts["lost"]:
        return "as now"
    return f"+{number(counts['gained'])} −{number(counts['lost'])}"


def settings(of: Side) -> dict[str, Any]:
    """With the names of other files; a file that is gone is said to be."""
    forms, given = OPTIONS["roles"], read_options("roles", of.run["query"])
    return {
        name.replace("_", " "): [of.files.get(one, "a file that is gone") for one in values]
        if forms[name] == "file"
        else values
        for name, values in given.items()
    }


def roles_section(old: Side, new: Side, change: dict[str, Any]) -> Markup:
    """Those that changed first, then what came and went, then the same."""
    then, now = old.seen["names"], new.seen["names"]
    lines = [
        [called(then[d["old"]], now[d["new"]]), f"changed, {percent(d['overlap'])} in common", listed(d["added"]),
         listed(d["removed"]), users(d["users_before"], d["users_after"])]
        for d in change["drifted"]
    ]  # fmt: skip
    had, have = old.seen["users"], new.seen["users"]
    lines += [[clip(name, 80), "appeared", "", "", users(0, have[name])] for name in change["appeared"]]
    lines += [[clip(name, 80), "vanished", "", "", users(had[name], 0)] for name in change["vanished"]]
    lines += [
        [called(then[a], now[b]), "the same", "", "", users(had[then[a]], have[now[b]])] for a, b in change["same"]
    ]
    intro = "Roles are matched by what they hold and by who has them; a new name alone is no change."
    head = ["Role", "What became of it", "Permissions added", "Permissions removed", "Users"]
    return section("roles", "What became of the roles", intro, "Roles before and now", head, lines)


def users(before: int, now: int) -> str:
    return f"{number(before)}\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}{number(now)}"


def called(then: str, now: str) -> str:
    return clip(then, 80) if then == now else f"{clip(then, 60)} → {clip(now, 60)}"


def listed(names: list[str]) -> str:
    rest = len(names) - 6
    return ", ".join(clip(name, 40) for name in names[:6]) + (f" and {rest} more" if rest > 0 else "")


def people_section(change: dict[str, Any]) -> Markup | None:
    lines = [[user, "came", "", ""] for user in change["joiners"]] + [
        [user, "left", "", ""] for user in change["leavers"]
    ]
    for one in change["movers"]:
        attributes = "; ".join(f"{name} {was} → {has}" for name, was, has in one["attributes"])
        lines.append([one["user"], f"moved{f' ({attributes})' if attributes else ''}", listed(one["left"]),
                      listed(one["joined"])])  # fmt: skip
    lines += [[user, "has what they had, by other roles", "", ""] for user in change["reassigned"]]
    if not lines:
        return None
    intro = f"{count(change['users'][0], 'user')} before, {number(change['users'][1])} now."
    head = ["User", "What changed", "Roles left", "Roles taken up"]
    return section("people", "Who came, moved and left", intro, "People", head, lines)


def grants_section(old: Side, new: Side, change: dict[str, Any]) -> Markup | None:
    """What no role explains first: an auditor begins there."""
    marked = [("gained", new, one) for one in change["gained"]] + [("lost", old, one) for one in change["lost"]]
    marked.sort(key=lambda line: (line[0] == "lost", line[2]["explained"]))
    lines = [
        [one["user"], clip(one["permission"], 80), what, CAUSES[one["cause"]],
         clip(of.seen["names"].get(one["role"], "–"), 60)]
        for what, of, one in marked
    ]  # fmt: skip
    if not lines:
        return None
    intro = "Grants that one access list has and the other has not, those that no role explains first."
    head = ["User", "Permission", "What", "Why", "By the role"]
    return section("grants", "What changed in the access", intro, "Grants gained and lost", head, lines)


def section(anchor: str, title: str, intro: str, caption: str, head: list[str], lines: list[list[Any]]) -> Markup:
    """A table without the columns that nothing stands in."""
    filled_columns = [j for j in range(len(head)) if any(line[j] for line in lines)]
    head, lines = [head[j] for j in filled_columns], [[line[j] for j in filled_columns] for line in lines]
    rest = len(lines) - MOST_LISTED
    more = element("p", f"{number(rest)} more are in the files.", class_="quiet") if rest > 0 else None
    shown = table(caption, head, lines[:MOST_LISTED])
    return element("section", element("h2", title), element("p", intro, class_="intro"), shown, more, id=anchor)


def files(old: Side, new: Side) -> Markup:
    listed = file_list(FILES, "/compare", f"?old={old.run['id']}&new={new.run['id']}")
    return element("section", element("h2", "Files"), listed, id="files")


def command(old: Side, new: Side) -> Markup:
    if not old.n_steps and not new.n_steps:
        return command_section(["unmix", "roles", "compare", old.folder, new.folder])
    intro = "With steps of a review: save roles.json of both runs, each in a folder of its own, and name the folders."
    return command_section(["unmix", "roles", "compare", "before", "now"], intro)
