"""`unmix roles export DIR --to FORMAT` writes mined roles for other programs, or a report for sign-off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unmix.cli.terminal.console import FORCE, refusals, user_errors

TARGETS = {
    "csv": "roles-csv", "json": "roles-json", "scim": "groups.scim.json", "rego": "roles.rego", "cedar": "roles-cedar",
    "excel": "roles.xlsx", "sign-off": "sign-off.html",
}  # fmt: skip


@click.command(short_help="Write roles for another program, or for sign-off.")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--to", "kind", type=click.Choice(list(TARGETS)), help="What to write.  [required]")
@click.option("--decisions", "file", type=click.Path(path_type=Path), help="Decision file, to say what was decided.")
@click.option(
    "--accepted", is_flag=True, help="Accepted roles alone; the rest of everybody's access stays single grants."
)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File, or folder for csv, json and cedar.")
@FORCE
def export(directory: Path, kind: str | None, file: Path | None, accepted: bool, out: Path | None, force: bool) -> None:
    """Write the roles in DIRECTORY for another program, or the report for sign-off.

    \b
    unmix roles export out --to excel
    unmix roles export out --to rego --decisions decisions.json --accepted
    unmix roles export out --to sign-off --decisions decisions.json
    """
    if kind is None:  # click would list the choices line by line
        raise click.UsageError(f"--to is missing; give one of {', '.join(TARGETS)}.")
    with user_errors(), refusals():
        from unmix.exploration.findings.output import check_directory, told_of
        from unmix.roles.access.folder import read_document
        from unmix.roles.explanation.annotate import annotate
        from unmix.roles.export.export import FOLDERS
        from unmix.roles.export.export import export as write
        from unmix.roles.review.decisions import Decisions
        from unmix.roles.review.file import read_decisions
        from unmix.roles.review.register import review

        tree = read_document(directory)
        if file is not None:
            tree = annotate(tree, review(tree, read_decisions(file)))
        elif accepted and "review" not in tree:
            raise ValueError("--accepted needs decisions; give --decisions FILE, or mine with it.")
        _check_parts(tree, kind, directory)
        target = out or Path(TARGETS[kind])
        if kind in FOLDERS:
            check_directory(target, FOLDERS[kind], force)
        with told_of(target):
            if kind == "sign-off":
                from unmix.report.roles.sign_off import write as write_page

                written = [write_page(tree if "review" in tree else annotate(tree, Decisions()), target)]
            else:
                written = write(tree, kind, target, accepted=accepted)
        click.echo("Written: " + ", ".join(map(str, written)))


def _check_parts(tree: dict[str, Any], kind: str, directory: Path) -> None:
    """Parts that older results lack, and that only these formats tell."""
    needed = {"json": ("certificate",), "sign-off": ("counts", "exact", "conflicts", "conflicts_before", "repaired")}
    lacking = [part for part in needed.get(kind, ()) if part not in tree]
    if lacking:
        raise ValueError(f"The results in {str(directory)!r} lack their {lacking[0]}; mine again with this unmix.")
