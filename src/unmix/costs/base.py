"""What a clustering cost may offer. An inference step names the part it needs and refuses the rest in words.

A cost R(c, X) says how bad it is to give object i the label c_i. Parts hold parameters, never data, so a cost can be
sent to any worker. ``total`` is the plain definition; everything faster is tested against it (checks/cost.py).

What a cost may say besides, found by name:
  named_clusters         True where clusters differ by name, as labels with a field of their own do
  mean_is_bound          True where `expected` is never below the mean cost of independent labels
  critical_temperature   a function of the data: where the first split becomes stable; cooling begins there
  start                  a function of k: prototypes to begin from, where they are not rows as wide as the data
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class Cost(Protocol):
    """Anything that says what a labelling of the data costs."""

    def total(self, data: Any, labels: np.ndarray) -> float:
        """R(labels, data), by definition."""


@runtime_checkable
class HasPrototypes(Cost, Protocol):
    """Objects are independent given the prototypes: exact Gibbs marginals, statistics block by block."""

    def distances(self, block: Any, prototypes: Any) -> np.ndarray:
        """(rows, k): the cost of each row in each cluster."""

    def statistics(self, block: Any, q: np.ndarray, prototypes: Any) -> Any:
        """Sums over rows, weighted by q (rows, k), that lead to the next prototypes: linear in q, of one shape.

        Those of two blocks are added. A cost whose best prototype is no function of sums, a median for instance, has
        fields instead of prototypes.
        """

    def prototypes(self, stats: Any, previous: Any) -> Any:
        """The prototypes of least expected cost; one that no row supports stays as it was."""


@runtime_checkable
class HasFields(Cost, Protocol):
    """Objects interact; each feels the others through their shares q (n, k)."""

    def fields(self, data: Any, q: np.ndarray) -> np.ndarray:
        """(n, k): the mean cost of putting object i into cluster c, less that of leaving it out, all others as in q.

        At hard shares these are the costs of moves, exactly.
        """

    def expected(self, data: Any, q: np.ndarray) -> float:
        """The mean cost under independent labels with shares q, `total` at hard ones.

        Where sizes of clusters stand in a denominator it puts in their means, and may be below the true mean. A cost
        whose `expected` never is says so by ``mean_is_bound = True``; one that knows the true mean at a higher price
        has a method ``mean(data, q)``.
        """


@runtime_checkable
class HasMoves(Cost, Protocol):
    """Single objects change their cluster at low cost, by kernels registered for the type of the state (moves.py)."""

    def state(self, data: Any, q: np.ndarray) -> Any:
        """Running sums, a NamedTuple of arrays, of objects with shares q (n, k); one-hot for labels."""


@runtime_checkable
class HasVectors(Cost, Protocol):
    """Minus half the squared lengths of sums: R(c) = -½ Σ_α ||Σ_{i in α} v_i||²."""

    def vectors(self, data: Any) -> np.ndarray:
        """(n, d): v, in float64."""


def first_prototypes(cost: Any, data: Any, k: int) -> Any:
    """Prototypes to begin from: those of the cost's own `start`, else k rows of zeros as wide as the data."""
    if hasattr(cost, "start"):
        return cost.start(k)
    rows = data if hasattr(data, "shape") else next(part for part in data if getattr(part, "ndim", 0) == 2)
    return np.zeros((k, rows.shape[1]))


def n_objects(data: Any) -> int:
    """How many objects the data of a cost are about: rows of an array, or what the data say of themselves."""
    return int(data.n_objects if hasattr(data, "n_objects") else data.shape[0])


@runtime_checkable
class HasTransitions(HasPrototypes, Protocol):
    """Prototypes are the rows of an array, so that one can be replaced by two copies which may drift apart."""

    def perturbed(self, prototypes: np.ndarray, directions: np.ndarray, cost: np.ndarray) -> np.ndarray:
        """Each prototype moved along its direction, as far as costs a row that sits on it about ``cost`` (k,)."""

    def separation(self, prototypes: np.ndarray) -> np.ndarray:
        """(k, k): what it costs a row that sits on one prototype to be at another."""


@runtime_checkable
class HasCriticalTemperatures(HasTransitions, Protocol):
    """The temperature at which a prototype and its copy part has a closed form."""

    def closed_form(self, columns: int, sparse: bool) -> bool:
        """Whether it is worth its price for such data."""

    def scatter(self, block: Any, q: np.ndarray, centers: np.ndarray) -> Any:
        """What must be added up over rows for it; a cost whose prototypes are not their centres has `centers`."""

    def critical_temperatures(self, stats: Any, centers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(k,) temperatures, and (k, m) the directions in which copies part."""
