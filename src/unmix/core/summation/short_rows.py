"""Sums and least entries of rows of few columns, column by column: NumPy starts anew for every row.

NumPy adds fewer than eight numbers one after another, of more the first eight as ((0 1) (2 3)) ((4 5) (6 7)); so here,
and the sums are the same bits.
"""

import numpy as np

FEW, PAIRED = 16, 8  # columns, from which on NumPy adds at once, and from which on in pairs


def sums_of_rows(x: np.ndarray) -> np.ndarray:
    """(n, 1)"""
    d = x.shape[1]
    if not 0 < d < FEW or not x.flags.c_contiguous:
        return np.asarray(x.sum(axis=1, keepdims=True))
    if d < PAIRED:
        total, added = x[:, :1].copy(), 1
    else:
        pairs = [x[:, c : c + 1] + x[:, c + 1 : c + 2] for c in range(0, PAIRED, 2)]
        total, added = (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]), PAIRED
    for c in range(added, d):
        total += x[:, c : c + 1]
    return total


def least_of_rows(x: np.ndarray) -> np.ndarray:
    """(n, 1)"""
    if not 0 < x.shape[1] < FEW:
        return np.asarray(x.min(axis=1, keepdims=True))
    least = x[:, :1].copy()
    for c in range(1, x.shape[1]):
        np.minimum(least, x[:, c : c + 1], out=least)
    return least
