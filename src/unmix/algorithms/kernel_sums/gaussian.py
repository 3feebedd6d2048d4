"""Gaussian kernel sums by the route that fits: all pairs, leaves of near pairs, or a grid and a fast convolution.

The grid is wrong by at most an absolute amount E. A sum v read from it is kept if v ≥ 2 E / rtol, for then the true sum
is at least v (1 - rtol / 2), and the relative error at most rtol; the others, in the tails, are summed over leaves.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.kernel_sums.grid.grid import convolve, lay_grid, read
from unmix.algorithms.kernel_sums.grid.window import SPACINGS, choose_spacing
from unmix.algorithms.kernel_sums.pairs import pair_sums

FEW_PAIRS = 2_000_000  # are summed sooner than a grid is laid
LEAST_SPACING = min(SPACINGS)
LEAST_RTOL = 1e-9  # for which the finest grid serves more than the very densest places


def log_sums(rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, rtol: float, method: str) -> np.ndarray:
    """log Σ_j w_j exp(-½ |z - z_j|²) for queries (m, d) in kernel widths, each to a relative accuracy rtol of the sum.

    ``method`` is "auto", "exact", "grid" or "blocks"; the weights add up to 1.
    """
    (n, d), m = rows.shape, len(queries)
    if method == "exact":
        rtol = 0.0
    worth_it = method == "grid" or (method == "auto" and n * m > FEW_PAIRS and rtol >= LEAST_RTOL)
    if d > 2 or rtol == 0 or not worth_it:
        return pair_sums(rows, weights, queries, rtol).log_total
    values, safe = grid_values(rows, weights, queries, rtol, np.zeros(m))
    out = np.log(values, where=safe, out=np.empty(m))
    if not safe.all():
        out[~safe] = pair_sums(rows, weights, queries[~safe], rtol).log_total
    return out


def log_sums_of_others(points: np.ndarray, weights: np.ndarray, rtol: float) -> np.ndarray:
    """The same for every point in one or two dimensions, over all points but itself; no two are at one place."""
    values, safe = grid_values(points, weights, points, rtol, weights)
    out = np.log(values, where=safe, out=np.empty(len(points)))
    if not safe.all():
        out[~safe] = pair_sums(points, weights, points[~safe], rtol, leave_out=True).log_total
    return out


def grid_values(
    rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, rtol: float, own: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Sums on a grid, less a term ``own`` of each query, and which of them are accurate; none without a grid."""
    (n, d), m = rows.shape, len(queries)
    values, inside = np.zeros(m), np.ones(m, dtype=bool)
    # a quarter of what keeps the weight of one row right
    frame = lay_grid(rows, queries, choose_spacing(rtol / (4 * n), d) or LEAST_SPACING)
    if frame is None:
        return values, ~inside
    for k in range(d):
        inside &= (queries[:, k] >= frame.query_low[k]) & (queries[:, k] <= frame.query_high[k])
    values[inside] = read(convolve(rows, weights, frame), frame, queries[inside]) - own[inside]
    return values, values >= 2 * frame.error / rtol
