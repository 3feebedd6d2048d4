"""Constraints that solve ½ v·G v - c·v + penalty(v) themselves, against all supports, many starts and equations."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize

from unmix.constraints import Smooth, Sparse, UnitNorm


def problems(m, k, common, seed=0, rank=None):
    """Positive semidefinite matrices, one for all or one each, and linear terms in their range."""
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(1 if common else m, rank or k + 2, k))
    gram = roots.transpose(0, 2, 1) @ roots
    return gram, np.einsum("mij,mj->mi", np.broadcast_to(gram, (m, k, k)), rng.normal(size=(m, k)))


def costs(gram, cross, V):
    return 0.5 * np.einsum("mi,mij,mj->m", V, np.broadcast_to(gram, (len(V), *gram.shape[1:])), V) - (cross * V).sum(1)


def least_of_all_supports(G, c, size):
    best = 0.0
    for places in combinations(range(len(c)), size):
        chosen = list(places)
        best = min(best, -0.5 * c[chosen] @ np.linalg.lstsq(G[np.ix_(chosen, chosen)], c[chosen], rcond=None)[0])
    return best


@pytest.mark.parametrize("common", [True, False])
@pytest.mark.parametrize("k, size", [(1, 1), (4, 2), (6, 1), (5, 5), (3, 7), (8, 3)])
def test_few_supports_are_all_tried(k, size, common):
    gram, cross = problems(9, k, common)
    found = Sparse(size).solve(gram, cross, np.zeros((9, k)))
    least = [least_of_all_supports(gram[0 if common else i], cross[i], min(size, k)) for i in range(9)]
    np.testing.assert_allclose(costs(gram, cross, found), least, rtol=1e-9)
    assert Sparse(size).violation(found) == 0


@pytest.mark.parametrize("common", [True, False])
def test_many_supports_never_end_worse_than_they_began(common):
    gram, cross = problems(40, 14, common, rank=8)
    constraint = Sparse(4)
    least = np.array([least_of_all_supports(gram[0 if common else i], cross[i], 4) for i in range(40)])
    first = constraint.solve(gram, cross, np.zeros((40, 14)))
    assert constraint.violation(first) == 0
    assert np.median(costs(gram, cross, first) / least) > 0.9
    start = constraint.prox(np.random.default_rng(1).normal(size=(40, 14)), 0.0)
    assert (costs(gram, cross, constraint.solve(gram, cross, start)) <= costs(gram, cross, start)).all()
    again = constraint.solve(gram, cross, first)
    assert (costs(gram, cross, again) <= costs(gram, cross, first) + 1e-12).all()


def test_a_planted_support_is_found_among_many():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(60, 20))
    truth = Sparse(4).prox(rng.normal(size=(30, 20)), 0.0)
    found = Sparse(4).solve((atoms.T @ atoms)[None], truth @ atoms.T @ atoms, np.zeros((30, 20)))
    np.testing.assert_allclose(found, truth, atol=1e-8)


@pytest.mark.parametrize("common", [True, False])
@pytest.mark.parametrize("at_most", [True, False])
def test_on_the_sphere_no_start_ends_lower(at_most, common):
    m, k = 6, 3
    gram, cross = problems(m, k, common)
    cross[0] *= 0.01  # the lowest point lies inside the ball
    constraint = UnitNorm(at_most=at_most)
    found = constraint.solve(gram, cross, np.zeros((m, k)))
    assert constraint.violation(found) < 1e-12
    rng = np.random.default_rng(0)
    for i in range(m):
        G, c = gram[0 if common else i], cross[i]

        def value(v, G=G, c=c):
            v = constraint.prox(v[None], 0.0)[0]
            return 0.5 * v @ G @ v - c @ v

        least = min(minimize(value, rng.normal(size=k)).fun for _ in range(8))
        assert costs(gram, cross, found)[i] <= least + 1e-7 * abs(least)


def test_on_the_sphere_where_nothing_pulls_along_the_flattest_axis():
    gram = np.diag([0.0, 2.0, 3.0])[None]
    found = UnitNorm(at_most=False).solve(gram, np.array([[0.0, 0.5, 0.0], [0.0, 5.0, 0.0]]), np.zeros((2, 3)))
    np.testing.assert_allclose(np.abs(found), [[np.sqrt(15) / 4, 0.25, 0.0], [0.0, 1.0, 0.0]], atol=1e-12)
    nothing = np.zeros((1, 3, 3)), np.zeros((2, 3)), np.zeros((2, 3))
    assert not UnitNorm().solve(*nothing).any()
    assert UnitNorm(at_most=False).violation(UnitNorm(at_most=False).solve(*nothing)) == 0


@pytest.mark.parametrize("common", [True, False])
def test_smooth_vectors_solve_their_equations(common):
    gram, cross = problems(5, 6, common)
    found = Smooth(0.7).solve(gram, cross, np.zeros((5, 6)))
    bends = 0.7 * np.diff(found, axis=1, prepend=found[:, :1], append=found[:, -1:])
    slope = np.einsum("mij,mj->mi", np.broadcast_to(gram, (5, 6, 6)), found) - cross - np.diff(bends, axis=1)
    np.testing.assert_allclose(slope, 0, atol=1e-8)
    assert Smooth(0.7, order="rows").solve(gram, cross, found) is None


def test_smooth_and_small_solves_the_same_equations():
    rng = np.random.default_rng(8)
    V, differences = rng.normal(size=(3, 6)), np.diff(np.eye(6), axis=0)
    held = 0.6 * (0.7 * differences.T @ differences + 0.4 * np.eye(6))
    expected = np.linalg.solve(np.eye(6) + held, V.T).T
    np.testing.assert_allclose(Smooth(0.7, ridge=0.4).prox(V, 0.6), expected, rtol=1e-10)
    gram = np.eye(6)[None] * 2.0
    found = Smooth(0.7, ridge=0.4).solve(gram, V, V)
    np.testing.assert_allclose(found @ (gram[0] + held / 0.6), V, rtol=1e-8)


def test_order_matters_to_some():
    assert Smooth().exchanges(0)
    assert not Smooth().exchanges(1)
    assert Smooth(order="rows").exchanges(1)
    assert not Smooth(order="rows").exchanges(0)
