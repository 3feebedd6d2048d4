"""What pair_kernel.py does, by NumPy: for runs without compiled kernels."""

import numpy as np

ABSENT, LOWEST = 1e305, -1020.0


def squares_of(queries: np.ndarray, rows: np.ndarray, leave_out: bool) -> np.ndarray:
    """|queries[:, r] - rows[j]|² as (rows, queries), ABSENT in place of 0 with ``leave_out``."""
    squares: np.ndarray = ((queries[None] - rows[:, :, None]) ** 2).sum(axis=1)
    if leave_out:
        squares[squares == 0] = ABSENT
    return squares


def lower_reference(
    queries: np.ndarray, rows: np.ndarray, visit: np.ndarray, leave_out: bool, reference: np.ndarray
) -> None:
    """The squared distance to the nearest row of the visited leaves, if it is below the reference so far."""
    for leaf in visit:
        np.minimum(reference, squares_of(queries, rows[leaf], leave_out).min(axis=0), out=reference)


def add_leaves(
    queries: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    visit: np.ndarray,
    leave_out: bool,
    reference: np.ndarray,
    total: np.ndarray,
    left_out: np.ndarray,
    moments: np.ndarray,
) -> None:
    """Add the visited leaves to the totals, the moments Σ w 2^(·) (y_j - q), and the weight of what is left out."""
    for leaf in visit:
        squares = squares_of(queries, rows[leaf], leave_out)
        terms = weights[leaf][:, None] * np.exp2(np.maximum(reference - squares, LOWEST))
        total += terms.sum(axis=0)
        left_out += weights[leaf] @ (squares == ABSENT)
        for k in range(len(moments)):
            moments[k] += (terms * (rows[leaf][:, k, None] - queries[k])).sum(axis=0)
