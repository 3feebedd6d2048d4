"""Moments of rows about the means of Gaussians with full covariances, compiled.

    first    Σ_i q_i (x_i - u)
    second   Σ_i q_i (x_i - u)(x_i - u)ᵀ = T Tᵀ,    T[:, i] = √q_i (x_i - u)

A component with a share in most rows shares its turned tiles with all such components; for another one the rows it
has a share in are gathered, and the rest cost nothing. Nothing cancels, because u is subtracted first.
"""

import numpy as np

from unmix.core.compiled.cache_lines import rooms_at_line, zeros_at_line
from unmix.core.compiled.kernel import kernel
from unmix.core.compiled.simd import BYTES, WIDE_BYTES, minus, multiply_add, store
from unmix.core.compiled.simd import fill_wide as fill
from unmix.core.compiled.simd import load_wide as load
from unmix.core.compiled.simd import spread_wide as spread
from unmix.costs.gaussian.ellipsoid_scatter import TILE_BYTES, add_products, places, registers
from unmix.costs.gaussian.turned_rows import LINES, SPAN, pad_columns, padded, turn_rows

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
    zero, tile = fill(roots.dtype.type(0)), T.shape[1]
    for j in range(0, mean.size, LINES):
        u_0, u_1, u_2, u_3 = spread(mean, j), spread(mean, j + 1), spread(mean, j + 2), spread(mean, j + 3)
        at, t, x = j * lanes, j * tile, j * SPAN + start
        f_0, f_1 = load(first, at), load(first, at + lanes)
        f_2, f_3 = load(first, at + 2 * lanes), load(first, at + 3 * lanes)
        for r in range(0, rows, lanes):
            root = load(roots, r)
            t_0 = multiply_add(minus(load(turned, x + r), u_0), root, zero)
            t_1 = multiply_add(minus(load(turned, x + SPAN + r), u_1), root, zero)
            t_2 = multiply_add(minus(load(turned, x + 2 * SPAN + r), u_2), root, zero)
            t_3 = multiply_add(minus(load(turned, x + 3 * SPAN + r), u_3), root, zero)
            store(T, t + r, t_0)
            store(T, t + tile + r, t_1)
            store(T, t + 2 * tile + r, t_2)
            store(T, t + 3 * tile + r, t_3)
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
    for start in range(0, q.size, roots.size):
        rows = min(roots.size, q.size - start)
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


@kernel(fastmath={"reassoc"})
def count_shares(q: np.ndarray) -> float:
    """How many are above zero, as a float, because integers would be counted one by one."""
    count = 0.0
    for i in range(q.size):
        count += 1.0 if q[i] > 0 else 0.0
    return count


@kernel
def take_shares(q: np.ndarray, chosen: np.ndarray, shares: np.ndarray) -> int:
    """The rows with a share, and the shares, to the front of two arrays; returns how many they are."""
    count = 0
    for i in range(q.size):
        if q[i] > 0:
            chosen[count], shares[count] = i, q[i]
            count += 1
    return count


def add_moments(X: np.ndarray, q: np.ndarray, means: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """first[c] and second[c] += the sums above over all rows of X, for every component; q (k, rows)."""
    (n, d), k, lanes = X.shape, len(means), WIDE_BYTES // X.itemsize
    width, tile = padded(d), TILE_BYTES // X.itemsize
    size = (width + registers(width)) * lanes
    room = rooms_at_line(X.dtype, (width, SPAN), (width, tile), (tile,), (size,))
    wide, starts = zeros_at_line((k, size), np.float64), np.empty(BYTES // X.itemsize, np.intp)
    sum_moments(X, q, pad_columns(means), *room, wide, np.arange(n), np.empty(n, X.dtype), starts)
    totals = np.einsum("cil->ci", wide.reshape(k, -1, lanes))
    first += totals[:, :d]
    second += np.take(totals, places(d), axis=1)


@kernel
def sum_moments(
    X: np.ndarray, q: np.ndarray, centers: np.ndarray, turned: np.ndarray, T: np.ndarray, roots: np.ndarray,
    sums: np.ndarray, wide: np.ndarray, chosen: np.ndarray, shares: np.ndarray, starts: np.ndarray,
) -> None:  # fmt: skip
    """As `add_moments`, in the room that it gives."""
    n, k, lanes = X.shape[0], centers.shape[0], WIDE_BYTES // X.itemsize
    many = np.empty(k, np.bool_)
    for c in range(k):
        many[c] = count_shares(q[c]) > MOST * n
    for start in range(0, n, SPAN):
        stop = min(start + SPAN, n)
        turn_rows(X, chosen[start:stop], turned, starts)
        for c in range(k):
            if many[c]:
                add_span(turned, q[c, start:stop], centers[c], T, roots, sums, lanes)
                widen(sums, wide[c])
    for c in range(k):
        if not many[c]:
            count = take_shares(q[c], chosen, shares)
            for start in range(0, count, SPAN):
                stop = min(start + SPAN, count)
                turn_rows(X, chosen[start:stop], turned, starts)
                add_span(turned, shares[start:stop], centers[c], T, roots, sums, lanes)
                widen(sums, wide[c])
