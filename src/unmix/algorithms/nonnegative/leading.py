"""Leading right singular vectors, roughly: a few passes of subspace iteration from a random start.

    V ← orthonormal rows of V XᵀX;   at the end the eigenvectors of V XᵀX Vᵀ

For a start few digits will do, and orthonormal rows come from the small matrix Y Yᵀ rather than from a factorization of
all of Y.  The passes cost 4 n d r operations each.

Halko, Martinsson & Tropp, SIAM Review 53, 2011.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unmix.core.random import spawn

PASSES = 3
WIDE = 4096  # columns from which a second round of orthonormalisation takes time


def leading_roughly(
    product: Callable[[np.ndarray], np.ndarray], d: int, r: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """r eigenvalues of XᵀX, falling, and vectors as rows, or as many as there are; ``product``: V to V XᵀX."""
    basis = orthonormal(spawn(seed, 1).standard_normal((min(r, d), d)), 1 if d >= WIDE else 2)
    for left in range(PASSES - 1, 0, -1):
        basis = orthonormal(product(basis), 1 if left > 1 and d >= WIDE else 2)
    values, vectors = np.linalg.eigh(symmetric(product(basis) @ basis.T))
    return values[::-1], vectors.T[::-1] @ basis


def orthonormal(rows: np.ndarray, rounds: int) -> np.ndarray:
    """Orthonormal rows that span the same; fewer where some depend on the others to rounding.

    A second round brings back the digits that the square cost the first; to go on iterating one will do.
    """
    for _ in range(rounds):
        values, vectors = np.linalg.eigh(symmetric(rows @ rows.T))
        kept = values > 1e-14 * max(values[-1], np.finfo(float).tiny)
        rows = (vectors[:, kept] / np.sqrt(values[kept])).T @ rows
    return rows


def symmetric(matrix: np.ndarray) -> np.ndarray:
    return (matrix + matrix.T) / 2
