"""`unmix compare OLD NEW` says whether the structure of a table changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from unmix.cli.terminal.console import progress, refusals, user_errors
from unmix.cli.terminal.lean_start import load_scikit_learn

if TYPE_CHECKING:
    from unmix.exploration.comparison.result import Comparison


@click.command(short_help="Say whether the structure of a table changed.")
@click.argument("old")
@click.argument("new")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def compare(old: str, new: str, as_json: bool) -> None:
    """Say whether the structure of a table changed: groups that stayed, moved, appeared or vanished.

    OLD is a folder that `unmix explore` wrote, NEW another one or a table, which is then explored in the same way. Only
    what tables drawn again from the old one do not show is called a change.

    \b
    unmix compare unmix-march unmix-april
    unmix compare unmix-march april.csv --json
    """
    load_scikit_learn()
    with user_errors(), refusals():
        from unmix.exploration.comparison.compare import compare as compare_tables

        with progress("explore") as say:
            found = compare_tables(old, new, progress=say)
        print_comparison(found, as_json)


def print_comparison(found: Comparison, as_json: bool) -> None:
    click.echo(json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) if as_json else repr(found))
