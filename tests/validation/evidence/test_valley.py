"""The valley test: its kernel against an antitonic regression, and the bound that makes it blind to tails."""

import numpy as np
import pytest
from scipy.optimize import isotonic_regression
from scipy.sparse.csgraph import minimum_spanning_tree

from unmix.validation.evidence import valley_kernel
from unmix.validation.evidence.valley import fisher_directions, merged, spanning_valleys, valley_depths


def concavity_gap(distance):
    work = np.full((valley_kernel.LINES, len(distance) + 3), np.nan)
    work[valley_kernel.SIDE, 2 : 2 + len(distance)] = distance
    return valley_kernel.concavity_gap(work, 2, len(distance))


def valley_depth(a, b, fewest_rows):
    work = np.full((valley_kernel.LINES, len(a) + len(b) + 1), np.nan)
    positions = np.concatenate([b, [np.nan], a])
    return valley_kernel.valley_depth(positions, len(b) + 1, len(a), 0, len(b), fewest_rows, work)


def gap_by_regression(distance):
    """The slopes of the least concave majorant are the antitonic regression of the slopes of F_n."""
    step = np.diff(distance, prepend=0.0)
    new = step > 0
    below = np.flatnonzero(new) / len(distance)
    rise = np.diff(np.append(below, 1.0))
    rise[0] += below[0]
    slope = isotonic_regression(rise / step[new], weights=step[new], increasing=False).x
    return np.sqrt(len(distance)) * np.max(np.cumsum(slope * step[new]) - below)


@pytest.mark.parametrize("seed", range(20))
def test_gap_equals_antitonic_regression(seed):
    rng = np.random.default_rng(seed)
    distance = np.sort(rng.gamma(rng.uniform(0.5, 3), size=rng.integers(1, 80)))
    if seed % 3 == 0:
        distance = np.round(distance, 1) + (0.1 if seed % 2 else 0.0)
    if distance.any():
        assert concavity_gap(distance) == pytest.approx(gap_by_regression(distance), abs=1e-12)


def test_gap_in_closed_form():
    # All rows at one distance: F_n jumps from 0 to 1 there, the majorant rises straight to 1.
    assert concavity_gap(np.full(9, 2.0)) == pytest.approx(3.0)
    # Decreasing spacing of a concave F_n at its own corners: only the steps of 1/n remain.
    assert concavity_gap(np.arange(1, 26) / 25.0) == pytest.approx(np.sqrt(25) / 25)


def test_depth_grows_as_the_root_of_n_for_two_modes_and_not_for_one():
    rng = np.random.default_rng(0)
    half = {n: rng.normal(3, 1, n) for n in (200, 3200)}
    two = {n: valley_depth(np.sort(-x), np.sort(x), 5) for n, x in half.items()}
    assert two[3200] / two[200] == pytest.approx(4.0, rel=0.25)
    for draw in (rng.standard_normal, lambda n: rng.standard_t(3, n), rng.standard_exponential, rng.random):
        x = np.sort(draw(4000))
        for cut in (500, 2000, 3500):
            assert valley_depth(x[:cut], x[cut:], 5) < 1.4


def test_few_rows_make_no_valley():
    four = np.array([0.0, 0.1, 0.2, 0.3])
    assert valley_depth(four, four + 9, 5) == 0.0
    assert valley_depth(four, four + 9, 4) > 1.5


def test_depths_ignore_scale_order_names_and_position():
    rng = np.random.default_rng(1)
    X, labels = rng.standard_normal((120, 3)), rng.integers(4, size=120)
    depths = valley_depths(X, labels)
    shuffle = rng.permutation(120)
    assert np.allclose(valley_depths(X[shuffle], labels[shuffle]), depths)
    assert np.allclose(valley_depths(1e200 * X, labels), depths)
    assert np.allclose(valley_depths(1e-200 * X, labels + 3), depths)
    assert np.allclose(valley_depths(X + 5, labels), depths, atol=1e-6)
    renamed = np.array([2, 0, 3, 1])[labels]
    assert np.allclose(valley_depths(X, renamed)[np.ix_([2, 0, 3, 1], [2, 0, 3, 1])], depths)


def test_unlabelled_rows_are_left_out():
    rng = np.random.default_rng(2)
    X, labels = rng.standard_normal((90, 2)), rng.integers(-1, 3, size=90)
    assert np.allclose(valley_depths(X, labels), valley_depths(X[labels >= 0], labels[labels >= 0]))


def test_direction_is_fishers():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((8000, 5)) @ rng.standard_normal((5, 5))
    X[4000:] += 2
    directions = fisher_directions(X, np.array([0, 4000, 8000]))
    scatter = sum(len(half) * np.cov(half.T, ddof=0) for half in (X[:4000], X[4000:]))
    shrinkage = 0.1 + 5 / 8000
    within = (1 - shrinkage) * scatter / np.trace(scatter) * 5 + shrinkage * np.eye(5)
    apart = X[4000:].mean(axis=0) - X[:4000].mean(axis=0)
    assert directions[0, 1] == pytest.approx(np.linalg.inv(within) @ apart)
    assert np.array_equal(directions[0, 1], directions[1, 0])


def test_spanning_valleys_are_a_minimum_spanning_tree():
    for k in (2, 5, 12):
        depths = np.random.default_rng(k).random((k, k))
        depths = depths + depths.T
        found, tree = spanning_valleys(depths), minimum_spanning_tree(depths).tocoo()
        assert found[:, 0] == pytest.approx(np.sort(tree.data)[::-1])
        edges = {frozenset(edge) for edge in found[:, 1:].astype(int).tolist()}
        assert edges == {frozenset(edge) for edge in zip(tree.row.tolist(), tree.col.tolist())}


def test_spanning_valleys_count_groups_after_merging():
    depths = np.array([[0, 5, 4, 3], [5, 0, 0.5, 6], [4, 0.5, 0, 2], [3, 6, 2, 0.0]])
    assert spanning_valleys(depths)[:, 0] == pytest.approx([3, 2, 0.5])
    labels = np.array([3, 1, 0, 2, 1, -1])
    assert merged(labels, spanning_valleys(depths), 4).tolist() == labels.tolist()
    assert merged(labels, spanning_valleys(depths), 3).tolist() == [2, 1, 0, 1, 1, -1]
    assert merged(labels + 7 * (labels >= 0), spanning_valleys(depths), 2).tolist() == [1, 1, 0, 1, 1, -1]
    assert merged(labels, spanning_valleys(depths), 1).tolist() == [0, 0, 0, 0, 0, -1]


def test_clusters_without_any_valley_stay_joined():
    assert spanning_valleys(np.zeros((3, 3)))[:, 0].tolist() == [0, 0]
    assert spanning_valleys(np.zeros((1, 1))).shape == (0, 3)
