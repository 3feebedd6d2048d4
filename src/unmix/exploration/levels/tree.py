"""The tree of groups: what the clusters split into, and which of them belong together, with the evidence at each.

Groups are looked into from the top, the larger ones first, three levels deep at most; the more looks, the stronger the
evidence must be (`look_inside`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from unmix.core.percent import whole_percent
from unmix.core.random import derive
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.levels.above import groups_of_clusters
from unmix.exploration.levels.look_inside import FEWEST_ROWS, Inside, look_inside
from unmix.exploration.structure.clustering import Clustering
from unmix.exploration.structure.evaluation_set import Rows
from unmix.validation.selection.sureness import LIKELY, grade_of, in_letters

MOST_LEVELS = 3
MOST_LOOKS = 8  # groups that are looked into


@dataclass
class Branch:
    """A group: its rows of the matrix, what was seen inside, and the groups it splits into."""

    path: str
    members: np.ndarray
    sentence: str = "not looked into"
    probability: float | None = None
    inside: Inside | None = None
    children: list[Branch] = field(default_factory=list)

    def paths(self, X: np.ndarray) -> np.ndarray:
        """The path to the smallest group of each row, for rows that belong here."""
        found = np.full(len(X), self.path, dtype=object)
        if self.inside is None or self.inside.clustering is None or self.inside.axes is None or not len(X):
            return found
        labels = np.asarray(self.inside.clustering.model.predict(self.inside.axes.project(X)))
        for label, child in enumerate(self.children):
            found[labels == label] = child.paths(X[labels == label])
        return found


@dataclass
class Branches:
    """The branch of each cluster; `groups` says which clusters belong together, None where none do."""

    of_clusters: list[Branch]
    groups: np.ndarray | None = None

    @property
    def deep(self) -> bool:
        """Whether there is more than one level."""
        return self.groups is not None or any(branch.children for branch in self.of_clusters)

    def paths(self, X: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """The path of each row of X, whose clusters are `labels`."""
        found = np.full(len(X), "", dtype=object)
        for label, branch in enumerate(self.of_clusters):
            found[labels == label] = branch.paths(X[labels == label])
        return found


def find_branches(prepared: Prepared, looked_at: Rows, clustering: Clustering, seed: int) -> Branches:
    """Nothing where there are no clusters; where categories or an order of the rows take part, no look is made.

    Nor is it into clusters that follow the density: criteria for round ones would take a curved one to pieces.
    """
    k = clustering.selection.chosen_k
    if k == 1 or prepared.category.any() or looked_at.order is not None or clustering.shape == "density":
        return Branches([])
    groups = groups_of_clusters(prepared.X, clustering.labels, seed)
    of_clusters = [Branch(path, np.flatnonzero(clustering.labels == c)) for c, path in enumerate(_paths(k, groups))]
    waiting, n_looks, depth = of_clusters, 0, 1 if groups is None else 2
    while waiting and depth < MOST_LEVELS:
        chosen = sorted(waiting, key=lambda branch: (-len(branch.members), branch.path))[: MOST_LOOKS - n_looks]
        n_looks += sum(len(branch.members) >= FEWEST_ROWS for branch in chosen)
        for branch in chosen:
            _grow(branch, prepared, looked_at, n_looks, derive(seed, 43, *map(int, branch.path.split("."))))
        waiting, depth = [child for branch in chosen for child in branch.children], depth + 1
    return Branches(of_clusters, groups)


def _paths(k: int, groups: np.ndarray | None) -> list[str]:
    if groups is None:
        return [str(c) for c in range(k)]
    places = [int((groups[:c] == groups[c]).sum()) for c in range(k)]
    alone = np.bincount(groups) == 1
    return [str(group) if alone[group] else f"{group}.{place}" for group, place in zip(groups, places)]


def _grow(branch: Branch, prepared: Prepared, looked_at: Rows, n_looks: int, seed: int) -> None:
    """Look into the group, and add the groups it splits into."""
    if len(branch.members) < FEWEST_ROWS:
        branch.sentence = "too few rows to look for further clusters"
        return
    inside = look_inside(prepared, looked_at, branch.members, n_looks, seed)
    branch.probability, branch.sentence, branch.inside = inside.probability, _sentence(inside), inside
    if inside.clustering is not None:
        labels = inside.clustering.labels
        parts = [branch.members[labels == c] for c in range(inside.clustering.selection.chosen_k)]
        branch.children = [Branch(f"{branch.path}.{c}", members) for c, members in enumerate(parts)]


def _sentence(inside: Inside) -> str:
    if inside.clustering is None:
        if inside.probability < LIKELY:
            return "no further clusters beyond chance"
        return f"perhaps further clusters ({whole_percent(inside.probability)}), not shown"
    record = inside.clustering.selection
    at = (record.probabilities or [0.0])[record.chosen_k - 1]
    stability = [kept for kept in inside.clustering.stability if kept is not None]
    grade = grade_of(at, record.confidence, float(np.mean(stability)) if stability else 0.0)
    sure = grade or "though their number is uncertain"
    if record.chosen_k == max(record.k):
        return f"splits again into {in_letters(record.chosen_k)} or more"
    return f"splits again into {in_letters(record.chosen_k)}, {sure}"
