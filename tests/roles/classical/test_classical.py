"""The classical factorizations against their definitions, brute force and published examples."""

from itertools import chain, combinations, product

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.datasets import planted_roles
from unmix.roles import CompleteMiner, DiscreteBasis, FastMiner, HammingKMeans, RoundedSVD, SVDDenoiser, deviation
from unmix.roles.classical.best_assignment import Worth
from unmix.roles.classical.discrete_basis import as_words, association, greedy
from unmix.roles.classical.role_miner import as_integers, as_rows

rng = np.random.default_rng(0)


def as_sets(roles):
    return {frozenset((np.flatnonzero(role) + 1).tolist()) for role in np.asarray(roles)}


@pytest.mark.parametrize("kind", [CompleteMiner, FastMiner])
def test_the_example_of_role_miner(kind):
    model = kind().fit([[1, 1, 0, 0, 1], [0, 1, 1, 0, 1]])
    assert as_sets(model.roles_) == {frozenset({1, 2, 5}), frozenset({2, 3, 5}), frozenset({2, 5})}
    assert as_sets(model.roles_[:1]) == {frozenset({2, 5})} and model.user_counts_.tolist() == [2, 1, 1]
    assert np.array_equal(model.inverse_transform(model.assignments_), [[1, 1, 0, 0, 1], [0, 1, 1, 0, 1]])


def test_candidates_are_the_intersections():
    X = rng.integers(0, 2, (7, 9))
    users = [frozenset((np.flatnonzero(x) + 1).tolist()) for x in X]
    subsets = chain.from_iterable(combinations(users, m) for m in range(1, 8))
    every = {frozenset.intersection(*s) for s in subsets} - {frozenset()}
    pairs = {a & b for a in users for b in users} - {frozenset()}
    assert as_sets(CompleteMiner().fit(X).roles_) == every
    assert as_sets(FastMiner().fit(X).roles_) == pairs
    model = CompleteMiner().fit(X)
    holders = [sum(role <= user for user in users) for role in (frozenset(np.flatnonzero(r) + 1) for r in model.roles_)]
    assert model.user_counts_.tolist() == holders == sorted(holders, reverse=True)


def test_miners_never_give_too_much_and_cover_ranks_by_what_is_left():
    X = planted_roles(60, 20, 4, noise=0.02).X
    for n_roles in (1, 3, None):
        model = FastMiner(n_roles, rank="cover").fit(X)
        assert (model.inverse_transform(model.assignments_) <= X).all()
    assert np.array_equal(model.inverse_transform(model.assignments_), X)
    assert len(model.roles_) < len(FastMiner().fit(X).roles_)


def test_too_many_candidates_are_refused_in_words():
    X = 1 - np.eye(20)
    with pytest.raises(ValueError, match=r"more than max_candidates=1000 intersections.*FastMiner"):
        CompleteMiner(max_candidates=1000).fit(X)
    assert len(FastMiner(max_candidates=1000).fit(X).roles_) == 20 + 190


def test_rows_as_integers_come_back():
    X = rng.integers(0, 2, (5, 13)).astype(float)
    assert np.array_equal(as_rows(as_integers(X), 13), X)


def test_association_is_the_conditional_share():
    X = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
    expected = [[1, 2 / 3, 0], [2 / 3, 1, 0], [0, 0, 0]]
    np.testing.assert_allclose(association(X, np.ones(4)), expected)
    np.testing.assert_allclose(association(csr_array(X), np.ones(4)), expected)


