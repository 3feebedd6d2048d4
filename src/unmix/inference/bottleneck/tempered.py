"""Hard clusters of histograms from several starts, warmed up and cooled again as long as that helps.

Moves of single objects (sequential.py) end where none of them pays, and tables with little structure have many such
places. Drawn from their Gibbs law instead, argmax_c of gain_c + T · a Gumbel number, objects that lie between clusters
exchange them, while those that are sure stay; cooled from a part of the temperature at which they would split further,
the clusters come to a better place near by. That of the first split belongs to what one cluster of everything loses:
clusters that lose a share of it are warmed by that share, since all of it would melt many clusters into few. Nothing
more is looked for where two starts of different kinds lead to the same clusters, or a round to none that lose less.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.inference.bottleneck.hard_code import cluster_sums
from unmix.inference.bottleneck.sequential import sweep_once, sweep_through
from unmix.information.objects import Objects

SWEEPS = 200
SAME_LOSS = 1e-6  # relative difference of what two clusterings lose, below which they are taken for the same
LOSS_RATIO = 1.02  # a start that loses so many times the least of all is the last,
START_PATIENCE = 2  # and so is one after so many that lose more than the least
WARM, COLD = 0.45, 0.006  # of the temperature of the next split
SHORT, PER_CLUSTER, LONG = 12, 8, 160  # sweeps of the first round, which leads back where structure is plain; of others
ROUNDS = 4
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
    vain = 0
    for labels in starts:
        found = descend(task, labels)
        if len(np.unique(found.labels)) < task.k:
            continue
        if best is not None and abs(found.lost - best.lost) <= SAME_LOSS * best.lost:
            return min(best, found, key=lambda one: one.lost)._replace(plain=True)
        vain = vain + 1 if best is not None and found.lost > best.lost else 0
        if best is not None and (found.lost > LOSS_RATIO * best.lost or vain == START_PATIENCE):
            break
        best = found if best is None or found.lost < best.lost else best
    return None if best is None else temper(task, best, critical, seed)


def temper(task: Task, best: Found, critical: float, seed: int) -> Found:
    """Rounds of warming, each from the best clusters so far, until one leads back to them."""
    most = int(WORK / (task.objects.rows.nnz * task.k))
    if most < SHORT:  # too fast a cooling leads nowhere
        return best
    temperature = critical * relative_loss(task, best)
    for turn in range(ROUNDS):
        sweeps = min(most, LONG, PER_CLUSTER * task.k) if turn else SHORT
        found = descend(task, annealed(task, best.labels, temperature, sweeps, spawn(seed, turn)))
        if abs(found.lost - best.lost) <= SAME_LOSS * best.lost or (turn > 0 and found.lost > best.lost):
            break
        best = found if found.lost < best.lost and len(np.unique(found.labels)) == task.k else best
    return best


def relative_loss(task: Task, found: Found) -> float:
    """What clusters lose, as a share of what one cluster of everything loses."""
    everything = cluster_sums(task.objects, np.zeros_like(found.labels), 1)
    return min(1.0, found.lost / max(lost(everything, task.prior, task.known), np.finfo(float).tiny))


def annealed(task: Task, labels: np.ndarray, temperature: float, sweeps: int, rng: np.random.Generator) -> np.ndarray:
    """Labels drawn anew by one sweep after another, ever colder."""
    falling = temperature * WARM * (COLD / WARM) ** (np.arange(sweeps) / sweeps)
    noises = (T * rng.gumbel(size=(len(labels), task.k)) for T in falling)
    return sweep_through(task.objects, labels, task.k, task.prior, noises)[0]


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
