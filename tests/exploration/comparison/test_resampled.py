"""Differences between two tables against closed forms, permutations of rows, and tables that are halves of one."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

from unmix.exploration.comparison.resampled import Rows, differences

rng = np.random.default_rng(0)


def drawn(n, shares=(0.5, 0.3, 0.2), step=0.0, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.choice(len(shares), n, p=shares)
    X = rng.normal(size=(n, 4)) + 3 * labels[:, None]
    X[:, 2] += step * (labels == 1)
    return Rows(X, labels)


def test_z_of_means_is_the_t_statistic_and_gaps_do_not_count():
    old, new = drawn(200, seed=1), drawn(150, step=1.0, seed=2)
    old.X[::5, 1] = np.nan
    found = differences(old, new, 3, rng)
    for g in range(3):
        for j in range(4):
            x, y = old.X[old.labels == g, j], new.X[new.labels == g, j]
            expected = ttest_ind(y[np.isfinite(y)], x[np.isfinite(x)]).statistic
            assert found.mean[g, j] == pytest.approx(expected)
    assert found.mean_p[1, 2] == found.mean_p.min() == pytest.approx(1 / 500)


def test_z_of_shares_is_that_of_two_proportions():
    old, new = drawn(200, seed=1), drawn(150, (0.2, 0.3, 0.5), seed=2)
    found = differences(Rows(np.empty((200, 0)), old.labels), Rows(np.empty((150, 0)), new.labels), 3, rng)
    a, b = (np.bincount(side.labels) for side in (old, new))
    p = (a + b) / 350
    assert found.share == pytest.approx((b / 150 - a / 200) / np.sqrt(p * (1 - p) * (1 / 200 + 1 / 150)))
    assert found.share_p[0] == found.share_p[2] == pytest.approx(1 / 500)


def test_two_halves_of_one_table_seldom_differ():
    """One in twenty is what p < 0.05 promises; heavy tails and discrete values included."""
    smallest = []
    for seed in range(80):
        whole = drawn(160, seed=100 + seed)
        whole.X[:, 0] = np.random.default_rng(seed).standard_t(3, 160)
        whole.X[:, 1] = np.random.default_rng(seed + 1).integers(0, 2, 160)
        part = np.random.default_rng(seed).permutation(160)
        smallest.append(differences(whole.only(part[:80]), whole.only(part[80:]), 3, np.random.default_rng(seed)).p)
    assert np.mean(np.array(smallest) < 0.05) <= 0.1
    assert np.mean(np.array(smallest) < 0.01) <= 0.04


def test_an_offset_and_a_unit_change_nothing():
    old, new = drawn(100, seed=1), drawn(90, step=0.5, seed=2)
    plain = differences(old, new, 3, np.random.default_rng(0))
    moved = differences(
        Rows(7 * old.X + 1e6, old.labels), Rows(7 * new.X + 1e6, new.labels), 3, np.random.default_rng(0)
    )
    assert moved.mean == pytest.approx(plain.mean, rel=1e-6)
    assert moved.mean_p == pytest.approx(plain.mean_p)


def test_rows_in_blocks_are_as_many_as_their_blocks():
    """Each row ten times over, as a block: what is known of the differences is what single rows tell."""
    old, new = drawn(60, seed=1), drawn(50, step=0.6, seed=2)
    single = differences(old, new, 3, np.random.default_rng(0))
    tenfold = [Rows(np.repeat(side.X, 10, 0), np.repeat(side.labels, 10)) for side in (old, new)]
    blocks = differences(
        tenfold[0]._replace(blocks=np.repeat(np.arange(60), 10)), tenfold[1], 3, np.random.default_rng(0)
    )
    assert blocks.mean_p == pytest.approx(single.mean_p, abs=0.03)
    assert blocks.share_p == pytest.approx(single.share_p, abs=0.03)
    naive = differences(*tenfold, 3, np.random.default_rng(0))
    assert naive.p == pytest.approx(1 / 500) and naive.p < single.p
