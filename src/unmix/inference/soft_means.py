"""One pass of EM on means and masses, fused: distances, shares and sums of a tile of rows while it is in the cache.

    h_ic = ||x_i - u_c||² - T log p_c,   q_ic = exp(-h_ic / T) / Z_i,   y_c = Σ_i w_i q_ic x_i,   m_c = Σ_i w_i q_ic

The same as `expect` of expectation.py with `MassConstrained(SquaredDistance)`, which makes arrays of (rows, k) numbers
for each of them; where rows have few columns, reading and writing these takes longer than all the rest. Tiles are added
up in the precision of the data, their sums in float64.
"""

from typing import Any

import numpy as np
from numba import njit

from unmix.costs import mass_constrained, squared_distance
from unmix.costs.mass_constrained import Clusters
from unmix.inference.expectation import Pass
from unmix.inference.soften import constants, soften

TILE = 128  # rows
COLUMNS = 4  # taken together


def expect_means(block: np.ndarray, weights: np.ndarray | None, clusters: Clusters, temperature: float) -> Pass:
    """What one leaf of dense rows adds to the statistics of K-means with masses."""
    (k, d), kind = clusters.prototypes.shape, block.dtype
    if weights is None:
        weights = np.ones(len(block))
    elif not weights.all():
        block, weights = block[weights > 0], weights[weights > 0]
    with np.errstate(divide="ignore"):
        price = (-temperature * np.log(clusters.masses)).astype(kind)
    means = np.zeros((k, padded(d)), kind)
    means[:, :d] = clusters.prototypes
    numbers, integer = constants(kind)
    work, sums, mass = np.empty((4, TILE), kind), np.zeros(means.shape), np.zeros(k)
    beta = kind.type(1 / temperature)
    rows = np.ascontiguousarray(block)
    log_z, cost = add_tiles(rows, weights, means, price, beta, numbers, work, work.view(integer), sums, mass)
    stats = mass_constrained.Stats(squared_distance.Stats(sums[:, :d].copy(), mass), mass.copy())
    return Pass(stats, float(weights.sum()), float(log_z), float(cost))


def padded(d: int) -> int:
    return -(-d // COLUMNS) * COLUMNS


@njit(cache=True, nogil=True)
def add_tiles(
    X: Any,
    weights: Any,
    means: Any,
    price: Any,
    beta: Any,
    numbers: Any,
    work: Any,
    work_bits: Any,
    sums: Any,
    mass: Any,
) -> tuple[float, float]:
    """Adds to sums (k, d) and mass (k,); returns Σ w log Z and Σ w Σ_c q h."""
    k, total_log_z, cost = means.shape[0], 0.0, 0.0
    columns, log_z = np.zeros((means.shape[1], TILE), X.dtype), np.empty(TILE)
    room = np.empty(k * TILE, X.dtype)
    for start in range(0, X.shape[0], TILE):
        rows = min(TILE, X.shape[0] - start)
        h, share = room[: k * rows].reshape(k, rows), weights[start : start + rows]
        for i in range(rows):
            for j in range(X.shape[1]):
                columns[j, i] = X[start + i, j]
        measure(columns, means, price, h)
        cost += soften(h, beta, share, log_z, numbers, work, work_bits)
        for i in range(rows):
            total_log_z += share[i] * log_z[i]
        add_sums(columns, h, sums, mass)
    return total_log_z, cost


@njit(cache=True, nogil=True, fastmath={"contract"})
def measure(columns: Any, means: Any, price: Any, h: Any) -> None:
    """h (k, rows): squared distances by differences, four columns at a time, and the price of the cluster."""
    for c in range(h.shape[0]):
        row = h[c]
        row[:] = price[c]
        for j in range(0, means.shape[1], COLUMNS):
            x_0, x_1, x_2, x_3 = columns[j], columns[j + 1], columns[j + 2], columns[j + 3]
            u_0, u_1, u_2, u_3 = means[c, j], means[c, j + 1], means[c, j + 2], means[c, j + 3]
            for i in range(row.size):
                a, b, e, f = x_0[i] - u_0, x_1[i] - u_1, x_2[i] - u_2, x_3[i] - u_3
                row[i] += (a * a + b * b) + (e * e + f * f)


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc"})
def add_sums(columns: Any, q: Any, sums: Any, mass: Any) -> None:
    """sums[c] += Σ q x and mass[c] += Σ q over the rows of a tile."""
    zero = q.dtype.type(0)
    for c in range(q.shape[0]):
        share, held = q[c], zero
        for i in range(share.size):
            held += share[i]
        if held == 0:
            continue
        mass[c] += held
        for j in range(0, columns.shape[0], COLUMNS):
            x_0, x_1, x_2, x_3 = columns[j], columns[j + 1], columns[j + 2], columns[j + 3]
            y_0, y_1, y_2, y_3 = zero, zero, zero, zero
            for i in range(share.size):
                y_0 += share[i] * x_0[i]
                y_1 += share[i] * x_1[i]
                y_2 += share[i] * x_2[i]
                y_3 += share[i] * x_3[i]
            sums[c, j] += y_0
            sums[c, j + 1] += y_1
            sums[c, j + 2] += y_2
            sums[c, j + 3] += y_3
