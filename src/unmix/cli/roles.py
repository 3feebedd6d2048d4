"""`unmix roles ACCESS` mines roles and writes them, their exceptions and a report into a folder.

Exit codes: 0 answered, 2 something about the input (one sentence says what), 130 stopped by Ctrl-C; then the best roles
so far are written and marked as not proven.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from unmix.cli.console import FORCE, SEED, Finite, plain_name, progress, refusals, user_errors
from unmix.cli.lean_start import load_scikit_learn
from unmix.cli.role_change_lines import change_lines
from unmix.cli.role_compare import compare
from unmix.cli.role_decide import decide
from unmix.cli.role_export import export
from unmix.cli.role_lines import in_conflict, moved, plural, printable, summary

FILES = "report.html, roles.csv, assignments.csv, exceptions.csv, roles.json"
SECONDS_FOR_EXTRAS = 15.0  # seconds at most for each of what the report shows beside the answer


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


for command_ in (compare, decide, export):
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


def run(
    paths: tuple[str, ...],
    attributes: str | None,
    risk: str | None,
    options: dict[str, Any],
    say: Callable[[str], None],
) -> tuple[dict[str, Any], set[tuple[str, str]], bool]:
    """Read, mine, explain; the tree of everything found, who had what, and whether Ctrl-C cut the explaining short."""
    from unmix import __version__
    from unmix.roles import annotate, explain, name_roles, read
    from unmix.roles import mine as mine_roles
    from unmix.roles.explanation.document import document, text_names
    from unmix.roles.problem.budget import Budget
    from unmix.roles.problem.patience import listening

    given = dict(options)
    with refusals():
        say("reading the access data")
        source: Any = paths[0] if len(paths) == 1 else list(paths)
        entitlements, prefix = options.pop("entitlements"), options.pop("prefix")
        access = read(source, attributes=attributes, permission_attributes=entitlements, prefix=prefix)
        made = read_decisions(options.pop("decisions"))
        weights = read_risk(risk) if risk else None
        duties = rules(options.pop("duties"), options["forbidden"])
        access, before, repaired = separated(access, duties, weights, options.pop("repair"))
        say(f"mining roles of {plural(len(access.users), 'user')} with {plural(access.matrix.nnz, 'grant')}")
        asked = {**options, "random_state": options["seed"]}
        del asked["seed"]
        asked["keep"], earlier = kept(options["keep"])
        existing = {"keep": asked["keep"] or earlier, "decisions": made, "change_cost": asked.pop("change_cost")}
        told_of: dict[str, Any] = {"observe": say} if options["problem"] == "infer" else {}
        found = name_roles(mine_roles(access, **{**asked, **existing}, **told_of))
        with listening(Budget(None)) as late:  # the answer is there: Ctrl-C leaves out what is beside it
            say("looking for exceptions")
            explanation = explain(found, risk=weights)
            notes = errors_in_data(found, asked, say, late)
            front, unseen = alternatives(found, asked, say, late)
        if late.interrupted and not found.interrupted:
            click.echo("unmix: stopped; what the report shows beside the roles was left out.", err=True)
    tree = document(
        found, explanation, front=front, held_out=unseen, version=__version__,
        source=", ".join(Path(path).name for path in paths), command=command(paths, attributes, risk, given),
        duties=duties, conflicts_before=before, repaired=repaired, notes=notes, **options,
    )  # fmt: skip
    return (tree if made is None else annotate(tree, made)), text_names(access), late.interrupted


def read_decisions(path: str | None) -> Any:
    from unmix.roles import read_decisions as from_file

    return None if path is None else from_file(path)


def kept(path: str | None) -> tuple[Any, Any]:
    """Roles that must stay, from a table; and what existed, from a folder of results or a decision file."""
    from unmix.roles.continuation.existing import from_path
    from unmix.roles.review.decisions import Decisions

    found = {} if path is None else from_path(Path(path))
    return ({}, found) if isinstance(found, Decisions) or "assignments" in found else (found, ())


def rules(path: str | None, pairs: tuple[tuple[str, str], ...]) -> list[Any]:
    """Rules of separation: the pairs given one by one, and those of a table."""
    from unmix.roles import make_duty
    from unmix.roles.duties.read import read_duties

    return [make_duty(pair) for pair in pairs] + (read_duties(path) if path else [])


def separated(access: Any, duties: list[Any], risk: Any, repair: bool) -> tuple[Any, list[Any], list[Any]]:
    """The access to mine, who is in conflict as it is, and the grants that were taken to end it."""
    from unmix.roles import conflicts, without_conflicts

    if not duties:
        if repair:
            raise ValueError("--repair needs rules of separation; give --forbid A B or --duties FILE.")
        return access, [], []
    before = conflicts(access, duties, risk)
    left, taken = without_conflicts(access, duties, risk) if repair else (access, [])
    return left, before, taken


def errors_in_data(found: Any, asked: dict[str, Any], say: Callable[[str], None], late: Any) -> list[str]:
    """Sentences where exact roles were asked for and roles with errors beside them describe the data better."""
    from unmix.roles import which_fits
    from unmix.roles.description.comparison import seen_errors
    from unmix.roles.problem.budget import Budget

    if asked["problem"] != "cover" or found.interrupted or late.interrupted:
        return []
    say("asking whether the data hold errors")
    limit = Budget(min(asked["time_limit"] or SECONDS_FOR_EXTRAS, SECONDS_FOR_EXTRAS), late)
    sentence = seen_errors(found, limit, asked["random_state"])
    if not sentence:
        return []
    fit = which_fits(found.access, random_state=asked["random_state"], budget=limit)
    return [f"{sentence} --problem infer finds them.", *([fit.sentence] if fit else [])]


def alternatives(found: Any, asked: dict[str, Any], say: Callable[[str], None], late: Any) -> tuple[list[Any], Any]:
    """Roles against deviations, and users left out; Ctrl-C here leaves them out, the answer is there already."""
    from unmix.roles.explanation.front import role_front
    from unmix.roles.held_out import held_out
    from unmix.roles.problem.budget import Budget

    if found.interrupted or late.interrupted:
        return [], None
    seconds = min(asked["time_limit"] or SECONDS_FOR_EXTRAS, SECONDS_FOR_EXTRAS)
    say("comparing with fewer roles")
    first = Budget(seconds, late)
    front = role_front(found, first, asked["random_state"])
    tried = getattr(found, "tried", {})
    number = found.model.n_roles if hasattr(found, "model") else asked["n_roles"]
    if first.interrupted or number in tried:
        return front, tried.get(number)
    say("predicting users left out")
    return front, held_out(found.access, Budget(seconds, late), **{**asked, "n_roles": number})


def read_risk(path: str) -> dict[Any, float]:
    """Permission to weight, from the first two columns of a table with titles."""
    from unmix.roles.access.read import attribute_table

    weights: dict[Any, float] = {}
    for name, cells in attribute_table(path).items():
        value: Any = next(iter(cells.values()), None)
        try:
            weights[name] = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"The risk of {name!r} is {value!r}; give a number of at least 0.") from None
    return weights


def results() -> Any:
    from unmix.core.storage.folder import Results

    return Results(r"roles\.json", r"(report\.html|(roles|assignments|exceptions|conflicts)\.csv|roles\.json)")


def save(tree: dict[str, Any], held: set[tuple[str, str]], directory: Path) -> None:
    """All files into a scratch folder, the guarantee checked on them, then all put in their place."""
    from unmix.core.storage.folder import replacing_folder
    from unmix.exploration.findings.output import told_of
    from unmix.report.roles.page import write
    from unmix.roles.access.folder import recompute, write_json, write_tables

    with told_of(directory), replacing_folder(directory, results()) as scratch:
        write_tables(tree, scratch)
        tree["guaranteed"] = bool(tree["exact"] and recompute(scratch) == held)
        write_json(scratch / "roles.json", tree)
        write(tree, scratch / "report.html")


def command(paths: tuple[str, ...], attributes: str | None, risk: str | None, options: dict[str, Any]) -> str:
    """The command line that gives the same answer."""
    words = ["unmix", "roles", *paths]
    given = {"attributes": attributes, "risk": risk, **options}
    usual = {"problem": "cover", "objective": "roles", "delta": 0, "min_users": 1, "min_permissions": 1, "seed": None}
    for pair in given.pop("forbidden", ()):
        words += ["--forbid", *pair]
    for name, value in given.items():
        if value is True:
            words.append(f"--{name.replace('_', '-')}")
        elif value is not None and value is not False and usual.get(name) != value:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)


@roles.command(short_help="Say why a user has a permission.")
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


@roles.command("what-if", short_help="Say who would lose or gain what.")
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
        from unmix.io.errors import TableError
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
