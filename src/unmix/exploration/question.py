"""What is asked of a table: its rows as they were read, its columns as they were prepared, and how many clusters.

`explore` answers the question; whoever only wants to see kinds and usage of the columns asks it and looks at them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.analysis import Question
from unmix.exploration.columns.control import Control, listed, make_control
from unmix.exploration.columns.preparation import Prepared, prepare
from unmix.exploration.recognition.choice import MADE_POINTS, pointer, recognise_form
from unmix.exploration.recognition.form import Form
from unmix.exploration.recognition.rows import prepare_form
from unmix.io.base.errors import TableError
from unmix.io.long_table import LongTable, read_rows

most_rows_looked_at = 100_000  # of a longer table so many are drawn at random
_usual_max_k = 10


def ask(
    table: Any, say: Callable[[str], None], *, options: dict[str, Any], seed: int = 0, max_k: int | None = None,
    k: int | None = None, sample: int | None = None, categories: str = "auto", as_: str = "auto", topics: Any = None,
) -> Question:  # fmt: skip
    """Read and prepare; `options` are those of `make_control`, the others as `explore` has them."""
    _check(seed=(seed, 0), max_k=(max_k, 1), k=(k, 1), sample=(sample, 2))
    control = make_control(**options)
    say("reading the table")
    data = rows_looked_at(table, sample, seed)
    _check_rows(data.height, max_k=max_k, k=k)
    if topics is not None:
        from unmix.exploration.topics.table import with_topics  # few tables need it

        say("finding topics")
        data, control = with_topics(data, listed("topics", topics), control, seed)
    say("looking at the columns")
    form = recognise_form(data, as_, options | {"topics": topics})
    prepared = _prepared(table, data, form, control, seed, categories)
    return Question(data, prepared, form, max_k or _usual_max_k, k, seed)


def rows_looked_at(table: Any, sample: int | None, seed: int) -> LongTable:
    """All rows, or those that `explore` draws of a long table; what was read so before is taken as it is."""
    if isinstance(table, LongTable):
        return table
    return read_rows(table, sample or most_rows_looked_at, spawn(seed, 10))


def _prepared(table: Any, data: LongTable, form: Form, control: Control, seed: int, categories: str) -> Prepared:
    names = data.sample.row_names
    if form.name in MADE_POINTS:
        return prepare_form(form, data.sample.frame.drop(control.drop), names or control.id)
    rows = None if data.is_whole else data.rows
    prepared = prepare(data.sample.frame, seed, categories, names, rows, control)
    prepared.warnings.extend(pointer(form, table))
    return prepared


def _check(**options: tuple[Any, int]) -> None:
    """Whole numbers of at least so much, where they are given."""
    for name, (value, least) in options.items():
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if (value is None and name != "seed") or (whole and value >= least):
            continue
        raise TableError(f"{name} is {value!r}; a whole number of at least {least} was expected.")
    if options["seed"][0] >= 2**32:
        raise TableError(f"seed is {options['seed'][0]}; a whole number below 2**32 was expected.")


def _check_rows(height: int, **options: int | None) -> None:
    for name, value in options.items():
        if value is not None and value > height:
            raise TableError(f"{name} is {value}, but the table has {height} rows; give at most that many.")
