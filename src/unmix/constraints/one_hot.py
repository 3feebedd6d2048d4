"""One entry 1, all others 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step


@dataclass(frozen=True)
class OneHot(Constraint):
    """Vectors with one entry 1 and zeros elsewhere: as codes, every row belongs to one component, as in K-means.

        prox(v) = e_c   with c the largest entry,        solve(G, c) = e_c   with the least ½ G_cc - c_c

    Of equal entries the first is taken.

    References
    ----------
    Lloyd, IEEE Trans. Information Theory 28, 1982; Udell et al., Foundations and Trends in ML 9, 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import OneHot
    >>> OneHot().prox(np.array([[-3.0, 0.5, 0.2]]), 1.0)
    array([[0., 1., 0.]])
    """

    name: ClassVar[str] = "one_hot"
    convex: ClassVar[bool] = False
    symmetric: ClassVar[bool] = False
    bounded: ClassVar[bool] = True

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        return _ones_at(V.argmax(axis=1), V)

    def penalty(self, V: np.ndarray) -> np.ndarray:
        return np.zeros(len(V))

    def violation(self, V: np.ndarray) -> float:
        return float(np.abs(V - _ones_at(V.argmax(axis=1), V)).max(initial=0.0))

    def solve(self, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
        costs = np.diagonal(gram, axis1=1, axis2=2) / 2 - cross
        return _ones_at(costs.argmin(axis=1), V)


def _ones_at(places: np.ndarray, V: np.ndarray) -> np.ndarray:
    W = np.zeros_like(V)
    W[np.arange(len(V)), places] = 1
    return W
