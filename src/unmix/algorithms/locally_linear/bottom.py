"""The map in which points are the same weighted means of their neighbours as in the data.

    min Σ_i ||u_i - Σ_j w_ij u_j||² = tr Uᵀ M U,   M = AᵀA,  A = I - W,   with  1ᵀU = 0,  UᵀU = I

U are the eigenvectors of M of smallest eigenvalues, after the constant one. Where A is square M is neither formed nor
factored: A has k entries a row where M has up to k², and its condition is the root of that of M. One sparse LU of A
gives

    M⁻¹ = A⁻¹ A⁻ᵀ    on vectors that sum to zero,

to which Lanczos' iteration is applied. A is singular, A 1 = 0 and yᵀA = 0 for some y; a shift far below all eigenvalues
that matter makes it regular, and y is taken out between the two solves, so the shift is never felt.
Reference: Roweis & Saul, Science 290 (2000); Parlett, The Symmetric Eigenvalue Problem (1980).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, splu

from unmix.core.linalg import row_signs
from unmix.core.random import spawn

MOST_POINTS_DENSE = 300  # up to so many points all eigenvectors are computed
LARGEST_DENSE = 2_000
SHIFT = 1e-12
LEAST_TOL = 1e-10  # of eigenvalues, which costs a step or two more than a larger one


class Solver(NamedTuple):
    """How eigenvectors are found: "arpack" is Lanczos' iteration, with a tolerance and a number of restarts."""

    name: str = "auto"
    tol: float = LEAST_TOL
    max_iter: int | None = None

    def iterates(self, n: int, m: int) -> bool:
        """Of n points for m components; a few points have no room for an iteration."""
        if self.name == "arpack":
            return n > 2 * m + 6
        return self.name == "auto" and n > MOST_POINTS_DENSE and 4 * m < n


AUTO = Solver()


def bottom_map(W: csr_array, n_components: int, solver: Solver = AUTO) -> tuple[np.ndarray, np.ndarray]:
    """U (n, n_components) and the eigenvalues of M, rising; every column's largest entry is positive."""
    return bottom_vectors((eye_array(W.shape[0], format="csr") - W).tocsr(), n_components, solver)


def bottom_vectors(A: csr_array, n_components: int, solver: Solver = AUTO) -> tuple[np.ndarray, np.ndarray]:
    """The same for any A with A 1 = 0, also one of more rows than columns."""
    if solver.iterates(A.shape[1], n_components):
        basis = _by_inverse_iteration(A, n_components, solver)
    else:
        basis = _all_at_once(A, n_components, solver.name == "dense")
    basis -= basis.mean(axis=0)
    basis = np.linalg.qr(basis)[0]
    # within the space found, from A and not from M: eigenvalues of 1e-16 keep their digits
    _, values, turn = np.linalg.svd(A @ basis, full_matrices=False)
    U = basis @ turn[::-1].T
    return U * row_signs(U.T) + 0.0, values[::-1] ** 2


def _all_at_once(A: csr_array, m: int, wanted: bool) -> np.ndarray:
    if A.shape[1] > LARGEST_DENSE and not wanted:
        raise ValueError(
            f"n_components={m} of {A.shape[1]} points: give less than a quarter of the points, or at most "
            f"{LARGEST_DENSE} points"
        )
    M = (A.T @ A).toarray()
    M += (2.0 * np.trace(M)) / len(M)  # the constant vector goes to the very end
    return eigh(M, subset_by_index=[0, m - 1], check_finite=False)[1]


def _by_inverse_iteration(A: csr_array, m: int, solver: Solver) -> np.ndarray:
    n = A.shape[1]
    invert = _inverse_by_root(A) if A.shape[0] == n else _inverse(A)
    start = spawn(0, n).standard_normal(n)
    start -= start.mean()
    operator = LinearOperator((n, n), invert, dtype=np.float64)
    try:
        room, tol = min(n - 1, 2 * m + 6), min(solver.tol, LEAST_TOL)
        return eigsh(operator, k=m, which="LM", v0=start, ncv=room, tol=tol, maxiter=solver.max_iter)[1]
    except ArpackNoConvergence:
        return eigsh(operator, k=m, which="LM", v0=start, ncv=min(n - 1, 4 * m + 40), maxiter=100 * n)[1]


def _inverse_by_root(A: csr_array) -> Callable[[Any], Any]:
    """M⁻¹ from a factorization of A."""
    factor = _factor(A)
    left = factor.solve(np.ones(A.shape[0]), trans="T")
    left /= np.linalg.norm(left)

    def invert(vector: Any) -> Any:
        half = factor.solve(vector.ravel() - vector.mean(), trans="T")
        whole = factor.solve(half - left * (left @ half))
        return whole - whole.mean()

    return invert


def _inverse(A: csr_array) -> Callable[[Any], Any]:
    """M⁻¹ from a factorization of M, where A is not square."""
    M = (A.T @ A).tocsr()
    factor = _factor(M * (M.shape[0] / M.trace()))

    def invert(vector: Any) -> Any:
        whole = factor.solve(vector.ravel() - vector.mean())
        return whole - whole.mean()

    return invert


def _factor(A: csr_array) -> Any:
    shifted = csc_array(A + SHIFT * eye_array(A.shape[0]))
    try:
        return splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.1, options={"SymmetricMode": True})
    except RuntimeError:  # a pivot of exactly zero, which another order does not meet
        return splu(shifted, permc_spec="COLAMD")
