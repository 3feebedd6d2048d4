"""X V and ZᵀX of a table in CSR or an array, V and Z with few columns.

Blocks with many stored entries go to kernels (sparse_product_kernel.py), which are twice as fast as scipy's; for few
entries they would not be worth the time to compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.nonnegative.table import is_sparse, stored_entries
from unmix.core.blocks import RowBlocks
from unmix.core.compiled.cache_lines import zeros_at_line
from unmix.costs.nearest.small import JIT_DISABLED

MANY_STORED = 2**15  # entries of a block


def times(entries: Any, right: np.ndarray, k: int) -> np.ndarray:
    """X V (n, k), for V (d, k) as it is or as it is laid out."""
    if not is_large(entries) or entries.dtype != right.dtype:
        return np.asarray(entries @ right[:, :k])
    from unmix.algorithms.nonnegative.sparse_product_kernel import gather

    wide = padded(right)
    out = np.empty((entries.shape[0], wide.shape[1]), right.dtype)
    gather(*stored(entries), wide, out, lanes(right))
    return np.ascontiguousarray(out[:, :k])


def laid_out(X: RowBlocks, right: np.ndarray) -> np.ndarray:
    """V as the products of all blocks read it, made once; columns of zeros may follow the last."""
    turned = np.ascontiguousarray(right)
    return padded(turned) if X.sparse and stored_entries(X) >= MANY_STORED else turned


def cross_products(entries: Any, codes: np.ndarray) -> np.ndarray:
    """ZᵀX (k, d) in double precision, in the order of factors that suits the kind of table."""
    if not is_sparse(entries):
        return np.asarray(codes.T @ entries, dtype=np.float64)
    if not is_large(entries) or entries.dtype != codes.dtype:
        return np.asarray((entries.T @ codes).T, dtype=np.float64)
    from unmix.algorithms.nonnegative.sparse_product_kernel import scatter

    out = zeros_at_line((entries.shape[1], padded_width(codes)), codes.dtype)
    scatter(*stored(entries), padded(codes), out, lanes(codes))
    return np.asarray(out[:, : codes.shape[1]], dtype=np.float64).T


def is_large(entries: Any) -> bool:
    return is_sparse(entries) and entries.nnz >= MANY_STORED and entries.indices.dtype == np.int32 and not JIT_DISABLED


def stored(entries: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, columns and where rows begin."""
    return entries.data, entries.indices, entries.indptr


def lanes(factor: np.ndarray) -> int:
    return 32 // factor.itemsize


def padded_width(factor: np.ndarray) -> int:
    """Whole registers, as many as blocks of three and four of them make up."""
    registers = max(3, -(-factor.shape[1] // lanes(factor)))
    return lanes(factor) * (6 if registers == 5 else registers)


def padded(factor: np.ndarray) -> np.ndarray:
    """With columns of zeros up to whole registers."""
    width = padded_width(factor)
    if width == factor.shape[1] and factor.flags.c_contiguous:
        return factor
    out = zeros_at_line((len(factor), width), factor.dtype)
    out[:, : factor.shape[1]] = factor
    return out
