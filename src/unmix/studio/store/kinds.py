"""What a run may ask of a file: explore it, find its roles, separate its signals; and how its answer is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from unmix.cli.roles.lines import plural

Tree = dict[str, Any]


class Kind(NamedTuple):
    """`result` is the file without which a run is not whole, `summary` what a list of runs shows: words, a number."""

    title: str
    doing: str
    result: str
    summary: Callable[[Tree], tuple[str | None, int | None]]


def explored(tree: Tree) -> tuple[str | None, int | None]:
    selection = tree["selection"]
    return selection.get("verdict"), selection.get("chosen_k")


def mined(tree: Tree) -> tuple[str, int]:
    n = tree["counts"]
    return f"{plural(n['roles'], 'role')} for {plural(n['users'], 'user')}.", n["roles"]


def separated(tree: Tree) -> tuple[str, int]:
    n = tree["n_sources"]
    return f"{plural(n, 'source')} from {plural(tree['n_channels'], 'channel')}.", n


KINDS = {
    "explore": Kind("Explore", "Exploring", "findings.json", explored),
    "roles": Kind("Roles", "Finding the roles of", "roles.json", mined),
    "separate": Kind("Signals", "Separating", "separation.json", separated),
}
