"""One pass of EM on means and masses, fused: distances, shares and sums of a tile of rows while it is in the cache.

    h_ic = ||x_i - u_c||² - T log p_c,   q_ic = exp(-h_ic / T) / Z_i,   y_c = Σ_i w_i q_ic x_i,   m_c = Σ_i w_i q_ic

and for rows of counts that carry their entropies h_ic = max(0, x_i · v_c) - T log p_c, v_c = -(log u_c, 1) / s. This is
`expect` of expectation.py with `MassConstrained`, which makes arrays of (rows, k) numbers for each of them; where rows
have few columns, reading and writing these takes longer than all the rest. Tiles are added up in the precision of the
data, their sums in float64. A cluster without a share in a tile costs its distances only, so many clusters cost less
where rows that are near each other stand together (`near_order`).
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.costs import mass_constrained, squared_distance
from unmix.costs.distributions import relative_entropy
from unmix.costs.distributions.relative_entropy import RelativeEntropy
from unmix.costs.mass_constrained import Clusters
from unmix.inference.expectation import Pass
from unmix.inference.local.soften import LEAST, constants, soften

TILE = 128  # rows
COLUMNS = 4  # taken together
MANY, LEAST_OF_MANY = 32, -20.0  # of many clusters most have shares that are not worth adding: below 2e-9 here


def expect_means(block: np.ndarray, weights: np.ndarray | None, clusters: Clusters, temperature: float) -> Pass:
    """What one leaf of dense rows adds to the statistics of K-means with masses."""
    total = expect_rows(block, weights, clusters.prototypes, clusters.masses, temperature, False)
    inner = squared_distance.Stats(total.stats.inner, total.stats.mass)
    return total._replace(stats=mass_constrained.Stats(inner, total.stats.mass.copy()))


def expect_counts(
    block: np.ndarray, weights: np.ndarray | None, cost: RelativeEntropy, clusters: Clusters, temperature: float
) -> Pass:
    """What one leaf of dense rows that carry their entropies adds to the statistics of histograms with masses."""
    factors = cost.carried_factors(clusters.prototypes) / cost.unit
    total = expect_rows(block, weights, factors, clusters.masses, temperature, True)
    counts = np.ascontiguousarray(total.stats.inner[:, :-1])
    inner = relative_entropy.Stats(counts, counts.sum(axis=1))
    return total._replace(stats=mass_constrained.Stats(inner, total.stats.mass))


def expect_rows(
    block: np.ndarray,
    weights: np.ndarray | None,
    prototypes: np.ndarray,
    masses: np.ndarray,
    temperature: float,
    products: bool,
) -> Pass:
    """Sums of rows and masses; a row costs its squared distance, or its product with the prototype."""
    (k, d), kind = prototypes.shape, block.dtype
    if weights is None:
        weights = np.ones(len(block))
    elif not weights.all():
        block, weights = block[weights > 0], weights[weights > 0]
    with np.errstate(divide="ignore"):
        price = (-temperature * np.log(masses)).astype(kind)
    means = np.zeros((k, padded(d)), kind)
    means[:, :d] = prototypes
    numbers, integer = constants(kind, LEAST if k <= MANY else LEAST_OF_MANY)
    work, sums, mass = np.empty((4, TILE), kind), np.zeros(means.shape), np.zeros(k)
    beta, rows = kind.type(1 / temperature), np.ascontiguousarray(block)
    bits = work.view(integer)
    log_z, cost = add_tiles(rows, weights, means, price, beta, products, numbers, work, bits, sums, mass)
    stats = mass_constrained.Stats(sums[:, :d].copy(), mass)
    return Pass(stats, float(weights.sum()), float(log_z), float(cost))


def near_order(rows: np.ndarray) -> np.ndarray:
    """An order of rows by which those of a tile are near each other: halves along the widest column, of halves."""
    waiting, tiles = [np.arange(len(rows))], []
    while waiting:
        part = waiting.pop()
        if len(part) <= TILE:
            tiles.append(part)
            continue
        own = rows[part]
        part, half = part[np.argsort(own[:, own.var(axis=0).argmax()], kind="stable")], -(-len(part) // (2 * TILE))
        waiting += [part[half * TILE :], part[: half * TILE]]
    return np.concatenate(tiles)


def padded(d: int) -> int:
    return -(-d // COLUMNS) * COLUMNS


@kernel
def add_tiles(
    X: Any,
    weights: Any,
    means: Any,
    price: Any,
    beta: Any,
    products: bool,
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
        if products:
            multiply(columns, means, price, h)
        else:
            measure(columns, means, price, h)
        cost += soften(h, beta, share, log_z, numbers, work, work_bits)
        for i in range(rows):
            total_log_z += share[i] * log_z[i]
        add_sums(columns, h, sums, mass)
    return total_log_z, cost


@kernel(fastmath={"contract"})
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


@kernel(fastmath={"contract"})
def multiply(columns: Any, factors: Any, price: Any, h: Any) -> None:
    """h (k, rows): products that rounding does not make negative, and the price of the cluster."""
    zero = h.dtype.type(0)
    for c in range(h.shape[0]):
        row = h[c]
        row[:] = zero
        for j in range(0, factors.shape[1], COLUMNS):
            x_0, x_1, x_2, x_3 = columns[j], columns[j + 1], columns[j + 2], columns[j + 3]
            v_0, v_1, v_2, v_3 = factors[c, j], factors[c, j + 1], factors[c, j + 2], factors[c, j + 3]
            for i in range(row.size):
                row[i] += (x_0[i] * v_0 + x_1[i] * v_1) + (x_2[i] * v_2 + x_3[i] * v_3)
        for i in range(row.size):
            row[i] = max(row[i], zero) + price[c]


@kernel(fastmath={"contract", "reassoc"})
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
