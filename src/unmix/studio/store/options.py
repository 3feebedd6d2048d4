"""What `unmix roles` and `unmix separate` are asked, as the query of an address and as the words of their command.

The command itself reads the words: what it refuses is refused here, and what it takes for granted is so here too.
Other files of the workspace stand in the query by their identifiers and in the command by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

import click

from unmix.cli.roles.command import mine
from unmix.cli.separate import separate
from unmix.io.base.errors import TableError
from unmix.studio.store.settings import LONGEST

COMMANDS: dict[str, tuple[click.Command, tuple[str, ...]]] = {
    "roles": (mine, ("unmix", "roles")),
    "separate": (separate, ("unmix", "separate")),
}
# How an option is written: a value, a file of the workspace, a pair of names, a switch; "more" files come before all.
OPTIONS: dict[str, dict[str, str]] = {
    "roles": {
        **dict.fromkeys(("problem", "objective", "delta", "n_roles", "min_users", "min_permissions"), "value"),
        **dict.fromkeys(("max_roles_per_user", "time_limit", "seed"), "value"),
        **dict.fromkeys(("attributes", "risk", "duties", "keep", "entitlements", "decisions"), "file"),
        "forbid": "pair",
        "repair": "switch",
    },
    "separate": {"more": "more", **dict.fromkeys(("method", "n_components", "rate", "seed"), "value")},
}
Options = dict[str, list[str]]
_key = re.compile(r"[0-9a-f]{12}")


def read_options(kind: str, query: str) -> Options:
    """The options of an address, each with its values in their order."""
    if len(query) > LONGEST:
        raise TableError(f"The settings have {len(query)} characters; at most {LONGEST} are read.")
    found: Options = {}
    for name, value in parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=500):
        form = OPTIONS[kind].get(name)
        if form is None:
            raise TableError(f"{name[:40]} is no setting of the studio.")
        if form in ("file", "more") and not _key.fullmatch(value):
            raise TableError(f"{name}={value[:40]} is no file of this workspace.")
        if not value:
            raise TableError(f"{name} is empty; leave it out, or give a value.")
        found[name] = [*found.get(name, []), value] if form in ("pair", "more") else [value]
    if len(found.get("forbid", [])) % 2:
        raise TableError("forbid takes two permissions that nobody may hold together; one was given.")
    return found


def write_options(options: Options) -> str:
    return urlencode([(name, value) for name, values in options.items() for value in values])


def files_of(kind: str, options: Options) -> list[str]:
    """Identifiers of the other files that are asked for."""
    forms = OPTIONS[kind]
    return [value for name, values in options.items() if forms[name] in ("file", "more") for value in values]


def arguments(kind: str, file: str, options: Options, names: Mapping[str, str]) -> list[str]:
    """The words after the command: the file, others beside it, options."""
    words, forms = [file], OPTIONS[kind]
    words += [names[key] for key in options.get("more", [])]
    for name, values in options.items():
        option = f"--{name.replace('_', '-')}"
        if forms[name] == "switch":
            words += [option] if values[-1] == "yes" else []
        elif forms[name] == "pair":
            words += [word for a, b in zip(values[::2], values[1::2]) for word in (option, a, b)]
        elif forms[name] != "more":
            words += [option, names[values[-1]] if forms[name] == "file" else values[-1]]
    return words


def checked(kind: str, words: Iterable[str]) -> dict[str, Any]:
    """The parameters as the command reads them; its refusal as a sentence."""
    command, _ = COMMANDS[kind]
    try:
        return dict(command.make_context(command.name, list(words)).params)
    except click.UsageError as error:
        raise TableError(error.format_message()) from None
