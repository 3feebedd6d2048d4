"""Weights inside a window about each query, by leaves: whole leaves in or out, pairs only where a border passes."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, error_model="numpy")
def box_state(
    low: np.ndarray, high: np.ndarray, other_low: np.ndarray, other_high: np.ndarray, half: np.ndarray
) -> int:
    """0 if no pair of the two boxes can lie within a window, 2 if every one does, 1 if some may."""
    state = 2
    for k in range(half.size):
        if other_low[k] - high[k] >= half[k] or low[k] - other_high[k] >= half[k]:
            return 0
        if max(other_high[k] - low[k], high[k] - other_low[k]) >= half[k]:
            state = 1
    return state


@njit(cache=True, nogil=True, error_model="numpy")
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
    """total[leaf, r] = Σ_j w_j [|x_jk - q_k| < half_k for all k], queries (leaves, d, m), rows (leaves, size, d)."""
    m = queries.shape[2]
    inside = np.empty(m)
    for leaf in range(queries.shape[0]):
        sums = total[leaf]
        for other in range(rows.shape[0]):
            state = box_state(query_low[leaf], query_high[leaf], low[other], high[other], half)
            if state == 2:
                for r in range(m):
                    sums[r] += leaf_weights[other]
            elif state == 1:
                for j in range(rows.shape[1]):
                    for r in range(m):
                        inside[r] = weights[other, j]
                    for k in range(half.size):
                        q, x, reach = queries[leaf, k], rows[other, j, k], half[k]
                        for r in range(m):
                            inside[r] = inside[r] if abs(x - q[r]) < reach else 0.0
                    for r in range(m):
                        sums[r] += inside[r]
