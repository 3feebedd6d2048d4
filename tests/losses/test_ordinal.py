import numpy as np
import pytest
from scipy.special import expit

from unmix.losses import Logistic, Ordinal

rng = np.random.default_rng(0)
x = rng.choice(4, p=[0.1, 0.2, 0.3, 0.4], size=(300, 2)).astype(float)
x[:, 1] = np.minimum(x[:, 1], 2)
loss = Ordinal().fitted(x, np.ones(300))


def probability(level, m, cuts):
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    return expit(edges[level + 1] - m) - expit(edges[level] - m)


def test_it_is_the_log_probability_of_its_definition():
    m = 2 * rng.normal(size=(300, 2))
    for j in range(2):
        true = [-np.log(probability(int(level), at, loss.thresholds[j])) for level, at in zip(x[:, j], m[:, j])]
        np.testing.assert_allclose(loss.value(x, m)[:, j], true, rtol=1e-9)


def test_at_zero_the_probabilities_are_the_shares():
    for j, n_levels in enumerate((4, 3)):
        levels = np.zeros((n_levels, 2))
        levels[:, j] = np.arange(n_levels)
        found = np.exp(-loss.value(levels, np.zeros((n_levels, 2))))[:, j]
        np.testing.assert_allclose(found, np.bincount(x[:, j].astype(int)) / 300, rtol=1e-12)
    np.testing.assert_allclose(loss.constant(x, np.ones(300)), 0, atol=1e-9)


def test_two_levels_are_the_logistic_loss():
    bits, m = (x[:, :1] > 1).astype(float), rng.normal(size=(300, 1))
    pair = Ordinal(((0.0,),))
    for found, true in zip(pair.parabola(bits, m), Logistic().parabola(bits, m)):
        np.testing.assert_allclose(found, true, rtol=1e-12)


def test_best_is_the_most_probable_level():
    m = np.linspace(-8, 8, 101)[:, None] * np.ones(2)
    for j, n_levels in enumerate((4, 3)):
        true = np.argmax([probability(level, m[:, j], loss.thresholds[j]) for level in range(n_levels)], axis=0)
        np.testing.assert_array_equal(loss.best(m)[:, j], true)
    assert loss.best(np.full((1, 2), 1e3)).tolist() == [[3, 2]] and loss.best(np.full((1, 2), -1e3)).tolist() == [
        [0, 0]
    ]


def test_thresholds_of_one_column_serve_all():
    m, cuts = rng.normal(size=(300, 2)), (-1.0, 0.0, 2.0)
    for found, true in zip(Ordinal((cuts,)).parabola(x, m), Ordinal((cuts, cuts)).parabola(x, m)):
        np.testing.assert_array_equal(found, true)
    ones = np.ones(300)
    np.testing.assert_array_equal(Ordinal((cuts,)).constant(x, ones), Ordinal((cuts, cuts)).constant(x, ones))
    np.testing.assert_array_equal(Ordinal((cuts,)).best(m), Ordinal((cuts, cuts)).best(m))
    with pytest.raises(ValueError, match="thresholds for 3 columns, and 2 are given"):
        Ordinal((cuts,) * 3).value(x, m)


def test_a_level_that_was_skipped_may_still_come():
    cells = np.array([[0.0], [0.0], [3.0], [3.0], [1.0]])
    one = Ordinal().fitted(cells, np.ones(5))
    assert len(one.thresholds[0]) == 3 and (np.diff(one.thresholds[0]) > 0).all()
    assert np.isfinite(one.value(np.array([[2.0]]), np.zeros((1, 1)))).all()
    assert one == Ordinal().fitted(np.repeat(cells, 3, axis=0), np.ones(15))


def test_levels_that_are_known_have_their_place_though_none_is_seen():
    known = Ordinal(levels=6).fitted(x, np.ones(300))
    assert [len(cuts) for cuts in known.thresholds] == [5, 5] and known.problem(x + 2) == ""
    assert Ordinal(levels=2).problem(x) == f"holds {x[x > 1][0]}; whole numbers from 0 to 1 are expected"


@pytest.mark.parametrize("weight", [1e-14, 1e14])
def test_levels_of_almost_no_weight_keep_thresholds_apart(weight):
    cells, weights = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, weight, 1.0])
    one = Ordinal().fitted(cells, weights)
    value, gradient, curvature = one.parabola(cells, np.zeros((3, 1)))
    assert np.isfinite(value).all() and np.isfinite(gradient).all() and (curvature > 0).all()
