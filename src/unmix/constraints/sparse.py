"""At most so many entries other than 0.

The best vector on a support S is G_SS⁻¹ c_S.  Where there are few supports all are tried; else entries join one by one,
each time that whose gain (c - G v)_j² / 2 G_jj is largest, and all are fitted again.

Tropp & Gilbert, IEEE Trans. Information Theory 53, 2007; Rubinstein, Zibulevsky & Elad, Batch-OMP, Technion 2008.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step
from unmix.core.arguments import whole_number

FEW_SUPPORTS = 256
JITTER = 1e-12  # of the mean diagonal: a support whose entries say the same twice


@dataclass(frozen=True)
class Sparse(Constraint):
    """Vectors of at most ``n_nonzero`` entries other than 0, of any size: the largest stay, of equal ones the first.

    Parameters
    ----------
    n_nonzero : int, default=1

    References
    ----------
    Blumensath & Davies, J. Fourier Analysis and Applications 14, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Sparse
    >>> Sparse(2).prox(np.array([[-3.0, 0.5, 2.0]]), 1.0)
    array([[-3.,  0.,  2.]])
    """

    n_nonzero: int = 1
    name: ClassVar[str] = "sparse"
    convex: ClassVar[bool] = False

    def __post_init__(self) -> None:
        whole_number("n_nonzero", self.n_nonzero)

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        falling = np.argsort(-np.abs(V), axis=1, kind="stable")
        W = V.copy()
        np.put_along_axis(W, falling[:, self.n_nonzero :], 0, axis=1)
        return W

    def penalty(self, V: np.ndarray) -> np.ndarray:
        return np.zeros(len(V))

    def violation(self, V: np.ndarray) -> float:
        """The largest entry that should be 0."""
        falling = -np.sort(-np.abs(V), axis=1)
        return float(falling[:, self.n_nonzero :].max(initial=0.0))

    def solve(self, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
        """The best vectors where supports can be counted; else good ones, never worse than V."""
        k = V.shape[1]
        size = min(self.n_nonzero, k)
        G, c, start = gram.astype(np.float64, copy=False), cross.astype(np.float64, copy=False), V.astype(np.float64)
        if comb(k, size) <= FEW_SUPPORTS:
            supports: Iterable[np.ndarray] = (
                np.broadcast_to(chosen, (len(V), size)) for chosen in combinations(range(k), size)
            )
        else:
            largest = np.argsort(-np.abs(start), axis=1, kind="stable")[:, :size]
            supports = (largest, pursued(G, c, size))
        best, least = start, cost(G, c, start)
        for support in supports:
            new = on_support(G, c, support)
            value = cost(G, c, new)
            better = value < least
            best, least = np.where(better[:, None], new, best), np.minimum(value, least)
        return best.astype(V.dtype, copy=False)


def on_support(gram: np.ndarray, cross: np.ndarray, support: np.ndarray) -> np.ndarray:
    """The best vectors with these places, (m, size), other than 0."""
    rows = np.zeros(1, np.intp) if len(gram) == 1 else np.arange(len(cross))
    places = support[:1] if len(gram) == 1 and (support == support[:1]).all() else support
    part = gram[rows[:, None, None], places[:, :, None], places[:, None, :]]
    size = np.trace(part, axis1=1, axis2=2) / places.shape[1]
    part = part + (JITTER * np.where(size > 0, size, 1.0))[:, None, None] * np.eye(places.shape[1])
    wanted = np.take_along_axis(cross, support, axis=1)
    out = np.zeros(cross.shape)
    if len(part) == 1:
        solution = np.linalg.solve(part[0], wanted.T).T
    else:
        solution = np.linalg.solve(part, wanted[:, :, None])[:, :, 0]
    np.put_along_axis(out, support, solution, axis=1)
    return out


def pursued(gram: np.ndarray, cross: np.ndarray, size: int) -> np.ndarray:
    """Places chosen one after the other, (m, size)."""
    diagonal = np.diagonal(gram, axis1=1, axis2=2)
    support, slope = np.empty((len(cross), 0), np.intp), cross
    for _ in range(size):
        gain = np.divide(slope**2, diagonal, out=np.zeros(cross.shape), where=diagonal > 0)
        np.put_along_axis(gain, support, -1.0, axis=1)
        support = np.hstack([support, gain.argmax(axis=1)[:, None]])
        slope = cross - product(gram, on_support(gram, cross, support))
    return support


def product(gram: np.ndarray, V: np.ndarray) -> np.ndarray:
    return V @ gram[0] if len(gram) == 1 else np.matmul(gram, V[:, :, None])[:, :, 0]


def cost(gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
    value: np.ndarray = np.einsum("ij,ij->i", 0.5 * product(gram, V) - cross, V)
    return value
