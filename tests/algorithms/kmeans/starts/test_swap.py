"""Swap moves: losses and gains by definition, and that they escape where Lloyd's iteration is stuck."""

import numpy as np

from unmix.algorithms.kmeans.lloyd.lloyd import Problem, begin, lloyd
from unmix.algorithms.kmeans.starts.hartigan import polish
from unmix.algorithms.kmeans.starts.swap import best_apart, gains, improve, least_missed, survey
from unmix.algorithms.rows.sample import in_order
from unmix.costs.nearest.centers import frame_around
from unmix.io.dispatch import as_blocks


def cost(X, centers):
    return ((X[:, None] - centers) ** 2).sum(axis=2).min(axis=1).sum()


def test_losses_and_gains_are_differences_of_the_cost():
    rng = np.random.default_rng(0)
    X, centers, candidates = rng.normal(size=(300, 4)), rng.normal(size=(6, 4)), rng.normal(size=(5, 4))
    frame = frame_around(np.zeros(4), 1.0, np.float64)
    near, found = survey(X, None, frame, centers)
    rated = gains(X, near, frame, candidates)
    for c in range(6):
        np.testing.assert_allclose(found.loss[c], cost(X, np.delete(centers, c, axis=0)) - cost(X, centers))
    for v in range(5):
        with_one_more = np.concatenate([centers, candidates[v : v + 1]])
        np.testing.assert_allclose(rated.gain[v], cost(X, centers) - cost(X, with_one_more), atol=1e-9)


def test_swaps_leave_a_bad_local_optimum():
    rng = np.random.default_rng(0)
    truth = np.array([[0.0, 0.0], [0.0, 30.0], [30.0, 0.0], [30.0, 30.0]])
    X = truth[np.arange(400) % 4] + rng.normal(size=(400, 2))
    bad = np.array([[-0.5, 0.0], [0.5, 0.0], [0.0, 30.0], [30.0, 15.0]])  # two centres for one group, one for two
    problem = Problem(as_blocks(X), None, frame_around(X.mean(axis=0), 30.0, np.float64), 0.0)
    stuck = lloyd(problem, begin(problem, problem.frame.enter(bad)), 100)
    better = improve(problem, stuck, 10, 100, 4, 0)
    assert stuck.objective > 10 * better.objective
    found = problem.frame.leave(better.centers)
    np.testing.assert_allclose(found[np.lexsort(found.round().T[::-1])], truth, atol=0.5)


def test_pairs_do_not_compete():
    assert best_apart(np.array([5.0, 4.0, 3.0, 2.0]), np.array([1, 1, 0, 2]), 2).tolist() == [0, 2]
    centers = np.array([[0.0], [0.1], [5.0], [9.0]])
    assert least_missed(np.array([1.0, 2.0, 3.0, 4.0]), centers, 2).tolist() == [0, 2]


def test_exchanges_stop_where_no_single_move_lowers_the_cost():
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(40, 2)), rng.integers(1, 4, 40).astype(float)
    sample = in_order(X, weights)
    frame = frame_around(np.zeros(2), 1.0, np.float64)
    problem = Problem(sample.blocks, sample.weights, frame, 0.0)
    before = lloyd(problem, begin(problem, X[:5]), 100)
    centers = polish(sample, frame, before.centers)
    rows, w = sample.blocks.gather(), sample.weights
    labels = ((rows[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)

    def total(labels):
        means = np.stack([w[labels == c] @ rows[labels == c] / w[labels == c].sum() for c in range(5)])
        return w @ ((rows - means[labels]) ** 2).sum(axis=1)

    after = total(labels)
    assert after <= before.objective * (1 + 1e-12)
    np.testing.assert_allclose(after, w @ ((rows - centers[labels]) ** 2).sum(axis=1))
    for i in range(len(rows)):
        for c in range(5):
            moved = labels.copy()
            moved[i] = c
            if len(np.unique(moved)) == 5:
                assert total(moved) >= after * (1 - 1e-9)
