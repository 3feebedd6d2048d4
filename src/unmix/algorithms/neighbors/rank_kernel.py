"""Ranks of distances without sorting them, compiled: the k smallest of a row by a heap, and how many are below limits.

A heap of the k smallest so far, its largest on top, is changed about k log(n / k) times in a row of n, so that nearly
all values cost one comparison. Few limits are counted below one after the other, many values in a register at a time.
"""

import numpy as np

from unmix.core.compiled.kernel import kernel

FEW = 64  # limits; for more a value is looked up among them


@kernel
def smallest(table: np.ndarray, k: int, chosen: np.ndarray) -> None:
    """chosen[i] = places of the k smallest values of row i, in no order; of equal ones the first."""
    heap = np.empty(k, table.dtype)
    for i in range(table.shape[0]):
        row, places = table[i], chosen[i]
        for j in range(k):  # the first k, sorted into the heap one by one
            at = j
            while at > 0 and heap[(at - 1) // 2] < row[j]:
                heap[at], places[at] = heap[(at - 1) // 2], places[(at - 1) // 2]
                at = (at - 1) // 2
            heap[at], places[at] = row[j], j
        for j in range(k, row.size):
            if row[j] < heap[0]:
                _replace_top(heap, places, row[j], j)


@kernel
def _replace_top(heap: np.ndarray, places: np.ndarray, value: float, place: int) -> None:
    at, k = 0, heap.size
    while 2 * at + 1 < k:
        child = 2 * at + 1
        if child + 1 < k and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= value:
            break
        heap[at], places[at] = heap[child], places[child]
        at = child
    heap[at], places[at] = value, place


@kernel
def count_below(values: np.ndarray, limits: np.ndarray, counts: np.ndarray) -> None:
    """counts[l] = values below limits[l], which rise; counts come in as zeros."""
    if limits.size > FEW:
        _count_by_bisection(values, limits, counts)
        return
    for at in range(limits.size):
        limit, count = limits[at], 0
        for j in range(values.size):
            count += values[j] < limit
        counts[at] = count


@kernel
def _count_by_bisection(values: np.ndarray, limits: np.ndarray, counts: np.ndarray) -> None:
    last = limits.size - 1
    for j in range(values.size):
        value = values[j]
        if value < limits[last]:
            low, high = 0, last  # the first limit above the value
            while low < high:
                middle = (low + high) // 2
                if value < limits[middle]:
                    high = middle
                else:
                    low = middle + 1
            counts[low] += 1
    for at in range(1, limits.size):
        counts[at] += counts[at - 1]


@kernel
def squares_from(columns: np.ndarray, point: np.ndarray, out: np.ndarray) -> None:
    """Squared distances of a point to points held by columns (d, n), one column after the other."""
    for j in range(out.size):
        difference = columns[0, j] - point[0]
        out[j] = difference * difference
    for c in range(1, point.size):
        for j in range(out.size):
            difference = columns[c, j] - point[c]
            out[j] += difference * difference


@kernel
def distances_to(points: np.ndarray, queries: np.ndarray, chosen: np.ndarray, out: np.ndarray) -> None:
    """out[i, j] = ‖queries[i] - points[chosen[i, j]]‖ from differences."""
    for i in range(chosen.shape[0]):
        for j in range(chosen.shape[1]):
            point, square = points[chosen[i, j]], 0.0
            for c in range(points.shape[1]):
                difference = queries[i, c] - point[c]
                square += difference * difference
            out[i, j] = np.sqrt(square)


@kernel
def distances_of_pairs(points: np.ndarray, rows: np.ndarray, others: np.ndarray, out: np.ndarray) -> None:
    """out[p] = ‖points[rows[p]] - points[others[p]]‖ from differences."""
    for pair in range(rows.size):
        square = 0.0
        for c in range(points.shape[1]):
            difference = points[rows[pair], c] - points[others[pair], c]
            square += difference * difference
        out[pair] = np.sqrt(square)
