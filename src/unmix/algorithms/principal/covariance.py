"""Principal directions from the scatter matrix S = Σ w (x - mean)(x - mean)ᵀ: one pass, then a d×d eigenproblem.

S squares the condition number; directions too weak for it are solved again from the data (refine.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.principal.directions import Directions, no_directions
from unmix.algorithms.principal.krylov import leading_by_products
from unmix.algorithms.principal.refine import refine, weak_from
from unmix.algorithms.principal.scatter import moments
from unmix.core.blocks import RowBlocks
from unmix.core.linalg import leading_eigenpairs


def directions(
    X: RowBlocks, k: int, *, weights: np.ndarray | None, centred: bool, scale: float, max_iter: int, seed: int
) -> Directions:
    found = moments(X, weights, scale, full=True)
    if not found.in_range(X.dtype):
        return no_directions(found)
    matrix = found.scatter if centred else found.scatter + found.weight * np.outer(found.mean, found.mean)
    kept = found._replace(scatter=found.spread.copy())
    values, vectors = eigenpairs(matrix, k, X.dtype, seed)
    if weak_from(values[:k], X.dtype) < k:
        if len(values) < len(matrix):
            values, vectors = leading_eigenpairs(matrix, len(matrix))
        shift = found.mean if centred else np.zeros_like(found.mean)
        values, vectors = refine(X, values, vectors, weights, shift, scale)
    return Directions(kept, np.sqrt(np.maximum(values, 0.0)), vectors)


def eigenpairs(matrix: np.ndarray, k: int, dtype: np.dtype[Any], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A few vectors of a large matrix by products, if that converges soon; else by a direct solver."""
    d = len(matrix)
    if d >= 400 and 20 * k <= d:
        tol = 1e-7 if dtype == np.float32 else 1e-13
        values, vectors, residual = leading_by_products(
            lambda rows: rows @ matrix, d, k, tol=tol, max_iter=9, seed=seed
        )
        if residual <= tol:
            return values, vectors
    return leading_eigenpairs(matrix, k)
