"""Questions to the results of `unmix roles`: why somebody has something, and what if roles went or were merged."""

from __future__ import annotations

from pathlib import Path

import click

from unmix.cli.roles.change_lines import change_lines
from unmix.cli.roles.lines import in_conflict, moved, plural, printable
from unmix.cli.terminal.console import refusals, user_errors


@click.command(short_help="Say why a user has a permission.")
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("user")
@click.argument("permission")
def why(directory: Path, user: str, permission: str) -> None:
    """Say why USER has PERMISSION by the results in DIRECTORY: which roles, who shares it, what is odd.

    \b
    unmix roles why out ann pay:approve
    """
    with user_errors():
        from unmix.roles.access.folder import read_document
        from unmix.roles.explanation.why import why as explain_grant

        with refusals():
            lines = explain_grant(read_document(directory), user, permission)
        click.echo("\n".join(printable(line) for line in lines))


@click.command("what-if", short_help="Say who would lose or gain what.")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--drop", multiple=True, metavar="ROLE", help="Take a role away; may be given again.")
@click.option("--merge", multiple=True, nargs=2, metavar="A B", help="Make one role of two; may be given again.")
@click.option(
    "--compare",
    "other",
    type=click.Path(path_type=Path),
    metavar="DIR2",
    help="Compare with other results.",
)
def what_if(directory: Path, drop: tuple[str, ...], merge: tuple[tuple[str, str], ...], other: Path | None) -> None:
    """Say who would lose or gain what if roles of DIRECTORY were dropped or merged; nothing is written.

    \b
    unmix roles what-if out --drop R03
    unmix roles what-if out --merge R01 R02
    unmix roles what-if out --compare out-of-last-year
    """
    with user_errors():
        from unmix.io.base.errors import TableError
        from unmix.roles.access.folder import read_document
        from unmix.roles.change.compare import compare as compare_states
        from unmix.roles.explanation.what_if import what_if as ask

        with refusals():
            tree = read_document(directory)
            change = ask(tree, drop, merge)
            answer = change_lines(compare_states(tree, read_document(other))) if other else []
        if drop or merge:
            answer = [
                f"Left: {plural(len(change.after['roles']), 'role')}.",
                *moved(change.lost, change.gained),
                *in_conflict(change, tree),
                *answer,
            ]
        if not answer:
            raise TableError("Nothing was asked; give --drop ROLE, --merge A B or --compare DIR2.")
        click.echo("\n".join(printable(line) for line in answer))
