"""Solutions drawn from what two approximation sets have in common: c* ~ Unif( C_γ(X') ∩ C_γ(X'') ).

The last step of approximation set coding: at the best γ all solutions in both sets are equally good answers, and one of
them is drawn.  Listed solutions are drawn exactly; of labellings that are only counted, walkers spread over the set, or
labels drawn one by one at the temperatures of the level and kept where they are in both sets.

Reference: Buhmann, Information theoretic model validation for clustering, IEEE ISIT (2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

DRAWS_EACH = 200  # draws for each solution that is asked for, of labels one by one


class CommonSets(Protocol):
    """What two sets share at each level, of which solutions can be drawn."""

    def sample(self, level: int, size: int, rng: np.random.Generator) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class ListedSolutions:
    """Solutions that are written down, with the larger of their two excesses over the least cost."""

    levels: np.ndarray
    excess: np.ndarray
    labellings: np.ndarray | None = None

    def sample(self, level: int, size: int, rng: np.random.Generator) -> np.ndarray:
        """Numbers of solutions, or labellings, each as likely as any other."""
        chosen = rng.choice(np.flatnonzero(self.excess <= self.levels[level]), size)
        return chosen if self.labellings is None else self.labellings[chosen]


@dataclass(frozen=True, eq=False)
class AllLabellings:
    """All labellings, at every level."""

    n_objects: int
    n_clusters: int

    def sample(self, level: int, size: int, rng: np.random.Generator) -> np.ndarray:
        return rng.integers(0, self.n_clusters, (size, self.n_objects))


@dataclass(frozen=True, eq=False)
class SampledLabellings:
    """Labellings that walkers came to below each level of their own, from high to low, and what they cost there."""

    levels: np.ndarray
    own_levels: np.ndarray
    labellings: Sequence[np.ndarray]
    heights: Sequence[np.ndarray]
    n_clusters: int

    def sample(self, level: int, size: int, rng: np.random.Generator) -> np.ndarray:
        if level == len(self.levels) - 1:  # everything
            return rng.integers(0, self.n_clusters, (size, self.labellings[0].shape[1]))
        at = int(np.flatnonzero(self.own_levels >= self.levels[level] * (1 - 1e-12))[-1])
        below = np.flatnonzero(self.heights[at] <= self.levels[level] * (1 + 1e-9))
        return self.labellings[at][rng.choice(below, size)]


@dataclass(frozen=True, eq=False)
class Typical:
    """Independent labels whose mean cost is that of the level; those that do cost no more in both samples are kept.

    Within the set they have Gibbs weights, which to leading order in the number of objects are all alike.
    """

    cost: Any
    samples: Sequence[Any]
    most: np.ndarray  # (levels, 2), what a labelling may cost
    shares: Sequence[np.ndarray]  # (n, k) at each level

    def sample(self, level: int, size: int, rng: np.random.Generator) -> np.ndarray:
        if level >= len(self.shares):  # everything
            return rng.integers(0, self.shares[0].shape[1], (size, len(self.shares[0])))
        found: list[np.ndarray] = []
        for _ in range(DRAWS_EACH * size):
            labels = self._draw(self.shares[level], rng)
            if all(self.cost.total(data, labels) <= most for data, most in zip(self.samples, self.most[level])):
                found.append(rng.permutation(self.shares[level].shape[1])[labels])  # under any names
            if len(found) == size:
                return np.array(found)
        raise ValueError(
            f"of {DRAWS_EACH * size} labellings drawn at this level {len(found)} are in both sets; give a coarser level"
        )

    @staticmethod
    def _draw(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        below = np.cumsum(shares, axis=1)
        labels: np.ndarray = (rng.random((len(shares), 1)) * below[:, -1:] > below[:, :-1]).sum(axis=1)
        return labels


@dataclass(frozen=True, eq=False)
class Candidates:
    """What two runs of an algorithm still have in common after each step."""

    sets: Sequence[Any]

    def sample(self, level: int, size: int, rng: np.random.Generator) -> np.ndarray:
        common = self.sets[level]
        if not hasattr(common, "sample"):
            raise TypeError(
                f"{type(common).__name__} has no sample(rng), which draws one of its solutions; give it one"
            )
        return np.array([common.sample(rng) for _ in range(size)])
