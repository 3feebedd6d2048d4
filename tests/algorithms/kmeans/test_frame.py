"""The origin of a data set: where most rows are."""

import numpy as np
import pytest

from unmix.algorithms.kmeans.frame import find_frame, middle_of
from unmix.io.dispatch import as_blocks


def test_a_far_row_does_not_move_the_origin():
    X = np.random.default_rng(0).normal(size=(5000, 3)) + np.array([5.0, -2.0, 0.0])
    X[17] = 1e300
    frame = find_frame(as_blocks(X), None)
    origin = frame.leave(np.zeros(3))
    assert (np.abs(origin - [5.0, -2.0, 0.0]) < 0.5).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_origin_is_exact_in_the_precision_of_the_rows(dtype):
    X = (np.random.default_rng(0).normal(size=(777, 2)) + 1e6 / 3).astype(dtype)
    shift = find_frame(as_blocks(X), None).shift
    assert (shift == shift.astype(dtype)).all()


def test_rows_of_no_weight_are_not_seen():
    X = np.random.default_rng(0).normal(size=(900, 2))
    weights = np.ones(900)
    X[:800], weights[:800] = 1e200, 0.0
    frame = find_frame(as_blocks(X), weights)
    assert frame.scale == 1
    assert (np.abs(frame.shift) < 1).all()


def test_the_middle_is_the_weighted_median_of_what_is_there():
    rows = np.array([[3.0, np.nan], [1.0, 7.0], [2.0, np.nan], [9.0, 5.0]])
    assert middle_of(rows, np.ones(4)).tolist() == [2.0, 5.0]
    assert middle_of(rows, np.array([1.0, 1.0, 1.0, 5.0])).tolist() == [9.0, 5.0]
    assert middle_of(np.full((2, 1), np.nan), np.ones(2)).tolist() == [0.0]
