"""One way in: to coordinates in which C_0 is the identity, the method asked for, and back."""

from __future__ import annotations

import numpy as np

from unmix.algorithms.joint_diagonal.fast_frobenius import fast_frobenius
from unmix.algorithms.joint_diagonal.likelihood import most_likely
from unmix.algorithms.joint_diagonal.problem import Diagonalization, change_coordinates, stack
from unmix.algorithms.joint_diagonal.quadratic import quadratic
from unmix.algorithms.joint_diagonal.rotations import rotate

METHODS = ("ffdiag", "qdiag", "jacobi")
FOR_POSITIVE_DEFINITE = "likelihood"  # one more, for matrices that all are


def solve(
    matrices: np.ndarray, whitening: np.ndarray, *, method: str, weights: np.ndarray | None, max_iter: int, tol: float
) -> Diagonalization:
    """W of the matrices (m, d, d); ``whitening`` (k, d) goes to coordinates in which C_0 is the identity.

    "jacobi" allows rotations of these coordinates only; from near where it ends the other two go on.
    """
    stacked = change_coordinates(stack(matrices, weights), whitening)
    if method == "jacobi":
        found = rotate(stacked, max_iter=max_iter, tol=tol)
        return found._replace(transform=found.transform @ whitening)
    start = rotate(stacked, max_iter=2, tol=0.1).transform  # two sweeps bring it near
    if method == "qdiag":
        found = quadratic(stacked, start, max_iter=max_iter, tol=tol)
    elif method == "ffdiag":
        found = fast_frobenius(stacked, np.eye(len(whitening)), start, max_iter=max_iter, tol=tol)
    else:
        plain = change_coordinates(stack(matrices), whitening)
        found = most_likely(plain, weights, start, max_iter=max_iter, tol=tol)
    return found._replace(transform=found.transform @ whitening)
