"""Block spins: the small model has the energies of the large one, and its ground state is no worse than a parent."""

import numpy as np
import pytest
import scipy.sparse as sp

from unmix.costs.ising import IsingData, energies
from unmix.inference.ising.annealing import Runs
from unmix.inference.ising.renormalization import block_spins, contract, improve


def model(n=40, seed=0):
    rng = np.random.default_rng(seed)
    J = np.triu(rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.1), 1)
    return J + J.T, rng.normal(size=n), rng


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_block_spins_have_the_energies_of_what_they_stand_for(form):
    J, h, rng = model()
    data = IsingData(form(J), h)
    pool = (2 * rng.integers(0, 2, (4, 40)) - 1).astype(np.int8)
    pool[1:, :25] = pool[0, :25]
    count, block = block_spins(sp.csr_array(J), pool, np.arange(2))
    assert 1 < count < 40
    small = contract(data, pool[0], count, block)
    t = 2 * rng.integers(0, 2, (30, count)) - 1
    difference = energies(data, pool[0] * t[:, block]) - energies(small, t)
    np.testing.assert_allclose(difference, difference[0], atol=1e-10)


def test_blocks_are_connected_and_agree_in_all_parents():
    J, _, rng = model()
    pool = (2 * rng.integers(0, 2, (3, 40)) - 1).astype(np.int8)
    count, block = block_spins(sp.csr_array(J), pool, np.arange(2))
    relative = pool[0] * pool[1]
    for g in range(count):
        assert len(set(relative[block == g])) == 1
        inside = J[np.ix_(block == g, block == g)]
        parts, _ = sp.csgraph.connected_components(sp.csr_array(inside), directed=False)
        assert parts == 1


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("field", [0.0, 1.0])
def test_generations_never_get_worse(field):
    J, h, rng = model(seed=3)
    data = IsingData(J, field * h)
    states = (2 * rng.integers(0, 2, (5, 40)) - 1).astype(np.int8)
    energy = energies(data, states)
    after = improve(data, Runs(states, energy), generations=2, patience=3, seed=0)
    assert after.energy[0] < energy.min()
    np.testing.assert_allclose(after.energy, energies(data, after.spins))
