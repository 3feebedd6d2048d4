"""Hard clusters of histograms from several starts, warmed up and cooled again as long as that helps.

Moves of single objects (sequential.py) end where none of them pays, and tables with little structure have many such
places. Drawn from their Gibbs law instead, argmax_c of gain_c + T · a Gumbel number, objects that lie between clusters
exchange them, while those that are sure stay; cooled from a part of the temperature of the first split, the clusters
come to a better place near by. Nothing more is looked for where two starts of different kinds lead to the same
clusters, or a round leads back to them: there the structure is plain, and found.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.factors.hard_code import cluster_sums
from unmix.factors.sequential import sweep_once
from unmix.information.objects import Objects

SWEEPS = 200
AGREE = 1e-6  # relative difference of what two clusterings lose, below which they are taken for the same
FAR = 1.02  # a start that loses so many times the least of all is the last
WARM, COLD = 0.45, 0.006  # of the temperature of the first split
WARM_SWEEPS = (12, 160, 160, 160)  # of each round: a short one first, which leads back where structure is plain
WORK = 1e8  # logarithms that a round may take


class Found(NamedTuple):
    labels: np.ndarray
    lost: float  # nats of I(X;Y), and what the priors of the clusters cost
    plain: bool = False  # two starts of different kinds led to it


class Task(NamedTuple):
    objects: Objects  # sparse
    prior: np.ndarray  # (d,) mass that every cluster has beside that of its objects
    k: int
    known: float  # H(Y|X) in nats


def best_of(task: Task, starts: Iterable[np.ndarray], critical: float, seed: int) -> Found | None:
    """The clusters that lose the least, or None where no start leads to k of them."""
    best: Found | None = None
    for labels in starts:
        found = descend(task, labels)
        if len(np.unique(found.labels)) < task.k:
            continue
        if best is not None and abs(found.lost - best.lost) <= AGREE * best.lost:
            return min(best, found, key=lambda one: one.lost)._replace(plain=True)
        if best is not None and found.lost > FAR * best.lost:
            break
        best = found if best is None or found.lost < best.lost else best
    return None if best is None else temper(task, best, critical, seed)


def temper(task: Task, best: Found, critical: float, seed: int) -> Found:
    """Rounds of warming, each from the best clusters so far, until one leads back to them."""
    most = int(WORK / (task.objects.rows.nnz * task.k))
    if most < WARM_SWEEPS[0]:  # too fast a cooling leads nowhere
        return best
    for turn, sweeps in enumerate(np.minimum(WARM_SWEEPS, most)):
        labels = best.labels
        for sweep in range(sweeps):
            temperature = critical * WARM * (COLD / WARM) ** (sweep / sweeps)
            noise = temperature * spawn(seed, turn, sweep).gumbel(size=(len(labels), task.k))
            labels, _ = sweep_once(task.objects, labels, task.k, task.prior, noise)
        found = descend(task, labels)
        if abs(found.lost - best.lost) <= AGREE * best.lost:
            break
        best = found if found.lost < best.lost and len(np.unique(found.labels)) == task.k else best
    return best


def descend(task: Task, labels: np.ndarray) -> Found:
    """Move single objects as long as that loses less."""
    moved, sweeps = 1, 0
    while moved and sweeps < SWEEPS:
        labels, moved = sweep_once(task.objects, labels, task.k, task.prior)
        sweeps += 1
    return Found(labels, lost(cluster_sums(task.objects, labels, task.k), task.prior, task.known))


def lost(sums: np.ndarray, prior: np.ndarray, known: float) -> float:
    """Σ_i p_i KL(p(y|i) ‖ u_c(i)), u_c = (S_c + prior) / (S_c + all of it), in nats; `known` is H(Y|X)."""
    mass = sums.sum(axis=1, keepdims=True)
    laws = (sums + prior) / np.where(mass > 0, mass + prior.sum(), 1.0)
    return float(-(sums * np.log(np.where(sums > 0, laws, 1.0))).sum()) - known
