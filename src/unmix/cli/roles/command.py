"""`unmix roles ACCESS` mines roles and writes them, their exceptions and a report into a folder.

Exit codes: 0 answered, 2 something about the input (one sentence says what), 130 stopped by Ctrl-C; then the best roles
so far are written and marked as not proven.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from unmix.cli.roles.ask import what_if, why
from unmix.cli.roles.compare import compare
from unmix.cli.roles.decide import decide
from unmix.cli.roles.export import export
from unmix.cli.roles.lines import summary
from unmix.cli.roles.output import FILES, results, save
from unmix.cli.roles.run import run
from unmix.cli.terminal.console import FORCE, SEED, Finite, plain_name, progress, user_errors
from unmix.cli.terminal.lean_start import load_scikit_learn


class MiningByDefault(click.Group):
    """A group whose first word may be a file: then it is mined."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            args = ["mine", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Options before the file, or no file at all, belong to mining too."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["mine", *args]
        return super().parse_args(ctx, args)


@click.group(cls=MiningByDefault, short_help="Find roles, exceptions and conflicts in access data.")
def roles() -> None:
    """Mine roles from who-has-what: unmix roles ACCESS.csv [OPTIONS], see unmix roles mine --help."""


for command_ in (compare, decide, export, what_if, why):
    roles.add_command(command_)


@roles.command(short_help="Find the roles behind who-has-what.")
@click.argument("access", nargs=-1, required=True)
@click.option(
    "--attributes", help="Table of users; its first column names them. Names roles; with the problem infer it steers."
)
@click.option("--entitlements", help="Table of permissions; a column description says what they are.")
@click.option("--prefix", is_flag=True, help="Of several files: permissions start with the name of their file.")
@click.option("--risk", help="Table of permission and number: the risk of granting it wrongly.")
@click.option(
    "--problem", type=click.Choice(["auto", "cover", "fewest", "infer"]), default="cover", show_default=True,
    help="Keep every grant (cover); allow DELTA deviations; infer the structure under noise; or what fits (auto).",
)  # fmt: skip
@click.option(
    "--objective", type=click.Choice(["roles", "edges", "wsc"]), default="roles", show_default=True,
    help="What is made small: roles, assignments, or weighted structural complexity.",
)  # fmt: skip
@click.option("--delta", type=Finite(min=0), default=0, help="Deviations allowed; below 1 a share of grants.")
@click.option("--n-roles", type=click.IntRange(min=1), help="Number of roles, for the problems fewest and infer.")
@click.option("--min-users", type=click.IntRange(min=1), default=1, help="Fewest users of a role.")
@click.option("--min-permissions", type=click.IntRange(min=1), default=1, help="Fewest permissions of a role.")
@click.option("--max-roles-per-user", type=click.IntRange(min=1), help="Most roles one user may get.")
@click.option(
    "--max-permissions", type=click.IntRange(min=1), help="Most permissions of a role, for the problem infer."
)
@click.option(
    "--forbid", "forbidden", multiple=True, nargs=2, metavar="A B",
    help="Nobody may hold both permissions (separation of duties): no role gets both, users who do are listed.",
)  # fmt: skip
@click.option(
    "--duties", help="Table of rule and permission: nobody may hold all of a rule; a column most allows so many."
)
@click.option("--repair", is_flag=True, help="First take the cheapest grants from users in conflict; they are listed.")
@click.option(
    "--keep", help="Table of role,permission: roles that must be in the answer. Or a folder of earlier results: its "
    "roles are kept where they still serve, with their ids.",
)  # fmt: skip
@click.option(
    "--decisions", help="Decision file (unmix roles decide): what was accepted stays, what was rejected goes."
)
@click.option(
    "--change-cost", type=Finite(min=0), help="What giving up an existing role costs, in roles.  [default: 1]"
)
@click.option("--time-limit", type=Finite(min=0, min_open=True), help="Seconds; then the best so far.")
@SEED
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for the results.  [default: unmix-roles-NAME]"
)
@click.option(
    "--dask", metavar="ADDRESS", help="Workers of the dask cluster there read the files; roles are mined here."
)
@FORCE
def mine(
    access: tuple[str, ...], out: Path | None, force: bool, attributes: str | None, risk: str | None, **options: Any
) -> None:
    """Find the roles behind ACCESS: a CSV, TSV or Parquet file of user,permission pairs, or a wide 0/1 table.

    Directories as LDIF and lists of groups are read too; several files are joined.

    \b
    unmix roles access.csv
    unmix roles access.csv --attributes users.csv -o roles
    unmix roles access.csv --problem infer --n-roles 12
    unmix roles today.csv --keep yesterday --decisions decisions.json -o today
    """
    directory = out or Path(f"unmix-roles-{plain_name(access[0])}")
    with user_errors():
        load_scikit_learn()
        from unmix.exploration.findings.output import check_directory

        check_directory(directory, results(), force)
        with progress("roles") as say:
            tree, held, cut_short = run(access, attributes, risk, options, say)
            say("writing the report")
            save(tree, held, directory)
        click.echo(summary(tree))
        more = ", conflicts.csv" if tree["duties"] else ""
        click.echo(f"\nWritten to {directory}: {FILES}{more}")
        if tree["interrupted"]:
            click.echo("unmix: stopped; the best roles so far were written, not proven.", err=True)
        if tree["interrupted"] or cut_short:
            sys.exit(130)
