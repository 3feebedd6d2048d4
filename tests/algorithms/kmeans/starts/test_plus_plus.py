"""Starts and samples: the law of the draws, and weight 2 as the row twice."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.algorithms.kmeans.starts.plus_plus import STARTS, plus_plus, several_plus_plus
from unmix.algorithms.rows.sample import draw_sample, rows_under
from unmix.costs.nearest.centers import frame_around
from unmix.costs.nearest.differences import Points
from unmix.io.dispatch import as_blocks


def points(X, weights=None):
    return Points(X, weights, frame_around(np.zeros(X.shape[1]), 1.0, np.float64))


@pytest.mark.parametrize("start", list(STARTS))
def test_weight_two_is_the_row_twice(start):
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(40, 3)), rng.integers(0, 4, 40)
    once, repeated = points(X, weights.astype(float)), points(np.repeat(X, weights, axis=0))
    for turn in range(5):
        np.testing.assert_allclose(STARTS[start](once, 6, 0, turn), STARTS[start](repeated, 6, 0, turn), atol=1e-12)


def test_second_centre_follows_the_squared_distance():
    X = np.array([[0.0], [1.0], [3.0]])
    weights = np.array([1.0, 2.0, 0.5])
    seconds = {0: [], 1: [], 3: []}
    for turn in range(3000):
        first, second = plus_plus(points(X, weights), 2, 0, turn, trials=1).ravel()
        seconds[int(first)].append(second)
    # from 0: weights times squared distances are 2·1 and 0.5·9
    assert np.mean(np.array(seconds[0]) == 3.0) == pytest.approx(4.5 / 6.5, abs=0.06)
    assert len(seconds[1]) / 3000 == pytest.approx(2 / 3.5, abs=0.03)


def test_no_row_is_chosen_twice_while_others_are_left():
    X = np.repeat(np.arange(6.0)[:, None] * 1e3 + 7, 5, axis=0).astype(np.float32)
    assert len(np.unique(plus_plus(points(X), 6, 0, 0))) == 6
    assert len(np.unique(plus_plus(points(csr_array(X)), 6, 0, 0))) == 6


def test_first_centres_of_a_sequence_are_a_smaller_start():
    X = np.random.default_rng(0).normal(size=(100, 2))
    np.testing.assert_array_equal(plus_plus(points(X), 7, 3, 1, 4)[:4], plus_plus(points(X), 4, 3, 1, 4))


def test_greedy_draws_beat_single_ones():
    X = np.random.default_rng(0).normal(size=(500, 2))
    held = points(X)

    def cost(trials: int) -> float:
        return float(np.mean([held.distances(plus_plus(held, 10, 0, t, trials)).min(axis=0).sum() for t in range(20)]))

    assert cost(5) < cost(1)


def test_sample_weighs_rows_and_repeats():
    rng = np.random.default_rng(0)
    X, weights = np.arange(3000.0)[:, None], rng.integers(0, 4, 3000)
    once = draw_sample(as_blocks(X), weights.astype(float), 500, 1).blocks.gather()
    repeated = draw_sample(as_blocks(np.repeat(X, weights, axis=0)), None, 500, 1).blocks.gather()
    np.testing.assert_array_equal(once, repeated)
    assert len(once) == 500
    assert (weights[once.ravel().astype(int)] > 0).all()


def test_sparse_samples_stay_sparse():
    X = csr_array(np.eye(3000, 4))
    assert hasattr(draw_sample(as_blocks(X), None, 100, 0).blocks.gather(), "tocsr")


def test_small_samples_ignore_the_order_of_rows():
    X = np.random.default_rng(0).normal(size=(50, 3))
    there, back = (draw_sample(as_blocks(rows), None, 100, 0).blocks.gather() for rows in (X, X[::-1]))
    np.testing.assert_array_equal(there, back)


def test_positions_never_meet_rows_without_weight():
    cumulative = np.cumsum([0.0, 1.0, 0.0, 2.0, 0.0])
    assert rows_under(np.array([0.0, 0.2, 1 / 3, 0.9, 1.0]), cumulative).tolist() == [1, 1, 3, 3, 3]


@pytest.mark.parametrize("rows", [40, 3000])
def test_several_draws_at_once_are_those_one_by_one(rows):
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(rows, 3)), rng.random(rows)
    found = several_plus_plus(points(X, weights), 5, 7, 6)
    for turn, centers in enumerate(found):
        np.testing.assert_array_equal(centers, plus_plus(points(X, weights), 5, 7, turn))
    same = several_plus_plus(points(np.ones((4, 2))), 3, 0, 2)  # every row is a centre already
    assert same.shape == (2, 3, 2)
