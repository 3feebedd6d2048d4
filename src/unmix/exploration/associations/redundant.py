"""Columns that repeat others, in sentences: copies and sums set aside, levels that follow from others' levels."""

from __future__ import annotations

from unmix.exploration.associations.coding import Coded
from unmix.exploration.associations.tables import entropy, table_of
from unmix.exploration.findings.records import Association, Column

REPEATING = 0.98  # share of the bits
MOST_SENTENCES = 10


def redundant(columns: list[Column], coded: Coded, pairs: list[Association]) -> list[str]:
    """`pairs` are those beyond chance among the columns of `coded`."""
    said = [_of_kind(column) for column in columns if repeats(column)]
    repeating = [pair for pair in pairs if pair.share > REPEATING]
    said += [_follows(coded, *pair.columns) for pair in repeating]
    more = len(said) - MOST_SENTENCES
    return said if more <= 0 else [*said[:MOST_SENTENCES], f"{more} more columns repeat others."]


def repeats(column: Column) -> bool:
    """Whether it was set aside for saying what others say."""
    return column.kind == "derived" or _is_code_of(column)


def _is_code_of(column: Column) -> bool:
    return column.kind == "code" and column.reason.startswith("goes one to one with")


def _of_kind(column: Column) -> str:
    if _is_code_of(column):
        return f"{column.name} {column.reason}."
    return f"{column.name} repeats others: {column.reason}."


def _follows(coded: Coded, one: str, other: str) -> str:
    """Which of the two is known where the other is; numbers by the order of their rows."""
    i, j = coded.names.index(one), coded.names.index(other)
    if coded.levels[i] is None and coded.levels[j] is None:
        return f"{one} and {other} put the rows in the same order."
    table = table_of(coded.codes[:, i], coded.codes[:, j])
    of_one, of_other = entropy(table.sum(axis=1)), entropy(table.sum(axis=0))
    if min(of_one, of_other) > REPEATING * max(of_one, of_other):
        return f"{one} and {other} tell the same: where one is known, so is the other."
    known, by = (one, other) if of_one < of_other else (other, one)
    return f"{known} follows from {by}."
