"""The compiled sweep of sequential.py. With f(t) = t log t, what cluster c gains by an object of joint law v is

    Σ_y [f(S_cy + v_y) - f(S_cy)] - [f(S_c + v) - f(S_c)]

which is the same for all clusters up to their loss of information; only features that the object has are looked at.
"""

from typing import Any

import numpy as np
from numba import njit

SLACK = 1e-13  # a gain must be larger than rounding to move an object


@njit(cache=True, nogil=True)
def x_log_x(t: float) -> float:
    return t * np.log(t) if t > 0 else 0.0


@njit(cache=True, nogil=True)
def sweep(data: Any, indices: Any, indptr: Any, mass: Any, labels: Any, sums: Any, totals: Any, count: Any) -> int:
    """One turn over all objects; ``sums`` (d, k), ``totals`` (k,), ``count`` (k,) and ``labels`` follow the moves."""
    d, k = sums.shape
    table, gain = np.empty((d, k)), np.empty(k)  # table holds f(S)
    for y in range(d):
        for c in range(k):
            table[y, c] = x_log_x(sums[y, c])
    moved = 0
    for i in range(labels.size):
        old, first, last, m = labels[i], indptr[i], indptr[i + 1], mass[i]
        if old >= 0:
            count[old] -= 1
            shift(data, indices, first, last, -m, old, sums, totals, table)
            if count[old] == 0:
                clear(old, sums, totals, table)
        for c in range(k):
            gain[c] = x_log_x(totals[c]) - x_log_x(totals[c] + m)
        for p in range(first, last):
            y, v = indices[p], m * data[p]
            alone = x_log_x(v)
            for c in range(k):
                s = sums[y, c]
                gain[c] += (s + v) * np.log(s + v) - table[y, c] if s > 0 else alone
        new = np.argmax(gain)
        if old >= 0 and gain[new] <= gain[old] + SLACK * m:
            new = old
        moved += new != old
        labels[i] = new
        count[new] += 1
        shift(data, indices, first, last, m, new, sums, totals, table)
    return moved


@njit(cache=True, nogil=True)
def shift(data: Any, indices: Any, first: int, last: int, m: float, c: int, sums: Any, totals: Any, table: Any) -> None:
    """Add m times a row to the sums of cluster c; a negative m takes it away."""
    totals[c] = max(totals[c] + m, 0.0)
    for p in range(first, last):
        y = indices[p]
        sums[y, c] = max(sums[y, c] + m * data[p], 0.0)
        table[y, c] = x_log_x(sums[y, c])


@njit(cache=True, nogil=True)
def clear(c: int, sums: Any, totals: Any, table: Any) -> None:
    """An empty cluster holds nothing, not even rounding."""
    totals[c] = 0.0
    for y in range(sums.shape[0]):
        sums[y, c] = table[y, c] = 0.0
