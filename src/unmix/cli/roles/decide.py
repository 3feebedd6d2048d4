"""`unmix roles decide DIR` records what reviewers decide on roles and exceptions, in a file that outlives mining."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Any

import click

from unmix.cli.roles.lines import plural, printable
from unmix.cli.terminal.console import refusals, user_errors

DECISIONS = click.option(
    "--decisions", "file", type=click.Path(path_type=Path), default=Path("decisions.json"), show_default=True,
    help="The decision file; it is made if there is none.",
)  # fmt: skip
MOST_LISTED = 20


@click.command(short_help="Record decisions on roles and exceptions.")
@click.argument("directory", type=click.Path(path_type=Path))
@DECISIONS
@click.option("--accept", multiple=True, metavar="ROLE", help="Accept a role, by its id; may be given again.")
@click.option("--reject", multiple=True, metavar="ROLE", help="Reject a role: it is not proposed again.")
@click.option("--reopen", multiple=True, metavar="ROLE", help="Take a decision on a role back.")
@click.option("--accept-all", is_flag=True, help="Accept every role that is open or has changed.")
@click.option("--rename", multiple=True, nargs=2, metavar="ROLE NAME", help="Give a role a name.")
@click.option("--describe", multiple=True, nargs=2, metavar="ROLE TEXT", help="Say what a role is for.")
@click.option(
    "--accept-exception", multiple=True, nargs=2, metavar="USER PERMISSION", help="An exception is right as it is."
)
@click.option(
    "--reject-exception", multiple=True, nargs=2, metavar="USER PERMISSION", help="An exception is wrong: to be mended."
)
@click.option("--comment", help="Why; kept with every decision of this call.")
@click.option("--by", help="Who decides.  [default: the user of this machine]")
def decide(directory: Path, file: Path, by: str | None, comment: str | None, **asked: Any) -> None:
    """Record decisions on the roles and exceptions in DIRECTORY; without any, say what is open.

    \b
    unmix roles decide out --accept R01 --rename R01 "Sales clerk" --by ann
    unmix roles decide out --reject R07 --comment "two teams, not one"
    unmix roles decide out --reject-exception eve payroll:approve
    unmix roles access.csv -o out --decisions decisions.json
    """
    with user_errors(), refusals():
        from unmix.roles.access.folder import read_document
        from unmix.roles.explanation.annotate import annotate
        from unmix.roles.review.file import read_decisions, write_decisions
        from unmix.roles.review.register import review

        tree = read_document(directory)
        before = review(tree, read_decisions(file) if file.exists() else None)
        said = {"comment": comment, "by": by or user_name()}
        after = decided(before, tree, asked, said)
        if after is not before:
            write_decisions(after, file)
        elif comment:
            raise ValueError("--comment needs something to comment on; give --accept, --reject, --rename or another.")
        click.echo("\n".join(printable(line) for line in state(annotate(tree, after), file, after is not before)))


def decided(made: Any, tree: dict[str, Any], asked: dict[str, Any], said: dict[str, Any]) -> Any:
    """The decisions with those of this call."""
    from unmix.roles.explanation.annotate import annotate
    from unmix.roles.explanation.what_if import as_number
    from unmix.roles.review.decisions import decide_exception, decide_role

    ids = {as_number(role.id): role.id for role in made.roles}
    states = [("accept", "accepted"), ("reject", "rejected"), ("reopen", "open")]
    wanted = [(role, status) for option, status in states for role in asked[option]]
    if asked["accept_all"]:
        shown = annotate(tree, made)["roles"]
        wanted += [(role["id"], "accepted") for role in shown if role["review"]["status"] in ("open", "changed")]
    twice = [role for role, _ in wanted if len({status for other, status in wanted if other == role}) > 1]
    if twice:
        raise ValueError(
            f"The role {twice[0]!r} is to be two things at once; give one of --accept, --reject, --reopen."
        )
    for role, status in wanted:
        made = decide_role(
            with_content(made, tree, ids.get(as_number(role), role)), ids.get(as_number(role), role), status, **said
        )
    for option, key in (("rename", "name"), ("describe", "description")):
        for role, text in asked[option]:
            made = decide_role(made, ids.get(as_number(role), role), **{key: text}, **said)
    for option, status in (("accept_exception", "accepted"), ("reject_exception", "rejected")):
        for user, permission in asked[option]:
            made = decide_exception(made, listed(tree, user, permission), status, **said)
    return made


def with_content(made: Any, tree: dict[str, Any], name: str) -> Any:
    """The decisions with a role as it is in these results: what is decided now is decided on that."""
    from dataclasses import replace

    today = {role["id"]: frozenset(role["permissions"]) for role in tree["roles"]}
    roles = tuple(
        replace(role, permissions=today[name]) if role.id == name and name in today else role for role in made.roles
    )
    return replace(made, roles=roles)


def listed(tree: dict[str, Any], user: str, permission: str) -> dict[str, Any]:
    for entry in tree["exceptions"]:
        if (entry["user"], entry["permission"]) == (user, permission):
            found: dict[str, Any] = entry
            return found
    raise ValueError(f"There is no exception of {user!r} with {permission!r}; exceptions.csv lists those there are.")


def state(tree: dict[str, Any], file: Path, written: bool) -> list[str]:
    """How far the review is, and what is open."""
    review, roles = tree["review"], tree["roles"]
    n, entries = review["roles"], review["exceptions"]
    lines = [
        f"Roles: {n['accepted']} accepted, {n['changed']} accepted but changed since, {n['open']} open, "
        f"{len(review['rejected_roles'])} rejected.",
        f"Exceptions: {entries['accepted']} accepted, {entries['rejected']} to be mended, {entries['open']} open.",
    ]
    if n["rejected"]:
        lines.append("Rejected roles are still in these results; mine again with the decisions.")
    todo = [role for role in roles if role["review"]["status"] in ("changed", "open")]
    lines += [f"  {role['review']['status']}: {role['name']} ({plural(role['n_users'], 'user')}, "
              f"{plural(len(role['permissions']), 'permission')})" for role in todo[:MOST_LISTED]]  # fmt: skip
    lines += [f"  and {len(todo) - MOST_LISTED} more roles"] if len(todo) > MOST_LISTED else []
    if written:
        lines += ["", f"Written to {file}. Mine with it: unmix roles ACCESS --decisions {file}"]
    return lines


def user_name() -> str | None:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return None
