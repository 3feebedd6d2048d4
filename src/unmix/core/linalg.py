"""Small dense helpers that make factorizations unique: signs, and a basis for what the data leave open."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from unmix.core.random import spawn

SIGN_TOLERANCE = 1e-5  # entries this close (relatively) to the largest count as equally large: what rounding leaves


def fix_signs(components: np.ndarray) -> np.ndarray:
    """Turn every row so that its largest entry, the first of equals, is positive.

    Rounding, of float32 too, must not decide between entries of equal size, so "equal" is meant to five digits; entries
    that truly differ are told apart as scikit-learn tells them.

    >>> fix_signs(np.array([[1.0, -3.0], [-2.0, 2.0]]))
    array([[-1.,  3.],
           [ 2., -2.]])
    """
    return components * row_signs(components)[:, None] + 0.0  # no negative zeros


def row_signs(components: np.ndarray) -> np.ndarray:
    """+1 or -1 a row: the sign of its largest entry."""
    sizes = np.abs(components)
    first = np.argmax(sizes >= (1 - SIGN_TOLERANCE) * sizes.max(axis=1, keepdims=True), axis=1)
    return np.where(components[np.arange(len(components)), first] < 0, -1.0, 1.0)


def complete_basis(components: np.ndarray, n_rows: int) -> np.ndarray:
    """Extend orthonormal rows to ``n_rows`` by coordinate axes, always the one that is furthest from their span.

    The added rows depend on the span alone, so every solver agrees on directions in which the data do not vary.

    >>> complete_basis(np.array([[0.6, 0.8]]), 2)
    array([[ 0.6,  0.8],
           [ 0.8, -0.6]])
    """
    given, d = components.shape
    basis = np.zeros((n_rows, d))
    basis[:given] = components
    missing = 1.0 - np.einsum("ij,ij->j", components, components)  # squared distance of each axis from the span
    for row in range(given, n_rows):
        axis = int(np.argmax(missing >= (1 - SIGN_TOLERANCE) * missing.max()))
        new = -basis[:row].T @ basis[:row, axis]
        new[axis] += 1.0
        new -= basis[:row].T @ (basis[:row] @ new)  # once more: the first subtraction may have cancelled
        basis[row] = new / np.linalg.norm(new)
        missing -= basis[row] ** 2
    basis[given:] = fix_signs(basis[given:]) if n_rows > given else basis[given:]
    return basis


def power_of_two(size: float) -> float:
    """The factor, a power of two, that brings ``size`` near one: multiplying by it loses no digit."""
    if not 0 < size < math.inf:
        return 1.0
    return math.ldexp(1.0, min(max(-math.frexp(size)[1], -1000), 1000))


def leading_eigenpairs(matrix: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """At least the k largest eigenvalues of a symmetric matrix, falling, and their eigenvectors as rows.

    All of them where that costs little more.
    """
    from scipy.linalg import eigh

    d = len(matrix)
    if k > d // 4:
        values, vectors = np.linalg.eigh(matrix)
    else:
        values, vectors = eigh(matrix, subset_by_index=[d - k, d - 1], driver="evr", check_finite=False)
    return values[::-1].copy(), np.ascontiguousarray(vectors.T[::-1])


def largest_eigenvalue(product: Callable[[np.ndarray], np.ndarray], n: int) -> float:
    """The largest eigenvalue of the symmetric n×n matrix behind ``product``, which maps a vector to its image."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    if n < 8:
        columns = [product(unit) for unit in np.eye(n)]
        return float(np.linalg.eigvalsh(np.stack(columns))[-1])
    operator = LinearOperator((n, n), matvec=lambda v: product(np.ravel(v)), dtype=np.float64)
    start = spawn(0).standard_normal(n)
    if not product(start).any():  # the zero matrix, which the iteration refuses
        return 0.0
    return float(eigsh(operator, k=1, which="LA", v0=start, tol=1e-6, return_eigenvectors=False)[0])
