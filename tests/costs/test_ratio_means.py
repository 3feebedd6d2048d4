"""Means of ratios under independent labels against the sum over all labellings."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.costs.cut import Cut
from unmix.costs.links import make_links
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.costs.ratio_means import mean_ratio

rng = np.random.default_rng(0)
n = 8
W = rng.random((n, n)) * (rng.random((n, n)) < 0.6)
W = W + W.T
np.fill_diagonal(W, 0)
SHARES = {
    "soft": rng.dirichlet(np.ones(2), n)[:, 0],
    "nearly empty": np.full(n, 1e-9),
    "nearly full": 1 - 1e-9 * rng.random(n),
    "hard": np.arange(n) % 2.0,
    "of many sizes": 10.0 ** -np.arange(n),
    "empty": np.zeros(n),
}


def by_definition(W, q, sizes, cut):
    total = 0.0
    for z in map(np.array, product((0.0, 1.0), repeat=n)):
        if z.any() and z @ sizes > 0:
            links = z @ W @ (1 - z) if cut else z @ W @ z
            total += np.prod(np.where(z == 1, q, 1 - q)) * links / (z @ sizes)
    return total


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("spread", [0.0, 7.0])
@pytest.mark.parametrize("cut", [True, False])
def test_mean_ratio_is_the_sum_over_all_labellings(name, spread, cut):
    sizes = 10.0 ** (spread * np.linspace(-1, 1, n))  # over fourteen decades
    for links in (make_links(W), make_links(csr_array(W))):
        found = mean_ratio(links, SHARES[name], sizes, cut=cut)
        assert found == pytest.approx(by_definition(W, SHARES[name], sizes, cut), rel=1e-8, abs=1e-300)


@pytest.mark.parametrize("balance", ["ratio", "normalized"])
def test_hard_shares_cost_what_labels_cost(balance):
    labels = np.arange(n) % 3
    data, cost = make_links(W), Cut(balance, 4)  # one part stays empty
    assert cost.mean(data, np.eye(4)[labels]) == pytest.approx(cost.total(data, labels))
    D = make_dissimilarities(W)
    assert Pairwise().mean(D, np.eye(3)[labels]) == pytest.approx(Pairwise().total(D, labels))


def test_mean_sizes_in_a_denominator_are_no_mean():
    """Similarities turned round: what is put in by its mean is far below the mean."""
    data, q = make_dissimilarities(np.eye(n) - 1), np.full((n, 2), 0.5)
    assert Pairwise().expected(data, q) < Pairwise().mean(data, q) - 0.4
