"""Lloyd's iteration over a few leaves in one compiled call: a trial of a swap looks at a few thousand rows many times.

The passes, sums and clocks are those of lloyd.py, and so are the results; only the frame around each pass is gone. Up
to FAN_IN leaves are added up one after the other, as core/summation/tree.py does.
"""

from typing import Any

import numpy as np

from unmix.algorithms.kmeans.lloyd.center_kernel import (
    add_movement,
    advance_clocks,
    move_centers,
    movement,
    unit_of_movement,
)
from unmix.algorithms.kmeans.lloyd.relabel_kernel import own_cost, relabel_rows
from unmix.core.compiled.kernel import kernel
from unmix.costs.nearest.tiles import GROUP, fill_packed

PAIRS = 2**21  # inner products of centres that are held at a time


@kernel
def iterate_leaves(
    data: Any, starts: Any, weight: Any, shift: Any, numbers: Any, shift_64: Any, settings: Any,
    rows: Any, centers: Any, table: Any, clock: Any, travelled: Any, charged: Any, reach: Any, group: Any,
) -> tuple[int, bool, float, bool]:  # fmt: skip
    """Iterations made, whether they are done, the cost, and whether the next one would leave a cluster without rows.

    Leaf l has the rows starts[l] … starts[l + 1] - 1; `rows` … `reach` change in place. `settings` are the most
    iterations, the tolerance, the cost to come below, how many times the last decrease may still be hoped for, and the
    cost before.
    """
    k, d = centers.shape
    new_rows, new_centers = np.empty_like(rows), np.empty_like(centers)
    packed = np.empty((-(-k // GROUP), d + 2, GROUP), data.dtype)
    change, seen, drift, norms = np.empty((k, d + 4)), np.empty(k), np.empty(k), np.empty(k)
    gram = np.empty((min(k, max(1, PAIRS // k)), k))
    part, saved, held = np.zeros((k, d + 4)), np.empty_like(table), np.empty(k)
    done, iteration, objective = False, 0, settings[4]
    while not done and iteration < settings[0]:
        fill_packed(centers, packed)
        clear(change, seen)
        moved = 0
        for leaf in range(len(starts) - 1):
            first, last = starts[leaf], starts[leaf + 1]
            here = part if leaf > 0 else change
            moved += relabel_rows(
                data[first * d : last * d], rows[first:last], weight[first:last], packed.reshape(-1), shift, numbers,
                clock, shift_64, centers, new_rows[first:last], here, seen,
            )  # fmt: skip
            if leaf > 0:
                add_and_clear(change, part)
        before = objective
        copy(table, saved)
        objective, variance, mass, empty = move_centers(table, change, centers, new_centers)
        if empty > 0:
            copy(saved, table)
            return iteration, done, before, True
        way = movement(centers, new_centers, drift)
        copy(new_rows, rows)
        copy(new_centers, centers)
        if objective < 0:
            objective = all_costs(data, starts, weight, float(numbers[0]), shift_64, rows, centers)
        for c in range(k):
            held[c] = change[c, d + 3]
        add_movement(drift, group, seen, held, travelled, reach)
        square_norms(centers, norms)
        for first in range(0, k, gram.shape[0]):
            lines = gram[: min(gram.shape[0], k - first)]
            inner_products(centers, first, lines)
            advance_clocks(lines, first, norms, drift, group, clock, travelled, charged, reach)
        iteration += 1
        done = moved == 0 or way <= settings[1] * unit_of_movement(objective, variance, mass, k, d)
        if objective - settings[3] * (before - objective) > settings[2]:
            break
    return iteration, done, objective, False


@kernel
def all_costs(data: Any, starts: Any, weight: Any, scale: float, shift: Any, rows: Any, centers: Any) -> float:
    """The cost from differences, a leaf after the other."""
    d, total = centers.shape[1], 0.0
    for leaf in range(len(starts) - 1):
        first, last = starts[leaf], starts[leaf + 1]
        total += own_cost(data[first * d : last * d], rows[first:last], weight[first:last], scale, shift, centers)
    return total


@kernel
def square_norms(centers: Any, norms: Any) -> None:
    for c in range(centers.shape[0]):
        norms[c] = 0.0
        for j in range(centers.shape[1]):
            norms[c] += centers[c, j] * centers[c, j]


@kernel
def inner_products(centers: Any, first: int, gram: Any) -> None:
    """Those of the centres from `first` on with all, a line each."""
    k, d = centers.shape
    for line in range(gram.shape[0]):
        a = first + line
        for b in range(k):
            if first <= b < a:
                gram[line, b] = gram[b - first, a]
                continue
            total = 0.0
            for j in range(d):
                total += centers[a, j] * centers[b, j]
            gram[line, b] = total


@kernel
def copy(source: Any, target: Any) -> None:
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@kernel
def clear(change: Any, seen: Any) -> None:
    for c in range(change.shape[0]):
        seen[c] = 0.0
        for j in range(change.shape[1]):
            change[c, j] = 0.0


@kernel
def add_and_clear(total: Any, part: Any) -> None:
    for c in range(part.shape[0]):
        for j in range(part.shape[1]):
            total[c, j] += part[c, j]
            part[c, j] = 0.0
