"""Column generation: bounds never above the optimum by brute force, better than fooling sets; cliques as by hand."""

from itertools import combinations

import numpy as np
import pytest

from tests.roles.brute_force import best_limited
from unmix.roles.access.bits import Bits, product, structure
from unmix.roles.cover import fewest_roles as cover_module
from unmix.roles.cover.column_generation import Search, dual_prices, prove
from unmix.roles.cover.dominance import reduce_entries
from unmix.roles.cover.fewest_roles import minimum_cover
from unmix.roles.cover.rectangle import maximal_rectangles
from unmix.roles.problem.budget import Budget


def everything(matrix):
    """A search over all entries of a matrix, none dropped."""
    entries = reduce_entries(structure(matrix), Budget(0.0))
    every = np.arange(entries.user.size)
    return Search(entries, every, every, entries.user, entries.permission)


@pytest.mark.parametrize("seed", range(12))
def test_tiny_covers_agree_with_brute_force(seed):
    """With one rectangle allowed nothing is listed, and column generation alone has to prove the optimum."""
    matrix = np.random.default_rng(seed).random((5, 4)) < 0.65
    found = minimum_cover(structure(matrix), Budget(None), most_rectangles=1)
    least = best_limited(matrix)[1]
    assert found.lower_bound <= least <= found.roles.shape[0]
    assert found.roles.shape[0] == least


@pytest.mark.parametrize("seed", range(4))
def test_the_heaviest_rectangle_is_that_of_all_listed(seed):
    rng = np.random.default_rng(seed)
    search = everything(rng.random((9, 8)) < 0.6)
    prices = rng.random(search.user.size) / 4
    users, permissions = (bits.dense() for bits in maximal_rectangles(search.entries.matrix))
    worth = (users[:, search.user] & permissions[:, search.permission]) @ prices
    clique, most = prove(search, prices)
    assert most == pytest.approx(worth.max(), abs=1e-6)
    assert clique[0] @ prices == pytest.approx(worth.max())
    for a, b in combinations(np.flatnonzero(clique[0]), 2):
        assert search.entries.matrix[search.user[a], search.permission[b]]


def test_a_search_cut_short_still_bounds_from_above(monkeypatch):
    rng = np.random.default_rng(0)
    search = everything(rng.random((14, 14)) < 0.6)
    prices = rng.random(search.user.size)
    exact = prove(search, prices)[1]
    for work in (0, 10, 100, 1000):
        monkeypatch.setattr("unmix.roles.cover.column_generation.WORK", work)
        assert prove(search, prices)[1] >= exact - 1e-6


def test_dual_prices_sum_to_the_optimum_of_the_programme():
    holds = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]], bool)  # a triangle: one half of each
    prices = dual_prices(holds, Budget(None))
    assert prices.sum() == pytest.approx(1.5)
    assert (holds @ prices <= 1 + 1e-9).all()


@pytest.mark.slow_without_jit
def test_a_bound_beyond_the_fooling_set_where_listing_is_over_budget(monkeypatch):
    rng = np.random.default_rng(1)
    matrix = rng.random((14, 14)) < 0.55
    whole = minimum_cover(structure(matrix), Budget(None))  # all rectangles: proven
    found = minimum_cover(structure(matrix), Budget(None), most_rectangles=10)
    monkeypatch.setattr(cover_module, "generate", lambda entries, part, holds, least, *rest: (holds, least))
    plain = minimum_cover(structure(matrix), Budget(None), most_rectangles=10)
    assert plain.lower_bound < found.lower_bound <= whole.lower_bound == whole.roles.shape[0] <= found.roles.shape[0]
    fits = (found.roles.toarray() <= matrix[:, None]).all(axis=2)
    assert np.array_equal(product(structure(fits), Bits.of(found.roles)).dense(), matrix)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", range(6))
def test_covers_from_rectangles_met_are_exact(seed):
    """What first fit leaves room for is no rectangle by itself; only maximal rectangles may enter the programme."""
    matrix = np.random.default_rng(seed).random((14, 14)) < 0.55
    found = minimum_cover(structure(matrix), Budget(None), most_rectangles=10)
    fits = (found.roles.toarray() <= matrix[:, None]).all(axis=2)
    assert np.array_equal(product(structure(fits), Bits.of(found.roles)).dense(), matrix)
