import numpy as np
import pytest

from tests.roles.brute_force import best_limited
from unmix.roles.access.bits import Bits, covers, product, structure
from unmix.roles.cover import fewest_roles as cover_module
from unmix.roles.cover.dominance import components, reduce_entries
from unmix.roles.cover.fewest_roles import minimum_cover
from unmix.roles.cover.rectangle import maximal_rectangles
from unmix.roles.problem.budget import Budget


def is_exact(matrix, roles):
    bits = Bits.of(roles)
    return np.array_equal(product(covers(Bits.of(matrix), bits), bits).dense(), matrix)


def set_cover_rank(matrix):
    """Least number of maximal rectangles, from their closed permission sets, smallest collections first."""
    from itertools import combinations

    rows = [frozenset(np.flatnonzero(row)) for row in matrix]
    closed = {frozenset.intersection(*group) for k in range(1, len(rows) + 1) for group in combinations(rows, k)}
    areas = [frozenset((u, p) for u, row in enumerate(rows) if role <= row for p in role) for role in closed]
    ones = frozenset((u, p) for u, row in enumerate(rows) for p in row)
    return next(k for k in range(len(ones) + 1) for some in combinations(areas, k) if frozenset().union(*some) == ones)


@pytest.mark.parametrize("seed", range(40))
def test_the_number_of_roles_is_the_least(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.random((rng.integers(2, 7), rng.integers(2, 7))) < rng.choice([0.3, 0.5, 0.7])
    found = minimum_cover(structure(matrix), Budget(None))
    assert is_exact(matrix, found.roles)
    assert found.roles.shape[0] == found.lower_bound == set_cover_rank(matrix)


@pytest.mark.parametrize("n", [5, 6, 7])
def test_crowns_which_no_entry_dominates(n):
    """The complement of the identity needs the least k with C(k, ⌊k/2⌋) ≥ n roles."""
    from math import comb

    matrix = ~np.eye(n, dtype=bool)
    found = minimum_cover(structure(matrix), Budget(None))
    least = next(k for k in range(n + 1) if comb(k, k // 2) >= n)
    assert is_exact(matrix, found.roles)
    assert found.roles.shape[0] == found.lower_bound == least


def test_kept_roles_take_their_part_of_the_work():
    for seed in range(15):
        rng = np.random.default_rng(seed)
        matrix = rng.random((4, 3)) < 0.6
        kept = frozenset(np.flatnonzero(rng.random(3) < 0.5)) or frozenset({0})
        keep = np.zeros((1, 3), bool)
        keep[0, list(kept)] = True
        found = minimum_cover(structure(matrix), Budget(None), keep=structure(keep))
        assert (0, 1 + found.roles.shape[0]) == best_limited(matrix, keep=[kept])
        assert found.lower_bound == found.roles.shape[0]


def test_a_kept_role_with_a_permission_nobody_has_covers_nothing():
    matrix = np.array([[1, 1, 0], [1, 0, 0]], bool)
    found = minimum_cover(structure(matrix), Budget(None), keep=structure([[1, 0, 1], [1, 1, 1]]))
    assert is_exact(matrix, found.roles)
    assert found.roles.shape[0] == 2


def test_isolated_entries_are_a_fooling_set():
    matrix = np.random.default_rng(3).random((30, 25)) < 0.3
    entries = reduce_entries(structure(matrix), Budget(None))
    alone = [part[0] for part in components(entries) if part.size == 1]
    users, permissions = entries.user[alone], entries.permission[alone]
    both = matrix[np.ix_(users, permissions)]
    fits = both & both.T
    assert fits.sum() == len(alone)  # each only with itself


def test_rectangles_are_all_formal_concepts():
    from itertools import combinations

    matrix = np.random.default_rng(1).random((7, 9)) < 0.5
    rows = [frozenset(np.flatnonzero(row)) for row in matrix]
    closed = {frozenset.intersection(*group) for k in range(1, 8) for group in combinations(rows, k)} - {frozenset()}
    users, permissions = maximal_rectangles(matrix)
    assert {frozenset(np.flatnonzero(row)) for row in permissions.dense()} == closed
    for extent, intent in zip(users.dense(), permissions.dense()):
        assert np.array_equal(extent, matrix[:, intent].all(axis=1))
    assert maximal_rectangles(matrix, most=len(closed) // 2) is None


def test_where_rectangles_are_too_many_the_bound_stays_true():
    matrix = ~np.eye(8, dtype=bool)
    found = minimum_cover(structure(matrix), Budget(None), most_rectangles=10)
    assert is_exact(matrix, found.roles)
    assert found.lower_bound <= 5 <= found.roles.shape[0] <= 8


def test_blocks_too_large_for_memory_are_cut(monkeypatch):
    rng = np.random.default_rng(0)
    matrix = np.kron(np.eye(4, dtype=int), np.ones((3, 4), int)).astype(bool) & (rng.random((12, 16)) < 0.7)
    whole = minimum_cover(structure(matrix), Budget(None))
    monkeypatch.setattr(cover_module, "MEMORY", 4)
    parts = minimum_cover(structure(matrix), Budget(None))
    assert is_exact(matrix, parts.roles)
    assert parts.lower_bound <= whole.roles.shape[0] <= parts.roles.shape[0]


@pytest.mark.slow_without_jit
def test_no_time_still_gives_an_exact_cover():
    matrix = np.random.default_rng(0).random((60, 50)) < 0.3
    found = minimum_cover(structure(matrix), Budget(1e-9))
    assert is_exact(matrix, found.roles)
    assert found.lower_bound <= found.roles.shape[0]


@pytest.mark.parametrize("matrix", [np.zeros((3, 2), bool), np.zeros((0, 0), bool), np.ones((3, 2), bool)])
def test_degenerate_matrices(matrix):
    found = minimum_cover(structure(matrix.reshape(matrix.shape)), Budget(None))
    assert found.roles.shape[0] == found.lower_bound == int(matrix.any())
