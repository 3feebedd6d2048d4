"""Principal directions of a table that is large both ways: products Q ↦ Q S over the rows, S never formed.

    Q S = Σ w (Q (x - mean)) (x - mean)ᵀ,   one pass over the data for a whole block Q of vectors,

starting from random Q.  Costs 4 n d (k + 10) operations a pass and k + 10 vectors of length d a thread.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.principal.directions import Directions, no_directions
from unmix.algorithms.principal.krylov import leading_by_products
from unmix.algorithms.principal.refine import refine, weak_from
from unmix.algorithms.principal.scatter import is_sparse_block, moments, prepare
from unmix.core.blocks import RowBlocks


def directions(
    X: RowBlocks, k: int, *, weights: np.ndarray | None, centred: bool, scale: float, max_iter: int, seed: int
) -> Directions:
    found = moments(X, weights, scale, full=False)
    if not found.in_range(X.dtype):
        return no_directions(found)
    shift = found.mean if centred else np.zeros_like(found.mean)
    explicit = bool((shift**2 * found.weight > found.spread).any())  # a mean that outweighs the spread: subtract first
    tol = 1e-6 if X.dtype == np.float32 else 1e-12

    def product(rows: np.ndarray) -> np.ndarray:
        image: np.ndarray = X.reduce(scatter_product, rows, shift, explicit, scale, rows=weights).rows
        return image

    values, vectors, residual = leading_by_products(product, X.shape[1], k, tol=tol, max_iter=max_iter, seed=seed)
    if weak_from(values, X.dtype) < k:
        values, vectors = refine(X, values, vectors, weights, shift, scale)
    return Directions(found, np.sqrt(np.maximum(values, 0.0)), vectors, residual if residual > tol else 0.0)


class Product(NamedTuple):
    rows: np.ndarray


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def scatter_product(
    block: Any, weights: np.ndarray | None, vectors: np.ndarray, shift: np.ndarray, explicit: bool, scale: float
) -> Product:
    """Q S of one block; the mean is taken off the rows, or off the products where that is as exact."""
    explicit = explicit and not is_sparse_block(block)
    rows, roots = prepare(block, weights, shift if explicit else None, scale)
    codes = rows @ vectors.T.astype(rows.dtype)
    if explicit:
        return Product(np.asarray(codes.T @ rows, dtype=np.float64))
    weight = np.ones(len(codes), rows.dtype) if roots is None else roots.astype(rows.dtype)
    codes -= weight[:, None] * (vectors @ shift).astype(rows.dtype)
    # weighted codes sum to zero over all rows, so the mean need not be taken off the second factor
    return Product(np.asarray((rows.T @ codes).T, dtype=np.float64))
