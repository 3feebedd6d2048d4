"""The singular value decomposition of a matrix, and what can be read off it.

    A = U diag(d) Vᴴ,   d_1 ≥ d_2 ≥ … ≥ 0,   rank = #{d_i > 0}

Range = span of the first rank columns of U; null space = the last rows of Vᴴ; pseudo-inverse = V diag(1/d) Uᴴ; the
closest matrix of rank k keeps k terms and errs by d_{k+1} in the spectral norm.
References: Eckart & Young, Psychometrika 1, 1936; Golub & Van Loan, Matrix Computations, 2.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from unmix.core.arguments import whole_number
from unmix.decomposition.norms import matrix_norm, vector_norm


class Approximation(NamedTuple):
    """A matrix of lower rank and its distance in the spectral and the Frobenius norm."""

    matrix: np.ndarray
    error: float
    frobenius_error: float


@dataclass(frozen=True)
class SVD:
    """The factors of a matrix; made by `svd`. ``left`` (m, m), ``values`` (min(m, n),), ``right`` (n, n) rows."""

    matrix: np.ndarray = field(repr=False)
    left: np.ndarray = field(repr=False)
    values: np.ndarray
    right: np.ndarray = field(repr=False)
    tol: float

    @property
    def rank(self) -> int:
        """Singular values above ``tol``."""
        return int((self.values > self.tol).sum())

    @property
    def range_basis(self) -> np.ndarray:
        """Orthonormal columns that span all A x."""
        return self.left[:, : self.rank]

    @property
    def row_basis(self) -> np.ndarray:
        """Orthonormal columns that span the rows of A."""
        return self.right[: self.rank].conj().T

    @property
    def null_space(self) -> np.ndarray:
        """Orthonormal columns that span all x with A x = 0."""
        return self.right[self.rank :].conj().T

    @property
    def condition_number(self) -> float:
        """d_1 / d_min(m,n): infinite where A has not full rank."""
        if self.rank < len(self.values) or self.rank == 0:
            return float("inf")
        return float(self.values[0] / self.values[-1])

    @property
    def spectral_norm(self) -> float:
        return float(self.values[0]) if len(self.values) else 0.0

    @property
    def frobenius_norm(self) -> float:
        return vector_norm(self.values)

    @property
    def nuclear_norm(self) -> float:
        return float(self.values.sum())

    def norm(self, p=2) -> float:
        """The norm induced by the vector p-norm, or "frobenius" or "nuclear"; see `matrix_norm`."""
        read = {2: self.spectral_norm, "frobenius": self.frobenius_norm, "nuclear": self.nuclear_norm}
        return read[p] if p in read else matrix_norm(self.matrix, p)

    def pseudo_inverse(self) -> np.ndarray:
        """The A⁺ with A A⁺ A = A, A⁺ A A⁺ = A⁺, and A A⁺ and A⁺ A symmetric (Penrose 1955)."""
        r = self.rank
        return (self.right[:r].conj().T / self.values[:r]) @ self.left[:, :r].conj().T

    def approximate(self, k: int) -> Approximation:
        """The closest matrix of rank at most k."""
        whole_number("k", k, 0)
        error = float(self.values[k]) if k < len(self.values) else 0.0
        matrix = (self.left[:, :k] * self.values[:k][: self.left.shape[1]]) @ self.right[: len(self.values[:k])]
        return Approximation(matrix, error, vector_norm(self.values[k:]))


def svd(A, *, tol=None) -> SVD:
    """The singular value decomposition of a matrix, real or complex.

    Costs about 20 m n min(m, n) operations. For a few components of a large or sparse table use `TruncatedSVD`.

    Parameters
    ----------
    A : (m, n) array
        float32 stays float32. NaN, infinity and sparse matrices are refused.
    tol : float, optional
        Singular values up to it count as zero; by default ``max(m, n) * eps * d_1``.

    Returns
    -------
    SVD
        With ``rank``, ``range_basis``, ``row_basis``, ``null_space``, ``condition_number``, ``norm(p)``,
        ``pseudo_inverse()`` and ``approximate(k)``. The largest entry of every row of ``right`` is positive
        (for complex A: real and positive).

    Examples
    --------
    Ratings of five films by seven people; the first three films are action, the others comedy. Two concepts
    explain everything:

    >>> import numpy as np
    >>> from unmix.decomposition import svd
    >>> A = np.array([[5, 5, 5, 0, 0], [4, 4, 4, 0, 0], [5, 5, 5, 0, 0], [3, 3, 3, 0, 0],
    ...               [0, 0, 0, 4, 4], [0, 0, 0, 5, 5], [0, 0, 0, 4, 4]])
    >>> ratings = svd(A)
    >>> ratings.rank
    2
    >>> ratings.values[:2].round(3)
    array([15.   , 10.677])
    >>> ratings.range_basis.round(3) + 0
    array([[0.577, 0.   ],
           [0.462, 0.   ],
           [0.577, 0.   ],
           [0.346, 0.   ],
           [0.   , 0.53 ],
           [0.   , 0.662],
           [0.   , 0.53 ]])
    >>> ratings.right[:2].round(3) + 0
    array([[0.577, 0.577, 0.577, 0.   , 0.   ],
           [0.   , 0.   , 0.   , 0.707, 0.707]])

    In print this example often shows two digits, most of them cut off rather than rounded (0.57 for 5/√75 = 0.577,
    0.34 for 0.346, 0.52 for 4/√57 = 0.530, 10.67 for √114 = 10.677, 0.70 for 1/√2 = 0.707), a few rounded
    (0.46, 0.66):

    >>> cut = lambda x: np.floor(x * 100 + 1e-9) / 100
    >>> cut(ratings.range_basis[:4, 0]), cut(ratings.values[1]), cut(ratings.right[1, 3])
    (array([0.57, 0.46, 0.57, 0.34]), np.float64(10.67), np.float64(0.7))

    The closest matrix of rank one keeps the action films and errs by the second singular value:

    >>> closest = ratings.approximate(1)
    >>> round(closest.error, 3)
    10.677
    >>> closest.matrix[4:].any()
    np.False_
    """
    A = _check(A)
    left, values, right = np.linalg.svd(A, full_matrices=True)
    count = len(values)
    phases = _phases(right)
    right = right * phases.conj()[:, None]
    left[:, :count] = left[:, :count] * phases[:count]
    if tol is None:
        tol = max(A.shape) * float(np.finfo(values.dtype).eps) * float(values.max(initial=0.0))
    return SVD(A, left, values, right, float(tol))


def _check(A):
    if hasattr(A, "tocsr"):
        raise TypeError("svd takes a dense matrix; for a sparse one use TruncatedSVD, or A.toarray() if it is small")
    A = np.asarray(A)
    if A.ndim != 2 or 0 in A.shape:
        raise ValueError(f"svd takes a matrix with at least one row and column, got an array of shape {A.shape}")
    if A.dtype.kind not in "fiubc":
        raise TypeError(f"svd takes numbers, got data of type {A.dtype}")
    if A.dtype.kind in "iub" or A.dtype == np.float16:
        A = A.astype(np.float32 if A.dtype == np.float16 else np.float64)
    if not np.isfinite(A).all():
        raise ValueError("A contains NaN or infinity; svd needs every entry, PCA(missing='ignore') does not")
    return A


def _phases(rows):
    """The sign, or for complex rows the phase, of each row's largest entry, the first of equals."""
    sizes = np.abs(rows)
    first = np.argmax(sizes >= (1 - 1e-3) * sizes.max(axis=1, keepdims=True), axis=1)
    entries = rows[np.arange(len(rows)), first]
    return (entries / np.abs(entries)).astype(rows.dtype)
