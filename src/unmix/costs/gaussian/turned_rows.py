"""A tile of rows turned to (column, row), so that the lanes of a register are rows whatever the number of columns."""

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.core.compiled.simd import WIDE_BYTES, transpose

# rows: few enough for the second cache, and no power of two, which would put all columns into one set
SPAN = 22 * WIDE_BYTES
LINES = 4  # columns are padded with zeros to a multiple of it


def padded(columns: int) -> int:
    return -(-columns // LINES) * LINES


def pad_columns(table: np.ndarray) -> np.ndarray:
    """With columns of zeros up to a multiple of LINES."""
    wide = np.zeros((len(table), padded(table.shape[1])), table.dtype)
    wide[:, : table.shape[1]] = table
    return wide


@kernel
def turn_rows(X: np.ndarray, chosen: np.ndarray, tile: np.ndarray, starts: np.ndarray) -> None:
    """tile[j, r] = X[chosen[r], j]; `starts`, as many integers as a register has lanes, is to work with."""
    d, lanes, rows = X.shape[1], starts.size, chosen.size
    whole_rows, whole = rows - rows % lanes, d - d % lanes
    for r in range(0, whole_rows, lanes):
        for lane in range(lanes):
            starts[lane] = chosen[r + lane] * d
        for j in range(0, whole, lanes):
            transpose(X, starts, 0, j, tile, j * SPAN + r, SPAN)
        for j in range(whole, d):
            for lane in range(lanes):
                tile[j, r + lane] = X[chosen[r + lane], j]
    for r in range(whole_rows, rows):
        for j in range(d):
            tile[j, r] = X[chosen[r], j]
