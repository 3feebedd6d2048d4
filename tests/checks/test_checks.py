"""The checks pass what is right, find what is wrong, and take a cost written outside the package."""

from typing import NamedTuple

import numpy as np
import pytest

from tests.exact.costs import CASES, K
from unmix.checks import check_cost, check_step
from unmix.costs.base import HasFields
from unmix.costs.correlation import Correlation
from unmix.costs.cut import Cut
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Full
from unmix.costs.ising import Ising, IsingData
from unmix.costs.least_angle import LeastAngle
from unmix.costs.moves import register
from unmix.costs.neighborhood import Neighborhood
from unmix.costs.pairwise import Pairwise
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.mean_field import MeanField, Shares
from unmix.inference.sampler import Gibbs, Metropolis

rng = np.random.default_rng(0)
X = rng.normal(size=(7, 2))


@pytest.mark.parametrize("cost, data", CASES.values(), ids=CASES)
def test_our_costs_pass(cost, data):
    assert "moves" in check_cost(cost, data, K)
    for step in (Gibbs(30), Metropolis(60), *([MeanField()] if isinstance(cost, HasFields) else [])):
        check_step(step, cost, data, K)


class Crowded(NamedTuple):
    size: np.ndarray


class Crowding:
    """Σ_c size_c², a stranger's cost in a few lines."""

    def total(self, data, labels):
        return float((np.bincount(labels).astype(float) ** 2).sum())

    def state(self, data, q):
        return Crowded(q.sum(axis=0))


def crowding_costs(state, i, share, out):
    for c in range(out.size):
        size = state.size[c] - share[c]
        out[c] = 2 * size + 1


def crowd(state, i, c, amount):
    state.size[c] += amount


register(Crowded, crowding_costs, crowd)


def test_a_strangers_cost():
    assert check_cost(Crowding(), X) == ["total", "moves"]
    check_step(Gibbs(20), Crowding(), X)


class WrongFields(LeastAngle):
    def fields(self, data, q):
        return -(data @ (data.T @ q))  # forgets that an object does not attract itself


class WrongMean(Correlation):
    def expected(self, data, q):
        return super().expected(data, q) + 1


class TooLow(Cut):
    mean_is_bound = True  # sizes in a denominator deny it


class NotTheMean(Pairwise):
    def mean(self, data, q):
        return self.expected(data, q)


def test_claims_about_means_are_checked():
    assert "mean" not in check_cost(Crowding(), X) and "mean" in check_cost(*CASES["ratio cut"], 2)
    with pytest.raises(AssertionError, match="below the mean, and mean_is_bound denies it"):
        check_cost(TooLow("ratio", 2), CASES["ratio cut"][1], 2)
    with pytest.raises(AssertionError, match="mean is not that of independent labels"):
        check_cost(NotTheMean(), CASES["pairwise"][1], 2)


def test_what_is_wrong_is_found():
    with pytest.raises(AssertionError, match="fields at hard labels"):
        check_cost(WrongFields(), X)
    with pytest.raises(AssertionError, match="expected at hard labels"):
        check_cost(WrongMean(), CASES["correlation"][1])
    with pytest.raises(AssertionError, match="no method total"):
        check_cost(object(), X)


class Careless(MeanField):
    def visit(self, cost, data, state, temperature, rng):
        state, visit = super().visit(cost, data, state, temperature, rng)
        return Shares(np.roll(state.q, 1, axis=0)), visit


def test_a_step_that_ends_elsewhere_is_found():
    with pytest.raises(AssertionError, match="leaves object"):
        check_step(Careless(), LeastAngle(), X)


def test_ising_with_its_two_labels():
    J = np.triu(rng.normal(size=(7, 7)), 1)
    data = IsingData(J + J.T, rng.normal(size=7))
    assert check_cost(Ising(), data, 2) == ["total", "moves", "fields", "expected", "mean"]
    for step in (Gibbs(30), MeanField(), MeanField("sequential")):
        check_step(step, Ising(), data, 2)


def test_costs_with_prototypes():
    gaussian = Gaussian(Full(), np.full(2, 1e-3))
    rows = rng.normal(size=(15, 2))
    assert check_cost(gaussian, rows, 3, prototypes=gaussian.unit(3)) == ["total", "prototypes"]
    assert check_cost(Neighborhood([[0.8, 0.2], [0.2, 0.8]]), rows, 2) == ["total", "prototypes"]
    with pytest.raises(AssertionError, match=r"not add up to total|is not total"):
        check_cost(WrongPrototypes(), rows)


class WrongPrototypes(SquaredDistance):
    def prototypes(self, stats, previous):
        return super().prototypes(stats, previous) + 0.1
