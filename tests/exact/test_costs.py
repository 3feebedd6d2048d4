"""Moves, fields and means of every cost against its definition."""

import numpy as np
import pytest

from tests.exact.costs import CASES, K, n
from unmix.costs.base import HasFields, HasMoves
from unmix.inference.enumerate import enumerate_labellings

CASE = pytest.mark.parametrize("cost, data", CASES.values(), ids=CASES)
WITH_FIELDS = {name: case for name, case in CASES.items() if isinstance(case[0], HasFields)}
FIELDS = pytest.mark.parametrize("cost, data", WITH_FIELDS.values(), ids=WITH_FIELDS)
LINEAR = {name: case for name, case in WITH_FIELDS.items() if name.split()[0].strip(",") in ("correlation", "potts")}
LINEAR |= {name: WITH_FIELDS[name] for name in ("cut", "least angle")}


def labellings(seed, count=10):
    return np.random.default_rng(seed).integers(0, K, (count, n))


@CASE
def test_move_costs_are_differences_of_the_total(cost, data):
    from unmix.costs.moves import move_costs, shift

    assert isinstance(cost, HasMoves)
    rng, labels = np.random.default_rng(1), labellings(0, 1)[0]
    state, out = cost.state(data, np.eye(K)[labels]), np.empty(K)
    for i in rng.integers(0, n, 40):
        move_costs(state, i, np.eye(K)[labels[i]], out)
        totals = [cost.total(data, np.where(np.arange(n) == i, c, labels)) for c in range(K)]
        np.testing.assert_allclose(out - out[labels[i]], np.array(totals) - totals[labels[i]], atol=1e-9)
        new = rng.integers(K)
        shift(state, i, labels[i], -1.0)
        shift(state, i, new, 1.0)
        labels[i] = new


@CASE
def test_running_sums_of_shares_are_those_made_anew(cost, data):
    from unmix.costs.moves import shift

    rng = np.random.default_rng(2)
    q = rng.dirichlet(np.ones(K), n)
    state = cost.state(data, q)
    for i in rng.integers(0, n, 20):
        new = rng.dirichlet(np.ones(K))
        for c in range(K):
            shift(state, i, c, new[c] - q[i, c])
        q[i] = new
    for part, anew in zip(state, cost.state(data, q), strict=True):
        np.testing.assert_allclose(part, anew, atol=1e-9)


@FIELDS
def test_fields_of_labels_are_move_costs(cost, data):
    for labels in labellings(3):
        h = cost.fields(data, np.eye(K)[labels])
        for i in range(n):
            totals = np.array([cost.total(data, np.where(np.arange(n) == i, c, labels)) for c in range(K)])
            np.testing.assert_allclose(h[i] - h[i, 0], totals - totals[0], atol=1e-9)


@FIELDS
def test_fields_and_kernels_agree_on_shares(cost, data):
    from unmix.costs.moves import move_costs

    q = np.random.default_rng(4).dirichlet(np.ones(K), n)
    state, h, out = cost.state(data, q), cost.fields(data, q), np.empty(K)
    for i in range(n):
        move_costs(state, i, q[i], out)
        np.testing.assert_allclose(out, h[i], atol=1e-9)


@pytest.mark.parametrize("name", [name for name, (cost, _) in CASES.items() if hasattr(cost, "fields_and_mean")])
def test_fields_and_mean_together_are_the_same_bits(name):
    (cost, data), q = CASES[name], np.random.default_rng(5).dirichlet(np.ones(K), n)
    h, mean = cost.fields_and_mean(data, q)
    np.testing.assert_array_equal(h, cost.fields(data, q))
    assert mean == cost.expected(data, q)


@FIELDS
def test_expected_cost_of_labels_is_the_total(cost, data):
    for labels in labellings(5):
        assert cost.expected(data, np.eye(K)[labels]) == pytest.approx(cost.total(data, labels), abs=1e-9)


@pytest.mark.parametrize("cost, data", LINEAR.values(), ids=LINEAR)
def test_expected_cost_is_the_mean_over_all_labellings(cost, data):
    q = np.random.default_rng(6).dirichlet(np.ones(K), n)
    every = enumerate_labellings(cost, data, K, 1.0)
    p = np.prod([q[i][every.labellings[:, i]] for i in range(n)], axis=0)
    assert cost.expected(data, q) == pytest.approx(p @ every.costs)
    # and the field is the mean given one label, up to what does not depend on that label
    for i in range(2):
        given = [p[every.labellings[:, i] == c] @ every.costs[every.labellings[:, i] == c] / q[i, c] for c in range(K)]
        h = cost.fields(data, q)[i]
        np.testing.assert_allclose(h - h[0], np.array(given) - given[0], atol=1e-9)
