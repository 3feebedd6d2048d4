"""Cuts against their definition where links differ by many orders of magnitude."""

import numpy as np
import pytest

from unmix.costs.cut import Cut
from unmix.costs.links import make_links
from unmix.costs.moves import packed
from unmix.inference.local.sweeps import price_moves

rng = np.random.default_rng(0)


@pytest.mark.parametrize("balance", ["cut", "ratio", "normalized"])
@pytest.mark.parametrize("unit", [1.0, 2.0**-80, 2.0**80])
def test_moves_cost_what_the_definition_says_beside_a_huge_link(balance, unit):
    n, k = 8, 3
    W = rng.random((n, n))
    W = W + W.T
    W[0, 1] = W[1, 0] = 1e14  # the others are as small beside it as rounding, and have parts of their own
    labels = np.array([0, 0, 1, 1, 1, 2, 2, 2])
    data, cost = make_links(unit * W), Cut(balance, k)
    by_definition = np.array(
        [[cost.total(data, np.where(np.arange(n) == i, c, labels)) for c in range(k)] for i in range(2, n)]
    )
    fields, moves = cost.fields(data, np.eye(k)[labels])[2:], np.empty((n - 2, k))
    price_moves(
        packed(cost.state(data, np.eye(k)[labels])), labels, np.arange(2, n), moves, *np.zeros((2, moves.shape[1]))
    )
    apart = by_definition[:, 2] - by_definition[:, 1]
    size = np.abs(apart).max()
    np.testing.assert_allclose(fields[:, 2] - fields[:, 1], apart, atol=1e-9 * size)
    np.testing.assert_allclose(moves[:, 2] - moves[:, 1], apart, atol=1e-9 * size)


def test_objects_without_links_cost_nothing():
    data = make_links(np.zeros((3, 3)))
    for balance in ("cut", "ratio", "normalized"):
        assert not Cut(balance).fields(data, np.eye(3)).any()


def test_the_forms_for_dissimilarities():
    """Those for similarities s - D, up to what does not depend on the partition or only on sizes; by their insides."""
    n, k, s = 9, 3, 2.5
    D = rng.random((n, n))
    D = D + D.T
    np.fill_diagonal(D, 0)
    similar = s - D
    np.fill_diagonal(similar, 0)
    for _ in range(5):
        labels = rng.permutation(np.arange(n) % k)
        labels[0] = labels[1]
        sizes, same = np.bincount(labels, minlength=k), labels[:, None] == labels
        of_d, of_s = make_links(D), make_links(similar)
        cost = {b: Cut(b, k, dissimilarities=True).total(of_d, labels) for b in ("cut", "ratio", "normalized")}
        assert cost["ratio"] == pytest.approx(Cut("ratio", k).total(of_s, labels) - s * n * (k - 1))
        lost = s * (sizes * (n - sizes)).sum() / 2
        assert cost["cut"] == pytest.approx(Cut("cut").total(of_s, labels) - lost)
        assert cost["cut"] == pytest.approx((D * same).sum() / 2 - D.sum() / 2)
        inside = np.array([D[np.ix_(labels == c, labels == c)].sum() / D[labels == c].sum() for c in range(k)])
        assert cost["normalized"] == pytest.approx(inside.sum() - k)
    equal = make_links(np.ones((n, n)))  # no partition is better than another: the cost is not biased
    assert Cut("normalized", k, dissimilarities=True).total(equal, np.arange(n) % k) == pytest.approx(
        -sum((n - 3) / (n - 1) for _ in range(k))
    )
