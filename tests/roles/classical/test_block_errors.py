"""Blocks left out: against the formula with a pseudoinverse; rank, cut and held-out error on planted tables."""

import numpy as np
import pytest

from unmix.core.random import spawn
from unmix.datasets import planted_roles
from unmix.roles import SVDDenoiser
from unmix.roles.classical.block_errors import BlockErrors, block_errors, left_out_weight
from unmix.roles.classical.rounded_svd import singular_vectors

CUTS = np.array([0.3, 0.5, 0.7])


def flipped(n, d, k, flips, seed, each=1):
    clean = planted_roles(n, d, k, max_roles_per_user=each, random_state=seed).clean
    wrong = np.random.default_rng(seed + 99).random(clean.shape) < flips
    return np.where(wrong, 1 - clean, clean), clean


def by_definition(rows, held, kept, inside, k, cut):
    """Errors of X_out A_K⁺ B with every user written out, A cut to rank k by its SVD."""
    train, test = np.repeat(rows, kept, axis=0), np.repeat(rows, held, axis=0)
    left, values, right = np.linalg.svd(train[:, ~inside], full_matrices=False)
    inverse = (right[:k].T / values[:k]) @ left[:, :k].T
    guess = test[:, ~inside] @ inverse @ train[:, inside]
    return ((guess > cut) != (test[:, inside] > 0.5)).sum(), ((guess - test[:, inside]) ** 2).sum()


