"""The dimension of a cloud from how alike all distances in it are.

For rows x ~ N(0, I/D) in D dimensions ‖x - x'‖² has mean 2 and variance 8/D: distances concentrate as D grows.
Whatever the scale, with m the mean and v the variance of squared distances,

    D = 2 m² / v

is the dimension of the round Gaussian whose distances vary as much; for unequal variances it is their effective number.
The standard error leaves out a block of rows at a time. Beyer et al., ICDT 1999; Chávez et al., ACM Computing Surveys
2001.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.dimension.neighbors import Dimension

BLOCKS = 20


def concentration(X: np.ndarray, rng: np.random.Generator) -> Dimension:
    """The dimension from all pairs of rows, blocks drawn at random."""
    m = min(BLOCKS, len(X))
    labels = rng.permutation(np.arange(len(X)) % m)
    sums = _pair_sums(X, labels, m)
    # Pairs with a row in the block: its row and its column of the table, less the corner counted twice.
    without = [[table.sum() - table[b].sum() - table[:, b].sum() + table[b, b] for table in sums] for b in range(m)]
    values = np.array([_ratio(*entry) for entry in without])
    error = np.inf
    if np.isfinite(values).all():
        error = float(np.sqrt((m - 1) / m * np.square(values - values.mean()).sum()))
    return Dimension(_ratio(*(float(table.sum()) for table in sums)), error)


def _ratio(count: float, first: float, second: float) -> float:
    """2 m²/v, infinite where all distances are equal."""
    mean = first / count
    variance = second / count - mean**2
    return 2 * mean**2 / variance if variance > 1e-12 * mean**2 else np.inf


def _pair_sums(X: np.ndarray, labels: np.ndarray, m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Over ordered pairs of different rows, by the blocks of both: their number, Σ ‖x-x'‖², Σ ‖x-x'‖⁴."""
    members = (labels[:, None] == np.arange(m)).astype(np.float64)
    centred = X - X.mean(axis=0)
    norms = np.einsum("ij,ij->i", centred, centred)
    first, second = np.zeros((m, m)), np.zeros((m, m))
    for start in range(0, len(X), 512):
        part = slice(start, min(start + 512, len(X)))
        squared = np.maximum(norms[part, None] + norms - 2 * centred[part] @ centred.T, 0.0)
        squared[np.arange(len(squared)), np.arange(part.start, part.stop)] = 0.0
        first += members[part].T @ squared @ members
        second += members[part].T @ np.square(squared) @ members
    sizes = members.sum(axis=0)
    return np.outer(sizes, sizes) - np.diag(sizes), first, second
