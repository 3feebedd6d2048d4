"""Mean field of an Ising model: the independent spins that are closest to the Gibbs distribution.

    G(m) = -½ mᵀ J m - hᵀ m - (1/beta) Σ_i H(m_i)  ≥  F = -log Z / beta,    stationary at m_i = tanh(beta (J m + h)_i)

H(m) is the entropy of a spin of mean m. Updating one spin at a time minimises G in that spin, so G never rises.

Parisi, Statistical Field Theory, 1988.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.special import xlogy

from unmix.costs.ising import IsingData, energies


class MeanField(NamedTuple):
    """Means of the spins (n,), the bound G on the free energy, sweeps made, and whether they came to rest."""

    magnetization: np.ndarray
    free_energy: float
    n_iter: int
    converged: bool


def gibbs_free_energy(data: IsingData, means: np.ndarray, beta: float) -> float:
    """G(m): an upper bound on F for every m."""
    up, down = (1 + means) / 2, (1 - means) / 2
    entropy = -np.sum(xlogy(up, up) + xlogy(down, down))
    return float(energies(data, means[None])[0] - entropy / beta)


def mean_field(data: IsingData, beta: float, start: np.ndarray, *, max_iter: int, tol: float) -> MeanField:
    """Sweeps from `start` until no mean changes by more than `tol`."""
    from unmix.inference.ising.mean_field_kernel import sweep_means

    graph, means = sp.csr_array(data.J, dtype=np.float64), np.array(start, dtype=np.float64)
    converged, sweeps = False, 0
    while sweeps < max_iter and not converged:
        converged = sweep_means(graph.indptr, graph.indices, graph.data, data.h, beta, means) <= tol
        sweeps += 1
    return MeanField(means, gibbs_free_energy(data, means, beta), sweeps, converged)
