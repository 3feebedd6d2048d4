"""A sampler of anyone's stays at a temperature by its visits, without a walk of its own."""

from typing import NamedTuple

import numpy as np
import pytest

from unmix.checks import check_step
from unmix.cluster import PairwiseClustering
from unmix.costs import Cost, Couplings, Potts, make_links
from unmix.inference import Visit, enumerate_labellings, solve


class Labels(NamedTuple):
    labels: np.ndarray
    k: int


class HeatBath:
    """Every object in turn draws its label, by the definition of the cost alone."""

    requires = Cost

    def __init__(self, sweeps=1):
        self.sweeps = sweeps

    def begin(self, cost, data, k, rng):
        return Labels(rng.integers(0, k, data.shape[0] if hasattr(data, "shape") else data.n_objects), k)

    def restart(self, q):
        return Labels(q.argmax(axis=1), q.shape[1])

    def shares(self, state):
        return np.eye(state.k)[state.labels]

    def visit(self, cost, data, state, temperature, rng):
        labels, costs, moved = state.labels.copy(), [], 0
        for _ in range(self.sweeps):
            for i in range(len(labels)):
                before = labels[i]
                values = np.array(
                    [cost.total(data, np.where(np.arange(len(labels)) == i, c, labels)) for c in range(state.k)]
                )
                p = (
                    np.exp(-(values - values.min()) / temperature)
                    if temperature > 0
                    else (values == values.min()) * 1.0
                )
                labels[i] = rng.choice(state.k, p=p / p.sum())
                moved += labels[i] != before
            costs.append(cost.total(data, labels))
        seen = Visit(
            float(np.mean(costs)), float(np.var(costs)), np.nan, moved / len(labels) / self.sweeps, self.sweeps
        )
        return Labels(labels, state.k), seen


class Forgetful(HeatBath):
    restart = None

    def __getattribute__(self, name):
        if name == "restart":
            raise AttributeError(name)
        return super().__getattribute__(name)


def problem():
    rng = np.random.default_rng(0)
    links = np.triu(rng.random((5, 5)) < 0.6, 1) * 0.7
    return Potts(), Couplings(make_links(links + links.T), rng.normal(size=(5, 2)))


def test_marginals_are_those_of_the_gibbs_distribution():
    cost, data = problem()
    exact = enumerate_labellings(cost, data, 2, 1.0)
    p = np.exp(-(exact.costs - exact.costs.min()))
    p /= p.sum()
    found = solve(cost, data, 2, inference=HeatBath(3), temperature=1.0, n_temperatures=5, n_init=2)
    expected = np.stack([(exact.labellings == c).T @ p for c in range(2)], axis=1)
    np.testing.assert_allclose(found.shares, expected, atol=0.06)
    assert found.equilibrium.diagnostics()["n_draws"] == 500


def test_the_check_asks_for_what_is_needed_to_stay():
    cost, data = problem()
    check_step(HeatBath(2), cost, data, 2)
    with pytest.raises(AssertionError, match=r"samples and has no restart\(q\)"):
        check_step(Forgetful(), cost, data, 2)
    with pytest.raises(ValueError, match=r"temperature=1: Forgetful samples, and needs a method restart"):
        solve(cost, data, 2, inference=Forgetful(), temperature=1.0, n_temperatures=3)


def test_an_estimator_tells_draws_and_diagnostics():
    D = np.random.default_rng(1).random((8, 8))
    model = PairwiseClustering(2, metric="precomputed", inference=HeatBath(2), temperature=2.0, random_state=0)
    model.fit((D + D.T) * (1 - np.eye(8)))
    assert model.draws_.shape == (500, 8) and 0.01 < model.probabilities_.min() < 0.5
