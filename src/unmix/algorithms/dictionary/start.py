"""First dictionaries: rows of the data, random directions, cosines, or what is given; atoms have length one."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.bases.cosine import overcomplete_dct
from unmix.algorithms.rows.sample import rows_under
from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn

STARTS = ("samples", "random", "dct")
DUPLICATE_COSINE = 0.9999  # of the cosine: such rows make the same atom


def start_atoms(
    X: RowBlocks, k: int, weights: np.ndarray | None, start: str, seed: int, *, anywhere: bool = False
) -> np.ndarray:
    """k atoms in the precision of the data; with ``anywhere`` the order of the rows does not matter."""
    rng = spawn(seed, 0)
    if start == "dct":
        atoms = overcomplete_dct(k, X.shape[1])
    elif start == "random":
        atoms = directions(rng, k, X.shape[1])
    else:
        atoms = sample_atoms(X, k, weights, rng, anywhere)
    return np.ascontiguousarray(atoms.astype(X.dtype))


def directions(rng: np.random.Generator, k: int, d: int) -> np.ndarray:
    normal = rng.standard_normal((k, d))
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True))


def sample_atoms(
    X: RowBlocks, k: int, weights: np.ndarray | None, rng: np.random.Generator, anywhere: bool
) -> np.ndarray:
    """Rows drawn by weight, of different directions; where there are too few of them, random directions in addition.

    A row is drawn by a position among the cumulative weights: a row of weight 2 and a row that stands there twice are
    drawn alike. They are so ``anywhere`` in the table if rows are first ordered along a random direction. NaN count as
    zero.
    """
    n, d = X.shape
    positions, spares = rng.random(4 * k), directions(rng, k, d)
    order = np.arange(n)
    if anywhere:
        order = np.argsort(X.map(lengths_along, directions(rng, 1, d)[0]), kind="stable")
    mass = np.ones(n) if weights is None else weights[order]
    drawn = X.take(order[rows_under(positions, np.cumsum(mass))])
    rows = np.nan_to_num(drawn.astype(np.float64), nan=0.0)
    largest = np.abs(rows).max(axis=1, keepdims=True)
    rows = rows[largest[:, 0] > 0] / largest[largest[:, 0] > 0]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    chosen = np.empty((k, d))
    count = 0
    for row in rows:
        if count < k and not (np.abs(chosen[:count] @ row) > DUPLICATE_COSINE).any():
            chosen[count] = row
            count += 1
    chosen[count:] = spares[count:]
    return chosen


def lengths_along(block: Any, rows: Any, direction: np.ndarray) -> np.ndarray:
    return np.asarray(np.nan_to_num(block @ direction.astype(block.dtype), nan=0.0))
