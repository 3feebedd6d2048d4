"""Ising energy: spins that want to agree or disagree with each other and to follow a field.

    E(s) = -½ sᵀ J s - hᵀ s,    s_i = -1 or +1 for label 0 or 1,    J symmetric with zero diagonal

The largest cut of a graph with weights W is the ground state of J = -W, h = 0: cut(s) = (Σ_ij W_ij / 2 - E(s)) / 2.
It is the Potts cost with links 2 J and the field (h, -h), less the constant ½ Σ_ij J_ij, and borrows its moves and
mean fields; flips by the million have kernels of their own (inference/ising/flip_kernel.py).

Ising, Zeitschrift für Physik 31, 1925.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.links import make_links
from unmix.costs.potts import Couplings, Potts, State


class IsingData(NamedTuple):
    """Couplings J (n, n), dense or CSR, and the field h (n,)."""

    J: Any
    h: np.ndarray

    @property
    def n_objects(self) -> int:
        return len(self.h)

    def couplings(self) -> Couplings:
        """The same model with labels instead of spins."""
        return Couplings(make_links(2.0 * self.J), np.stack([self.h, -self.h], axis=1))


def to_spins(labels: Any) -> np.ndarray:
    """-1 for label 0, +1 for label 1."""
    return 2.0 * np.asarray(labels, dtype=np.float64) - 1.0


def energies(data: IsingData, spins: np.ndarray) -> np.ndarray:
    """E of each row of `spins` (m, n), in float64."""
    spins = np.asarray(spins, dtype=np.float64)
    pairs = np.asarray((data.J @ spins.T).T, dtype=np.float64)
    return np.asarray(-0.5 * np.einsum("mi,mi->m", spins, pairs) - spins @ data.h)


class Ising:
    """The energy as a cost of two labels."""

    named_clusters = True  # spins up and down
    mean_is_bound = True  # `expected` is linear in the share of each object

    def total(self, data: IsingData, labels: np.ndarray) -> float:
        """E of the spins 2 labels - 1."""
        return float(energies(data, to_spins(labels)[None])[0])

    def fields(self, data: IsingData, q: np.ndarray) -> np.ndarray:
        return Potts().fields(data.couplings(), q)

    def expected(self, data: IsingData, q: np.ndarray) -> float:
        return Potts().expected(data.couplings(), q) - float(data.J.sum()) / 2

    def state(self, data: IsingData, q: np.ndarray) -> State:
        return Potts().state(data.couplings(), q)
