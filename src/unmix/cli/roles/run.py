"""From the files and options of `unmix roles` to everything found: read, separated, mined, explained."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from unmix.cli.roles.beside import alternatives, errors_in_data
from unmix.cli.roles.input import kept, read_decisions, risks_of, rules
from unmix.cli.roles.lines import plural
from unmix.cli.terminal.console import on_cluster, refusals


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

    given = {name: value for name, value in options.items() if name != "dask"}
    with refusals():
        say("reading the access data")
        source: Any = paths[0] if len(paths) == 1 else list(paths)
        entitlements, prefix = options.pop("entitlements"), options.pop("prefix")
        with on_cluster(options.pop("dask", None)):
            access = read(source, attributes=attributes, permission_attributes=entitlements, prefix=prefix)
        made = read_decisions(options.pop("decisions"))
        weights, unknown = risks_of(access, risk)
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
            notes = [*unknown, *errors_in_data(found, asked, say, late)]
            front, unseen = alternatives(found, asked, say, late)
        if late.interrupted and not found.interrupted:
            click.echo("unmix: stopped; what the report shows beside the roles was left out.", err=True)
    tree = document(
        found, explanation, front=front, held_out=unseen, version=__version__,
        source=", ".join(Path(path).name for path in paths), command=command(paths, attributes, risk, given),
        duties=duties, conflicts_before=before, repaired=repaired, notes=notes, **options,
    )  # fmt: skip
    return (tree if made is None else annotate(tree, made)), text_names(access), late.interrupted


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
