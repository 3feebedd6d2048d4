"""What a clustering cost may offer. An inference step names the part it needs and refuses the rest in words.

A cost R(c, X) says how bad it is to give object i the label c_i. Parts hold parameters, never data, so a cost can be
sent to any worker. ``total`` is the plain definition; everything faster is tested against it.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class Cost(Protocol):
    def total(self, data: Any, labels: np.ndarray) -> float:
        """R(labels, data), by definition."""


@runtime_checkable
class HasPrototypes(Cost, Protocol):
    """Objects are independent given the prototypes: exact Gibbs marginals, statistics block by block."""

    def distances(self, block: Any, prototypes: Any) -> np.ndarray:
        """(rows, k): the cost of each row in each cluster."""

    def statistics(self, block: Any, q: np.ndarray, prototypes: Any) -> Any:
        """What must be added up over rows, weighted by q (rows, k), to update the prototypes q was found at."""

    def prototypes(self, stats: Any, previous: Any) -> Any:
        """The prototypes of least expected cost; one that no row supports stays as it was."""


@runtime_checkable
class HasFields(Cost, Protocol):
    """Objects interact through a matrix W with zero diagonal, which enters only as R = W q."""

    def summary(self, R: np.ndarray, q: np.ndarray) -> Any:
        """What must be added up over rows before fields can be computed."""

    def fields(self, R: np.ndarray, q: np.ndarray, summary: Any) -> np.ndarray:
        """(rows, k): the mean cost of each row in each cluster, all others as they are."""


@runtime_checkable
class HasMoves(Cost, Protocol):
    """Single objects change their label at low cost, by kernels compiled for the type of the state."""

    def state(self, data: Any, labels: np.ndarray, k: int) -> Any:
        """Running sums that moves are computed from, for ``labels``."""
