"""What a factor of X ≈ Z U may be: a set it lies in, a penalty it pays, or both.

A factor is a matrix V whose rows are its vectors: a row of Z is the code of a row of the table, a row of U a component
along the columns.  Fitting needs the proximal map,

    prox(V, t) = argmin_W  t · penalty(W) + ½ ‖W - V‖²   over the W that are allowed

and may use more where there is more (`entry`, `solve`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

Step = float | np.ndarray  # one for all, or a column (m, 1): one a vector


class Entry(NamedTuple):
    """A constraint on every entry a alone:  l1 |a| + ½ l2 a²  with  low ≤ a ≤ high."""

    l1: float = 0.0
    l2: float = 0.0
    low: float = -np.inf
    high: float = np.inf


class Constraint(ABC):
    """Base of all constraints. Subclasses are frozen dataclasses: parameters alone, no data.

    What is a property here is a plain attribute of a class for which it does not depend on parameters.
    """

    name: ClassVar[str]
    rotates: ClassVar[bool] = False  # V turned by an orthogonal matrix, among vectors and among entries, is as good

    @property
    def scope(self) -> str:
        """What hangs together: each "entry" alone, each "vector", or the whole "matrix"."""
        return "vector"

    @property
    def convex(self) -> bool:
        return True

    @property
    def symmetric(self) -> bool:
        """Whether -V is as good as V."""
        return True

    @property
    def bounded(self) -> bool:
        """Whether it keeps the factor from growing without limit."""
        return False

    @property
    def entry(self) -> Entry | None:
        """The parameters of a constraint on entries, for which there is a compiled coordinate descent."""
        return None

    @property
    def shrinks(self) -> bool:
        """Whether a smaller factor pays less: then the other one must be bounded or pay, too."""
        return False

    @property
    def holds(self) -> bool:
        """Whether no direction is free to grow: then the other factor may be made small, and does not become so."""
        return self.bounded or self.shrinks

    def exchanges(self, axis: int) -> bool:
        """Whether vectors (axis 0), or the entries of all of them (axis 1), may change places and signs."""
        return True

    @abstractmethod
    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        """The nearest allowed matrix when ``step`` times the penalty is paid; V stays as it is.

        A constraint whose scope is the matrix takes one step for all vectors.
        """

    @abstractmethod
    def penalty(self, V: np.ndarray) -> np.ndarray:
        """What each vector pays, (m,); a constraint on the whole matrix shares it evenly among them."""

    @abstractmethod
    def violation(self, V: np.ndarray) -> float:
        """How far V is from what is allowed, 0 if it is."""

    def solve(self, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray | None:
        """The vectors v that minimise ½ v·G v - c·v + penalty(v) exactly, or None where there is no short way.

        ``gram`` is (1, k, k), common to all vectors, or (m, k, k); ``cross`` and V are (m, k), V where to start from.
        """
        return None


def common_step(step: Step) -> float:
    """The step of a constraint on the whole matrix, given once or the same for each vector."""
    steps = np.unique(np.asarray(step, dtype=np.float64))
    if len(steps) > 1:
        raise ValueError(f"{len(steps)} different steps for a constraint on the whole matrix; give one for all vectors")
    return float(steps[0]) if len(steps) else 0.0
