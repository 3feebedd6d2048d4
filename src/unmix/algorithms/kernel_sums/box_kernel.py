"""Weights inside a window about each query, by leaves: whole leaves in or out, pairs only where a border passes."""

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel(error_model="numpy")
def box_state(
    low: np.ndarray,
    high: np.ndarray,
    other_low: np.ndarray,
    other_high: np.ndarray,
    least: np.ndarray,
    most: np.ndarray,
) -> int:
    """0 if no pair of two boxes can lie within a window of half these widths, 2 if every one does, 1 if some may."""
    state = 2
    for k in range(least.size):
        if other_low[k] - high[k] >= most[k] or low[k] - other_high[k] >= most[k]:
            return 0
        if max(other_high[k] - low[k], high[k] - other_low[k]) >= least[k]:
            state = 1
    return state


@kernel(error_model="numpy")
def count_leaves(
    queries: np.ndarray,
    query_low: np.ndarray,
    query_high: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    leaf_weights: np.ndarray,
    half: np.ndarray,
    total: np.ndarray,
) -> None:
    """total[leaf, r] = Σ_j w_j [|x_jk - q_k| < half_k for all k]; queries and half (leaves, d, m), rows (…, size, d)"""
    m = queries.shape[2]
    inside, least, most = np.empty(m), np.empty(half.shape[1]), np.empty(half.shape[1])
    for leaf in range(queries.shape[0]):
        sums = total[leaf]
        for k in range(half.shape[1]):
            least[k], most[k] = half[leaf, k].min(), half[leaf, k].max()
        for other in range(rows.shape[0]):
            state = box_state(query_low[leaf], query_high[leaf], low[other], high[other], least, most)
            if state == 2:
                for r in range(m):
                    sums[r] += leaf_weights[other]
            elif state == 1:
                for j in range(rows.shape[1]):
                    for r in range(m):
                        inside[r] = weights[other, j]
                    for k in range(half.shape[1]):
                        q, x, reach = queries[leaf, k], rows[other, j, k], half[leaf, k]
                        for r in range(m):
                            inside[r] = inside[r] if abs(x - q[r]) < reach[r] else 0.0
                    for r in range(m):
                        sums[r] += inside[r]
