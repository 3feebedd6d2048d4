"""Access data from numbered rows of cells: a list of grants or a table of zeros and ones, known by titles and width."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from unmix.io.text.dialect import missing_words
from unmix.roles.access.access import Access
from unmix.roles.access.oddities import SHOWN, Problem, alike_names, blank_rows, possible_header, repeated

USER_WORDS = (
    "user", "account", "employee", "person", "subject", "identity", "login",
    "nutzer", "konto", "mitarbeiter", "utilisateur", "compte", "usuario", "utente", "gebruiker",
)  # fmt: skip
PERMISSION_WORDS = (
    "perm", "entitlement", "right", "access", "privilege", "grant", "resource", "group", "role",
    "recht", "zugriff", "rolle", "gruppe", "droit", "accès", "rôle", "acceso", "grupo", "diritt", "toegang",
)  # fmt: skip
YES, NO = {"1", "true", "yes", "x"}, {"0", "false", "no", *missing_words}
BINARY_NUMBER = re.compile(r"^[+]?([01])[.,]0*$")


def from_rows(titles: list[Any] | None, lines: list[tuple[int, list[Any]]], kind: str, header: bool | str) -> Access:
    """Pairs or a table, as the number of columns says."""
    guessed = titles is None and header == "auto"
    # as R writes tables: the title of the first column is left out
    short = titles is None and len(lines) > 1 and {len(row) for _, row in lines[1:]} == {len(lines[0][1]) + 1}
    if titles is None and lines and (header is True or (guessed and (short or looks_like_titles(lines[0][1])))):
        titles, lines = [""] * short + lines[0][1], lines[1:]
    if not lines:
        raise ValueError("The access data hold no rows; give at least one user with one permission.")
    width = len(titles) if titles else len(lines[0][1])
    for number, row in lines:
        if len(row) != width:
            raise ValueError(
                f"Row {number} has {len(row)} cells where the first has {width}; every row needs the same."
            )
    if width < 2:
        raise ValueError("The access data have one column; give user and permission, or a table with a row per user.")
    if kind == "auto" and titles and width > 2 and (three := triple_columns(titles)):
        user, object_, operation = three
        return from_pair_rows([(number, [row[user], joined(row[object_], row[operation])]) for number, row in lines])
    if kind == "auto" and titles and width > 2 and (two := pair_columns(titles, lines)):
        return from_two_columns(titles, lines, two)
    if kind == "auto":
        kind = "pairs" if width == 2 else "table"
    if kind == "table":
        return from_table(titles, lines)
    access = from_pair_rows(lines)
    if guessed and titles is None:
        access.problems = (*possible_header(lines), *access.problems)
    return access


def pair_columns(titles: list[Any], lines: list[tuple[int, list[Any]]]) -> tuple[int, int] | None:
    """Where user and permission stand in a list of grants with more columns, by their titles; None if it is a table."""
    two = named_columns(titles)
    return None if two is None or {mark_of(row[two[1]]) for _, row in lines} <= YES | NO else two


def named_columns(titles: list[Any]) -> tuple[int, int] | None:
    """Where user and permission stand by their titles."""
    words = [str(title).strip().casefold() for title in titles]
    user = next((k for k, word in enumerate(words) if any(part in word for part in USER_WORDS)), None)
    held = next((k for k, word in enumerate(words) if k != user and any(p in word for p in PERMISSION_WORDS)), None)
    return None if user is None or held is None else (user, held)


def triple_columns(titles: list[Any]) -> tuple[int, int, int] | None:
    """Where user (or role), object and operation stand in a list of grants whose permissions are pairs."""
    words = [str(title).strip().casefold() for title in titles]
    if "object" not in words or "operation" not in words:
        return None
    two = words.index("object"), words.index("operation")
    named = (*USER_WORDS, "role")
    who = (k for k, word in enumerate(words) if k not in two and any(part in word for part in named))
    first = next(who, None)
    return None if first is None else (first, *two)


def joined(object_: Any, operation: Any) -> Any:
    """A permission that is a pair; blank where a part of it is."""
    return None if is_blank(object_) or is_blank(operation) else (plain(object_), plain(operation))


def from_two_columns(titles: list[Any], lines: list[tuple[int, list[Any]]], two: tuple[int, int]) -> Access:
    """Pairs from two of several columns; the others are reported, not used."""
    access = from_pair_rows([(number, [row[two[0]], row[two[1]]]) for number, row in lines])
    access.problems = (not_used(titles, (titles[two[0]], titles[two[1]])), *access.problems)
    return access


def not_used(titles: list[Any], two: tuple[Any, ...]) -> Problem:
    """What the reader is told of the columns beside those of the pairs."""
    rest = [str(title) for title in titles if title not in two]
    sentence = f"Read as pairs of {str(two[0])!r} and {str(two[1])!r}; not used: {', '.join(rest[:5])}" + (
        f" and {len(rest) - 5} more." if len(rest) > 5 else "."
    )
    return Problem("columns_not_used", len(rest), tuple(rest[:5]), sentence)


def looks_like_titles(row: list[Any]) -> bool:
    """Whether a first line names columns: a word for users and one for permissions, or for users before many others."""
    words = [str(cell).strip().casefold() for cell in row]
    user = any(word in words[0] for word in USER_WORDS) or words[0] in ("", "id", "name")
    if len(words) == 2:
        return user and any(word in words[1] for word in PERMISSION_WORDS)
    return any(mark_of(word) not in YES | NO for word in words[1:])


class Grants(NamedTuple):
    """Of some rows: where each pair stands first; of repeated pairs and of blank cells how many, and the first few.

    What grows with the rows and not with the grants is counted alone: a list of uses repeats most of them.
    """

    pairs: list[tuple[int, tuple[Any, Any]]]
    again: list[tuple[int, tuple[Any, Any]]]  # of different pairs
    n_again: int
    empty: list[int]
    n_empty: int


def all_grants(parts: Iterable[Grants]) -> Grants:
    """Of parts in the order of their rows, together."""
    pairs: list[Any] = []
    again: list[Any] = []
    empty: list[int] = []
    n_again, n_empty, seen = 0, 0, set[Any]()
    for part in parts:
        old = [one for one in part.pairs if one[1] in seen]
        pairs += [one for one in part.pairs if one[1] not in seen]
        again = first_different([*again, *part.again, *old])
        n_again, n_empty = n_again + part.n_again + len(old), n_empty + part.n_empty
        empty = [*empty, *part.empty][:SHOWN]
        seen.update(pair for _, pair in part.pairs)
    return Grants(pairs, again, n_again, empty, n_empty)


def first_different(cases: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """The first few by their number, each once."""
    found: dict[Any, int] = {}
    for number, case in sorted(cases, key=lambda one: one[0]):
        found.setdefault(case, number)
        if len(found) == SHOWN:
            break
    return [(number, case) for case, number in found.items()]


def from_pair_rows(lines: list[tuple[int, list[Any]]]) -> Access:
    return from_grants(grants_of(lines))


def grants_of(lines: list[tuple[int, list[Any]]]) -> Grants:
    pairs, empty, again, seen = [], [], [], set()
    for number, row in lines:
        if len(row) != 2:
            raise ValueError(f"Row {number} has {len(row)} cells; pairs have two, the user and the permission.")
        pair = (plain(row[0]), plain(row[1]))
        if is_blank(pair[0]) or is_blank(pair[1]):
            empty.append(number)
        elif pair in seen:
            again.append((number, pair))
        else:
            seen.add(pair)
            pairs.append((number, pair))
    return Grants(pairs, first_different(again), len(again), empty[:SHOWN], len(empty))


def from_grants(grants: Grants) -> Access:
    if not grants.pairs:
        raise ValueError("Every row of the access data has a blank cell; give at least one user with one permission.")
    access = Access.of_pairs([pair for _, pair in grants.pairs])
    again = [pair for _, pair in grants.again]
    problems = repeated(again, grants.n_again) + blank_rows(grants.empty, grants.n_empty)
    access.problems = (*problems, *alike_names(access.users, "user"), *alike_names(access.permissions, "permission"))
    return access


def from_table(titles: list[Any] | None, lines: list[tuple[int, list[Any]]]) -> Access:
    """A table of zeros and ones with the users in the first column."""
    width = len(lines[0][1])
    permissions = [plain(title) for title in titles[1:]] if titles else list(range(1, width))
    users, entries, empty = [], [], []
    for number, row in lines:
        if is_blank(row[0]):
            empty.append(number)
            continue
        users.append(plain(row[0]))
        entries.append([yes(cell, number) for cell in row[1:]])
    found = Access(users, permissions, np.array(entries, bool).reshape(len(users), width - 1))
    found.problems = (
        *blank_rows(empty[:SHOWN], len(empty)),
        *alike_names(users, "user"),
        *alike_names(permissions, "permission"),
    )
    return found


def yes(cell: Any, number: int) -> bool:
    text = mark_of(cell)
    if text in YES:
        return True
    if text in NO:
        return False
    raise ValueError(
        f"Row {number} holds {cell!r} where a table has 0 or 1; for user-permission pairs give two columns only."
    )


def mark_of(cell: Any) -> str:
    """A cell of a table of yes and no as one word; 1.0 and 1,00 are 1."""
    text = "" if is_blank(cell) else str(cell).strip().casefold()
    return BINARY_NUMBER.sub(r"\1", text)


def plain(cell: Any) -> Any:
    """Numpy scalars as Python values; names otherwise untouched."""
    return cell.item() if isinstance(cell, np.generic) else cell


def is_blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell) or (isinstance(cell, str) and not cell.strip())
