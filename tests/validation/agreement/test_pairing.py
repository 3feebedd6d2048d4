"""Pairs of samples: the same objects, disjoint features, disjoint halves, known noise."""

import numpy as np
import pytest

from unmix.validation import MeasuredTwice, Replicate, SplitFeatures, SplitObjects

X = np.random.default_rng(0).normal(size=(40, 5))
ROWS = np.arange(40)


def draw(pairing, X=X, precomputed=False, seed=0):
    return pairing.draw(X, np.arange(len(X)), np.random.default_rng(seed), precomputed)


def test_measured_twice_keeps_the_objects():
    pair = MeasuredTwice(X + 1).draw(X, np.array([3, 1]), np.random.default_rng(0), False)
    np.testing.assert_array_equal(pair.first, X[[3, 1]])
    np.testing.assert_array_equal(pair.second, X[[3, 1]] + 1)
    with pytest.raises(ValueError, match=r"second has shape \(3, 5\) and X \(40, 5\)"):
        draw(MeasuredTwice(X[:3]))


def test_features_are_split_in_two():
    pair = draw(SplitFeatures())
    assert pair.first.shape == (40, 2) and pair.second.shape == (40, 3)
    columns = [int(np.flatnonzero((column[:, None] == X).all(axis=0))[0]) for column in (*pair.first.T, *pair.second.T)]
    assert sorted(columns) == list(range(5))
    np.testing.assert_array_equal(draw(SplitFeatures(([0], [4]))).second, X[:, [4]])
    with pytest.raises(ValueError, match="cannot be split by features"):
        draw(SplitFeatures(), X[:, :1])


@pytest.mark.parametrize("precomputed", [False, True])
def test_halves_are_disjoint_and_matched_to_the_nearest(precomputed):
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    pair = draw(SplitObjects(), D if precomputed else X, precomputed)
    assert len(pair.first) == len(pair.second) == 20
    if precomputed:
        whole = draw(SplitObjects(), X)
        np.testing.assert_array_equal(pair.first_rows, whole.first_rows)
        np.testing.assert_allclose(pair.first, np.sqrt(((whole.first[:, None] - whole.first) ** 2).sum(axis=2)))
        return
    assert not {tuple(row) for row in pair.first} & {tuple(row) for row in pair.second}
    distance = ((pair.second[:, None] - pair.first) ** 2).sum(axis=2)
    np.testing.assert_array_equal(pair.first_rows, distance.argmin(axis=1))


def test_matching_one_to_one_uses_every_object_once():
    assert sorted(draw(SplitObjects(one_to_one=True)).first_rows) == list(range(20))
    odd = draw(SplitObjects(one_to_one=True), X[:39])
    assert len(odd.first) == 19 and len(odd.first_rows) == 20 and set(odd.first_rows) == set(range(19))


def test_noise_has_the_scale_given():
    big = np.zeros((4000, 2))
    pair = draw(Replicate(noise=[0.5, 2.0]), big)
    np.testing.assert_allclose(pair.first.std(axis=0), [0.5, 2.0], rtol=0.05)
    assert abs(np.corrcoef(pair.first[:, 0], pair.second[:, 0])[0, 1]) < 0.06
    D = draw(Replicate(0.3), np.ones((6, 6)) - np.eye(6), True).first
    np.testing.assert_array_equal(D, D.T)
    assert not D.diagonal().any() and (D >= 0).all()
    with pytest.raises(ValueError, match="noise=-1"):
        draw(Replicate(-1))
