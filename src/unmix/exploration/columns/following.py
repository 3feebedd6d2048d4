"""Columns that say again, more coarsely, what another one says: cuts of a number, levels of levels, one level or not.

f follows from a number x    where every level of f is an interval of x        age group from age
f follows from a category c  where all rows of a level of c have the same f    region from state, or another name of it
f follows from a date        in either way                                     one for a year

Two such columns go together in every row and make groups of any table, so one of them is enough. The finer is kept; of
a category and a number that follows from it the number, as the category then names what was measured.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.exploration.columns.kinds import Kind

_most_rows = 1000  # on which columns are compared
_most_columns = 200
_most_levels = 30  # of a column that may follow from another
_least_surprise = 15.0  # rows that would disagree at least if the columns had nothing to do with each other
_disagreeing = 0.01  # share of these that may


class _Ranked(NamedTuple):
    """A column as ranks of its values, -1 where there is none; whether it is a number, or a date, which is one too."""

    name: str
    ranks: np.ndarray
    number: bool
    date: bool = False

    @property
    def n_levels(self) -> int:
        return int(self.ranks.max(initial=-1)) + 1


def find_following(kinds: list[Kind], dates: list[Kind]) -> dict[str, str]:
    """The columns that need not be compared as others are, each with the clause that says why.

    `kinds` are columns that rows may be compared by, `dates` others, of which what follows says when and not what.
    """
    ranked = _different_rows([_ranked(kind) for kind in dates[:_most_columns] + kinds[:_most_columns]])
    kept, columns = ranked[: len(dates[:_most_columns])], ranked[len(dates[:_most_columns]) :]
    found: dict[str, str] = {}
    for column in sorted(columns, key=lambda one: (not one.number, -one.n_levels)):
        why = _why(column, kept)
        if why is None:
            kept.append(column)
        else:
            found[column.name] = why
    return found


def _ranked(kind: Kind) -> _Ranked:
    n = len(kind.values)
    values = kind.values.gather(np.unique(np.linspace(0, n - 1, min(n, _most_rows)).astype(int)))
    ranks = values.rank("dense").fill_null(0).to_numpy().astype(np.int64) - 1
    return _Ranked(kind.values.name, ranks, kind.form in ("numeric", "date"), kind.form == "date")


def _different_rows(columns: list[_Ranked]) -> list[_Ranked]:
    """Each row once: all columns of a row go with all others in its copies."""
    if not columns:
        return columns
    first = np.unique(np.stack([column.ranks for column in columns]), axis=1, return_index=True)[1]
    return [column._replace(ranks=column.ranks[np.sort(first)]) for column in columns]


def _why(column: _Ranked, kept: list[_Ranked]) -> str | None:
    for other in kept:
        if other.number and not column.number and _by_levels(other.ranks, column.ranks):
            return f"{other.name!r} follows from it"
        if column.n_levels <= min(_most_levels, other.n_levels) and _follows(column, other):
            return f"it follows from {other.name!r}"
    return None


def _follows(column: _Ranked, other: _Ranked) -> bool:
    """Numbers are cut in order, and names in any; what is equal by chance in a number is no level of it."""
    if other.number and _by_intervals(column.ranks, other.ranks):
        return not column.number or _goes_one_way(column.ranks, other.ranks)
    return (other.date or not other.number) and _by_levels(column.ranks, other.ranks)


def _by_intervals(ranks: np.ndarray, source: np.ndarray) -> bool:
    """Does each level go with an interval of the source: one change of level fewer along it than there are levels?"""
    ranks, source = _given(ranks, source)
    tied = np.random.default_rng(0).permutation(len(ranks))  # equal values stand in no order
    changes = int(np.count_nonzero(np.diff(ranks[np.lexsort((tied, source))])))
    needed = len(np.unique(ranks)) - 1
    by_chance = len(ranks) * _unlike(ranks) - needed
    return by_chance >= _least_surprise and changes <= needed + _disagreeing * by_chance


def _goes_one_way(ranks: np.ndarray, source: np.ndarray) -> bool:
    """Do the levels of a coarser number only rise, or only fall, along the source?"""
    ranks, source = _given(ranks, source)
    levels, values = np.unique(ranks), np.unique(source)
    steps = np.diff([np.median(source[ranks == level]) for level in levels])
    return len(levels) < len(values) and bool((steps > 0).all() or (steps < 0).all())


def _by_levels(ranks: np.ndarray, source: np.ndarray) -> bool:
    """Do all rows of a level of the source have the same level?"""
    ranks, source = _given(ranks, source)
    if not len(ranks):
        return False
    pairs, together = np.unique(np.stack([source, ranks]), axis=1, return_counts=True)
    largest = np.zeros(int(source.max()) + 1, np.int64)
    np.maximum.at(largest, pairs[0], together)
    by_chance = (len(ranks) - np.count_nonzero(largest)) * _unlike(ranks)
    return bool(by_chance >= _least_surprise and len(ranks) - largest.sum() <= _disagreeing * by_chance)


def _given(ranks: np.ndarray, source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    given = (ranks >= 0) & (source >= 0)
    return ranks[given], source[given]


def _unlike(ranks: np.ndarray) -> float:
    """How often two rows that follow each other by chance differ."""
    return 1.0 - float(((np.bincount(ranks) / max(len(ranks), 1)) ** 2).sum())
