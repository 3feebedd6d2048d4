"""`unmix explore TABLE` prints what it found, and writes labels, model and report into a folder."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unmix.cli.console import FORCE, progress, user_errors
from unmix.cli.lean_start import load_scikit_learn

if TYPE_CHECKING:
    from unmix.exploration.findings.records import Findings


@click.command()
@click.argument("table")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for the results.  [default: unmix-NAME here]"
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Same seed, same answer.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON, and write files only with --out.")
@click.option("--max-k", type=int, help="Largest number of clusters considered.  [default: 10]")
@click.option(
    "--categories", type=click.Choice(["auto", "use", "describe"]), default="auto", show_default=True,
    help="Do category columns form the clusters, or only describe them?",
)  # fmt: skip
@FORCE
def explore(
    table: str, out: Path | None, seed: int, as_json: bool, max_k: int | None, categories: str, force: bool
) -> None:
    """Say what TABLE holds: its columns, principal components and clusters, and how sure that is.

    TABLE is a CSV, TSV, Parquet or npy file, or - for standard input. The answer is printed; report.html, labels.csv,
    findings.json and the model go into a folder.

    \b
    unmix explore penguins.csv
    unmix explore sales.parquet --out sales-report --seed 7
    cat data.tsv | unmix explore - --json > findings.json
    """
    directory = out or (None if as_json else default_directory(table))
    command = reproduce(table, seed, max_k, categories)
    with user_errors():
        check_folder(directory, force)
        findings, written = run(table, directory, seed=seed, max_k=max_k, categories=categories, command=command)
        print_findings(findings, as_json)
        if written and not as_json:
            click.echo(f"\nWritten to {written}: report.html, labels.csv, findings.json, model.unmix")


def check_folder(directory: Path | None, force: bool) -> None:
    """The folder is looked at first, so that a long run does not end in nothing."""
    from unmix.exploration.findings.output import RESULTS, check_directory

    if directory is not None:
        check_directory(directory, RESULTS, force)


def run(table: str, directory: Path | None, **options: Any) -> tuple[Findings, Path | None]:
    """Explore and save."""
    load_scikit_learn()
    from unmix.exploration.explore import explore as explore_table

    with progress("explore") as say:
        findings = explore_table(table, progress=say, **options)
        if directory is None:
            return findings, None
        say("writing the report")
        return findings, findings.save(directory)


def default_directory(table: str) -> Path:
    name = "stdin" if table == "-" else Path(table).name.split(".")[0] or "table"
    return Path(f"unmix-{name}")


def reproduce(table: str, seed: int, max_k: int | None, categories: str) -> str:
    """The command line that gives the same answer."""
    words = ["unmix", "explore", table, "--seed", str(seed)]
    words += ["--max-k", str(max_k)] if max_k is not None else []
    words += ["--categories", categories] if categories != "auto" else []
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
