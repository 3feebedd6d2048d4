"""Indices of separation: zero for perfect up to order, sign and scale, and equal to their definitions elsewhere."""

from itertools import permutations

import numpy as np
import pytest

from unmix.separation import amari_index, match_sources, minimum_distance_index, sir

rng = np.random.default_rng(0)
A = rng.normal(size=(4, 4))
SHUFFLED = np.array([[0, 0, -2.0, 0], [0.1, 0, 0, 0], [0, 0, 0, 5.0], [0, 3.0, 0, 0]])


@pytest.mark.parametrize("index", [amari_index, minimum_distance_index])
def test_order_sign_and_scale_do_not_count(index):
    assert index(SHUFFLED @ np.linalg.inv(A), A) == pytest.approx(0, abs=1e-7)
    W = rng.normal(size=(4, 4))
    if index is minimum_distance_index:  # the Amari index is invariant under equal scales only
        assert index(SHUFFLED @ W, A) == pytest.approx(index(W, A))
    assert index(W[::-1] * -3, A) == pytest.approx(index(W, A))
    assert 0 < index(W, A) < 1
    assert index(np.ones((3, 3)), np.eye(3)) == pytest.approx(1.0)
    assert index([[2.0]], [[3.0]]) == 0.0


def test_amari_index_by_its_sums():
    W = rng.normal(size=(4, 4))
    P, total = np.abs(W @ A), 0.0
    for i in range(4):
        total += sum(P[i, j] for j in range(4)) / max(P[i]) - 1
        total += sum(P[j, i] for j in range(4)) / max(P[:, i]) - 1
    assert amari_index(W, A) == pytest.approx(total / (2 * 4 * 3))


def test_minimum_distance_by_trying_every_order():
    W = rng.normal(size=(4, 4))
    G, best = W @ A, np.inf
    for order in permutations(range(4)):
        moved = G[list(order)]
        scale = np.diag(moved) / np.sum(moved**2, axis=1)  # least squares, row by row
        best = min(best, np.linalg.norm(scale[:, None] * moved - np.eye(4)))
    assert minimum_distance_index(W, A) == pytest.approx(best / np.sqrt(3))


@pytest.mark.parametrize("index", [amari_index, minimum_distance_index])
def test_what_does_not_fit_is_refused(index):
    with pytest.raises(ValueError, match="do not fit"):
        index(np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="zeros"):
        index(np.diag([1.0, 0.0]), np.eye(2))


def test_matching_undoes_order_sign_scale_and_shift():
    S = rng.laplace(size=(500, 4))
    estimates = S @ SHUFFLED.T + [1, 2, 3, 4]
    match = match_sources(S, np.column_stack([estimates, rng.normal(size=500)]))  # one estimate too many
    np.testing.assert_allclose(match.sources, S, atol=1e-10)
    np.testing.assert_allclose(np.column_stack([estimates])[:, match.order] * match.scale + match.shift, S, atol=1e-10)
    np.testing.assert_allclose(np.abs(match.correlation), 1)
    with pytest.raises(ValueError, match="at least as many estimates"):
        match_sources(S, S[:, :2])


def test_ratio_of_orthogonal_signals_is_known():
    t = np.arange(1000) / 1000
    S = np.column_stack([np.sin(2 * np.pi * 5 * t), np.sin(2 * np.pi * 9 * t)])
    leak = np.array([[1.0, 0.01], [0.1, 1.0]])  # power 1e-4 of the first in the second, 1e-2 of the second in the first
    np.testing.assert_allclose(sir(S, -2 * (S @ leak)[:, ::-1]), [20, 40], atol=1e-6)
    assert np.all(sir(S, S) > 250)


@pytest.mark.parametrize("unit", [1e300, 1e-300])
def test_matching_and_interference_know_no_unit(unit):
    rng = np.random.default_rng(3)
    S = rng.laplace(size=(500, 3))
    S_hat = (S @ (np.eye(3) + 0.1 * rng.normal(size=(3, 3))))[:, [2, 0, 1]]
    usual, extreme = match_sources(S, S_hat), match_sources(S * unit, S_hat)
    assert extreme.order.tolist() == usual.order.tolist()
    np.testing.assert_allclose(extreme.scale / unit, usual.scale)
    np.testing.assert_allclose(extreme.sources / unit, usual.sources)
    np.testing.assert_allclose(match_sources(S * unit, S_hat * unit).scale, usual.scale)
    np.testing.assert_allclose(sir(S * unit, S_hat * unit), sir(S, S_hat))
