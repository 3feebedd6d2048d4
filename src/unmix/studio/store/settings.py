"""What `explore` is asked, as the query of an address: `?drop=year&type=zip=category&k=3`, as on the command line.

One form for the page's address, for a run and for the command, so that each can be turned into the others.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode

from unmix.cli.explore import kind_given, reproduce
from unmix.exploration.columns.control import known_types
from unmix.exploration.explore import python_call
from unmix.io.base.errors import TableError

MANY = ("use", "drop", "describe")
ONE = ("target", "id", "group", "order")
ROLES = (*MANY, *ONE)
TYPES = known_types
NUMBERS = {"seed": 0, "k": 1, "max_k": 1, "sample": 2}  # and the least that makes sense
CHOICES = {
    "categories": ("auto", "use", "describe"),
    "as_": ("auto", "table", "counts", "binary", "dissimilarities", "signals"),
}
LONGEST = 20_000  # characters of a query
LARGEST = 10**9

Settings = dict[str, Any]


def read_settings(query: str) -> Settings:
    """The options that were given, as `explore` takes them; `seed` always."""
    if len(query) > LONGEST:
        raise TableError(f"The settings have {len(query)} characters; at most {LONGEST} are read.")
    found: Settings = {"seed": 0}
    for name, value in parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=2000):
        _add(found, name, value)
    return found


def _add(found: Settings, name: str, value: str) -> None:
    if name in MANY:
        found.setdefault(name, []).append(value)
    elif name == "type":
        found.setdefault(name, {}).update([kind_given(value)])
    elif name in ONE:
        found[name] = value
    elif name in NUMBERS:
        found[name] = _whole(name, value)
    elif name in CHOICES and value in CHOICES[name]:
        found[name] = value
    else:
        raise TableError(f"{name}={value[:40]} is no setting of the studio.")


def _whole(name: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) <= 10 and NUMBERS[name] <= int(value) <= LARGEST):
        words = f"a whole number from {NUMBERS[name]} to {LARGEST:,} was expected"
        raise TableError(f"{name} is {value[:40]!r}; {words}.")
    return int(value)


def write_query(settings: Settings) -> str:
    """The same settings as a query; what `explore` would do anyway is left out."""
    pairs: list[tuple[str, Any]] = []
    for name, value in settings.items():
        if (name, value) in (("seed", 0), ("categories", "auto"), ("as_", "auto")):
            continue
        many = [f"{column}={kind}" for column, kind in value.items()] if isinstance(value, dict) else value
        pairs += [(name, one) for one in (many if isinstance(many, list) else [many])]
    return urlencode(pairs)


def command_line(file: str, settings: Settings) -> str:
    others = {name: value for name, value in settings.items() if name != "seed"}
    return reproduce(file, settings["seed"], others)


def python_line(file: str, settings: Settings) -> str:
    others = {name: value for name, value in settings.items() if name != "seed"}
    return python_call(file, settings["seed"], others)


def role_of(column: str, settings: Settings) -> str:
    """What the user said a column is for; "" where nothing was said."""
    many = next((name for name in MANY if column in settings.get(name, [])), "")
    return many or next((name for name in ONE if settings.get(name) == column), "")
