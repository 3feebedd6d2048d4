"""Moments of rows about the means of Gaussians with full covariances, compiled.

    first    Σ_i q_i (x_i - u)
    second   Σ_i q_i (x_i - u)(x_i - u)ᵀ = T Tᵀ,    T[:, i] = √q_i (x_i - u)

A component with a share in most rows shares its turned tiles with all such components; for another one the rows it
has a share in are gathered, and the rest cost nothing. Nothing cancels, because u is subtracted first.
"""

import numpy as np

from unmix.core.kernel import kernel
from unmix.core.simd import fill, load, minus, multiply_add, spread, store
from unmix.costs.gaussian.ellipsoid_scatter import TILE, add_products, registers, unfold
from unmix.costs.gaussian.turned_rows import LINES, SPAN, padded, turn_rows

MOST = 0.6  # of the rows: a component with a share in more takes them all


@kernel
def weigh(
    turned: np.ndarray,
    start: int,
    mean: np.ndarray,
    roots: np.ndarray,
    rows: int,
    T: np.ndarray,
    first: np.ndarray,
    lanes: int,
) -> None:
    """T = √q (x - u) and first += the lanes of Σ q (x - u), four columns at a time."""
    zero = fill(roots.dtype.type(0))
    for j in range(0, mean.size, LINES):
        u_0, u_1, u_2, u_3 = spread(mean, j), spread(mean, j + 1), spread(mean, j + 2), spread(mean, j + 3)
        at, t, x = j * lanes, j * TILE, j * SPAN + start
        f_0, f_1 = load(first, at), load(first, at + lanes)
        f_2, f_3 = load(first, at + 2 * lanes), load(first, at + 3 * lanes)
        for r in range(0, rows, lanes):
            root = load(roots, r)
            t_0 = multiply_add(minus(load(turned, x + r), u_0), root, zero)
            t_1 = multiply_add(minus(load(turned, x + SPAN + r), u_1), root, zero)
            t_2 = multiply_add(minus(load(turned, x + 2 * SPAN + r), u_2), root, zero)
            t_3 = multiply_add(minus(load(turned, x + 3 * SPAN + r), u_3), root, zero)
            store(T, t + r, t_0)
            store(T, t + TILE + r, t_1)
            store(T, t + 2 * TILE + r, t_2)
            store(T, t + 3 * TILE + r, t_3)
            f_0, f_1 = multiply_add(t_0, root, f_0), multiply_add(t_1, root, f_1)
            f_2, f_3 = multiply_add(t_2, root, f_2), multiply_add(t_3, root, f_3)
        store(first, at, f_0)
        store(first, at + lanes, f_1)
        store(first, at + 2 * lanes, f_2)
        store(first, at + 3 * lanes, f_3)


@kernel
def add_span(
    turned: np.ndarray, q: np.ndarray, mean: np.ndarray, T: np.ndarray, roots: np.ndarray, sums: np.ndarray, lanes: int
) -> None:
    """Add the moments of one component over the turned rows, lane by lane; T and roots are to work with."""
    edge = mean.size * lanes
    for start in range(0, q.size, TILE):
        rows = min(TILE, q.size - start)
        for r in range(rows):
            roots[r] = np.sqrt(q[start + r])
        end = -(-rows // lanes) * lanes
        for r in range(rows, end):
            roots[r] = 0
        weigh(turned, start, mean, roots, end, T, sums[:edge], lanes)
        add_products(T, end, sums[edge:], lanes)


@kernel
def widen(sums: np.ndarray, wide: np.ndarray) -> None:
    """A span is added up in the precision of the data, spans in float64."""
    for i in range(sums.size):
        wide[i] += sums[i]
        sums[i] = 0


@kernel
def count_shares(q: np.ndarray) -> int:
    count = 0
    for share in q:
        count += share > 0
    return count


@kernel
def take_shares(q: np.ndarray, chosen: np.ndarray, shares: np.ndarray) -> None:
    """The rows with a share, and the shares, to the front of two arrays."""
    count = 0
    for i in range(q.size):
        if q[i] > 0:
            chosen[count], shares[count] = i, q[i]
            count += 1


@kernel
def add_moments(X: np.ndarray, q: np.ndarray, means: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """first[c] and second[c] += the sums above over all rows of X, for every component; q (k, rows)."""
    (n, d), k, lanes = X.shape, means.shape[0], 32 // X.itemsize
    width = padded(d)
    size = (width + registers(width)) * lanes
    turned, T, roots = np.zeros((width, SPAN), X.dtype), np.empty((width, TILE), X.dtype), np.empty(TILE, X.dtype)
    sums, wide, centers = np.zeros(size, X.dtype), np.zeros((k, size)), np.zeros((k, width), X.dtype)
    chosen, shares, starts = np.arange(n), np.empty(n, X.dtype), np.empty(lanes, np.intp)
    counts = np.empty(k, np.intp)
    for c in range(k):
        counts[c] = count_shares(q[c])
        for j in range(d):
            centers[c, j] = means[c, j]
    for start in range(0, n, SPAN):
        stop = min(start + SPAN, n)
        turn_rows(X, chosen[start:stop], turned, starts)
        for c in range(k):
            if counts[c] > MOST * n:
                add_span(turned, q[c, start:stop], centers[c], T, roots, sums, lanes)
                widen(sums, wide[c])
    for c in range(k):
        if counts[c] <= MOST * n:
            take_shares(q[c], chosen, shares)
            for start in range(0, counts[c], SPAN):
                stop = min(start + SPAN, counts[c])
                turn_rows(X, chosen[start:stop], turned, starts)
                add_span(turned, shares[start:stop], centers[c], T, roots, sums, lanes)
                widen(sums, wide[c])
        for j in range(d):
            for lane in range(lanes):
                first[c, j] += wide[c, j * lanes + lane]
        unfold(wide[c, width * lanes :], second[c], width, lanes)
