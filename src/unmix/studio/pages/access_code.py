"""The mining that a page of roles asks for, as Python: every setting and file of the command, and its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from unmix.studio.pages.form import value
from unmix.studio.store.options import Options
from unmix.studio.store.workspace import Record

WORDS = ("problem", "objective")
NUMBERS = ("n_roles", "delta", "min_users", "min_permissions", "max_roles_per_user", "time_limit")


def python(table: Record, options: Options, others: list[Record]) -> str:
    """Reading, what is taken from users in conflict, mining, explaining."""
    names = {one["id"]: one["file"] for one in others}
    files = {name: names[values[-1]] for name, values in options.items() if values[-1] in names}
    risk = ", risk=risk" if "risk" in files else ""
    lines = [*imported(files, options), f"access = read({', '.join([repr(table['file']), *read_with(files)])})"]
    lines += [f"risk = read_risk({files['risk']!r})"] if risk else []
    lines += [f"kept = read({files['keep']!r}, header=True)"] if is_table(files.get("keep")) else []
    if value(options, "repair") == "yes":
        rules = f"rules({files.get('duties')!r}, {pairs(options)!r})"
        lines.append(f"access, taken = without_conflicts(access, {rules}{risk})")
    call = ", ".join(["access", *asked(files, options)])
    return "\n".join([*lines, f"found = name_roles(mine({call}))", f"explained = explain(found{risk})"])


def imported(files: dict[str, str], options: Options) -> list[str]:
    repair = value(options, "repair") == "yes"
    own = ["read_risk"] * ("risk" in files) + ["rules"] * repair
    public = ["explain", "mine", "name_roles", "read", *["without_conflicts"] * repair]
    lines = [f"from unmix.cli.roles.input import {', '.join(own)}"] if own else []
    return [*lines, f"from unmix.roles import {', '.join(public)}"]


def read_with(files: dict[str, str]) -> Iterator[str]:
    for option, parameter in (("attributes", "attributes"), ("entitlements", "permission_attributes")):
        if option in files:
            yield f"{parameter}={files[option]!r}"


def asked(files: dict[str, str], options: Options) -> Iterator[str]:
    """What `mine` is told; a table of roles to keep names such as must stay, a decision file what was decided."""
    yield from (f"{name}={value(options, name)!r}" for name in WORDS if value(options, name))
    yield from (f"{name}={value(options, name)}" for name in NUMBERS if value(options, name))
    if options.get("forbid"):
        yield f"forbidden={list(pairs(options))!r}"
    if is_table(files.get("keep")):
        yield "keep={str(name): kept.permissions_of(name) for name in kept.users}"
    elif "keep" in files:
        yield f"keep={files['keep']!r}"
    if "decisions" in files:
        yield f"decisions={files['decisions']!r}"
    if value(options, "seed"):
        yield f"random_state={value(options, 'seed')}"


def pairs(options: Options) -> tuple[tuple[str, str], ...]:
    given = options.get("forbid", [])
    return tuple(zip(given[::2], given[1::2]))


def is_table(file: str | None) -> bool:
    return file is not None and not file.casefold().endswith(".json")
