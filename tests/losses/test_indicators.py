import numpy as np
import pytest

from unmix.losses import Indicators

rng = np.random.default_rng(0)
x = rng.choice(4, p=[0.1, 0.2, 0.3, 0.4], size=(300, 1)).astype(float)
weights = rng.integers(1, 4, 300).astype(float)


def test_a_column_has_one_inertia_less_than_levels():
    loss = Indicators().fitted(x, weights)
    targets, constant = loss.targets(x), loss.constant(x, weights)
    inertia = weights @ ((targets - constant) ** 2).sum(axis=1) / weights.sum()
    np.testing.assert_allclose(inertia, loss.degrees(), rtol=1e-12)
    assert loss.degrees() == 3


def test_distances_of_targets_are_those_of_chi_squared():
    loss = Indicators().fitted(x, weights)
    share = np.bincount(x.ravel().astype(int), weights) / weights.sum()
    one, other = loss.targets(np.array([[0.0], [2.0]]))
    np.testing.assert_allclose(((one - other) ** 2).sum(), 1 / share[0] + 1 / share[2], rtol=1e-12)


def test_best_is_the_largest_estimated_indicator():
    loss = Indicators((0.1, 0.9))
    estimated = np.array([[0.4, 0.6], [0.7, 0.3]])
    np.testing.assert_array_equal(loss.best(estimated / np.sqrt([0.1, 0.9])), [[1.0], [0.0]])


def test_a_level_that_never_occurs_has_no_inertia():
    loss = Indicators().fitted(np.array([[0.0], [2.0], [2.0]]), np.ones(3))
    np.testing.assert_allclose(loss.targets(np.array([[1.0], [2.0]])), [[0, 0, 0], [0, 0, 1.5**0.5]])


def test_levels_that_are_known_have_their_place_though_none_is_seen():
    loss = Indicators(levels=6)
    assert loss.width == 6 and loss.problem(x) == "" and Indicators(levels=2).problem(x).startswith("holds")
    known = loss.fitted(x, weights)
    assert (
        known.width == 6 and known.shares[:4] == Indicators().fitted(x, weights).shares and known.shares[4:] == (0, 0)
    )
    with pytest.raises(ValueError, match="levels=1 for 2 shares"):
        Indicators((0.5, 0.5), levels=1)


def test_what_was_not_observed_has_no_target():
    targets = Indicators((0.5, 0.5)).targets(np.array([[np.nan], [1.0]]))
    np.testing.assert_array_equal(np.isnan(targets), [[True, True], [False, False]])


def test_given_shares_are_brought_to_the_sum_one_and_stay():
    assert Indicators((1, 3)) == Indicators((0.25, 0.75))
    assert Indicators((1, 3)).fitted(x[x < 2][:, None], np.ones((x < 2).sum())) == Indicators((0.25, 0.75))
