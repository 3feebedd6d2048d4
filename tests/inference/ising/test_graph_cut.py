"""The minimum cut against all states, with energies in exact fractions, at any mixture of scales."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from unmix.costs.ising import IsingData
from unmix.inference.ising.graph_cut import _common_measure, minimum_cut_state

rng = np.random.default_rng(0)


def exact_energy(J, h, spins):
    pairs = [(i, j) for i in range(len(h)) for j in range(i) if J[i, j]]
    return -sum(Fraction(J[i, j]) * int(spins[i] * spins[j]) for i, j in pairs) - sum(
        Fraction(field) * int(spin) for field, spin in zip(h, spins)
    )


def symmetric(upper):
    upper = np.triu(upper, 1)
    return upper + upper.T


def problems(kind):
    for _ in range(12):
        n = int(rng.integers(3, 8))
        there = rng.random((n, n)) < 0.6
        if kind == "strong":  # couplings no field can break
            yield symmetric(1e7 * there), rng.integers(1, 4, n) * rng.choice([-1.0, 1.0], n)
        elif kind == "mixed":
            yield (
                symmetric(10.0 ** rng.uniform(-8, 8, (n, n)) * there),
                rng.normal(size=n) * 10.0 ** rng.uniform(-8, 8, n),
            )
        elif kind == "one far field":
            h = rng.normal(size=n)
            h[0] = 1e12
            yield symmetric(rng.random((n, n)) * there), h
        else:
            yield symmetric(rng.random((n, n)) * there), rng.normal(size=n)


@pytest.mark.parametrize("kind", ["strong", "mixed", "one far field", "plain"])
@pytest.mark.parametrize("unit", [1.0, 2.0**-60, 3e100, 1e-300])
def test_no_state_has_less_energy(kind, unit):
    for J, h in problems(kind):
        J, h = unit * J, unit * h
        found = minimum_cut_state(IsingData(J, h))
        least = min(exact_energy(J, h, spins) for spins in product([-1, 1], repeat=len(h)))
        slack = Fraction(1e-14) * Fraction(float(np.abs(h).min()))  # sums of fields are rounded
        assert exact_energy(J, h, found) <= least + slack


def test_the_field_decides_where_couplings_are_large():
    J = symmetric(np.full((4, 4), 1e7))
    for h in ([1.0, -3.0, 1.0, 2.0], [1.0, -3.0, 1.0, 0.5]):
        expected = 1 if sum(h) > 0 else -1
        assert (minimum_cut_state(IsingData(J, np.array(h))) == expected).all()
        assert (minimum_cut_state(IsingData(1e300 * J, np.array(h))) == expected).all()


def test_a_free_spin_points_down():
    free = minimum_cut_state(IsingData(np.zeros((2, 2)), np.zeros(2)))
    tied = minimum_cut_state(IsingData(np.array([[0.0, 2.0], [2.0, 0.0]]), np.array([1.0, -1.0])))
    assert free.tolist() == [-1, -1] and tied.tolist() == [-1, -1]


def test_what_sizes_have_in_common():
    assert _common_measure(np.array([1.0, 1.8, 0.0, 1.8])) == pytest.approx(0.2, rel=1e-14)
    assert _common_measure(np.array([1.0, np.pi])) == 0 == _common_measure(np.zeros(3))
    assert _common_measure(np.array([1.0, 2.0**40])) == 0  # too many steps for one round
