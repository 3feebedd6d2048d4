"""Leading eigenvectors of a symmetric matrix known only by its products, by block Lanczos with thick restarts.

With Q the rows found so far and T = Q A Qᵀ, eigenpairs (θ, y) of T give Ritz pairs (θ, yᵀQ), and the part of
A Qᵀ outside the span, of which only the newest rows have any, gives their residuals ||A u - θ u||: an eigenvalue lies
within that distance, so the answer carries its own error bound.  One product with all of a block of vectors an
iteration.  A block wider than the number of vectors wanted finds repeated eigenvalues too.

References: Golub & Underwood, Mathematical Software III, 1977; Wu & Simon, SIAM J. Matrix Anal. 22, 2000;
Halko, Martinsson & Tropp, SIAM Review 53, 2011; Musco & Musco, NeurIPS 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn

EXTRA_VECTORS = 10  # vectors beyond those wanted
MOST_BLOCKS = 10  # the basis is restarted beyond this many blocks

Product = Callable[[np.ndarray], np.ndarray]


class Krylov(NamedTuple):
    """Orthonormal rows, their projected matrix, the next block, and the residuals of the wanted pairs."""

    iteration: int
    done: bool
    basis: np.ndarray
    projected: np.ndarray
    block: np.ndarray
    values: np.ndarray
    residual: float


class Leading(NamedTuple):
    """Eigenvalues, falling, their vectors as rows, and the largest residual relative to the largest eigenvalue."""

    values: np.ndarray
    vectors: np.ndarray
    residual: float


def leading_by_products(product: Product, d: int, k: int, *, tol: float, max_iter: int, seed: int) -> Leading:
    """The k largest eigenpairs of the d×d matrix behind ``product``, which maps rows Q to Q A."""
    width = min(k + EXTRA_VECTORS, d)
    start = orthonormal_rows(spawn(seed, 0).standard_normal((width, d)), np.empty((0, d)), seed, 0)
    first = Krylov(0, False, np.empty((0, d)), np.empty((0, 0)), start, np.zeros(k), np.inf)
    last = iterate(lambda state: advance(state, product, k, tol, seed), first, max_iter=max_iter, name="eigenvectors")
    vectors = np.linalg.eigh(last.projected)[1].T[::-1][:k]
    return Leading(last.values, vectors @ last.basis, last.residual)


def advance(state: Krylov, product: Product, k: int, tol: float, seed: int) -> tuple[Krylov, dict[str, float]]:
    image = product(state.block)
    basis = np.concatenate([state.basis, state.block])
    coupling = image @ basis.T
    projected = grow(state.projected, coupling)
    rest = image - coupling @ basis
    rest -= (rest @ basis.T) @ basis
    room = min(len(state.block), basis.shape[1] - len(basis))
    values, vectors = np.linalg.eigh(projected)
    values, vectors = values[::-1], vectors[:, ::-1]
    outside = rest.T @ vectors[-len(state.block) :, :k]  # A u - θ u of the wanted pairs
    largest = max(float(np.abs(values).max()), np.finfo(float).tiny)
    residual = float(np.sqrt(np.einsum("ij,ij->j", outside, outside).max())) / largest
    done = residual <= tol or room <= 0
    if not done:
        if len(basis) + room > MOST_BLOCKS * (k + EXTRA_VECTORS):  # restart from the best half
            keep = len(basis) // 2
            basis, projected = vectors[:, :keep].T @ basis, np.diag(values[:keep])
        block = orthonormal_rows(rest, basis, seed, state.iteration + 1)[:room]
    else:
        block = state.block[:0]
    new = Krylov(state.iteration + 1, done, basis, projected, block, values[:k].copy(), residual)
    return new, {"residual": residual}


def grow(projected: np.ndarray, coupling: np.ndarray) -> np.ndarray:
    """Border the projected matrix by the products of the newest rows with all rows."""
    old, new = len(projected), coupling.shape[1]
    out = np.zeros((new, new))
    out[:old, :old] = projected
    out[old:], out[:, old:] = coupling, coupling.T
    out[old:, old:] = (coupling[:, old:] + coupling[:, old:].T) / 2
    return out


def orthonormal_rows(rows: np.ndarray, basis: np.ndarray, seed: int, iteration: int) -> np.ndarray:
    """Orthonormal rows with the span of ``rows``, orthogonal to ``basis``; what has no length is drawn anew."""
    q, r = np.linalg.qr(rows.T)
    sizes = np.abs(np.diagonal(r))
    dependent = sizes <= 1e-13 * max(sizes.max(), np.finfo(float).tiny)
    if dependent.any():
        q[:, dependent] = spawn(seed, iteration, 1).standard_normal((len(q), int(dependent.sum())))
    for _ in range(2 if dependent.any() else 1):
        q -= basis.T @ (basis @ q)
        q, _ = np.linalg.qr(q)
    return np.ascontiguousarray(q.T)