@pytest.mark.parametrize("reward, penalty", [(1.0, 1.0), (1.0, 2.5), (3.0, 1.0)])
def test_greedy_choice_is_that_of_the_definition(reward, penalty):
    X = rng.integers(0, 2, (12, 70)).astype(float)
    candidates = (rng.random((15, 70)) < 0.3).astype(float)
    weights = rng.integers(1, 4, 12).astype(float)
    got = greedy(X, weights, candidates, 3, Worth(reward, penalty))
    covered, expected = np.zeros(X.shape, bool), []
    for _ in range(3):
        best, best_gain, best_cover = None, 0.0, None
        for candidate in candidates:
            new = ~covered & (candidate > 0)
            gains = (new * np.where(X > 0, reward, -penalty)).sum(axis=1)
            total = weights @ np.maximum(gains, 0)
            if total > best_gain:
                best, best_gain, best_cover = candidate, total, np.outer(gains > 0, candidate > 0)
        if best is None:
            break
        expected.append(best)
        covered |= best_cover
    assert np.array_equal(got, np.array(expected).reshape(-1, 70))


def test_words_hold_all_bits():
    X = rng.integers(0, 2, (3, 130)).astype(float)
    assert as_words(X).shape == (3, 3)
    assert np.array_equal(np.bitwise_count(as_words(X)).sum(axis=1), X.sum(axis=1))


@pytest.mark.slow_without_jit
def test_discrete_basis_on_firewall1(shared_data):
    pairs = np.loadtxt(shared_data / "roles" / "firewall1.txt", dtype=int)
    X = csr_array((np.ones(len(pairs)), pairs.T)).toarray()
    model = DiscreteBasis(10).fit(X)
    wrong = (model.inverse_transform(model.assignments_) != X).sum()
    assert wrong == model.error_ <= 1222  # 2750 is asked for


@pytest.mark.slow_without_jit
def test_refitting_never_raises_the_error():
    X = planted_roles(150, 40, 6, noise=0.3).X
    assert DiscreteBasis(6).fit(X).error_ <= DiscreteBasis(6, refit=0).fit(X).error_


def gain_of(X, held, roles, reward, penalty):
    covered = np.asarray(held) @ np.asarray(roles) > 0
    return reward * (X[covered] == 1).sum() - penalty * (X[covered] == 0).sum()


@pytest.mark.parametrize("reward, penalty", [(1.0, 1.0), (1.0, 4.0), (3.0, 1.0)])
def test_reward_and_penalty_reach_every_choice(reward, penalty):
    """Assignments of the fit, of new users and of shown permissions are the best by enumeration; refitting gains."""
    X, new = (np.array(planted_roles(40, 16, 4, noise=0.4, random_state=s).X) for s in (0, 1))
    model = DiscreteBasis(4, reward=reward, penalty=penalty).fit(X)
    sets = np.array(list(product([0, 1], repeat=len(model.roles_))))
    for table, held in ((X, model.assignments_), (new, model.transform(new))):
        for x, z in zip(table, held):
            best = max(gain_of(x[None], s[None], model.roles_, reward, penalty) for s in sets)
            assert gain_of(x[None], z[None], model.roles_, reward, penalty) == best
    total = gain_of(X, model.assignments_, model.roles_, reward, penalty)
    plain = DiscreteBasis(4, reward=reward, penalty=penalty, refit=0).fit(X)
    assert model.gain_ == pytest.approx(total)
    assert total >= gain_of(X, plain.assignments_, plain.roles_, reward, penalty)
    for j in range(16):  # no single permission of a role could change for the better
        for k in range(len(model.roles_)):
            other = model.roles_.copy()
            other[k, j] = 1 - other[k, j]
            assert gain_of(X, model.assignments_, other, reward, penalty) <= total
    shown = np.arange(16) % 2 == 0
    guess = model.complete(X, shown)[:, shown]
    for x, granted in zip(X[:, shown], guess):
        best = max(gain_of(x[None], s[None], model.roles_[:, shown], reward, penalty) for s in sets)
        assert gain_of(x[None], np.ones((1, 1)), granted[None], reward, penalty) == best


