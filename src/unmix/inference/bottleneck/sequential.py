"""Sequential information bottleneck: take one object out at a time and put it where it loses the least information.

    c(i) = argmin_c (p_i + p_c) JS(p(y|i), p(y|c)),   cluster c without object i

No sweep lowers I(X̂;Y), and where it ends no object is closer, by KL, to another cluster than to its own. One sweep
costs as many logarithms as the table has entries, times k. Reference: Slonim, Friedman & Tishby, Unsupervised document
classification using sequential information maximization, SIGIR 2002.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.core.iteration.loop import iterate
from unmix.inference.bottleneck.hard_code import cluster_sums, information
from unmix.information.objects import Objects

NO_NOISE = np.empty((0, 0))  # no noise


class State(NamedTuple):
    labels: np.ndarray
    information: float  # I(X̂;Y) in nats
    iteration: int
    done: bool


def refine(objects: Objects, labels: np.ndarray, k: int, *, max_iter: int) -> State:
    """Sweep until no object moves."""
    bits = np.log(2.0)

    def advance(state: State) -> tuple[State, dict[str, float]]:
        new, moved = sweep_once(objects, state.labels, k)
        reached = information(cluster_sums(objects, new, k))
        state = State(new, reached, state.iteration + 1, moved == 0)
        return state, {"information": reached / bits, "moved": float(moved)}

    start = State(labels, information(cluster_sums(objects, labels, k)), 0, False)
    return iterate(advance, start, max_iter=max_iter, name="sequential")


def sweep_once(
    objects: Objects, labels: np.ndarray, k: int, prior: np.ndarray | None = None, noise: np.ndarray = NO_NOISE
) -> tuple[np.ndarray, int]:
    """New labels, and how many objects moved; sums are added up afresh, so that rounding does not pile up.

    `prior` (d,) is mass that every cluster has beside that of its objects, `noise` (n, k) is added to what they gain.
    """
    return sweep_through(objects, labels, k, np.zeros(objects.rows.shape[1]) if prior is None else prior, [noise])


def sweep_through(
    objects: Objects, labels: np.ndarray, k: int, prior: np.ndarray, noises: Iterable[np.ndarray]
) -> tuple[np.ndarray, int]:
    """A sweep for each of the `noises`, on sums that follow the moves; how many objects the last one moved.

    One without noise that moves nothing is the last: those after it would move nothing either.
    """
    from unmix.inference.bottleneck.sequential_kernel import sweep

    rows = csr_array(objects.rows)  # a dense table has few zeros to skip, and the same loop serves it
    new, moved = np.array(labels, dtype=np.int64), 0
    sums = np.ascontiguousarray(cluster_sums(objects, new, k).T)
    totals, count = sums.sum(axis=0), np.bincount(new[new >= 0], minlength=k)
    table = rows.data, rows.indices, rows.indptr, objects.mass, prior
    running = new, sums, totals, count, np.empty_like(sums), np.empty(k)
    for noise in noises:
        moved = int(sweep(*table, noise, *running))
        if not (moved or noise.size):
            break
    return new, moved
