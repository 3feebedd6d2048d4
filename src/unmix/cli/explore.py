"""`unmix explore TABLE` prints what it found, and writes labels, model and report into a folder."""

from __future__ import annotations

import shlex
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unmix.cli.terminal.console import DASK, FORCE, SEED, on_cluster, plain_name, progress, user_errors
from unmix.cli.terminal.lean_start import importing, load_scikit_learn

if TYPE_CHECKING:
    from unmix.exploration.findings.records import Findings


@click.command(short_help="Say what a table holds, and how sure that is.")
@click.argument("table")
@click.option("--replay", metavar="REPORT", help="Settings of an earlier report.html; what changed is said at the end.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for the results.  [default: unmix-NAME here]"
)
@SEED
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON, and write files only with --out.")
@click.option("--quiet", is_flag=True, help="Print neither progress nor summary: only write the files.")
@click.option("--max-k", type=int, help="Largest number of clusters considered.  [default: 10]")
@click.option("-k", "--k", type=int, help="Make so many clusters, and say what the table itself speaks for.")
@click.option("--use", multiple=True, metavar="COLUMN", help="Form clusters by this column (repeat) and no others.")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Leave this column out (repeat).")
@click.option("--describe", multiple=True, metavar="COLUMN", help="Only describe clusters by this column (repeat).")
@click.option("--type", "types", multiple=True, metavar="COLUMN=KIND", help="What a column is: zip=category (repeat).")
@click.option("--target", metavar="COLUMN", help="The column others are to explain; it only describes clusters.")
@click.option("--id", metavar="COLUMN", help="The column that names the rows, also in labels.csv.")
@click.option("--group", metavar="COLUMN", help="The column that names the unit several rows belong to.")
@click.option("--order", metavar="COLUMN", help="The column by which rows follow each other.")
@click.option("--sample", type=int, metavar="ROWS", help="Look at so many rows drawn at random.  [default: 100000]")
@click.option(
    "--topics", multiple=True, metavar="COLUMN", help="Take the texts of this column apart into topics (repeat)."
)
@click.option(
    "--as", "as_", type=click.Choice(["auto", "table", "counts", "binary", "dissimilarities", "signals"]),
    default="auto", show_default=True, help="What form the table has, where it is no rows of measurements.",
)  # fmt: skip
@click.option(
    "--categories", type=click.Choice(["auto", "use", "describe"]), default="auto", show_default=True,
    help="Do category columns form the clusters, or only describe them?",
)  # fmt: skip
@click.option("--with-columns", is_flag=True, help="Put the columns of TABLE beside the labels in labels.csv.")
@DASK
@FORCE
def explore(
    table: str, out: Path | None, seed: int, as_json: bool, quiet: bool, force: bool, types: tuple[str, ...],
    with_columns: bool, replay: str | None, dask: str | None, **options: Any,
) -> None:  # fmt: skip
    """Say what TABLE holds: its columns, principal components and clusters, and how sure that is.

    TABLE is a CSV, TSV, Parquet or npy file, a folder or a pattern of such files, or - for standard input. The answer
    is printed; report.html, labels.csv, findings.json and the model go into a folder. Labels of many files are Parquet
    files in a folder labels, one for each; with --dask the workers of a cluster read and write them.

    \b
    unmix explore penguins.csv
    unmix explore sales.parquet --out sales-report --seed 7 --drop invoice --type zip=category
    cat data.tsv | unmix explore - --json > findings.json
    unmix explore --replay unmix-march/report.html april.csv
    unmix explore sales/ --dask tcp://10.0.0.1:8786
    """
    directory = out or (None if as_json else default_directory(table))
    with user_errors():
        check_folder(directory, force)
        options["type"] = dict(map(kind_given, types))
        seed, options = replayed(replay, seed, options)
        command = reproduce(table, seed, options)
        with on_cluster(dask):
            findings, written = run(
                table, directory, quiet, with_columns, seed=seed, command=command, **spoken(options)
            )
        if as_json or not quiet:
            print_findings(findings, as_json)
        if written and not as_json and not quiet:
            labels = "labels/" if findings.parts is not None else "labels.csv"
            click.echo(f"\nWritten to {written}: report.html, {labels}, findings.json, model.unmix, encoding.unmix")
        if replay and not quiet and not as_json:
            from unmix.cli.replay import print_changes

            print_changes(replay, findings)


def replayed(report: str | None, seed: int, options: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """The options with those of an earlier report, where there is one."""
    if report is None:
        return seed, options
    from unmix.cli.replay import settings_of

    settings = settings_of(report)
    given = click.get_current_context().get_parameter_source("seed") is click.core.ParameterSource.COMMANDLINE
    earlier = settings.pop("seed")
    seed = seed if given else earlier
    return seed, options | settings | {name: value for name, value in spoken(options).items() if value != "auto"}


def kind_given(text: str) -> tuple[str, str]:
    """COLUMN=KIND; the name of a column may hold the sign itself."""
    from unmix.io.base.errors import TableError

    name, sign, kind = text.rpartition("=")
    if not sign or not name or not kind:
        raise TableError(f"--type {text!r} was given; COLUMN=KIND was expected, such as zip=category.")
    return name, kind


def spoken(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, as `unmix.explore` takes them."""
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    return {name: value for name, value in lists.items() if value not in (None, [], {})}


def check_folder(directory: Path | None, force: bool) -> None:
    """The folder is looked at first, so that a long run does not end in nothing."""
    from unmix.exploration.findings.output import RESULTS, check_directory

    if directory is not None:
        check_directory(directory, RESULTS, force)


def run(
    table: str, directory: Path | None, quiet: bool = False, with_columns: bool = False, **options: Any
) -> tuple[Findings, Path | None]:
    """Explore and save."""
    with importing() as fresh:
        load_scikit_learn()
        from unmix.core.beside import beside
        from unmix.core.compiled.kernel import prepare_compiler
        from unmix.exploration.explore import explore as explore_table

        prepare_compiler()  # once for both processes

    with beside(fresh), nullcontext(lambda words: None) if quiet else progress("explore") as say:
        findings = explore_table(table, progress=say, **options)
        if directory is None:
            return findings, None
        say("writing the report")
        return findings, findings.save(directory, with_columns)


def default_directory(table: str) -> Path:
    name = "stdin" if table == "-" else plain_name(table)
    return Path(f"unmix-{name}")


def reproduce(table: str, seed: int, options: dict[str, Any]) -> str:
    """The command line that gives the same answer."""
    words = ["unmix", "explore", table, "--seed", str(seed)]
    for name, value in spoken(options).items():
        if (name, value) in (("categories", "auto"), ("as_", "auto")):
            continue
        many = [f"{column}={kind}" for column, kind in value.items()] if isinstance(value, dict) else value
        for one in many if isinstance(many, list) else [many]:
            words += [f"--{name.rstrip('_').replace('_', '-')}", str(one)]
    return shlex.join(words)


def print_findings(findings: Findings, as_json: bool) -> None:
    from unmix.exploration.findings.output import json_text

    if as_json:
        click.echo(json_text(findings), nl=False)
    elif sys.stdout.isatty():
        from rich.console import Console

        from unmix.exploration.findings.terminal import show

        show(findings, Console())
    else:
        click.echo(repr(findings))
