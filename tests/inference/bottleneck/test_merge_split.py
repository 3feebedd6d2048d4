"""Mergers and splits of clusters of histograms, against what clusterings lose."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.inference.bottleneck.hard_code import cluster_sums
from unmix.inference.bottleneck.merge_split import exchange, merger_costs, split
from unmix.inference.bottleneck.sequential import NO_NOISE, sweep_once, sweep_through
from unmix.inference.bottleneck.tempered import Task, descend, lost, relative_loss
from unmix.information.objects import Objects, as_objects


def make_task(k=12, n=240, seed=0):
    """Groups of rows with laws of their own, and the group of every object."""
    rng = np.random.default_rng(seed)
    laws = rng.dirichlet(np.full(6, 0.5), size=k)
    objects = as_objects(rng.poisson(300 * laws[np.arange(n) % k]).astype(float) + 1, None)
    rows = objects.rows
    groups = np.asarray((rows @ np.log(laws + 1e-3).T).argmax(axis=1))
    prior = np.full(6, 1e-5)
    return Task(Objects(csr_array(rows), objects.mass), prior, k, objects.conditional_nats()), groups


def loses(task, labels):
    return lost(cluster_sums(task.objects, labels, task.k), task.prior, task.known)


def test_a_merger_costs_what_is_lost_more():
    task, groups = make_task()
    costs = merger_costs(cluster_sums(task.objects, groups, task.k), task.prior)
    for a, b in ((0, 1), (3, 11), (7, 2)):
        merged = loses(task, np.where(groups == b, a, groups))
        assert costs[a, b] == pytest.approx(merged - loses(task, groups), rel=1e-6)
    assert np.isinf(np.diag(costs)).all()


def test_a_split_of_two_groups_parts_them():
    task, groups = make_task()
    member = (groups == 0) | (groups == 1)
    second, sums = split(task, member, np.random.default_rng(0))
    assert len(set(zip(second, groups[member], strict=True))) == 2
    np.testing.assert_allclose(sums.sum(axis=0), cluster_sums(task.objects, (~member).astype(int), 2)[0])


@pytest.mark.parametrize("seed", range(3))
def test_sweeps_in_a_run_are_sweeps_one_by_one(seed):
    """The sums follow the moves instead of being added up afresh; the run ends with the first that moves nothing."""
    task, groups = make_task(seed=seed)
    labels, moves = np.random.default_rng(seed).permutation(groups), []
    expected = labels
    while not moves or moves[-1]:
        expected, moved = sweep_once(task.objects, expected, task.k, task.prior)
        moves.append(moved)
    used = []
    noises = (used.append(NO_NOISE) or NO_NOISE for _ in range(100))
    got, last = sweep_through(task.objects, labels, task.k, task.prior, noises)
    np.testing.assert_array_equal(got, expected)
    assert last == 0 and len(used) == len(moves) > 2


def test_a_cluster_comes_to_where_it_is_missed():
    task, groups = make_task()
    labels = np.where(groups == 1, 0, groups)  # two groups in one cluster,
    other = np.flatnonzero(groups == 2)
    labels[other[: len(other) // 2]] = 1  # and one group in two
    stuck, wanted = descend(task, labels), descend(task, groups)
    assert stuck.lost > 1.2 * wanted.lost
    assert exchange(task, stuck, 0).lost == pytest.approx(wanted.lost, rel=1e-9)


def test_what_is_left_is_a_share_of_what_one_cluster_loses():
    task, groups = make_task()
    found = descend(task, groups)
    one = lost(cluster_sums(task.objects, np.zeros_like(groups), 1), task.prior, task.known)
    assert relative_loss(task, found) == pytest.approx(found.lost / one)
    assert relative_loss(task, found) < 0.2
