"""Principal directions of a table with fewer rows than columns, from the n×n matrix of inner products of its rows.

    G_ij = √(w_i w_j) (x_i - mean)·(x_j - mean) = V diag(s²) Vᵀ,   U = diag(1/s) Vᵀ X.

G squares the condition number.  Vectors V of small s are therefore read off Xᵀ T, T the weak eigenvectors, before U is
formed; s and U then come from the singular value decomposition of Vᵀ X itself, not from G.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.principal.directions import Directions, no_directions
from unmix.algorithms.principal.refine import weak_from
from unmix.algorithms.principal.scatter import as_double, is_sparse_block, moments, prepare
from unmix.core.blocks import RowBlocks
from unmix.core.linalg import leading_eigenpairs

ENTRIES = 2**21  # of a strip of rows or columns that is held at once


def directions(
    X: RowBlocks, k: int, *, weights: np.ndarray | None, centred: bool, scale: float, max_iter: int, seed: int
) -> Directions:
    found = moments(X, weights, scale, full=False)
    if not found.in_range(X.dtype):
        return no_directions(found)
    shift = found.mean if centred else np.zeros_like(found.mean)
    matrix = row_products(X, weights, shift, scale)
    k = min(k, len(matrix))
    values, vectors = leading_eigenpairs(matrix, k)
    if weak_from(values[:k], X.dtype) < k:
        if len(values) < len(matrix):
            values, vectors = leading_eigenpairs(matrix, len(matrix))
        vectors = refine_rows(X, values, vectors, weights, shift, scale)
    images = combine(X, vectors[:k], weights, shift, scale)
    _, singular, components = np.linalg.svd(images, full_matrices=False)
    return Directions(found, singular, components)


def row_products(X: RowBlocks, weights: np.ndarray | None, shift: np.ndarray, scale: float) -> np.ndarray:
    """G, a strip of columns at a time; of each strip only what lies on or below the diagonal."""
    n, d = X.shape
    if X.sparse:
        rows, roots = prepare(X.gather(), weights, None, scale)
        weight = np.ones(n) if roots is None else roots
        ahead = np.outer(rows @ shift, weight)
        return as_double(rows @ rows.T) - ahead - ahead.T + np.outer(weight, weight) * (shift @ shift)
    aligned = (np.arange(n), np.ones(n) if weights is None else weights)
    matrix, width = np.zeros((n, n)), max(64, ENTRIES // d)
    for start in range(0, n, width):
        stop = min(start + width, n)
        strip, _ = prepare(X.take(np.arange(start, stop)), aligned[1][start:stop], shift, scale)
        matrix[:, start:stop] = X.map(products_below, strip, start, shift, scale, rows=aligned)
    lower = np.tril(matrix)
    return lower + np.tril(matrix, -1).T


def products_below(block: Any, aligned: Any, strip: np.ndarray, start: int, shift: np.ndarray, scale: float) -> Any:
    places, weights = aligned
    if places[-1] < start:
        return np.zeros((len(block), len(strip)))
    rows, _ = prepare(block, weights, shift, scale)
    return as_double(rows @ strip.T)


def refine_rows(
    X: RowBlocks, values: np.ndarray, vectors: np.ndarray, weights: np.ndarray | None, shift: np.ndarray, scale: float
) -> np.ndarray:
    """Solve again in the span of the weak eigenvectors, from Xᵀ T, a strip of columns at a time."""
    strong = weak_from(values, X.dtype)
    weak = vectors[strong:]
    gram, width = np.zeros((len(weak), len(weak))), max(64, ENTRIES // len(weak))
    for start in range(0, X.shape[1], width):
        images = combine(X, weak, weights, shift, scale, slice(start, start + width))
        gram += images @ images.T
    return np.concatenate([vectors[:strong], leading_eigenpairs(gram, len(gram))[1] @ weak])


class Combined(NamedTuple):
    rows: np.ndarray


def combine(
    X: RowBlocks,
    vectors: np.ndarray,
    weights: np.ndarray | None,
    shift: np.ndarray,
    scale: float,
    columns: slice = slice(None),
) -> np.ndarray:
    """V (X - mean): combinations of rows, V one row each."""
    aligned = (np.ascontiguousarray(vectors.T), np.ones(X.shape[0]) if weights is None else weights)
    out: np.ndarray = X.reduce(combine_rows, shift[columns], scale, columns, rows=aligned).rows
    return out


def combine_rows(block: Any, aligned: Any, shift: np.ndarray, scale: float, columns: slice) -> Combined:
    vectors, weights = aligned
    rows, roots = prepare(block[:, columns], weights, shift, scale)
    image = as_double(vectors.T.astype(rows.dtype) @ rows)
    if is_sparse_block(block):
        image -= np.outer(vectors.T @ roots, shift)
    return Combined(image)
