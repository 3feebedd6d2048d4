"""Ising energy: spins that want to agree or disagree with each other and to follow a field.

    E(s) = -½ sᵀ J s - hᵀ s,    s_i = -1 or +1 for label 0 or 1,    J symmetric with zero diagonal

The largest cut of a graph with weights W is the ground state of J = -W, h = 0: cut(s) = (Σ_ij W_ij / 2 - E(s)) / 2.
The Potts energy with couplings 2 J and fields (-h, h) differs from it by the constant -½ Σ_ij J_ij (costs/potts.py).

Ising, Zeitschrift für Physik 31, 1925.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class IsingData(NamedTuple):
    """Couplings J (n, n), dense or CSR, and the field h (n,)."""

    J: Any
    h: np.ndarray


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

    def total(self, data: IsingData, labels: np.ndarray) -> float:
        """E of the spins 2 labels - 1."""
        return float(energies(data, to_spins(labels)[None])[0])
