"""Lloyd's iteration over a few leaves in one compiled call: a trial of a swap looks at a few thousand rows many times.

The passes, sums and clocks are those of lloyd.py, and so are the results; only the frame around each pass is gone. Up
to FAN_IN leaves are added up one after the other, as core/tree.py does.
"""

from typing import Any

import numba
import numpy as np

from unmix.core.tiles import GROUP, fill_packed
from unmix.factors.relabel_tiles import relabel_rows
from unmix.factors.update import move_centers, movement, wind


@numba.njit(cache=True, nogil=True)
def iterate_leaves(
    data: Any, starts: Any, weight: Any, shift: Any, numbers: Any, shift_64: Any, settings: Any,
    rows: Any, centers: Any, table: Any, clock: Any, travelled: Any, charged: Any, reach: Any,
) -> tuple[int, bool, float, bool]:  # fmt: skip
    """Iterations made, whether they are done, the cost, and whether the next one would leave a cluster without rows.

    Leaf l has the rows starts[l] … starts[l + 1] - 1; `rows` … `reach` change in place. `settings` are the most
    iterations, the tolerance, the cost to come below, how many times the last decrease may still be hoped for, and the
    cost before.
    """
    k, d = centers.shape
    new_rows, new_centers = np.empty_like(rows), np.empty_like(centers)
    packed = np.empty((-(-k // GROUP), d + 2, GROUP), data.dtype)
    change, seen, drift, gram = np.empty((k, d + 4)), np.empty(k), np.empty(k), np.empty((k, k))
    part, saved, held = np.zeros((k, d + 4)), np.empty_like(table), np.empty(k)
    done, iteration, objective = False, 0, settings[4]
    while not done and iteration < settings[0]:
        numbers[3] = fill_packed(centers, packed)
        clear(change, seen)
        moved = 0
        for leaf in range(len(starts) - 1):
            first, last = starts[leaf], starts[leaf + 1]
            here = part if leaf > 0 else change
            moved += relabel_rows(
                data[first * d : last * d], rows[first:last], weight[first:last], packed.reshape(-1), shift, numbers,
                clock, shift_64, new_rows[first:last], here, seen,
            )  # fmt: skip
            if leaf > 0:
                add_and_clear(change, part)
        before = objective
        copy(table, saved)
        objective, variance, empty = move_centers(table, change, centers, new_centers)
        if empty > 0:
            copy(saved, table)
            return iteration, done, before, True
        way = movement(centers, new_centers, drift)
        copy(new_rows, rows)
        copy(new_centers, centers)
        inner_products(centers, gram)
        for c in range(k):
            held[c] = change[c, d + 3]
        wind(gram, drift, seen, held, clock, travelled, charged, reach)
        iteration += 1
        done = moved == 0 or way <= settings[1] * variance
        if objective - settings[3] * (before - objective) > settings[2]:
            break
    return iteration, done, objective, False


@numba.njit(cache=True, nogil=True)
def inner_products(centers: Any, gram: Any) -> None:
    k, d = centers.shape
    for a in range(k):
        for b in range(a + 1):
            total = 0.0
            for j in range(d):
                total += centers[a, j] * centers[b, j]
            gram[a, b] = gram[b, a] = total


@numba.njit(cache=True, nogil=True)
def copy(source: Any, target: Any) -> None:
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@numba.njit(cache=True, nogil=True)
def clear(change: Any, seen: Any) -> None:
    for c in range(change.shape[0]):
        seen[c] = 0.0
        for j in range(change.shape[1]):
            change[c, j] = 0.0


@numba.njit(cache=True, nogil=True)
def add_and_clear(total: Any, part: Any) -> None:
    for c in range(part.shape[0]):
        for j in range(part.shape[1]):
            total[c, j] += part[c, j]
            part[c, j] = 0.0
