"""Symmetric links between objects, dense or sparse, and the sums over neighbours that every graph cost runs on.

    pull[c, i] = Σ_j W_ij q_jc        W symmetric with zero diagonal

A product with q gives all of them; when one object moves, only the pulls on its neighbours change.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.canonical import canonical

NOTHING = np.empty((0, 0))


class Links(NamedTuple):
    """A dense matrix, or the three arrays of a CSR one; the other is empty."""

    dense: np.ndarray
    starts: np.ndarray
    neighbours: np.ndarray
    weights: np.ndarray

    @property
    def n_objects(self) -> int:
        return len(self.dense) if len(self.dense) else len(self.starts) - 1

    def matrix(self) -> Any:
        if len(self.dense):
            return self.dense
        from scipy.sparse import csr_array

        n = self.n_objects
        return csr_array((self.weights, self.neighbours, self.starts), shape=(n, n))

    def pull(self, q: np.ndarray) -> np.ndarray:
        """(n, k): W q, in the precision of the links, so that they are not copied to another."""
        if len(self.dense):
            return np.asarray(self.dense @ q.astype(self.dense.dtype, copy=False), np.float64)
        return np.asarray(self.matrix() @ q)

    def degrees(self) -> np.ndarray:
        """(n,): the sum of each object's links."""
        return np.asarray(self.matrix().sum(axis=1), np.float64).ravel()


def make_links(W: Any) -> Links:
    """Links of a square matrix, dense or sparse: its symmetric part, without the diagonal."""
    if hasattr(W, "tocsr"):
        W = canonical(W).astype(np.float64)
        W = (W + W.T) / 2
        W.setdiag(0)
        W.eliminate_zeros()
        return Links(NOTHING, W.indptr.astype(np.int64), W.indices.astype(np.int64), W.data)
    W = np.asarray(W)
    dense = W if W.dtype in (np.float32, np.float64) else W.astype(np.float64)
    if dense.diagonal().any() or not is_symmetric(dense):  # else nothing is copied
        dense = dense + dense.T
        dense *= 0.5
        np.fill_diagonal(dense, 0)
    return Links(np.ascontiguousarray(dense), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def is_symmetric(matrix: np.ndarray) -> bool:
    """Looked at a strip of rows at a time, so that no second matrix is made."""
    strips = range(0, len(matrix), 256)
    return all(np.array_equal(matrix[i : i + 256], matrix[:, i : i + 256].T) for i in strips)
