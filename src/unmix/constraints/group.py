"""Whole groups of entries that are 0 together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step, common_step
from unmix.core.arguments import zero_or_more
from unmix.optimize.norm import lengths, prox_norm


@dataclass(frozen=True)
class Group(Constraint):
    """Pay λ Σ_g √size_g ‖v_g‖ (ℓ2,1): a group of entries stays, a little smaller, or vanishes as a whole.

        prox(v_g) = max(1 - t λ √size_g / ‖v_g‖, 0) v_g

    Parameters
    ----------
    strength : float, default=1.0
        λ, 0 or more.
    groups : None, "columns" or sequence of length k, default=None
        None: a vector is a group. Labels of the entries of a vector: those with the same label are a group.
        "columns": each column of the matrix is one across all vectors (then the scope is the matrix).

    References
    ----------
    Yuan & Lin, J. Royal Statistical Society B 68, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Group
    >>> Group(1.0, groups=["a", "a", "b"]).prox(np.array([[3.0, 4.0, 0.5]]), np.sqrt(0.5))
    array([[2.4, 3.2, 0. ]])
    """

    strength: float = 1.0
    groups: str | Sequence[Any] | None = None
    name: ClassVar[str] = "group"

    def __post_init__(self) -> None:
        zero_or_more("strength", self.strength)
        if isinstance(self.groups, str) and self.groups != "columns":
            raise ValueError(f"groups={self.groups!r} is not known; give None, 'columns' or a label for each entry")
        if self.groups is not None and not isinstance(self.groups, str):
            object.__setattr__(self, "groups", tuple(np.asarray(self.groups).ravel().tolist()))

    @property
    def scope(self) -> str:
        return "matrix" if self.groups == "columns" else "vector"

    @property
    def shrinks(self) -> bool:
        return self.strength > 0

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        if self.groups == "columns":
            return prox_norm(V, self._price(len(V)) * common_step(step), axis=0)
        W, steps = np.empty_like(V), np.asarray(step, dtype=np.float64)
        for places, size in self._members(V.shape[1]):
            W[:, places] = prox_norm(V[:, places], self._price(size) * steps, axis=1)
        return W

    def penalty(self, V: np.ndarray) -> np.ndarray:
        if self.groups == "columns":
            return np.full(len(V), self._price(len(V)) * lengths(V, axis=0).sum() / max(len(V), 1))
        paid = np.zeros(len(V))
        for places, size in self._members(V.shape[1]):
            paid += self._price(size) * lengths(V[:, places], axis=1)
        return paid

    def violation(self, V: np.ndarray) -> float:
        return 0.0

    def exchanges(self, axis: int) -> bool:
        return axis == 0 or self.groups is None or self.groups == "columns"

    def _price(self, size: int) -> float:
        return self.strength * float(np.sqrt(size))

    def _members(self, k: int) -> list[tuple[Any, int]]:
        """Which entries of a vector belong together, and how many they are."""
        if self.groups is None:
            return [(slice(None), k)]
        if len(self.groups) != k:
            raise ValueError(f"groups has {len(self.groups)} labels for vectors of {k} entries; give one for each")
        return _with_the_same_label(tuple(self.groups))


@lru_cache(maxsize=16)
def _with_the_same_label(labels: tuple[Any, ...]) -> list[tuple[Any, int]]:
    places: dict[Any, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    return [(np.array(same), len(same)) for same in places.values()]
