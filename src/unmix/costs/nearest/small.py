"""What a small table is, and how its rows are laid out: one small kernel for all forms and precisions of rows.

Compiling the kernels of tiles.py takes longer than hundreds of passes over a small table. There rows are made dense and
float64 and compared with centres by differences, which needs no expansion of squares and no second look but at ties.
"""

import os
from typing import Any

import numpy as np

JIT_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
SMALL_WORK = 2**17  # rows × columns × centres
FEW_WORK = 2**15  # the same, up to which array operations are no slower than compiled loops
SMALL_ENTRIES = 2**14  # rows × columns, where the number of centres is not known
WIDTH = 8  # rows in a tile


def is_small(n: int, d: int, k: int) -> bool:
    """By shape alone, so that a table gives the same bits wherever it is kept."""
    return n * d * k <= SMALL_WORK and not JIT_DISABLED


def as_dense(rows: Any) -> np.ndarray:
    return np.asarray(rows.toarray() if hasattr(rows, "tocsr") else rows, np.float64)


def fill_tiles(rows: np.ndarray) -> np.ndarray:
    """Eight rows after eight, column by column, in one flat array; the last tile is filled up with the last row."""
    n, d = rows.shape
    whole = np.empty((-(-n // WIDTH) * WIDTH, d))
    whole[:n], whole[n:] = rows, rows[-1:]
    return whole.reshape(-1, WIDTH, d).swapaxes(1, 2).ravel()


def nearest_two(rows: np.ndarray, centers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The nearest of the centres of each row and the two smallest squared distances."""
    from unmix.costs.nearest.small_kernel import find_nearest

    (k, d), tiles = centers.shape, fill_tiles(rows)
    found, near, far = np.empty((3, tiles.size // d))
    find_nearest(tiles, d, centers.reshape(-1), 0, k, found, near, far)
    n = len(rows)
    return found[:n].astype(np.int32), near[:n], far[:n]
