"""Several starts and warm rounds against the definition of the cost and against all labellings."""

from itertools import product

import numpy as np
from scipy.sparse import csr_array

from unmix.costs.histogram import Histogram
from unmix.inference.bottleneck.hard_code import cluster_sums
from unmix.inference.bottleneck.sequential import sweep_once
from unmix.inference.bottleneck.tempered import Task, best_of, descend, lost, temper
from unmix.information.objects import Objects, as_objects

rng = np.random.default_rng(0)
COUNTS = rng.poisson(1.5, (9, 6)).astype(float) + np.eye(9, 6)


def made(counts, k, smoothing=1.0):
    """The task of a table of counts, and the cost of histogram clustering it stands for, of counts that add up to 1."""
    objects = as_objects(counts)
    background = objects.marginal
    prior = smoothing / counts.sum() * background
    task = Task(Objects(csr_array(objects.rows), objects.mass), prior, k, objects.conditional_nats())
    joint = np.asarray(objects.rows * objects.mass[:, None])
    return task, joint, Histogram(background, float(prior.sum()), 1.0)


def test_what_is_lost_is_the_cost_of_histogram_clustering():
    task, joint, cost = made(COUNTS, 3)
    labels = np.arange(len(joint)) % 3
    assert np.isclose(lost(cluster_sums(task.objects, labels, 3), task.prior, task.known), cost.total(joint, labels))


def test_no_single_move_pays_where_a_descent_ends():
    task, joint, cost = made(COUNTS, 3)
    found = descend(task, np.arange(len(joint)) % 3)
    least = cost.total(joint, found.labels)
    assert np.isclose(found.lost, least)
    for i, c in product(range(len(joint)), range(3)):
        moved = found.labels.copy()
        moved[i] = c
        if len(np.unique(moved)) == 3:
            assert cost.total(joint, moved) >= least - 1e-12


def test_the_last_object_of_a_cluster_stays():
    """Two clusters of nearly one law cost less as one, by the prior of the second."""
    counts = np.array([[9.0, 1.0, 0.0], [9.0, 1.01, 0.0], [0.0, 0.0, 20.0]])
    task, joint, cost = made(counts, 3, smoothing=4.0)
    alike = joint[:, 2] == 0
    assert cost.total(joint, np.where(alike, 0, 1)) < cost.total(joint, np.arange(3))
    assert sorted(descend(task, np.arange(3)).labels) == [0, 1, 2]


def test_noise_draws_from_the_gibbs_law():
    """One object in the field of the others: shares of its labels over many sweeps of it alone."""
    task, joint, cost = made(COUNTS[:3], 2)
    labels, T = np.array([0, 1, 0]), 0.05
    h = np.array([cost.total(joint, np.array([0, 1, c])) for c in (0, 1)])
    law = np.exp(-(h - h.min()) / T)
    draws = []
    for turn in range(2000):
        noise = np.zeros((3, 2))
        noise[:2] = [[1e9, 0], [0, 1e9]]  # the first two are held where they are
        noise[2] = T * np.random.default_rng(turn).gumbel(size=2)
        draws.append(sweep_once(task.objects, labels, 2, task.prior, noise)[0][2])
    assert abs(np.mean(draws) - law[1] / law.sum()) < 4 * np.sqrt(0.25 / 2000)


def test_warm_rounds_find_the_best_of_all_labellings():
    task, joint, cost = made(COUNTS, 3)
    least = min(
        cost.total(joint, np.array(labels))
        for labels in product(range(3), repeat=len(joint))
        if labels[0] == 0 and len(set(labels)) == 3
    )
    start = descend(task, np.arange(len(joint)) % 3)
    assert start.lost > least * 1.001
    assert np.isclose(temper(task, start, cost.critical_temperature(joint), 0).lost, least)


def test_the_best_start_is_kept_and_starts_without_k_clusters_are_not():
    task, joint, cost = made(COUNTS, 3)
    few = np.zeros(len(joint), int)
    assert best_of(Task(task.objects, task.prior, len(joint) + 1, task.known), [few], 0.0, 0) is None
    starts = [np.random.default_rng(s).integers(0, 3, len(joint)) for s in range(4)]
    found = best_of(task, starts, cost.critical_temperature(joint), 0)
    assert found.lost <= min(descend(task, start).lost for start in starts) + 1e-12
