"""`unmix assign MODEL TABLE` gives the rows of a table the groups of one that was explored."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from unmix.cli.terminal.console import DASK, clipped, on_cluster, progress, refusals, user_errors
from unmix.cli.terminal.lean_start import load_scikit_learn

if TYPE_CHECKING:
    from unmix.exploration.assignment.assign import Assignment


@click.command(short_help="Give new rows the groups that explore found.")
@click.argument("model")
@click.argument("table")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path),
    help="File for the labels, or folder if TABLE is many files.  [default: standard output]",
)  # fmt: skip
@click.option("--id", metavar="COLUMN", help="The column that names the rows.  [default: as when explored]")
@click.option("--with-columns", is_flag=True, help="Put the columns of TABLE beside the labels.")
@DASK
def assign(model: str, table: str, out: Path | None, id: str | None, with_columns: bool, dask: str | None) -> None:
    """Give the rows of TABLE the groups that explore found in another table.

    MODEL is the folder that `unmix explore` wrote, or the model.unmix in it. Columns are matched by name, and read and
    scaled as they were. Rows far from all that were seen are marked. Of a folder or a pattern of files, --out is a
    folder that gets a Parquet file of labels for each, in folders of the same names; with --dask the workers of a
    cluster write them.

    \b
    unmix assign unmix-penguins new.csv -o labels.csv
    unmix assign unmix-sales sales/ -o labels --dask tcp://10.0.0.1:8786
    """
    load_scikit_learn()
    with user_errors(), on_cluster(dask), refusals():
        if goes_to_files(table, out, dask):
            to_files(model, table, out, id, with_columns)
            return
        from unmix.exploration.assignment.assign import assign as assign_table

        with progress("assign") as say:
            say("assigning rows")
            found = assign_table(model, table, id=id)
        write(found, out, with_columns)


def goes_to_files(table: str, out: Path | None, dask: str | None) -> bool:
    """Whether labels are written file by file: those of many files into a folder."""
    from unmix.io.base.errors import TableError
    from unmix.io.given import is_many

    if dask is not None and (out is None or out.suffix == ".csv" or table == "-"):
        raise TableError("--dask needs files for TABLE and a folder for --out, into which workers write the labels.")
    return dask is not None or (is_many(table) and out is not None and out.suffix != ".csv")


def to_files(model: str, table: str, out: Path | None, id: str | None, with_columns: bool) -> None:
    from unmix.exploration.assignment.in_files import assign_files
    from unmix.exploration.findings.output import check_directory
    from unmix.io.data_set.data_set import DataSet

    assert out is not None
    check_directory(out)
    with progress("assign") as say:
        say("assigning rows")
        found = assign_files(model, DataSet(table), out, id=id, with_columns=with_columns)
    click.echo(f"{found!r}\n\nWritten to {out}")


def write(found: Assignment, out: Path | None, with_columns: bool) -> None:
    """The labels to the file and the summary to standard output, or the labels there and the notes elsewhere."""
    if out is None:
        for note in found.said():
            click.echo(f"unmix: {clipped(note)}", err=True)
        found.write(sys.stdout.buffer, with_columns)
        return
    found.save(out, with_columns)
    click.echo(f"{found!r}\n\nWritten to {out}")
