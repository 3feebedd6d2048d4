"""`unmix assign MODEL TABLE` gives the rows of a table the groups of one that was explored."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from unmix.cli.console import clipped, progress, refusals, user_errors
from unmix.cli.lean_start import load_scikit_learn

if TYPE_CHECKING:
    from unmix.exploration.assignment.assign import Assignment


@click.command()
@click.argument("model")
@click.argument("table")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File for the labels.  [default: standard output]")
@click.option("--id", metavar="COLUMN", help="The column that names the rows.  [default: as when explored]")
@click.option("--with-columns", is_flag=True, help="Put the columns of TABLE beside the labels.")
def assign(model: str, table: str, out: Path | None, id: str | None, with_columns: bool) -> None:
    """Give the rows of TABLE the groups that explore found in another table.

    MODEL is the folder that `unmix explore` wrote, or the model.unmix in it. Columns are matched by name, and read and
    scaled as they were. Rows far from all that were seen are marked.

    \b
    unmix assign unmix-penguins new.csv -o labels.csv
    """
    load_scikit_learn()
    with user_errors(), refusals():
        from unmix.exploration.assignment.assign import assign as assign_table

        with progress("assign") as say:
            say("assigning rows")
            found = assign_table(model, table, id=id)
        write(found, out, with_columns)


def write(found: Assignment, out: Path | None, with_columns: bool) -> None:
    """The labels to the file and the summary to standard output, or the labels there and the notes elsewhere."""
    if out is None:
        for note in found.said():
            click.echo(f"unmix: {clipped(note)}", err=True)
        found.write(sys.stdout.buffer, with_columns)
        return
    found.save(out, with_columns)
    click.echo(f"{found!r}\n\nWritten to {out}")
