"""`unmix roles compare OLD NEW` says who came, moved and left, which grants and roles changed, and why."""

from __future__ import annotations

import json
from pathlib import Path

import click

from unmix.cli.roles.change_lines import change_lines
from unmix.cli.roles.lines import printable
from unmix.cli.terminal.console import FORCE, refusals, user_errors


@click.command(short_help="Say what changed from one access list to another.")
@click.argument("old")
@click.argument("new")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for people.csv, grants.csv, roles.csv, change.json."
)
@FORCE
def compare(old: str, new: str, as_json: bool, out: Path | None, force: bool) -> None:
    """Say what changed from OLD to NEW: joiners, movers, leavers; grants gained and lost; roles that changed.

    Each is a folder that `unmix roles` wrote, or a file of who has what; roles are compared where both have them.

    \b
    unmix roles compare roles-march roles-april
    unmix roles compare march.csv april.csv --json
    """
    with user_errors(), refusals():
        from unmix.core.storage.folder import Results, replacing_folder
        from unmix.exploration.findings.output import check_directory, told_of
        from unmix.roles.change.compare import compare as compare_states
        from unmix.roles.change.tables import write_change

        results = Results(r"change\.json", r"((people|grants|roles)\.csv|change\.json)")
        if out is not None:
            check_directory(out, results, force)
        found = compare_states(old, new)
        if out is not None:
            with told_of(out), replacing_folder(out, results) as scratch:
                write_change(found, scratch)
        if as_json:
            click.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=1))
            return
        click.echo("\n".join(printable(line) for line in change_lines(found)))
        if out is not None:
            click.echo(f"\nWritten to {out}: people.csv, grants.csv, roles.csv, change.json")
