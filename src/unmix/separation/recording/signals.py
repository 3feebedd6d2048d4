"""Channels recorded together: a row a time, a column a channel, with their names and what the reader should know."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Signals(NamedTuple):
    """``values`` (n, d); ``rate`` in rows per second, None where unknown; ``time`` the file's column of it, if any."""

    values: np.ndarray
    names: list[str]
    rate: float | None = None
    time: tuple[str, np.ndarray] | None = None
    notes: tuple[str, ...] = ()
    audio: bool = False


def join_signals(parts: list[Signals], sources: list[str]) -> Signals:
    """Signals of several files as one: the same rate, cut to the shortest, names told apart by their file."""
    if len({part.audio for part in parts}) > 1:
        raise ValueError("Sound and tables cannot be separated together; give wav files only, or tables only.")
    rates = {part.rate for part in parts}
    if len(rates) > 1:
        named = ", ".join(f"{name} {rates_in_words(part.rate)}" for name, part in zip(sources, parts))
        raise ValueError(f"The files have different sample rates ({named}); resample them to one rate.")
    lengths = [len(part.values) for part in parts]
    shortest = min(lengths)
    notes = [note for part in parts for note in part.notes]
    if max(lengths) > shortest:
        longer = sum(length > shortest for length in lengths)
        notes.append(
            f"{longer} of {len(parts)} files {'is' if longer == 1 else 'are'} longer than "
            f"{sources[lengths.index(shortest)]}; all were cut to its {shortest:,} samples."
        )
    names = [name for part in parts for name in part.names]
    if len(set(names)) < len(names):
        names = [f"{source} {name}" for source, part in zip(sources, parts) for name in part.names]
    values = np.column_stack([part.values[:shortest] for part in parts])
    time = parts[0].time
    cut = (time[0], time[1][:shortest]) if time else None
    return Signals(values, distinct_names(names), parts[0].rate, cut, tuple(notes), parts[0].audio)


def rates_in_words(rate: float | None) -> str:
    return "without a rate" if rate is None else f"{rate:,.6g} Hz"


def distinct_names(names: list[str]) -> list[str]:
    """Names as they are, with a number behind those that come again.

    >>> distinct_names(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    seen: dict[str, int] = {}
    distinct = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return distinct


def check(signals: Signals, gaps: bool) -> None:
    """One sentence for what no method can use; ``gaps`` says whether missing values are allowed."""
    values = signals.values
    n, d = values.shape
    if n < 2:
        raise ValueError(f"The signals have {'one row' if n else 'no rows'}; give at least two rows.")
    if d < 2:
        raise ValueError(
            f"There is {'one channel' if d else 'no channel'}; separation needs at least two recordings of the same "
            "sources: give a file with more channels, or several files."
        )
    for name, column in zip(signals.names, values.T):
        if np.isinf(column).any():
            raise ValueError(f"Column {name!r} is infinite in row {first_row(np.isinf(column))}; remove it.")
        missing = np.isnan(column)
        if missing.all():
            raise ValueError(f"Column {name!r} is empty; remove it.")
        count = int(missing.sum())
        if count and not gaps:
            raise ValueError(
                f"Column {name!r} has {count:,} missing value{'s' * (count > 1)}, the first in "
                f"row {first_row(missing)}; fill them, or use --method second_order, which takes gaps."
            )

    if all(np.nanmin(column) == np.nanmax(column) for column in values.T):
        raise ValueError("Every channel is constant, so there is no source to find; give channels that vary.")


def first_row(flags: np.ndarray) -> int:
    """The first row that is flagged, counted from 1."""
    return int(np.argmax(flags)) + 1
