"""Two samples at once: the cost R(c, X′) + R(c, X″) of one labelling for both.

Its Gibbs distribution is the product of the two posteriors, and its partition function gives their kernel,

    κ(X′, X″) = Z(X′, X″) / (Z(X′) Z(X″)).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.base import n_objects


class Both(NamedTuple):
    """The data of both samples, object by object."""

    first: Any
    second: Any

    @property
    def n_objects(self) -> int:
        return n_objects(self.first)


class State(NamedTuple):
    first: Any
    second: Any


class Joint:
    """The sum of a cost over two samples; data are `Both`."""

    def __init__(self, cost: Any) -> None:
        self.cost = cost

    def total(self, data: Both, labels: np.ndarray) -> float:
        return float(self.cost.total(data.first, labels) + self.cost.total(data.second, labels))

    def state(self, data: Both, q: np.ndarray) -> State:
        from unmix.costs.moves import packed
        from unmix.inference.agreement import joint_moves  # noqa: F401  registers the kernels

        return State(*(packed(self.cost.state(sample, q)) for sample in data))
