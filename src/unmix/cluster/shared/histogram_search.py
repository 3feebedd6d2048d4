"""The hard clusters of histograms that cost the least, looked for from those of annealing.

Candidates are the clusters of the path, and those of annealing in which all clusters count alike. Single rows of each
are moved as long as that lowers the cost; where candidates disagree, the best is warmed up and cooled again. Clusters
are merged and split where that pays, and few objects go through a local search, fewer where candidates agreed. All of
it works on objects, rows of equal proportions taken as one, whose order is their own: neither order nor repetition
of rows matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array

from unmix.algorithms.rows.sample import draw_sample
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import costs_in
from unmix.core.random import derive
from unmix.costs.histogram import Histogram
from unmix.costs.mass_constrained import Clusters
from unmix.inference.bottleneck.hard_code import cluster_sums
from unmix.inference.bottleneck.merge_split import exchange
from unmix.inference.bottleneck.tempered import Task, best_of
from unmix.inference.local.local_search import refine
from unmix.inference.prototypes.equal_clusters import anneal_equal
from unmix.information.distribution import is_sparse
from unmix.information.likelihood import expected_log_likelihood
from unmix.information.objects import Objects, as_objects

MOST_ROWS, MOST_ENTRIES = 2**17, 2**25  # that are held in memory; beyond them a sample is
RUNS, RUN_CLUSTERS = 4, 400  # of annealing with clusters that count alike; fewer where they have more clusters in all
LOOKS = 400  # at every object, so that a local search finds something
GLANCES, GLANCES_IF_PLAIN = 2e7, 6e6  # logarithms it may take; two starts that agree may both have missed the best
RUN_OBJECTS = 2**12  # that are annealed; the others find their place by moves


def search(X: RowBlocks, cost: Histogram, clusters: Clusters, weights: np.ndarray | None, seed: int) -> Clusters:
    """The best clusters found, each with the number of the one on the path that it overlaps the most."""
    k = len(clusters.masses)
    most = MOST_ROWS if X.sparse else min(MOST_ROWS, max(MOST_ENTRIES // X.shape[1], 1))
    sample = draw_sample(X, weights, most, seed)
    rows = sample.blocks.gather()
    objects = as_objects(rows, sample.weights)
    if not 1 < k <= len(objects.mass):
        return clusters
    sizes = np.asarray(rows.sum(axis=1), np.float64)
    prior = cost.smoothing / float(sizes.sum() if sample.weights is None else sample.weights @ sizes) * cost.background
    task = Task(Objects(csr_array(objects.rows), objects.mass), prior, k, objects.conditional_nats())
    first = nearest(objects, clusters.prototypes)
    counts = joint_law(objects, RUN_OBJECTS)
    critical = unit_cost(prior).critical_temperature(counts)
    found = best_of(task, starts(task, counts, first, critical, seed), critical, derive(seed, 7))
    if found is None:
        return clusters
    found = exchange(task, found, derive(seed, 9))
    labels = found.labels
    if counts.shape[0] == len(labels):
        with costs_in(cost.unit):
            labels = searched(unit_cost(prior), counts, labels, k, critical, derive(seed, 8), found.plain)
    sums = cluster_sums(objects, labels, k)[same_numbers(objects, labels, first, k)]
    mass = sums.sum(axis=1)
    return Clusters((sums + prior) / (mass + prior.sum())[:, None], mass)


def starts(task: Task, counts: Any, first: np.ndarray, critical: float, seed: int) -> Iterator[np.ndarray]:
    """Labels of the objects: those of the path, then those of runs that begin with other pushes."""
    yield first
    cost = unit_cost(task.prior)
    for run in range(min(RUNS, max(1, RUN_CLUSTERS // task.k))):
        labels = np.full(len(first), -1)
        labels[:RUN_OBJECTS] = anneal_equal(counts, cost, task.k, critical, derive(seed, 6, run))
        yield labels


def searched(
    cost: Histogram, counts: Any, labels: np.ndarray, k: int, critical: float, seed: int, plain: bool
) -> np.ndarray:
    """Better labels where objects are few enough to disturb and move them again and again."""
    glances = GLANCES_IF_PLAIN if plain else GLANCES
    looks = int(glances * len(labels) / (np.count_nonzero(counts.data if is_sparse(counts) else counts) * k))
    if looks < LOOKS * len(labels) or not critical > 0:
        return labels
    found = refine(cost, counts, labels, k, critical, seed, looks)
    return found if len(np.unique(found)) == k else labels


def unit_cost(prior: np.ndarray) -> Histogram:
    """The cost of rows whose counts add up to one, all together."""
    return Histogram(prior / prior.sum(), float(prior.sum()), 1.0)


def joint_law(objects: Objects, most: int) -> Any:
    """p(x,y) of the first objects, whose order is that of a hash: as good as drawn."""
    rows, mass = objects.rows[:most], objects.mass[:most]
    return csr_array(diags_array(mass) @ rows) if is_sparse(rows) else rows * mass[:, None]


def nearest(objects: Objects, distributions: np.ndarray) -> np.ndarray:
    return np.asarray(expected_log_likelihood(objects.rows, distributions).argmax(axis=1))


def same_numbers(objects: Objects, labels: np.ndarray, first: np.ndarray, k: int) -> np.ndarray:
    """For each cluster of `first` the one of `labels` that stands for it: together they share the most mass."""
    from scipy.optimize import linear_sum_assignment

    shared = np.bincount(first * k + labels, objects.mass, minlength=k * k).reshape(k, k)
    return np.asarray(linear_sum_assignment(-shared)[1])
