"""The Kullback-Leibler divergence of a table from a product, and the ratio X / ZU in which its gradients are written.

    D = Σ_ij w_i [ x_ij log(x_ij / y_ij) - x_ij + y_ij ],   y = Z U,   0 log 0 = 0

Where x is zero only y counts, and Σ_j y_ij = z_i·(U 1): a sparse table needs Z U at its stored entries alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.nonnegative.table import is_sparse


def least(dtype: Any) -> float:
    """Told values below this count as zero; the square of its inverse is still a number."""
    return 1e-18 if dtype == np.float32 else 1e-150


def reconstruction(entries: Any, codes: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Z U, for a sparse table at its stored entries."""
    if not is_sparse(entries):
        return codes @ components
    from unmix.algorithms.nonnegative.divergences.divergence_kernel import products_at

    out = np.empty(len(entries.data), codes.dtype)
    turned = np.ascontiguousarray(components.T)
    products_at(entries.indices, entries.indptr, np.ascontiguousarray(codes), turned, out)
    return out


def ratio(entries: Any, below: np.ndarray) -> Any:
    """X / ZU from ``below`` = `reconstruction`, whose memory it takes."""
    from unmix.algorithms.nonnegative.divergences.divergence_kernel import ratios

    values = entries.data if is_sparse(entries) else entries
    ratios(values.reshape(-1), below.reshape(-1), below.dtype.type(least(below.dtype)))
    if is_sparse(entries):
        return type(entries)((below, entries.indices, entries.indptr), shape=entries.shape)
    return below


def divergence(entries: Any, below: np.ndarray, codes: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Of every row, in double precision; ``below`` = `reconstruction`."""
    from unmix.algorithms.nonnegative.divergences.divergence_kernel import row_divergence

    rows = np.empty(len(codes))
    if not is_sparse(entries):
        starts = np.arange(len(codes) + 1) * entries.shape[1]
        row_divergence(entries.reshape(-1), below.reshape(-1), starts, least(below.dtype), rows)
        return rows
    row_divergence(entries.data, below, entries.indptr, least(below.dtype), rows)
    stored = type(entries)((below, entries.indices, entries.indptr), shape=entries.shape).sum(axis=1)
    everywhere = codes.astype(np.float64) @ components.sum(axis=1, dtype=np.float64)
    return rows + np.maximum(everywhere - stored, 0.0)
