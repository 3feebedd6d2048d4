"""Norms of vectors and matrices.

    ||x||_p = (Σ |x_i|^p)^(1/p),   ||A||_p = max ||A x||_p / ||x||_p,
    Frobenius = √(Σ a_ij²) = √(Σ d_i²),   nuclear = Σ d_i,   spectral = ||A||_2 = d_1   (d: singular values)

References: Golub & Van Loan, Matrix Computations, 2.2-2.3; Boyd, Linear Algebra and its Applications 9, 1974.
"""

from __future__ import annotations

import numpy as np


def vector_norm(x, p=2, axis=None):
    """``‖x‖_p = (Σ |x_i|^p)^(1/p)`` of all entries, or along an axis.

    Parameters
    ----------
    x : array-like of numbers, real or complex
    p : float, default=2
        From 1 to ∞ a norm: 1 the sum of absolute values, 2 the length, ``numpy.inf`` the largest of them. Between 0 and
        1 the triangle inequality fails, which sparse recovery makes use of. 0 counts the entries that are not zero.
    axis : int or tuple of ints, optional
        Along which entries belong to one vector; by default all of them.

    Returns
    -------
    float, or an array with one number for each vector

    Examples
    --------
    >>> vector_norm([3.0, -4.0]), vector_norm([3.0, -4.0], 1), vector_norm([3.0, -4.0], np.inf)
    (5.0, 7.0, 4.0)
    >>> vector_norm([3.0, 0.0], 0), vector_norm([1.0, 1.0], 0.5)
    (1.0, 4.0)
    >>> vector_norm([[3e300, 4e300], [0.0, 2.0]], axis=1)
    array([5.e+300, 2.e+000])
    """
    if isinstance(p, str | bool) or not np.ndim(p) == 0 or not p >= 0:
        raise ValueError(f"p={p!r}: give a number from 1 up or numpy.inf, between 0 and 1, or 0 to count entries")
    given = np.asarray(x)
    sizes = np.abs(given if given.dtype.kind == "c" else given.astype(np.float64)).astype(np.float64)
    if p == 0:
        found = np.count_nonzero(sizes, axis=axis)
    else:
        largest = sizes.max(axis=axis, initial=0.0, keepdims=True)
        found = largest if np.isinf(p) else _of_powers(sizes, largest, p, axis)
        found = np.squeeze(found, axis=axis)
    return float(found) if axis is None else np.asarray(found, dtype=np.float64)


def _of_powers(sizes, largest, p, axis):
    """largest × (Σ (|x| / largest)^p)^(1/p): divided first, as powers of entries may be no numbers."""
    ordinary = (largest > 0) & np.isfinite(largest)
    shares = np.divide(sizes, largest, out=np.zeros_like(sizes), where=ordinary)
    with np.errstate(under="ignore", over="ignore", invalid="ignore"):
        found = largest * np.sum(shares**p, axis=axis, keepdims=True) ** (1 / p)
    return np.where(ordinary, found, largest)


def matrix_norm(A, p=2):
    """The norm of a matrix: induced by the vector p-norm, or "frobenius" or "nuclear" (numpy's "fro" and "nuc").

    p = 1 (largest column sum), 2 (spectral) and ∞ (largest row sum) are exact. Other p have no closed form; the
    power method from several starts gives a lower bound, which is the norm itself for matrices without negative
    entries and nearly always otherwise.

    >>> A = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> matrix_norm(A, 1), matrix_norm(A, np.inf)
    (6.0, 7.0)
    >>> round(matrix_norm(A), 4), round(matrix_norm(A, "frobenius"), 4), round(matrix_norm(A, "nuclear"), 4)
    (5.465, 5.4772, 5.831)
    """
    A = np.asarray(A)
    if A.ndim != 2:
        raise ValueError(f"expected a matrix, got an array of shape {A.shape}")
    if A.size == 0:
        return 0.0
    if isinstance(p, str):
        if p in ("frobenius", "fro"):
            return vector_norm(A)
        if p in ("nuclear", "nuc"):
            return float(np.linalg.svd(A, compute_uv=False).sum())
        raise ValueError(f"norm {p!r} is not known; use 'frobenius', 'nuclear' or a number p >= 1")
    if not p >= 1:
        raise ValueError(f"p={p!r} gives no norm; use p >= 1, 'frobenius' or 'nuclear'")
    if p == 2:
        return float(np.linalg.svd(A, compute_uv=False)[0])
    if p == 1 or np.isinf(p):
        return float(np.abs(A).sum(axis=0 if p == 1 else 1).max())
    return _power_method(A, float(p))


def _power_method(A, p):
    """Boyd's iteration: x and its image in the dual norm, in turn; the ratio never falls."""
    largest = float(np.abs(A).max())
    if largest == 0:
        return 0.0
    A = A / largest
    n = A.shape[1]
    generator = np.random.default_rng(0)
    best_columns = np.argsort([-vector_norm(column, p) for column in A.T])[:4]
    starts = [np.ones(n), *np.eye(n)[best_columns], *generator.standard_normal((8, n))]
    return largest * max(_climb(A, start, p) for start in starts)


def _climb(A, x, p, steps=500):
    q = p / (p - 1)
    x = x / vector_norm(x, p)
    value = 0.0
    for _ in range(steps):
        y = A @ x
        new = vector_norm(y, p)
        if new <= value * (1 + 1e-14):
            break
        value = new
        dual = A.conj().T @ _align(y / new, p)
        x = _align(dual / vector_norm(dual, q), q)
    return max(value, new)


def _align(y, p):
    """|y|^(p-1) with the sign (or phase) of y: where Hölder's inequality with y is an equality."""
    size = np.abs(y)
    return np.where(size > 0, y / np.where(size > 0, size, 1), 0) * size ** (p - 1)
