"""Annealing against closed forms: critical temperatures, the free energy, copies that part or come back."""

import numpy as np
import pytest

from unmix.costs.base import HasCriticalTemperatures, HasTransitions
from unmix.costs.histogram import Histogram
from unmix.costs.mass_constrained import Clusters, MassConstrained
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.prototypes.critical_temperature import double, probe
from unmix.inference.prototypes.deterministic_annealing import (
    Schedule,
    begin,
    deterministic_annealing,
    em_at_temperature,
    forget,
)
from unmix.io.dispatch import as_blocks

rng = np.random.default_rng(0)
SETS = {
    "two groups": np.repeat([[-1.0, 0, 0], [1.0, 1, 0]], 60, axis=0) + 0.3 * rng.normal(size=(120, 3)),
    "one group": rng.normal(size=(150, 3)) * [3.0, 1.0, 0.5],
    "skew": rng.exponential(size=(150, 3)) * [1.0, 2.0, 1.0],
}
COST = SquaredDistance()


def first_critical(X):
    return 2 * np.linalg.eigvalsh(np.cov(X.T, bias=True))[-1]


def mean(X):
    return X.mean(axis=0)[None]


def test_squared_distance_has_the_capabilities():
    assert isinstance(COST, HasTransitions) and isinstance(COST, HasCriticalTemperatures)


@pytest.mark.parametrize("name", SETS)
def test_doubled_prototypes_find_the_closed_form(name):
    X = SETS[name]
    one, start = Clusters(mean(X), np.ones(1)), rng.normal(size=(1, 3))
    critical, direction = double(as_blocks(X), COST, one, start, 1.3 * first_critical(X), None, 200)
    np.testing.assert_allclose(critical, first_critical(X), rtol=5e-3)
    vector = np.linalg.eigh(np.cov(X.T))[1][:, -1]
    assert abs(direction[0] @ vector) / np.linalg.norm(direction) > 0.99


@pytest.mark.parametrize("smoothing", [0.01, 30.0])
def test_doubled_histograms_find_their_closed_form(smoothing):
    rng = np.random.default_rng(3)
    X = rng.poisson(12 * rng.dirichlet(np.ones(5), size=3)[rng.integers(3, size=120)]) + np.eye(1, 5)
    cost, rows = Histogram(X.sum(axis=0) / X.sum(), smoothing, X.sum() / len(X)), as_blocks(X)
    held = Clusters(rng.dirichlet(np.full(5, 9.0), size=2), np.array([0.6, 0.4]))
    held = em_at_temperature(rows, cost, held, 0.5, Schedule(2, max_iter=3000, tol=0.0), None).clusters
    critical, direction = probe(rows, cost, held, held.prototypes, 0.5, None, 20)
    trial, along = double(rows, cost, held, rng.normal(size=(2, 5)), 0.5, None, 500)
    np.testing.assert_allclose(critical, trial, rtol=5e-3)
    cosine = (direction * along).sum(axis=1) / np.linalg.norm(direction, axis=1) / np.linalg.norm(along, axis=1)
    assert (np.abs(cosine) > 0.99).all()
    if smoothing < 1:  # and one cluster of everything that of the first split
        one = Clusters(cost.start(), np.ones(1))
        first = probe(rows, cost, one, direction[:1], 2.0, None, 20)[0]
        np.testing.assert_allclose(first, cost.critical_temperature(X), rtol=1e-4)


def test_equal_distributions_never_part():
    X = np.outer(np.arange(1.0, 30), [1.0, 2.0, 4.0])
    cost = Histogram(np.array([0.5, 0.25, 0.25]), 1.0, 10.0)  # smoothed towards another one
    critical = probe(as_blocks(X), cost, Clusters(cost.start(), np.ones(1)), np.ones((1, 3)), 1.0, None, 20)[0]
    assert critical[0] < 1e-28


@pytest.mark.parametrize("name", SETS)
def test_copies_part_below_and_meet_again_above(name):
    X, T = SETS[name], first_critical(SETS[name])
    state = begin(as_blocks(X), COST, mean(X), None, 0)
    np.testing.assert_allclose(state.critical, T, rtol=1e-10)
    schedule = Schedule(2, max_iter=3000, tol=0.0)
    for factor, parts in ((1.02, False), (0.98, True)):
        pair = [COST.perturbed(mean(X), s * state.directions, np.array([1e-3 * T])) for s in (1, -1)]
        start = Clusters(np.vstack(pair), np.full(2, 0.5))
        settled = em_at_temperature(as_blocks(X), COST, start, factor * T, schedule, None).clusters
        apart = COST.separation(settled.prototypes)[0, 1]
        assert (apart > 4e-3 * T) == parts


