"""Which partition follows the groups: K-means, Gaussians or the density, by the valleys along the borders.

A partition holds if along the shallowest of the borders that join its groups the rows thin out more than chance makes
them (`border`). K-means is kept wherever it holds nearly as well as the others, or agrees with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from unmix.exploration.structure.shapes.border import border_depths
from unmix.exploration.structure.shapes.tree import Tree, density_trees
from unmix.validation.evidence.resampled.distance import clustering_distance
from unmix.validation.evidence.valley import spanning_valleys

CHANCE = 1.8  # the deepest borders in 150 tables of ten kinds without groups
LEVEL = 2.5  # that speaks for a number of groups which nothing else speaks for
MOST_GROUPS = 6
NEARLY = 0.8  # of the depth of another partition is as good
HALF = 0.5  # of the depth of the best one is a partition of its own right
SAME = 0.05  # share of rows up to which two partitions are the same

Labels = Mapping[int, np.ndarray]  # by the number of groups


class Partition(NamedTuple):
    """Labels of the rows, how they came about ("round", "gaussian" or "density"), and the depth of the borders."""

    kind: str
    labels: np.ndarray
    depth: float

    @property
    def k(self) -> int:
        return int(self.labels.max()) + 1


def by_density(distances: np.ndarray) -> list[Partition]:
    """The cuts of the trees of the density in 2, 3 … groups."""
    trees = density_trees(distances)
    most = min(MOST_GROUPS, max(len(tree.cuts) for tree in trees) + 1)
    return [deepest_cut(distances, trees, k) for k in range(2, most + 1)]


def deepest_cut(distances: np.ndarray, trees: list[Tree], k: int) -> Partition:
    """Of the cuts of each tree in k groups, or as many as one of them has, the one with the deepest borders."""
    cuts = [measured("density", distances, tree.groups(k)) for tree in trees]
    return max(cuts, key=lambda cut: (cut.k, cut.depth))


def measured(kind: str, distances: np.ndarray, labels: np.ndarray) -> Partition:
    labels = np.unique(labels, return_inverse=True)[1]
    valleys = spanning_valleys(border_depths(distances, labels))
    return Partition(kind, labels, float(valleys[-1, 0]) if len(valleys) else 0.0)


def number_of(candidates: list[Partition]) -> int:
    """The largest number of groups that hold, and hold half as well as the best; 1 where none do."""
    return _largest(candidates, max([LEVEL, *(HALF * one.depth for one in candidates)]))


def votes_of(candidates: list[Partition]) -> tuple[int, int]:
    """That number, and the largest whose groups hold at all: beside a wide gap a narrow one may be as real."""
    return number_of(candidates), _largest(candidates, LEVEL)


def _largest(candidates: list[Partition], level: float) -> int:
    return max((one.k for one in candidates if one.depth >= level), default=1)


def better_partition(
    distances: np.ndarray, round_groups: Labels, gaussians: Labels, answer: int, fixed: bool, followed: bool = True
) -> Partition | None:
    """What should take the place of K-means with `answer` clusters; None where nothing should.

    With `fixed` the number stays as it is. Where K-means has not `followed` the groups that were counted, as it cuts a
    large one in two and leaves a small one in a half, any deeper borders will do: few rows show none that are deep.
    """
    own = measured("round", distances, round_groups[answer])
    candidates = by_density(distances)
    candidates += [measured("gaussian", distances, z) for k, z in gaussians.items() if k > 1 and z.max() + 1 == k]
    k = answer if fixed else number_of(candidates)
    if k not in (1, answer) and k in round_groups:
        best, follows = _best(candidates, k), measured("round", distances, round_groups[k])
        held = max(one.depth for one in (own, *candidates) if one.k == answer or one is own)
        if held < max(CHANCE, HALF * best.depth) and not _as_good(follows, best):
            return best
    best = _best(candidates, answer)
    kept = best.depth < CHANCE or _as_good(own, best) if followed else best.depth < own.depth
    return None if answer == 1 or best.kind == "none" or kept else best


def _best(candidates: list[Partition], k: int) -> Partition:
    """With k groups, Gaussians where they hold nearly as well: their borders are smooth."""
    found = {one.kind: one for one in candidates if one.k == k}
    nothing = Partition("none", np.zeros(1, dtype=int), 0.0)
    gaussian, density = found.get("gaussian", nothing), found.get("density", nothing)
    return gaussian if gaussian.depth >= NEARLY * density.depth else density


def _as_good(own: Partition, other: Partition) -> bool:
    return own.depth >= NEARLY * other.depth or clustering_distance(own.labels, other.labels) <= SAME