@pytest.mark.parametrize(("n", "d"), [(30, 12), (14, 40)])
def test_blocks_against_the_pseudoinverse(n, d):
    """By the products of permissions, and where users are fewer by those of users."""
    rng = np.random.default_rng(0)
    rows, counts = rng.integers(0, 2, (n, d)).astype(float), rng.integers(1, 4, n)
    found = block_errors(rows, counts.astype(float), cuts=CUTS, most=4, n_folds=3, seed=7)
    assert found.wrong.shape == (9, 4, 3) and found.entries.sum() == counts.sum() * d
    place, fold = spawn(7, 0).permutation(np.arange(n) % 3), spawn(7, 1).permutation(np.arange(d) % 3)
    for block in range(9):
        held = left_out_weight(counts.astype(float), (block // 3 - place) % 3, 3).astype(int)
        for k in range(4):
            expected = [by_definition(rows, held, counts - held, fold == block % 3, k + 1, cut) for cut in CUTS]
            assert found.wrong[block, k].tolist() == [wrong for wrong, _ in expected]
            assert found.squares[block, k] == pytest.approx(expected[0][1])


def test_ranks_that_the_rest_lacks_are_as_the_last_it_has():
    rows = np.array([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], float)
    found = block_errors(rows, np.full(2, 6.0), cuts=CUTS, most=2, n_folds=2, seed=0)
    assert not found.wrong[:, 1].any() and found.squares[:, 1] == pytest.approx(0, abs=1e-20)
    more = block_errors(rows, np.full(2, 6.0), cuts=CUTS, most=5, n_folds=2, seed=0)
    np.testing.assert_array_equal(more.wrong[:, 2:], np.repeat(found.wrong[:, 1:], 3, axis=1))
    empty = block_errors(np.zeros((2, 6)), np.ones(2), cuts=CUTS, most=2, n_folds=2, seed=0)
    assert not empty.wrong.any() and not empty.squares.any()


def test_every_user_is_left_out_once():
    weights = np.array([0.5, 1.0, 2.0, 3.7, 12.0])
    np.testing.assert_allclose(sum(left_out_weight(weights, turn, 4) for turn in range(4)), weights)


def test_the_smallest_rank_that_is_not_clearly_worse():
    wrong = np.zeros((4, 3, 1))
    wrong[:, 0, 0], wrong[:, 1, 0], wrong[:, 2, 0] = [9, 8, 9, 8], [5, 3, 4, 4], [4, 4, 3, 4]
    errors = BlockErrors(wrong, np.array([[3.0, 2.0, 1.0]] * 4), np.full(4, 10.0))
    assert errors.choose(np.array([0.5])) == (1, 0)  # one entry more, standard error of the difference 1.9
    assert errors._replace(squares=errors.squares[:, ::-1]).choose(np.array([0.5])) == (0, 0)
    assert errors.choose(np.array([0.5]), fixed_rank=True) == (2, 0)
    error, doubt = errors.left_out(np.array([0.5]))
    assert error == pytest.approx(16 / 40) and doubt == pytest.approx(np.std([5, 3, 4, 4], ddof=1) * 2 / 40)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("each", [1, 3])
@pytest.mark.parametrize("k", [2, 4, 7, 10])
def test_planted_ranks_are_found(k, each):
    """Flips of 0 to 30 %, one role a user or several."""
    for flips in (0.0, 0.1, 0.3):
        X, _ = flipped(800, 100, k, flips, seed=k, each=each)
        assert abs(SVDDenoiser(random_state=0).fit(X).n_components_ - k) <= 1


@pytest.mark.parametrize("seed", range(3))
def test_heavy_noise_is_not_taken_for_structure(seed):
    X, _ = flipped(100, 40, 4, 0.4, seed)
    assert SVDDenoiser(random_state=0).fit(X).n_components_ <= 5
    noise = np.random.default_rng(seed).integers(0, 2, (200, 50))
    assert SVDDenoiser(random_state=0).fit(noise).n_components_ == 1


def best_rank_by_the_truth(X, clean, most=12):
    """The K whose rounded approximation of X is nearest to the table without noise, cut as well as can be."""
    left, values, right = np.linalg.svd(X, full_matrices=False)
    kept = [(left[:, :k] * values[:k]) @ right[:k] for k in range(1, most + 1)]
    return 1 + int(np.argmin([min(((part > t) != clean).mean() for t in np.linspace(0.2, 0.8, 13)) for part in kept]))


@pytest.mark.slow_without_jit
def test_under_heavy_noise_the_rank_is_that_of_who_knows_the_truth():
    """Blocks alone, a fifth of the table smaller each way, kept one direction of these where 40 % are wrong."""
    for seed in range(50, 54):
        X, clean = flipped(800, 100, 4, 0.4, seed, each=3)
        assert abs(SVDDenoiser(random_state=0).fit(X).n_components_ - best_rank_by_the_truth(X, clean)) <= 1


def test_no_rank_finds_roles_below_the_limit_of_detection():
    """Directions below σ (n d)^¼ leave no trace in singular vectors: even the best K is far below the seven roles."""
    for seed in range(3):
        X, clean = flipped(300, 80, 7, 0.4, seed, each=3)
        seen = np.linalg.svd(0.2 * clean + 0.4, compute_uv=False) > np.sqrt(0.24) * (300 * 80) ** 0.25
        assert seen.sum() <= 2 and best_rank_by_the_truth(X, clean) <= 3
        assert SVDDenoiser(random_state=0).fit(X).n_components_ <= 2


def test_directions_over_noise():
    noise = np.random.default_rng(0).normal(size=(20, 400, 60))
    errors = BlockErrors(np.zeros((2, 1, 1)), np.full((2, 1), 12000.0), np.full(2, 12000.0))  # a variance of 1
    found = [errors.directions_over_noise(np.linalg.svd(table, compute_uv=False), 60) for table in noise]
    assert sum(found) <= 3  # one in twenty is expected
    singular = np.linalg.svd(noise[0] + np.outer(np.ones(400), np.ones(60)), compute_uv=False)
    assert errors.directions_over_noise(singular, 60) == 1


def test_equal_users_do_not_vanish_together():
    """Without noise all users of a role are one row: leaving out some of them leaves the others."""
    X = np.repeat(planted_roles(4, 30, 4, max_roles_per_user=1, random_state=3).roles, 25, axis=0)
    model = SVDDenoiser(random_state=0).fit(X)
    assert model.n_components_ == 4 and model.held_out_error_ == 0 and model.cut_ == 0.5
    assert np.array_equal(model.denoise(X), X)


def test_held_out_error_is_that_of_new_entries():
    """The truth is known here: after flips p, a denoiser of error e differs from X at p + e - 2 p e of the entries."""
    X, clean = flipped(600, 80, 5, 0.2, seed=1)
    model = SVDDenoiser(random_state=0).fit(X)
    wrong = (model.denoise(X) != clean).mean()
    expected = 0.2 + wrong - 0.4 * wrong
    assert model.cv_errors_.shape == (20, len(model.cuts_))
    assert abs(model.held_out_error_ - expected) < 0.02 and 0 < model.held_out_standard_error_ < 0.005
    assert model.held_out_error_ >= model.cv_errors_.min()
    given = SVDDenoiser(5, cut=0.37, random_state=0).fit(X)
    assert given.cuts_.tolist() == [0.37] and given.cv_errors_.shape == (5, 1)
    assert given.held_out_error_ == pytest.approx(given.cv_errors_[-1, 0])
    lone = SVDDenoiser(random_state=0).fit([[1, 0, 1]])
    assert lone.cv_errors_ is None and lone.held_out_error_ is None


@pytest.mark.parametrize("shape", [(40, 12), (12, 40)])
def test_singular_vectors_of_tall_and_of_wide_tables(shape):
    rng = np.random.default_rng(1)
    rows, counts = rng.integers(0, 2, shape).astype(float), rng.integers(1, 4, shape[0])
    values, vectors = singular_vectors(rows, counts.astype(float), 5)
    expected = np.linalg.svd(np.repeat(rows, counts, axis=0), full_matrices=False)
    np.testing.assert_allclose(values, expected[1][:5])
    np.testing.assert_allclose(np.abs(vectors @ expected[2][:5].T), np.eye(5), atol=1e-9)
    assert (vectors.max(axis=1) >= -vectors.min(axis=1)).all()
