"""Hard clusters of histograms made better by merging two of them and splitting a third.

Among many clusters moves of single objects cannot take a cluster from where it is hardly missed to where two groups
share one: all that lies between costs more. With g(S) = Σ_y S_y log(S_y + a_y) - S log(S + a) the clusters lose a
constant less Σ_c g(S_c), so what a merger costs and what a split gains are told by the sums of three clusters,

    g(S_a) + g(S_b) - g(S_a + S_b)        g(S_1) + g(S_2) - g(S_c),

and where the gain is larger, the exchange pays, before any object has moved. Exchanges of different clusters add up.
"""

from __future__ import annotations

from itertools import repeat

import numpy as np
from scipy.sparse import csr_array

from unmix.core.random import spawn
from unmix.inference.bottleneck.hard_code import cluster_sums
from unmix.inference.bottleneck.sequential import NO_NOISE, sweep_through
from unmix.inference.bottleneck.tempered import SAME_LOSS, WORK, Found, Task, descend
from unmix.information.objects import Objects

ROUNDS = 8
SWEEPS = 8  # of a split; moves among all clusters follow


def exchange(task: Task, found: Found, seed: int) -> Found:
    """Rounds of exchanges and moves, as long as they lose less; what an exchange betters was not plain."""
    if task.k < 3 or task.k**2 * len(task.prior) > WORK / ROUNDS:
        return found
    for turn in range(ROUNDS):
        new = descend(task, exchanged(task, found.labels, spawn(seed, turn)))
        if not new.lost < found.lost * (1 - SAME_LOSS) or len(np.unique(new.labels)) < task.k:
            break
        found = new
    return found


def exchanged(task: Task, labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """New labels: the splits that gain the most with the mergers that cost the least, while that pays."""
    sums = cluster_sums(task.objects, labels, task.k)
    costs, halves, new = merger_costs(sums, task.prior), [split(task, labels == c, rng) for c in range(task.k)], labels
    worth = kept(sums, task.prior)
    gains = np.array([kept(parts, task.prior).sum() for _, parts in halves]) - worth
    for c in np.argsort(-gains, kind="stable"):
        open_costs = np.where(np.arange(task.k) == c, np.inf, costs)
        open_costs[c] = np.inf
        a, b = np.unravel_index(open_costs.argmin(), costs.shape)
        if not open_costs[a, b] < gains[c]:
            break
        new = np.where(labels == b, a, new)
        new[np.flatnonzero(labels == c)[halves[c][0]]] = b
        gains[[a, b]] = -np.inf
        costs[[a, b, c]] = costs[:, [a, b, c]] = np.inf
    return new


def kept(sums: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """(…): g of sums (…, d)."""
    mass = sums.sum(axis=-1)
    logs = np.log(np.where(sums > 0, sums + prior, 1.0))
    return np.asarray((sums * logs).sum(axis=-1) - mass * np.log(np.where(mass > 0, mass + prior.sum(), 1.0)))


def merger_costs(sums: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """(k, k), infinite for a cluster and itself."""
    worth = kept(sums, prior)
    costs = np.stack([worth + own - kept(sums + one, prior) for own, one in zip(worth, sums, strict=True)])
    np.fill_diagonal(costs, np.inf)
    return costs


def split(task: Task, member: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Which members are in the second of two parts, and the sums of both."""
    part = Objects(csr_array(task.objects.rows[member]), task.objects.mass[member])
    labels = rng.permutation(np.arange(int(member.sum())) % 2)
    if len(labels) > 1:
        labels, _ = sweep_through(part, labels, 2, task.prior, repeat(NO_NOISE, SWEEPS))
    return labels == 1, cluster_sums(part, labels, 2)
