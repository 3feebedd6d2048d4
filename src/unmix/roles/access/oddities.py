"""What is odd in access data: reported with examples, never mended behind the user's back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import NamedTuple

SHOWN = 5  # cases of a problem


class Problem(NamedTuple):
    """One kind of oddity: how often it occurs, a few cases, and a sentence that says what was done about it."""

    kind: str
    cases: int
    examples: tuple[Hashable, ...]
    sentence: str


def alike_names(names: Iterable[Hashable], what: str) -> list[Problem]:
    """Names that differ only in case or surrounding spaces.

    >>> alike_names(["Ann", "ann ", "bob"], "user")[0].sentence
    "1 group of users differs only in case or surrounding spaces (such as 'Ann', 'ann '); they are kept apart."
    """
    groups = defaultdict(list)
    for name in names:
        groups[str(name).strip().casefold()].append(name)
    cases = [tuple(group) for group in groups.values() if len(group) > 1]
    if not cases:
        return []
    shown = ", ".join(map(repr, cases[0][:3]))
    count = f"{len(cases)} group of {what}s differs" if len(cases) == 1 else f"{len(cases)} groups of {what}s differ"
    sentence = f"{count} only in case or surrounding spaces (such as {shown}); they are kept apart."
    return [Problem(f"alike_{what}s", len(cases), tuple(cases[:SHOWN]), sentence)]


def repeated(cases: list[tuple[Hashable, Hashable]], n: int) -> list[Problem]:
    """Pairs that were listed more than once: how often one was listed again, and the first different ones."""
    if not n:
        return []
    sentence = f"{times(n, 'pair')} repeated (such as {cases[0]}); a grant counts once."
    return [Problem("duplicate_pairs", n, tuple(cases), sentence)]


def blank_rows(lines: list[int], n: int) -> list[Problem]:
    """Rows without a user or without a permission: how many, and the first."""
    if not n:
        return []
    sentence = f"{times(n, 'row')} left out for a blank cell (such as row {lines[0]})."
    return [Problem("blank_cells", n, tuple(lines), sentence)]


def possible_header(lines: list[tuple[int, list[Hashable]]]) -> list[Problem]:
    """A first line neither cell of which occurs again: a title in words that are not known, perhaps.

    >>> lines = [(1, ["cliente", "servicio"]), (2, ["ann", "mail"]), (3, ["bob", "mail"]), (4, ["ann", "web"])]
    >>> possible_header(lines)[0].examples
    (('cliente', 'servicio'),)
    """
    if len(lines) < 4 or any(row[0] == lines[0][1][0] or row[1] == lines[0][1][1] for _, row in lines[1:]):
        return []
    pair = (lines[0][1][0], lines[0][1][1])
    sentence = (
        f"The first line is read as a grant of {pair[1]!r} to {pair[0]!r}, neither of which occurs again; if it is a "
        "title, call its columns user and permission."
    )
    return [Problem("lonely_first_line", 1, (pair,), sentence)]


def unknown(names: list[Hashable], matched: int, what: str) -> list[Problem]:
    """Names of an attribute table that have no grant; where none of them has, nothing of the table is used."""
    if not names and matched:
        return []
    count = times(len(names), what, verb=False)
    sentence = f"The attribute table names {count} without any grant" + (f" (such as {names[0]!r})." if names else ".")
    if not matched:
        why = "are the names those of the access data?" if names else "it holds no rows."
        sentence = f"Nothing of the attribute table of {what}s is used: {why}" + (f" {sentence}" if names else "")
    return [Problem(f"unknown_{what}s", len(names), tuple(names[:SHOWN]), sentence)]


def without_attributes(what: str) -> list[Problem]:
    """A table that names users or permissions and says nothing of them."""
    sentence = f"The attribute table of {what}s has one column alone, so it says nothing of them."
    return [Problem(f"no_attributes_of_{what}s", 1, (), sentence)]


def told_apart(names: list[Hashable], what: str) -> list[Problem]:
    """Names of which an attribute table says one thing first and another later."""
    if not names:
        return []
    count = times(len(names), what, verb=False)
    sentence = f"The attribute table says different things of {count} (such as {names[0]!r}); the last line counts."
    return [Problem(f"contradicted_{what}s", len(names), tuple(names[:SHOWN]), sentence)]


def times(count: int, noun: str, verb: bool = True) -> str:
    one = count == 1
    return f"{count} {noun}{'' if one else 's'}" + ((" is" if one else " are") if verb else "")
