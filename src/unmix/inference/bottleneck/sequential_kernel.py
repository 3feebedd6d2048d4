"""The compiled sweep of sequential.py. With f(t) = t log(t + a), what cluster c gains by an object of joint law v is

    Σ_y [f(S_cy + v_y) - f(S_cy)] - [f(S_c + v) - f(S_c)]

which is the same for all clusters up to their loss of information; only features that the object has are looked at.
The a of a feature is its prior, that of a whole cluster the sum of all priors; 0 for the bottleneck itself.
"""

import math
from typing import Any

from unmix.core.compiled.kernel import kernel

SLACK = 1e-13  # a gain must be larger than rounding to move an object


@kernel(no_cpython_wrapper=True)
def x_log_y(x: float, y: float) -> float:
    return x * math.log(y) if x > 0 else 0.0


@kernel
def sweep(
    data: Any,
    indices: Any,
    indptr: Any,
    mass: Any,
    prior: Any,
    noise: Any,
    labels: Any,
    sums: Any,
    totals: Any,
    count: Any,
    table: Any,
    gain: Any,
) -> int:
    """One turn over all objects; ``sums`` (d, k), ``totals`` (k,), ``count`` (k,) and ``labels`` follow the moves.

    ``noise`` (n, k) is added to the gains; without rows there is none. ``table`` (d, k) for f(S) and ``gain`` are room.
    """
    k = gain.size
    all_prior = 0.0
    for y in range(prior.size):
        all_prior += prior[y]
        for c in range(k):
            table[y, c] = x_log_y(sums[y, c], sums[y, c] + prior[y])
    moved = 0
    for i in range(labels.size):
        old = labels[i]
        first = indptr[i]
        last = indptr[i + 1]
        m = mass[i]
        if old >= 0:
            if count[old] == 1 and all_prior > 0:  # a cluster that lost its last object would never be worth its prior
                continue
            count[old] -= 1
            shift(data, indices, first, last, -m, old, prior, sums, totals, table)
            if count[old] == 0:
                clear(old, sums, totals, table)
        for c in range(k):
            gain[c] = x_log_y(totals[c], totals[c] + all_prior) - x_log_y(totals[c] + m, totals[c] + m + all_prior)
        for p in range(first, last):
            y = indices[p]
            v = m * data[p]
            alone = x_log_y(v, v + prior[y])
            for c in range(k):
                s = sums[y, c] + v
                gain[c] += s * math.log(s + prior[y]) - table[y, c] if sums[y, c] > 0 else alone
        if noise.size > 0:
            for c in range(k):
                gain[c] += noise[i, c]
        new = 0
        for c in range(1, k):
            if gain[c] > gain[new]:
                new = c
        if old >= 0 and gain[new] <= gain[old] + SLACK * m:
            new = old
        moved += new != old
        labels[i] = new
        count[new] += 1
        shift(data, indices, first, last, m, new, prior, sums, totals, table)
    return moved


@kernel(no_cpython_wrapper=True)
def shift(
    data: Any, indices: Any, first: int, last: int, m: float, c: int, prior: Any, sums: Any, totals: Any, table: Any
) -> None:
    """Add m times a row to the sums of cluster c; a negative m takes it away."""
    total = totals[c] + m
    totals[c] = total if total > 0.0 else 0.0
    for p in range(first, last):
        y = indices[p]
        total = sums[y, c] + m * data[p]
        sums[y, c] = total if total > 0.0 else 0.0
        table[y, c] = x_log_y(sums[y, c], sums[y, c] + prior[y])


@kernel(no_cpython_wrapper=True)
def clear(c: int, sums: Any, totals: Any, table: Any) -> None:
    """An empty cluster holds nothing, not even rounding."""
    totals[c] = 0.0
    for y in range(sums.shape[0]):
        sums[y, c] = table[y, c] = 0.0
