"""Means of spins from chains at one beta: of each spin given all others, which scatters less than the spin itself.

    m_i = mean over states s of tanh(beta (J s + h)_i)         (Rao and Blackwell)

References: Gelfand & Smith, JASA 85 (1990).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.random import derive
from unmix.costs.ising import IsingData, energies
from unmix.inference.convergence import effective_sample_size, r_hat
from unmix.inference.ising.annealing import sample_ising

STATES_AT_ONCE = 256  # states whose fields are held at once


class Marginals(NamedTuple):
    """Means of the spins (n,), and R-hat and effective sample size of the energy over all chains."""

    magnetization: np.ndarray
    r_hat: float
    effective_sample_size: float

    @property
    def probabilities(self) -> np.ndarray:
        """(n,): of each spin to be +1."""
        return (1 + self.magnetization) / 2


def sample_marginals(
    data: IsingData, beta: float, *, chains: int, n_samples: int, burn_in: int, rule: str, seed: int
) -> Marginals:
    """From so many chains of so many states each."""
    total, energy = np.zeros(len(data.h)), np.empty((chains, n_samples, 1))
    for chain in range(chains):
        states = sample_ising(data, beta, rule, n_samples, burn_in, 1, derive(seed, chain))
        energy[chain, :, 0] = energies(data, states)
        for first in range(0, n_samples, STATES_AT_ONCE):
            spins = states[first : first + STATES_AT_ONCE].astype(np.float64)
            total += np.tanh(beta * (np.asarray((data.J @ spins.T).T) + data.h)).sum(axis=0)
    means = total / (chains * n_samples)
    return Marginals(means, float(r_hat(energy)[0]), float(effective_sample_size(energy)[0]))
