"""Potts energy: the Ising model with k labels, where only agreement counts.

    E(c) = -½ Σ_ij J_ij [c_i = c_j] - Σ_i h_i,c_i,    J symmetric with zero diagonal, h (n, k)

Potts, Mathematical Proceedings of the Cambridge Philosophical Society 48, 1952.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class PottsData(NamedTuple):
    """Couplings J (n, n), dense or CSR, and the fields h (n, k)."""

    J: Any
    h: np.ndarray


class Potts:
    """The energy as a cost of k labels."""

    def total(self, data: PottsData, labels: np.ndarray) -> float:
        """E of the labels."""
        Z = np.zeros(data.h.shape)
        Z[np.arange(len(Z)), np.asarray(labels)] = 1.0
        return float(-0.5 * np.sum(Z * (data.J @ Z)) - np.sum(Z * data.h))
