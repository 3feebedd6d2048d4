"""Constant shift embedding: points whose squared distances are the dissimilarities plus one constant.

    S = -½ Q D Q,   Q = I - 1 1ᵀ / n,   shift = max(0, -λ_min(S)),   S + shift I = V Λ Vᵀ (on vectors that sum to zero)
    X = V Λ^½,      ‖x_i - x_j‖² = D_ij + 2 shift  for i ≠ j

K-means on X costs, for k clusters, the pairwise cost of D plus shift · (n - k), so both have the same optimum.
Reference: Roth, Laub, Kawanabe & Buhmann, Optimal cluster preserving embedding of nonmetric proximity data, IEEE Trans.
Pattern Analysis and Machine Intelligence 25 (2003).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from unmix.core.linalg import power_of_two, row_signs

SAFE_RANGE = {np.dtype(np.float32): (1e-15, 1e15), np.dtype(np.float64): (1e-140, 1e140)}  # of sizes in their own unit
MOST_DENSE = 400  # up to this many objects, and for many components, all eigenvalues are computed


class Embedding(NamedTuple):
    points: np.ndarray  # (n, k)
    eigenvalues: np.ndarray  # (k,), falling, of S + shift I
    shift: float
    means: np.ndarray  # (n,): mean dissimilarity to each object


def embed(D: np.ndarray, k: int) -> Embedding:
    """The k leading coordinates of D (n, n), which is made symmetric and never changed.

    Eigenvalues are found in a unit in which the squares of D neither overflow nor vanish.
    """
    largest = max(float(D.max()), -float(D.min()))
    low, high = SAFE_RANGE[D.dtype]
    if largest > 0 and not low < largest < high:
        factor = power_of_two(largest)
        small = embed((D * np.float64(factor)).astype(D.dtype), k)
        points, shift = small.points / np.sqrt(factor), small.shift / factor
        return Embedding(points, small.eigenvalues / factor, shift, small.means / factor)
    n = len(D)
    means = 0.5 * (D.mean(axis=0, dtype=np.float64) + D.mean(axis=1, dtype=np.float64))
    few = n > MOST_DENSE and k <= n // 10
    values, vectors, least = _few_eigenpairs(D, means, k) if few else _all_eigenpairs(D, means, k)
    rounding = _rounding(D, max(abs(least), float(np.abs(values).max(initial=0.0))), few)
    shift = -least if least < -rounding else 0.0
    values = values + shift
    values[values < rounding] = 0.0
    points = vectors * np.sqrt(values)
    return Embedding(points * row_signs(points.T) + 0.0, values, shift, means)


def _rounding(D: np.ndarray, largest: float, few: bool) -> float:
    """Up to where eigenvalues are rounding errors, of D as it is stored and of the computation.

    One object far from all others makes an eigenvalue beyond all others, and what its dissimilarities were rounded by
    moves these in second order only: they are judged by the dissimilarities among the others.
    """
    n, stored, computed = len(D), float(np.finfo(D.dtype).eps), float(np.finfo(np.float64).eps)
    if few:  # computed in the precision of D
        return 10 * n * stored * largest
    typical = min(n * float(np.median(np.abs(D))), largest)
    return 10 * n * (stored * typical + (computed + stored**2) * largest)


def centre(block: np.ndarray, means: np.ndarray) -> np.ndarray:
    """-½ (D - row means - means + mean of means): rows of S, or the same for new objects."""
    block = block - means
    return -0.5 * (block - block.mean(axis=1, keepdims=True))


def _all_eigenpairs(D: np.ndarray, means: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, float]:
    n = len(D)
    S = centre(0.5 * D.astype(np.float64) + 0.5 * D.T, means)
    S -= 2.0 * np.linalg.norm(S) / n  # the constant vector goes to the very end
    values, vectors = eigh(S, overwrite_a=True, check_finite=False)
    leading = values[1:][::-1][:k]
    least = float(min(0.0, values[1])) if n > 1 else 0.0
    padded = np.zeros((n, k))
    padded[:, : len(leading)] = vectors[:, 1:][:, ::-1][:, :k]
    return np.pad(leading, (0, k - len(leading))), padded, least


def _few_eigenpairs(D: np.ndarray, means: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, float]:
    """By Lanczos' iteration, which only multiplies with D and makes no copy of it."""
    n, dtype = len(D), D.dtype

    def multiply(v: Any) -> Any:
        v = v.ravel() - v.mean()
        product = -0.25 * (D @ v + v @ D)
        return product - product.mean()

    start = np.random.default_rng(0).standard_normal(n).astype(dtype)
    try:
        edge = eigsh(LinearOperator((n, n), multiply, dtype=dtype), k=1, which="LM", v0=start, tol=1e-3)[0]
        away = 2 * abs(float(edge[0]))

        def deflated(v: Any) -> Any:
            return multiply(v) - dtype.type(away) * v.mean()

        least = eigsh(LinearOperator((n, n), multiply, dtype=dtype), k=1, which="SA", v0=start)[0]
        values, vectors = eigsh(LinearOperator((n, n), deflated, dtype=dtype), k=k, which="LA", v0=start)
    except ArpackNoConvergence:
        return _all_eigenpairs(D, means, k)
    order = np.argsort(values)[::-1]
    return values[order].astype(np.float64), vectors[:, order].astype(np.float64), min(0.0, float(least[0]))
