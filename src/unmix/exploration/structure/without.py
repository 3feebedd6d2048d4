"""Does the answer hang on one column?  Count again without each, and say where the answer is another.

Only the judge of the count is asked (no resampling beside it), on a few hundred rows: with all columns, then without
each. Where these differ the count is made once more on many rows, so that a sample does not speak for the table.
A number that other rows of the same table would not give again is no answer that a column could change: then only
columns are named that decide whether there are clusters at all.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from unmix.cluster import KMeans
from unmix.core.beside import shared
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Selection
from unmix.exploration.structure.chance import Gap
from unmix.exploration.structure.counting import fewest_rows
from unmix.exploration.structure.evaluation_set import Axes, EvaluationSet, Rows, evaluation_set
from unmix.exploration.structure.gap import NO_GAP, deepest_gap
from unmix.exploration.structure.partitions import partitions_of
from unmix.validation import Consensus, select

_few_rows, _many_rows = 400, 1000
_most_tried = 6
_most_confirmed = 2
_most_features = 10  # with more, one column hardly carries the answer, and clusters are sought in components
_further = 2  # clusters beyond the answer that are tried; counting to ten would take longer and say no more
_repeatable = 0.5  # share of parts of the table that give the same number


def depends_on(prepared: Prepared, looked_at: Rows, answer: Selection, max_k: int, seed: int) -> dict[str, int]:
    """Columns without which another number of clusters is found, and that number; not where rows depend."""
    columns = list(dict.fromkeys(prepared.owner.tolist()))
    n, d = looked_at.X.shape
    if len(columns) < 2 or d > _most_features or n < fewest_rows or max_k < 2 or looked_at.order is not None:
        return {}
    if answer.chosen_k == 1 and (prepared.category.any() or answer.confidence is None):
        return {}  # one cloud: how a column cuts it in two, or where a curved one turns, is no other answer
    max_k = min(max_k, answer.chosen_k + _further)
    rows = _some(looked_at, _few_rows)
    doubtful = _doubtful_first(prepared, columns)
    tables = [_left(prepared, rows, j) for j in (None, *doubtful)]
    whole, *counts = shared(partial(_count, max_k, seed), tables)  # fewer numbers, starts or rows may change it too
    tried = dict(zip(doubtful, counts))
    found = {j: k for j, k in tried.items() if _differs(k, whole, answer) and _differs(k, answer.chosen_k, answer)}
    if len(rows.X) < n:
        rows = _some(looked_at, _many_rows)
        found = {j: _count(max_k, seed, _left(prepared, rows, j)) for j in list(found)[:_most_confirmed]}
    return {prepared.columns[j].name: k for j, k in found.items() if _differs(k, answer.chosen_k, answer)}


def _differs(k: int, other: int, answer: Selection) -> bool:
    sure = answer.confidence is None or answer.confidence >= _repeatable
    return k != other if sure else (k == 1) != (other == 1)


def dependence_in_words(found: dict[str, int], chosen: int) -> list[str]:
    """One sentence for each other answer, with the columns that lead to it."""
    said = []
    for k in sorted(set(found.values())):
        names = [repr(name) for name, other in found.items() if other == k]
        columns = f"column {names[0]}" if len(names) == 1 else f"any one of the columns {', '.join(names)}"
        said.append(f"Without {columns} the answer would be {_in_words(k)} instead of {_in_words(chosen)}.")
    return said


def _in_words(k: int) -> str:
    return "no cluster structure beyond chance" if k == 1 else f"{k} clusters"


def _doubtful_first(prepared: Prepared, columns: list[int]) -> list[int]:
    """Columns that may be no measurement, or take few values, before the others; of many only some."""
    plain = {j: prepared.columns[j].kind == "numeric" and prepared.columns[j].n_unique > 20 for j in columns}
    return sorted(columns, key=lambda j: plain[j])[:_most_tried]


def _some(looked_at: Rows, most: int) -> Rows:
    """Rows at even distances; those that are looked at were drawn at random."""
    chosen = np.unique(np.linspace(0, len(looked_at.X) - 1, min(most, len(looked_at.X))).astype(int))
    return Rows(looked_at.numbers[chosen], looked_at.X[chosen], None)


def _left(prepared: Prepared, rows: Rows, without: int | None) -> EvaluationSet:
    """The rows on the axes of the columns that are left, with references as in the count itself."""
    kept = np.flatnonzero(prepared.owner != (-1 if without is None else without))
    d = rows.X.shape[1]
    evaluated = evaluation_set(prepared, rows, Axes(np.eye(d)[kept], np.zeros(d)))
    return evaluated._replace(owner=prepared.owner[kept], category=prepared.category[kept])


def _count(max_k: int, seed: int, evaluated: EvaluationSet) -> int:
    """By the judge of the count itself."""
    ks = list(range(1, min(max_k, len(np.unique(evaluated.space, axis=0))) + 1))
    if len(ks) == 1:
        return 1
    by_gap = evaluated.category.any()
    criterion = Gap(evaluated.owner, evaluated.category) if by_gap else Consensus(reference=evaluated.reference)
    found = select(KMeans(n_init=1, random_state=seed), evaluated.space, ks, [criterion], random_state=seed)
    choice = found.evaluations[criterion.name].choice
    if choice is None or ks[choice] == 1:
        return 1
    partitions = None if by_gap else partitions_of(found, evaluated, seed)
    return 1 if partitions is not None and deepest_gap(partitions) < NO_GAP else ks[choice]
