"""The tree of groups as records for the reader."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Level
from unmix.exploration.levels.tree import Branch, Branches
from unmix.validation.selection.sureness import in_letters

_standing_out = 0.5  # standard deviations of the group above by which a column has to differ


def level_records(branches: Branches, names: Sequence[str], prepared: Prepared, counts: dict[str, int]) -> list[Level]:
    """`names` are those of the clusters; `counts` the rows of the table at each end of a way, or of each label."""
    counted = _Sizes(counts)
    made = [_record(branch, name, prepared, counted) for branch, name in zip(branches.of_clusters, names)]
    if branches.groups is None:
        return made
    together = [[level for level, own in zip(made, branches.groups) if own == g] for g in np.unique(branches.groups)]
    return [_above(g, children, counted) for g, children in enumerate(together)]


class _Sizes:
    """How many rows are at a path or below it."""

    def __init__(self, counts: dict[str, int]) -> None:
        self.counts, self.total = counts, max(sum(counts.values()), 1)

    def at(self, path: str) -> int:
        return sum(count for name, count in self.counts.items() if f"{name}.".startswith(f"{path}."))


def _record(branch: Branch, name: str, prepared: Prepared, counted: _Sizes) -> Level:
    size = counted.at(branch.path)
    names = [name_within(prepared, branch.members, child.members) for child in branch.children]
    children = [_record(child, own, prepared, counted) for child, own in zip(branch.children, names)]
    return Level(branch.path, size, size / counted.total, name, branch.probability, branch.sentence, children)


def _above(group: int, children: list[Level], counted: _Sizes) -> Level:
    """A cluster that is alone is its own group."""
    if len(children) == 1:
        return children[0]
    size = counted.at(str(group))
    sentence = f"{in_letters(len(children))} clusters that lie together, apart from the others"
    name = " | ".join(level.name for level in children)
    return Level(str(group), size, size / counted.total, name, None, sentence, children)


def name_within(prepared: Prepared, above: np.ndarray, members: np.ndarray) -> str:
    """The one or two columns in which the rows differ most from the others of the group above."""
    X, spread = prepared.X, prepared.X[above].std(axis=0)
    others = np.setdiff1d(above, members)
    if not len(others):
        return "all rows"
    effect = (X[members].mean(axis=0) - X[others].mean(axis=0)) / np.where(spread > 0, spread, np.inf)
    strongest = [j for j in np.argsort(-np.abs(effect), kind="stable")[:2] if abs(effect[j]) >= _standing_out]
    words = [f"{'higher' if effect[j] > 0 else 'lower'} {prepared.columns[prepared.owner[j]].name}" for j in strongest]
    return ", ".join(words) or "no column stands out"