@pytest.mark.parametrize("unit", [0.1, 1e-6, 1e9])
def test_only_the_ratio_of_reward_and_penalty_matters(unit):
    X = planted_roles(60, 20, 4, noise=0.4, random_state=5).X
    one, other = (DiscreteBasis(4, reward=u, penalty=3 * u).fit(X) for u in (1.0, unit))
    assert np.array_equal(one.roles_, other.roles_) and np.array_equal(one.assignments_, other.assignments_)
    assert other.gain_ == pytest.approx(unit * one.gain_)


def test_a_heavier_penalty_covers_fewer_zeros():
    X = planted_roles(120, 30, 5, noise=0.3, random_state=3).X
    zeros = []
    for penalty in (0.25, 1.0, 4.0, 16.0):
        model = DiscreteBasis(5, penalty=penalty).fit(X)
        zeros.append(int((model.inverse_transform(model.assignments_) > X).sum()))
        assert model.error_ == np.abs(model.inverse_transform(model.assignments_) - X).sum()
    assert zeros == sorted(zeros, reverse=True) and zeros[0] > zeros[-1]


def brute_force_medians(X, k):
    """Least Hamming cost over all labellings."""
    best = np.inf
    for labels in product(range(k), repeat=len(X)):
        cost = 0
        for c in range(k):
            rows = X[np.array(labels) == c]
            cost += np.minimum(rows.sum(axis=0), len(rows) - rows.sum(axis=0)).sum() if len(rows) else 0
        best = min(best, cost)
    return best


@pytest.mark.parametrize("seed", range(3))
def test_hamming_kmeans_is_the_best_labelling_of_tiny_tables(seed):
    X = np.random.default_rng(seed).integers(0, 2, (8, 5))
    model = HammingKMeans(2, n_init=20, random_state=0).fit(X)
    assert model.inertia_ == brute_force_medians(X, 2)
    assert np.abs(X - model.inverse_transform(model.assignments_)).sum() == model.inertia_
    assert (model.assignments_.sum(axis=1) == 1).all()


def test_hamming_kmeans_with_fewer_users_than_roles():
    assert len(HammingKMeans(5, random_state=0).fit([[1, 0], [0, 1], [1, 0]]).roles_) == 2


def test_rounded_svd_is_exact_on_blocks_and_poor_on_overlaps():
    blocks = np.kron(np.eye(3), np.ones((1, 4)))[[0] * 9 + [1] * 6 + [2] * 3]
    model = RoundedSVD(3).fit(blocks)
    assert np.array_equal(model.inverse_transform(model.assignments_), blocks)
    assert np.array_equal(model.roles_, np.kron(np.eye(3), np.ones((1, 4))))
    np.testing.assert_allclose(model.singular_values_, np.linalg.svd(blocks, compute_uv=False)[:3])
    overlaps = planted_roles(200, 40, 5)
    rounded = RoundedSVD(5).fit(overlaps.X)
    assert deviation(overlaps.clean, rounded.inverse_transform(rounded.assignments_)) > 0.05


def test_cross_validation_finds_rank_and_cut():
    table = planted_roles(200, 60, 3, max_roles_per_user=1, noise=0.2, random_state=0)
    model = SVDDenoiser(random_state=0).fit(table.X)
    assert model.n_components_ == 3 and 0.3 <= model.cut_ <= 0.7
    assert deviation(table.clean, model.denoise(table.X)) < 0.01
    vectors = np.linalg.svd(table.X)[2]
    plain = (table.X @ vectors[:3].T) @ vectors[:3] > model.cut_
    assert np.array_equal(model.denoise(table.X), plain)
    assert np.array_equal(model.inverse_transform(model.assignments_), plain)


@pytest.mark.parametrize("kind", [CompleteMiner, FastMiner, DiscreteBasis, HammingKMeans, RoundedSVD, SVDDenoiser])
@pytest.mark.parametrize("value", [0, 1])
def test_tables_of_one_value(kind, value):
    X = np.full((5, 3), value)
    model = kind().fit(X)
    assert np.array_equal(model.inverse_transform(model.assignments_), X)
