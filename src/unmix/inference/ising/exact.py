"""Exact sums over all 2^n states of a small Ising model, by two halves.

    E(a, b) = E(a) + E(b) - aᵀ J_ab b,    p(s) = exp(-beta E(s)) / Z,    F = -log Z / beta

A table with one row a state of the first half and one column a state of the second needs one product of matrices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.ising import IsingData, energies

MOST_SPINS = 20


class Exact(NamedTuple):
    """log Z, means of the spins (n,), mean energy."""

    log_partition: float
    magnetization: np.ndarray
    energy: float


def all_states(n: int) -> np.ndarray:
    """(2^n, n): row r spells the bits of r, lowest first, as -1 and +1."""
    return 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1.0


def energy_table(data: IsingData) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """States of the first half, states of the second, and the energies of all pairs."""
    n = len(data.h)
    if n > MOST_SPINS:
        raise ValueError(f"{n} spins have 2^{n} states; exact sums take at most {MOST_SPINS} spins. Use sample().")
    J: Any = data.J.toarray() if hasattr(data.J, "tocsr") else data.J
    half = n // 2
    first, second = all_states(half), all_states(n - half)
    table = -first @ J[:half, half:] @ second.T
    table += energies(IsingData(J[:half, :half], data.h[:half]), first)[:, None]
    table += energies(IsingData(J[half:, half:], data.h[half:]), second)[None]
    return first, second, table


def enumerate_states(data: IsingData, beta: float) -> Exact:
    first, second, table = energy_table(data)
    least = table.min()
    p = np.exp(-beta * (table - least))
    total = p.sum()
    p /= total
    magnetization = np.concatenate([p.sum(axis=1) @ first, p.sum(axis=0) @ second])
    return Exact(float(np.log(total) - beta * least), magnetization, float(np.sum(p * table)))


def least_state(data: IsingData) -> np.ndarray:
    """The spins of least energy; of several, the first in the order of `all_states`."""
    first, second, table = energy_table(data)
    column, row = np.unravel_index(np.argmin(table.T), table.T.shape)
    return np.concatenate([first[row], second[column]]).astype(np.int8)
