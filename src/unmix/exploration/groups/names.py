"""A short name for each group, made of what tells it from the others: no two groups have the same one.

accuracy(g, h) of a trait: how often a row of group g or h, equally many of both, is put into the right one by it.
number    Φ(|mean_g - mean_h| / (2 sd within))
category  (1 + share_g - share_h) / 2 for the level of most rows of g
The first trait tells most from all others, the next from those that are left, until all are told apart. A group that no
trait of this kind names is named by how much a number varies, or by one number in view of another (`beyond_means`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import polars as pl
from scipy.special import ndtr

from unmix.exploration.columns.kinds import Kind
from unmix.exploration.findings.records import Column
from unmix.exploration.groups.beyond_means import accuracy_of_spread, residuals
from unmix.exploration.groups.contrast import shown

APART = 0.7  # of rows put right, from which on two groups are told apart
_worth = 0.6  # and a further trait is worth its words
_middling = 0.1  # that "medium" must tell more than "highest" or a level
_most_traits = 3
_fewest_values = 5  # of a group that speak for it
_least_support = 0.5  # of its rows that must have a value
_least_share = 0.5  # of them that must have the level it is named after
_errors = 3.0  # standard errors by which two groups must differ
_most_levels = 200
_longest = 32  # letters of a column's or a level's name


class Trait(NamedTuple):
    """Words, and how well they tell the group from each of the others (½ where not at all)."""

    words: str
    accuracy: np.ndarray
    used: bool
    extreme: bool = True  # not in the middle, which says less
    middle: float | None = None  # of a number


def group_names(columns: list[Column], kinds: list[Kind], labels: np.ndarray, k: int, logs: set[str]) -> list[str]:
    """Names of groups 0 … k - 1; `labels` go with the values in `kinds`."""
    if k == 1:
        return ["all rows"]
    traits: list[list[Trait]] = [[] for _ in range(k)]
    sizes = np.bincount(labels, minlength=k)
    for column, kind in zip(columns, kinds):
        if column.describes and column.form == "numeric":
            _add_numbers(traits, column, kind, labels, sizes, column.name in logs)
        elif column.describes and column.form in ("category", "boolean") and column.n_unique <= _most_levels:
            _add_levels(traits, column, kind, labels, sizes)
    chosen = [_chosen(own, label, k) for label, own in enumerate(traits)]
    if not all(chosen):
        more = _further_traits(columns, kinds, labels, sizes)
        chosen = [own or _chosen(more[label], label, k) for label, own in enumerate(chosen)]
    return _told_apart(chosen)


def _further_traits(
    columns: list[Column], kinds: list[Kind], labels: np.ndarray, sizes: np.ndarray
) -> list[list[Trait]]:
    """Of numbers that formed the groups, in rows that have them all: spreads, and numbers in view of others."""
    traits: list[list[Trait]] = [[] for _ in sizes]
    used = [(_short(column.name), kind) for column, kind in zip(columns, kinds) if _is_used_number(column)]
    if not used:
        return traits
    X = np.column_stack([kind.values.cast(pl.Float64).fill_null(np.nan).to_numpy() for _, kind in used])
    given = np.isfinite(X).all(axis=1)
    X, group = X[given] / np.maximum(np.abs(X[given]).max(axis=0, initial=0.0), 1e-300), labels[given]
    n = np.bincount(group, minlength=len(sizes))
    if ((n >= _fewest_values) & (n >= _least_support * sizes)).all():
        names = [name for name, _ in used]
        _add_spreads(traits, names, X, group, n)
        _add_residuals(traits, names, X, group, n)
    return traits


def _is_used_number(column: Column) -> bool:
    return column.used and column.form == "numeric"


def _add_spreads(traits: list[list[Trait]], names: list[str], X: np.ndarray, group: np.ndarray, n: np.ndarray) -> None:
    for name, column in zip(names, X.T):
        spreads = np.array([column[group == g].std() for g in range(len(n))])
        for g in range(len(n)):
            word, accuracy = accuracy_of_spread(spreads, n, g)
            traits[g].append(Trait(f"{word} range of {name}", accuracy, True))


def _add_residuals(
    traits: list[list[Trait]], names: list[str], X: np.ndarray, group: np.ndarray, n: np.ndarray
) -> None:
    every = np.ones(len(n), bool)
    for a, b, rest in residuals(X, group, len(n)):
        mean = np.bincount(group, rest, len(n)) / n
        within = math.sqrt(((rest - mean[group]) ** 2).mean())
        for g in range(len(n)):
            word, accuracy = _where(mean, within, n, every, g)
            traits[g].append(Trait(f"{word} {names[b]} for its {names[a]}", accuracy, True, word != "medium"))


def _chosen(own: list[Trait], label: int, k: int) -> list[Trait]:
    """The traits that name a group: each tells most from the groups that those before it do not."""
    left = np.arange(k) != label
    chosen: list[Trait] = []
    while left.any() and own and len(chosen) < _most_traits:
        best = max(own, key=lambda trait: (_worth_of(trait, left), trait.used))
        if best.accuracy[left].max() < _worth:
            break
        chosen.append(best)
        own = [trait for trait in own if trait.words != best.words]
        left &= best.accuracy < APART
    return chosen


def _worth_of(trait: Trait, left: np.ndarray) -> float:
    return round(float(trait.accuracy[left].mean()) - (0.0 if trait.extreme else _middling), 3)


def _told_apart(chosen: list[list[Trait]]) -> list[str]:
    """Words; where those of two groups are the same, the value of the first number, and at last a count."""
    names = [", ".join(trait.words for trait in own) or "no column stands out" for own in chosen]
    for i in _repeated(names):
        value = next((trait.middle for trait in chosen[i] if trait.middle is not None), None)
        names[i] += "" if value is None else f" ({shown(value, value / 100)})"
    again = {name: 0 for i in _repeated(names) for name in [names[i]]}
    for i, name in enumerate(names):
        if name in again:
            again[name] += 1
            names[i] = f"{name} ({again[name]})"
    return names


def _repeated(names: list[str]) -> list[int]:
    return [i for i, name in enumerate(names) if names.count(name) > 1]


def _add_numbers(
    traits: list[list[Trait]], column: Column, kind: Kind, labels: np.ndarray, sizes: np.ndarray, log: bool
) -> None:
    x = kind.values.to_numpy()
    given = np.isfinite(x)
    x, group, k = x[given], labels[given], len(sizes)
    n = np.bincount(group, minlength=k)
    unit = np.abs(x).max(initial=0.0) or 1.0
    scaled = np.log(np.maximum(x, x[x > 0].min())) if log else x / unit
    mean = np.bincount(group, scaled, k) / np.maximum(n, 1)
    within = math.sqrt(((scaled - mean[group]) ** 2).mean()) if len(x) else 0.0
    enough = (n >= _fewest_values) & (n >= _least_support * sizes)
    middle = np.exp(mean) if log else mean * unit
    for g in np.flatnonzero(enough):
        words, accuracy = _where(mean, within, n, enough, int(g))
        if accuracy.max() > 0.5:
            extreme, name = words != "medium", f"{words} {_short(column.name)}"
            traits[g].append(Trait(name, accuracy, column.used, extreme, float(middle[g])))


def _where(mean: np.ndarray, within: float, n: np.ndarray, enough: np.ndarray, g: int) -> tuple[str, np.ndarray]:
    """Whether a group is the highest, higher, lower, lowest or in the middle, and what that tells it from."""
    error = within * np.sqrt(1 / n[g] + 1 / np.maximum(n, 1))
    steps = mean[g] - mean
    clear = enough & (np.abs(steps) > _errors * error)
    accuracy = np.where(clear, ndtr(np.abs(steps) / (2 * within)) if within > 0 else 1.0, 0.5)
    others = np.arange(len(n)) != g
    above, below = clear & (steps > 0) & (accuracy >= APART), clear & (steps < 0) & (accuracy >= APART)
    if above.any() and below.any():
        return "medium", accuracy
    up = bool(np.where(clear, steps, 0.0).sum() > 0)
    all_told = bool((above if up else below)[others].all())
    word = ("highest" if up else "lowest") if all_told and len(n) > 2 else ("higher" if up else "lower")
    return word, np.where((steps > 0) == up, accuracy, 0.5)


def _add_levels(traits: list[list[Trait]], column: Column, kind: Kind, labels: np.ndarray, sizes: np.ndarray) -> None:
    counts = _level_counts(kind.values, labels, len(sizes))
    n = np.sum(list(counts.values()), axis=0) if counts else np.zeros(len(sizes))
    enough = (n >= _fewest_values) & (n >= _least_support * sizes)
    for level, count in counts.items():
        share = count / np.maximum(n, 1)
        for g in np.flatnonzero(enough & (share >= _least_share)):
            accuracy = np.where(enough & _differs(share, n, int(g)), (1 + share[g] - share) / 2, 0.5)
            if accuracy.max() > 0.5:
                words = f"{_short(column.name)} = {_short(level)}"
                traits[g].append(Trait(words, np.maximum(accuracy, 0.5), column.used))


def _differs(share: np.ndarray, n: np.ndarray, g: int) -> np.ndarray:
    """Where the share in g is larger by some standard errors of the arcsine, 1 / √n each."""
    angle = 2 * np.arcsin(np.sqrt(share))
    return angle[g] - angle > _errors * np.sqrt(1 / n[g] + 1 / np.maximum(n, 1))


def _level_counts(values: pl.Series, labels: np.ndarray, k: int) -> dict[str, np.ndarray]:
    """How often each level stands in each group; cells without a value do not count."""
    pairs = pl.DataFrame({"level": values, "group": labels}).drop_nulls()
    found: dict[str, np.ndarray] = {}
    for level, group, count in pairs.group_by(["level", "group"]).len().sort(["level", "group"]).iter_rows():
        found.setdefault(str(level), np.zeros(k))[group] += count
    return found


def _short(name: str) -> str:
    return name if len(name) <= _longest else f"{name[: _longest - 1]}…"
