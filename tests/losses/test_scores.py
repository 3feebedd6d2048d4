"""Scores of ordered levels: slices of a normal law, nearest levels, and how probable these are."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from unmix.losses import Scores

rng = np.random.default_rng(0)
LEVELS = rng.choice(4, p=[0.1, 0.4, 0.2, 0.3], size=(300, 1)).astype(float)


def test_scores_are_means_of_slices_of_a_normal_law():
    weights = rng.integers(1, 4, len(LEVELS)).astype(float)
    found = Scores().fitted(LEVELS, weights).scores[0]
    shares = np.array([weights[LEVELS[:, 0] == level].sum() for level in range(4)]) / weights.sum()
    edges = norm.ppf(np.concatenate([[0.0], np.cumsum(shares)[:-1], [1.0]]))
    for level, share in enumerate(shares):
        mean = quad(lambda t: t * norm.pdf(t), edges[level], edges[level + 1])[0] / share
        assert found[level] == pytest.approx(mean, abs=1e-7)


def test_a_level_that_never_occurs_lies_between_its_neighbours():
    x = np.array([[0.0], [2.0]] * 10)
    scores = Scores().fitted(x, np.ones(20)).scores[0]
    assert scores[0] <= scores[1] <= scores[2] and scores[0] == pytest.approx(-np.sqrt(2 / np.pi))


def test_the_best_level_is_the_nearest_score():
    loss = Scores(scores=((-1.0, 0.2, 0.3, 2.0), (-0.5, 0.5)))
    m = 3 * rng.normal(size=(200, 2))
    for j, column in enumerate(loss.scores):
        nearest = np.abs(m[:, [j]] - np.array(column)).argmin(axis=1)
        np.testing.assert_array_equal(loss.best(m)[:, j], nearest)


def test_confidence_is_the_share_of_draws_that_keep_the_level():
    loss = Scores(scores=((-1.0, 0.2, 0.3, 2.0),))
    m, variance = np.array([[-1.2], [0.24], [0.3], [5.0]]), np.array([[0.1], [0.2], [2.0], [0.5]])
    draws = m + np.sqrt(variance) * rng.normal(size=(4, 100_000))
    kept = [(loss.best(row[:, None])[:, 0] == loss.best(m[[i]])[0, 0]).mean() for i, row in enumerate(draws)]
    np.testing.assert_allclose(loss.confidence(m, variance)[:, 0], kept, atol=0.006)
    np.testing.assert_array_equal(loss.confidence(m), 1.0)
    np.testing.assert_array_equal(loss.confidence(m, np.zeros_like(m)), 1.0)


def test_errors_are_distances_of_levels():
    loss = Scores(scores=((-1.0, 0.0, 2.0),))
    m = np.array([[-9.0], [0.0], [1.0], [9.0]])
    np.testing.assert_allclose(loss.error(np.full((4, 1), 1.0), m)[:, 0], [1.0, 0.0, 0.25, 1.0])


def test_a_level_too_many_in_one_of_several_columns():
    loss = Scores(scores=((-1.0, 1.0), (-1.0, 0.0, 1.0)))
    assert loss.problem(np.array([[1.0, 2.0]])) == ""
    assert loss.problem(np.array([[2.0, 1.0]])) == "holds 2.0; whole numbers from 0 to 1 are expected"
