"""Singular value decomposition of a table with unknown entries: fill in, decompose, shrink, again.

    minimise  ½ Σ_{known ij} (x_ij - m_ij)² + λ |M|_*    over M of rank at most k

The known entries are kept, the unknown ones filled with the present M, and M becomes the shrunk decomposition of the
result. The filled table is never formed: it is sparse (the error on known entries) plus low rank (M itself), and one
product with each side, from where the last step ended, is enough a step.
Reference: Hastie, Mazumder, Lee and Zadeh (2015), Matrix completion and low-rank SVD via fast alternating least
squares, JMLR 16.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.algorithms.ratings.observed import Observed, row_of_each
from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn


class State(NamedTuple):
    left: np.ndarray  # (n, k) orthonormal columns
    values: np.ndarray  # (k,) singular values
    right: np.ndarray  # (m, k) orthonormal columns
    change: float
    iteration: int
    done: bool


def soft_impute(
    X: Observed, values: np.ndarray, k: int, *, shrink: float, max_iter: int, tol: float, seed: int
) -> State:
    """``values`` stand at the known entries of X, by row; stops when M moves by less than ``tol`` of its length."""
    from unmix.algorithms.ratings.ridge_kernel import predict_entries

    rows, columns, indptr = row_of_each(X.by_row), X.by_row.indices, X.by_row.indptr
    k = min(k, *X.shape)

    def filled_errors(left: np.ndarray, right: np.ndarray) -> sp.csr_array:
        at_known = np.empty(len(values))
        predict_entries(rows, columns, np.ascontiguousarray(left), np.ascontiguousarray(right), at_known)
        return sp.csr_array((values - at_known, columns, indptr), shape=X.shape)

    def advance(state: State) -> tuple[State, dict[str, float]]:
        # one step of subspace iteration on the filled table (error + M), each side once
        error = filled_errors(state.left * state.values, state.right)
        side = error @ state.right + state.left * state.values
        left, _ = np.linalg.qr(side)
        error_turned, core = error.T @ left, state.left.T @ left
        other = error_turned + state.right @ (state.values[:, None] * core)
        right, strengths, turn = np.linalg.svd(other, full_matrices=False)
        left = left @ turn.T
        shrunk = np.maximum(strengths - shrink, 0.0)
        change = _moved(state, left, shrunk, right)
        done = change <= tol
        return State(left, shrunk, right, change, state.iteration + 1, done), {"change": change}

    start = np.linalg.qr(spawn(seed, 0).standard_normal((X.shape[1], k)))[0]
    nothing = State(np.zeros((X.shape[0], k)), np.zeros(k), start, np.inf, 0, False)
    return iterate(advance, nothing, max_iter=max_iter, name="filled-in decomposition")


def _moved(old: State, left: np.ndarray, values: np.ndarray, right: np.ndarray) -> float:
    """|M - M_old| / |M_old|; the difference is a product of tall factors, whose triangles have its length."""
    before = float(np.linalg.norm(old.values))
    if before == 0:
        return np.inf if values.any() else 0.0
    _, ours = np.linalg.qr(np.hstack([left * values, old.left * old.values]))
    _, theirs = np.linalg.qr(np.hstack([right, -old.right]))
    return float(np.linalg.norm(ours @ theirs.T)) / before