@pytest.mark.parametrize("name", SETS)
def test_first_split_is_seen_where_it_is_predicted(name):
    X = SETS[name]
    state = deterministic_annealing(as_blocks(X), COST, mean(X), Schedule(4), weights=None, seed=0)
    predicted, seen = state.splits[0, :2] / first_critical(X)
    assert abs(predicted - 1) < 1e-6 and abs(seen - 1) < 0.02
    assert len(state.names) == 4 and len(state.splits) == 3
    assert set(state.splits[:, 2]) | set(state.names) == {0.0, *state.splits[:, 3], *state.splits[:, 4]}


def test_free_energy_is_cost_less_entropy_and_never_jumps_up():
    X = SETS["two groups"]
    state = deterministic_annealing(as_blocks(X), COST, mean(X), Schedule(3), weights=None, seed=0)
    T, _, _, free_energy = state.table[:, :4].T
    assert (np.diff(free_energy) <= 1e-9).all()  # dF/dT = I ≥ 0
    U, p = state.clusters
    h = ((X[:, None] - U) ** 2).sum(axis=2)
    z = (p * np.exp(-h / T[-1])).sum(axis=1)
    np.testing.assert_allclose(free_energy[-1], -T[-1] * np.log(z).mean(), rtol=1e-5)
    q = p * np.exp(-h / T[-1]) / z[:, None]
    np.testing.assert_allclose(state.table[-1, 1], (q * h).sum(axis=1).mean(), rtol=1e-5)


def test_masses_make_copies_count_once():
    X, T = SETS["skew"], 2.0
    once = Clusters(X[:2], np.array([0.3, 0.7]))
    twice = Clusters(X[[0, 1, 1]], np.array([0.3, 0.2, 0.5]))
    a, b = (np.exp(-MassConstrained(COST, T).distances(X, c) / T).sum(axis=1) for c in (once, twice))
    np.testing.assert_allclose(a, b)


def test_rows_that_are_equal_stay_one_cluster():
    state = deterministic_annealing(
        as_blocks(np.ones((5, 2))), COST, np.ones((1, 2)), Schedule(3), weights=None, seed=0
    )
    assert len(state.names) == 1 and len(state.splits) == 0


def test_a_forgotten_leaf_leaves_a_tree():
    splits = np.array([[9, 9, 0, 1, 2], [8, 8, 1, 3, 4], [7, 7, 4, 5, 6]], float)
    names, left = forget(np.array([2, 3, 5, 6]), splits, 3)
    assert left[:, 2:].tolist() == [[0, 1, 2], [1, 5, 6]] and names.tolist() == [2, 3, 5, 6]


def test_costs_without_copies_are_refused():
    class Nothing:
        def total(self, data, labels):
            return 0.0

    with pytest.raises(TypeError, match="Nothing"):
        deterministic_annealing(
            as_blocks(np.ones((3, 1))), Nothing(), np.ones((1, 1)), Schedule(2), weights=None, seed=0
        )


@pytest.mark.slow_without_jit
def test_many_clusters_take_few_more_passes_and_end_as_low():
    rng = np.random.default_rng(3)
    centers = 4 * np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1).reshape(-1, 2)
    X = np.repeat(centers, 15, axis=0) + 0.3 * rng.normal(size=(1500, 2))
    least = sum(((part - part.mean(axis=0)) ** 2).sum() for part in X.reshape(100, 15, 2))
    passes = {}
    for k in (20, 100):
        state = deterministic_annealing(
            as_blocks(X), SquaredDistance(), X.mean(axis=0)[None], Schedule(k), weights=None, seed=0
        )
        passes[k], U = state.table[:, -1].sum(), state.clusters.prototypes
    assert passes[100] < 2 * passes[20]
    assert len(U) == 100
    assert len(state.splits) == 99
    assert ((X[:, None] - U) ** 2).sum(axis=2).min(axis=1).sum() < 1.15 * least
