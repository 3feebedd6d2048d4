"""A rule of at most three conditions for each group, found on half of the rows and counted on the other half.

A condition holds a number between two bounds or a category to some of its levels. Conditions are added one at a time,
the eight best rules at each step kept, by how well a rule finds the group: F = 2 tp / (rows that meet it + rows of
the group). A bound is the number with the fewest digits that parts the same rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.core.random import spawn
from unmix.exploration.columns.kinds import Kind
from unmix.exploration.findings.records import Column, Condition, Rule
from unmix.exploration.groups.bounds import shortest_between

_most_conditions, _most_steps, _kept = 3, 5, 8
_most_rows = 2000  # on which rules are sought, and as many again on which they are counted
_fewest_rows = 5  # of a group in each half
_most_columns = 40
_most_cuts = 24  # of a column
_least_gain = 0.03  # in F that a further condition must bring


class SingleTest(NamedTuple):
    """One bound or one set of levels: of which column, and which rows meet it."""

    column: int
    low: float | None
    high: float | None
    levels: tuple[str, ...]


class Found(NamedTuple):
    """Tests so far, and which rows meet all of them."""

    score: float
    tests: tuple[int, ...]
    met: np.ndarray


def group_rules(
    columns: list[Column], kinds: list[Kind], labels: np.ndarray, k: int, seed: int
) -> list[Rule | None]:  # fmt: skip
    """The rule of each group; None where it has too few rows. Only columns that formed the groups take part."""
    order = spawn(seed, 12).permutation(len(labels))[: 2 * _most_rows]
    half = len(order) // 2
    used = [(column, kind) for column, kind in zip(columns, kinds) if column.used][:_most_columns]
    names = [column.name for column, _ in used]
    found, counted = ([_cells(kind, rows) for _, kind in used] for rows in (order[:half], order[half:]))
    groups, others = labels[order[:half]], labels[order[half:]]
    return [_rule(names, found, counted, groups == g, others == g) if k > 1 else None for g in range(k)]


def _rule(
    names: list[str], cells: list[np.ndarray], held_out: list[np.ndarray], inside: np.ndarray, there: np.ndarray
) -> Rule | None:
    if min(inside.sum(), there.sum()) < _fewest_rows:
        return None
    tests, met = all_tests(cells, inside)
    best = _search(tests, met, inside)
    if best is None:
        return None
    conditions = [condition_of(names[j], cells[j], [tests[t] for t in best.tests if tests[t].column == j])
                  for j in dict.fromkeys(tests[t].column for t in best.tests)]  # fmt: skip
    rows = np.logical_and.reduce([meets(held_out[names.index(one.column)], one) for one in conditions])
    hits = int((rows & there).sum())
    if not hits:
        return None
    return Rule(in_words(conditions), conditions, hits / int(rows.sum()), hits / int(there.sum()))


def _search(tests: list[SingleTest], met: np.ndarray, inside: np.ndarray) -> Found | None:
    """The best rule, grown one test at a time."""
    beam = [Found(0.0, (), np.ones(len(inside), bool))]
    best = beam[0]
    for _ in range(_most_steps):
        grown = [found for rule in beam for found in _grown(rule, tests, met, inside)]
        beam = sorted(grown, key=lambda found: (-found.score, found.tests))[:_kept]
        if not beam or beam[0].score < best.score + _least_gain:
            break
        best = beam[0]
    return best if best.tests else None


def _grown(rule: Found, tests: list[SingleTest], met: np.ndarray, inside: np.ndarray) -> list[Found]:
    """The rule with each of the tests that improve it most."""
    weight = np.stack([rule.met, rule.met & inside]).astype(np.float32)
    n_met, hits = weight @ met
    score = 2 * hits / (n_met + inside.sum())
    columns = {tests[t].column for t in rule.tests}
    found = []
    for t in np.argsort(-score, kind="stable")[: 4 * _kept]:
        fits = len(columns | {tests[t].column}) <= _most_conditions
        if fits and score[t] > rule.score:
            chosen = tuple(sorted((*rule.tests, int(t))))
            found.append(Found(float(score[t]), chosen, rule.met & (met[:, t] > 0)))
    return found


def all_tests(cells: list[np.ndarray], inside: np.ndarray) -> tuple[list[SingleTest], np.ndarray]:
    """Every single condition that is tried, and (rows, tests) which rows meet it; a missing cell meets none."""
    tests: list[SingleTest] = []
    met: list[np.ndarray] = []
    for j, x in enumerate(cells):
        if x.dtype == object:
            for levels in _level_sets(x, inside):
                tests.append(SingleTest(j, None, None, levels))
                met.append(_among(x, levels))
            continue
        for cut in _cuts(x).tolist():
            tests += [SingleTest(j, cut, None, ()), SingleTest(j, None, cut, ())]
            met += [x >= cut, x < cut]
    return tests, np.stack(met, axis=1).astype(np.float32) if met else np.zeros((len(inside), 0), np.float32)


def _cuts(x: np.ndarray) -> np.ndarray:
    """Values that part the rows at evenly spaced ranks."""
    given = np.sort(x[np.isfinite(x)])
    if not len(given):
        return given
    at = np.linspace(0, len(given) - 1, _most_cuts + 2)[1:-1].astype(int)
    cuts = np.unique(given[at])
    return cuts[cuts > given[0]]


def _level_sets(x: np.ndarray, inside: np.ndarray) -> list[tuple[str, ...]]:
    """Levels in the order of how many of their rows are in the group: the first, the first two, …"""
    pairs = pl.DataFrame({"level": x.tolist(), "inside": inside}, schema_overrides={"level": pl.String}).drop_nulls()
    shares = pairs.group_by("level").agg(pl.col("inside").mean()).sort(["inside", "level"], descending=[True, False])
    levels = shares["level"].to_list()
    return [tuple(levels[:n]) for n in range(1, min(len(levels), 6))]


def condition_of(name: str, x: np.ndarray, tests: list[SingleTest]) -> Condition:
    """All tests of one column as one condition, its bounds rounded as far as the same rows meet it."""
    if x.dtype == object:
        common = set.intersection(*(set(test.levels) for test in tests))
        return Condition(name, levels=sorted(common))
    lows, highs = [test.low for test in tests if test.low is not None], [t.high for t in tests if t.high is not None]
    return Condition(name, _rounded(x, max(lows, default=None)), _rounded(x, min(highs, default=None)))


def _rounded(x: np.ndarray, cut: float | None) -> float | None:
    """x ≥ cut parts the rows as any number above the largest value below it."""
    return None if cut is None else shortest_between(float(x[x < cut].max()), cut)


def meets(x: np.ndarray, condition: Condition) -> np.ndarray:
    if x.dtype == object:
        return _among(x, condition.levels)
    low = -math.inf if condition.low is None else condition.low
    high = math.inf if condition.high is None else condition.high
    return (x >= low) & (x < high)


def _among(x: np.ndarray, levels: Sequence[str]) -> np.ndarray:
    wanted = set(levels)
    return np.fromiter((cell in wanted for cell in x), bool, len(x))


def in_words(conditions: list[Condition]) -> str:
    return " and ".join(_condition_in_words(one) for one in conditions)


def _condition_in_words(one: Condition) -> str:
    if one.levels:
        return f"{one.column} = {' or '.join(one.levels)}"
    low, high = (None if bound is None else f"{bound:,.15g}" for bound in (one.low, one.high))
    if low is None or high is None:
        return f"{one.column} < {high}" if low is None else f"{one.column} ≥ {low}"
    return f"{low} ≤ {one.column} < {high}"


def _cells(kind: Kind, rows: np.ndarray) -> np.ndarray:
    """Numbers with nan, or levels with None, of these rows."""
    values = kind.values[rows]
    if kind.form == "numeric":
        return values.cast(pl.Float64).to_numpy()
    return np.array(values.cast(pl.String).to_list(), dtype=object)
