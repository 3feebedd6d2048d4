"""Counts of all pairs of levels and what they tell: G = 2 Σ N log (N n / (N_a N_b)),  bits = G / (2 n log 2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Pairs(NamedTuple):
    """Of every pair of columns (a, b): G in nats, rows in which both are given, degrees of freedom of G."""

    G: np.ndarray
    rows: np.ndarray
    freedom: np.ndarray


def indicators(codes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """(n, Σ sizes): 1 at the level of each cell; single precision counts rows exactly."""
    starts = np.cumsum(sizes) - sizes
    hits = np.zeros((len(codes), int(sizes.sum())), np.float32)
    rows, columns = np.nonzero(codes >= 0)
    hits[rows, starts[columns] + codes[rows, columns]] = 1
    return hits


def pairs_of(left: np.ndarray, right: np.ndarray, sizes: tuple[np.ndarray, np.ndarray]) -> Pairs:
    """From the indicators of two sets of columns."""
    counts = (left.T @ right).astype(int)
    a, b = (np.cumsum(size) - size for size in sizes)
    log_of = np.arange(len(left) + 1) * np.log(np.maximum(np.arange(len(left) + 1), 1))
    of_left, of_right = np.add.reduceat(counts, b, axis=1), np.add.reduceat(counts, a, axis=0)
    rows = np.add.reduceat(of_left, a, axis=0)
    cells = np.add.reduceat(np.add.reduceat(log_of[counts], a, axis=0), b, axis=1)
    margins = np.add.reduceat(log_of[of_left], a, axis=0) + np.add.reduceat(log_of[of_right], b, axis=1)
    seen = np.add.reduceat(of_left > 0, a, axis=0, dtype=int), np.add.reduceat(of_right > 0, b, axis=1, dtype=int)
    freedom = np.maximum(seen[0] - 1, 0) * np.maximum(seen[1] - 1, 0)
    return Pairs(np.maximum(2 * (cells - margins + log_of[rows]), 0.0), rows, freedom)


def table_of(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Counts of the levels of two columns, over the rows in which both are given."""
    both = (one >= 0) & (other >= 0)
    counts = np.zeros((one.max(initial=0) + 1, other.max(initial=0) + 1))
    np.add.at(counts, (one[both], other[both]), 1)
    return counts


def entropy(counts: np.ndarray) -> float:
    p = counts[counts > 0] / max(counts.sum(), 1)
    return float(-(p * np.log2(p)).sum())
