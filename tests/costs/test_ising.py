"""The energies against their definitions, term by term."""

import numpy as np
import pytest
import scipy.sparse as sp

from unmix.costs.base import Cost
from unmix.costs.ising import Ising, IsingData, energies
from unmix.costs.links import make_links
from unmix.costs.potts import Couplings, Potts


def couplings(rng, n):
    J = np.triu(rng.normal(size=(n, n)), 1)
    return J + J.T


def test_energy_is_the_sum_over_pairs_and_spins():
    rng = np.random.default_rng(0)
    J, h, labels = couplings(rng, 6), rng.normal(size=6), rng.integers(0, 2, 6)
    s = 2 * labels - 1
    expected = -sum(J[i, j] * s[i] * s[j] for i in range(6) for j in range(i + 1, 6)) - sum(
        h[i] * s[i] for i in range(6)
    )
    assert Ising().total(IsingData(J, h), labels) == pytest.approx(expected, rel=1e-12)
    assert Ising().total(IsingData(sp.csr_array(J), h), labels) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(energies(IsingData(J, h), np.array([s, -s])).sum(), 2 * (expected + h @ s), rtol=1e-12)
    assert isinstance(Ising(), Cost)


def test_ising_is_potts_less_a_constant():
    rng = np.random.default_rng(1)
    J, h = couplings(rng, 5), rng.normal(size=5)
    for labels in rng.integers(0, 2, (10, 5)):
        potts = Potts().total(IsingData(J, h).couplings(), labels)
        assert Ising().total(IsingData(J, h), labels) == pytest.approx(potts - J.sum() / 2, abs=1e-12)


def test_potts_counts_pairs_that_differ():
    rng = np.random.default_rng(2)
    J, h, labels = couplings(rng, 7), rng.normal(size=(7, 3)), rng.integers(0, 3, 7)
    differ = sum(J[i, j] for i in range(7) for j in range(i) if labels[i] != labels[j])
    expected = differ + sum(h[i, labels[i]] for i in range(7))
    assert Potts().total(Couplings(make_links(sp.csr_array(J)), h), labels) == pytest.approx(expected, rel=1e-12)
