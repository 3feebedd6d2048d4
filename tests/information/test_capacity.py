"""Capacities against closed forms, conditions of optimality, and a general optimiser."""

import numpy as np
import pytest
from scipy.optimize import minimize

from unmix.information import capacity, entropy, mutual_information

rng = np.random.default_rng(0)


def binary_entropy(x):
    return entropy([x, 1 - x])


@pytest.mark.parametrize("p", [0.0, 0.01, 0.1, 0.3, 0.5, 0.9])
def test_binary_symmetric_and_erasure_and_z(p):
    symmetric = capacity([[1 - p, p], [p, 1 - p]])
    assert symmetric.value == pytest.approx(1 - binary_entropy(p), abs=1e-9)
    erasure = capacity([[1 - p, p, 0], [0, p, 1 - p]])
    assert erasure.value == pytest.approx(1 - p, abs=1e-9)
    z = capacity([[1, 0], [p, 1 - p]])
    assert z.value == pytest.approx(np.log2(1 + (1 - p) * p ** (p / (1 - p))), abs=1e-8)
    for found in (symmetric, erasure, z):
        assert found.gap <= 1e-9 and found.law.sum() == pytest.approx(1)


def test_z_channel_law():
    assert capacity([[1, 0], [0.5, 0.5]]).law == pytest.approx([0.6, 0.4], abs=1e-4)


def test_noisy_typewriter_and_noiseless():
    typewriter = (np.eye(26) + np.roll(np.eye(26), 1, axis=1)) / 2
    assert capacity(typewriter).value == pytest.approx(np.log2(13))
    assert capacity(np.eye(5), base=np.e).value == pytest.approx(np.log(5))


def test_degenerate_channels():
    assert capacity(np.ones((3, 4))).value == 0
    assert capacity([[0.3, 0.7]]).value == 0
    assert capacity([[5], [2]]).value == 0
    silent = capacity([[0.9, 0, 0.1], [0.1, 0, 0.9], [0.5, 0, 0.5]])  # an output never seen, an input of no use
    assert silent.value == pytest.approx(1 - binary_entropy(0.1), abs=1e-9)
    assert silent.law == pytest.approx([0.5, 0.5, 0], abs=1e-6)
    twins = capacity(np.repeat(np.eye(3), [1, 2, 4], axis=0))
    assert twins.value == pytest.approx(np.log2(3), abs=1e-9)


@pytest.mark.parametrize("n, m, sharp", [(5, 4, 1.0), (30, 20, 0.3), (20, 40, 1.0)])
def test_conditions_of_optimality(n, m, sharp):
    W = rng.dirichlet(np.full(m, sharp), n)
    found = capacity(W, base=np.e)
    D = (W * np.log(W / (found.law @ W))).sum(axis=1)
    assert mutual_information(found.law[:, None] * W, base=np.e) == pytest.approx(found.value, abs=1e-12)
    assert D.max() <= found.value + found.gap + 1e-12
    assert D[found.law > 1e-4] == pytest.approx(found.value, abs=1e-4)


def test_crawling_channels_end():
    # inputs on a fine grid, most of which the best law leaves out: plain steps need tens of thousands of iterations
    x, y = np.linspace(-2, 2, 41), np.linspace(-6, 6, 121)
    W = np.exp(-((y - x[:, None]) ** 2) / 0.5)
    found = capacity(W, tol=1e-7)
    assert found.gap <= 1e-7 and found.n_iter < 300


def test_bounds_hold_when_stopped_early():
    W = rng.dirichlet(np.ones(10), 8)
    exact = capacity(W).value
    for stop in (1, 2, 5, 20):
        rough = capacity(W, max_iter=stop)
        assert rough.n_iter <= stop
        assert rough.value <= exact + 1e-9 and exact <= rough.value + rough.gap + 1e-9


def best_by_search(W, costs, budget):
    rules = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "ineq", "fun": lambda p: budget - p @ costs},
    ]
    start = np.array([1 - budget / 8, budget / 16, budget / 16])
    found = minimize(
        lambda p: -mutual_information(np.maximum(p, 0)[:, None] * W),
        start, bounds=[(1e-12, 1)] * 3, constraints=rules, method="SLSQP", options={"ftol": 1e-13, "maxiter": 500},
    )  # fmt: skip
    return -found.fun


def test_costs_bound_the_law():
    W, costs = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]]), np.array([0.0, 1.0, 4.0])
    free = capacity(W)
    assert capacity(W, costs=costs, budget=4.0).value == pytest.approx(free.value, abs=1e-8)
    values = []
    for budget in (0.05, 0.3, 0.8):
        found = capacity(W, costs=costs, budget=budget)
        assert found.cost <= budget + 1e-9 and found.gap <= 1e-9
        assert found.value == pytest.approx(best_by_search(W, costs, budget), abs=1e-5)
        values.append(found.value)
    assert 0 < values[0] < values[1] < values[2] <= free.value
    only = capacity(W, costs=costs, budget=0.0)
    assert only.value == 0 and only.law == pytest.approx([1, 0, 0]) and only.cost == 0


def test_costs_of_a_noiseless_bit():
    for share in (0.1, 0.4):  # a one costs 1: at most this share of ones
        found = capacity(np.eye(2), costs=[0, 1], budget=share)
        assert found.value == pytest.approx(binary_entropy(share), abs=1e-8)
    assert capacity(np.eye(2), costs=[0, 1], budget=0.7).value == pytest.approx(1)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: capacity([0.5, 0.5]), "channel has shape"),
        (lambda: capacity([[-1, 2]]), "negative"),
        (lambda: capacity([[0, 0], [1, 0]]), "without any output"),
        (lambda: capacity(np.eye(2), costs=[0, 1]), "together"),
        (lambda: capacity(np.eye(2), costs=[0, 1, 2], budget=1), "costs has shape"),
        (lambda: capacity(np.eye(2), costs=[1, 2], budget=0.5), "below the cheapest"),
        (lambda: capacity(np.eye(2), max_iter=0), "max_iter"),
    ],
)
def test_bad_input_is_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
