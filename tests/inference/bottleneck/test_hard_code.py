"""Mergers and sequential moves against their definitions, written with the divergences of unmix.information."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.inference.bottleneck.agglomerative import agglomerate, gather_around_draw, merge_groups
from unmix.inference.bottleneck.hard_code import cluster_sums, information
from unmix.inference.bottleneck.sequential import refine, sweep_once
from unmix.information import jensen_shannon, mutual_information
from unmix.information.objects import as_objects

rng = np.random.default_rng(0)
COUNTS = rng.poisson(2.0, (14, 6)).astype(float) * rng.integers(0, 2, (14, 6))
COUNTS[:, 0] += 1


def merged_by_hand(table, k):
    """The definition: all pairs, all losses, the least, again."""
    groups = [[i] for i in range(len(table))]
    while len(groups) > k:
        sums = [table[g].sum(axis=0) for g in groups]
        losses = {
            (a, b): (sums[a].sum() + sums[b].sum())
            * jensen_shannon(sums[a], sums[b], weights=(sums[a].sum(), sums[b].sum()))
            for a in range(len(groups))
            for b in range(a + 1, len(groups))
        }
        a, b = min(losses, key=losses.get)
        groups[a] += groups.pop(b)
    labels = np.empty(len(table), int)
    for c, group in enumerate(groups):
        labels[group] = c
    return labels


def same_partition(a, b):
    return len(np.unique(np.stack([a, b]), axis=1).T) == len(np.unique(a)) == len(np.unique(b))


@pytest.mark.parametrize("k", [1, 2, 3, 5, 9, 14])
def test_mergers_are_those_of_the_definition(k):
    table = COUNTS / COUNTS.sum()
    assert same_partition(merge_groups(table, k), merged_by_hand(table, k))


def test_a_merger_can_bring_a_third_group_closer():
    """The first row's best partner is the last, until the two in between are one."""
    table = np.array(
        [
            [0.8512, 0.8940, 0.0217, 0.0],
            [0.0227, 0.6143, 1.1998, 0.0],
            [1.6013, 0.0219, 1.2065, 0.0],
            [1.0200, 8.1630, 0.1870, 4.593],
        ]
    )
    assert same_partition(merge_groups(table, 2), np.array([0, 0, 0, 1]))
    assert same_partition(merge_groups(table, 2), merged_by_hand(table, 2))


def test_merger_loses_the_information_it_says():
    from unmix.inference.bottleneck.agglomerative_kernel import merger_loss

    table = COUNTS / COUNTS.sum()
    joined = np.vstack([table[0] + table[1], table[2:]])
    lost = mutual_information(table, base=np.e) - mutual_information(joined, base=np.e)
    assert merger_loss(table, table.sum(axis=1), 0, 1) == pytest.approx(lost)


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_sweeps_end_where_no_move_helps(kind):
    objects = as_objects(kind(COUNTS))
    n, k = len(objects.mass), 3
    for seed in range(3):
        labels = np.random.default_rng(seed).integers(0, k, n)
        before = information(cluster_sums(objects, labels, k))
        while True:
            labels, moved = sweep_once(objects, labels, k)
            after = information(cluster_sums(objects, labels, k))
            assert after >= before - 1e-12
            before = after
            if not moved:
                break
        for i in range(n):
            for c in range(k):
                other = labels.copy()
                other[i] = c
                assert information(cluster_sums(objects, other, k)) <= before + 1e-12


def test_refine_says_what_it_reached():
    objects = as_objects(COUNTS)
    state = refine(objects, agglomerate(objects, 3, rng), 3, max_iter=100)
    assert state.done
    sums = cluster_sums(objects, state.labels, 3)
    assert state.information == pytest.approx(mutual_information(sums, base=np.e))


@pytest.mark.slow_without_jit
def test_many_objects_are_gathered_first():
    centres = rng.dirichlet(np.full(20, 0.2), 4)
    counts = np.array([rng.multinomial(100, centres[i % 4]) for i in range(900)])
    objects = as_objects(csr_array(counts))
    groups = gather_around_draw(objects, 50, np.random.default_rng(0))
    assert set(groups) == set(range(50))
    labels = agglomerate(objects, 4, np.random.default_rng(0))
    assert information(cluster_sums(objects, labels, 4)) > 0.9 * mutual_information(
        np.array([counts[i::4].sum(axis=0) for i in range(4)]), base=np.e
    )
