"""Joint diagonalization of a set of matrices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.joint_diagonal.problem import change_coordinates, diagonals, sphere, stack
from unmix.algorithms.joint_diagonal.solve import FOR_POSITIVE_DEFINITE, METHODS, solve
from unmix.core.threads import one_blas_thread


class JointDiagonalization(NamedTuple):
    """What `joint_diagonalize` found."""

    transform: np.ndarray  # W (d, d): W C Wᵀ is nearly diagonal for every C
    diagonals: np.ndarray  # (m, d) the diagonals of W C Wᵀ
    cost: float
    n_iter: int
    converged: bool


def joint_diagonalize(matrices, method="ffdiag", *, weights=None, constraint=None, max_iter=500, tol=1e-8):
    """One matrix W that makes all given symmetric matrices as nearly diagonal as possible.

    Objective: minimise ``Σ_τ α_τ Σ_{i≠j} (W C_τ Wᵀ)_ij²`` with ``(W C_0 Wᵀ)_ii = 1``.

    Algorithm: "jacobi" turns planes, so that ``W C_0 Wᵀ`` is the identity exactly (m d³ operations a sweep); "ffdiag"
    takes small multiplicative steps of any kind, with the whole gradient (three matrix products of m d³ operations a
    step); "qdiag" sets each row in turn to the smallest eigenvector of its quadratic form (m d³ + d⁴ operations a
    sweep). The last two end in the same minimum; "ffdiag" takes less time. "likelihood" minimises another criterion,
    for positive definite matrices: ``½ Σ_τ α_τ [log det diag(W C_τ Wᵀ) - log det(W C_τ Wᵀ)] / Σ_τ α_τ``, minus the
    log-likelihood where they are covariances of Gaussian pieces, by quasi-Newton steps; it is the most accurate there.

    Parameters
    ----------
    matrices : (m, d, d) array
        Symmetric; where one is not, its symmetric part counts.
    method : {"ffdiag", "qdiag", "jacobi", "likelihood"}, default="ffdiag"
    weights : (m,) array, default=None
        α, none negative; None is 1 for all.
    constraint : (d, d) array, default=None
        Positive definite C_0. None takes the mean of all matrices if that is positive definite, else the first, else
        the mean of their squares. With the identity, "jacobi" finds an orthogonal W.
    max_iter : int, default=500
    tol : float, default=1e-8
        Stop when a step (its Frobenius norm, or the largest angle or change of a row in a sweep) is smaller, or the
        gradient of "likelihood".

    Returns
    -------
    JointDiagonalization
        With fields ``transform``, ``diagonals``, ``cost``, ``n_iter``, ``converged``. Rows of ``transform`` are ordered
        by the size of their diagonals, the largest entry of each is positive.

    References
    ----------
    Cardoso & Souloumiac, SIAM J. Matrix Anal. Appl. 17, 1996; Ziehe, Laskov, Nolte & Müller, JMLR 5, 2004; Vollgraf &
    Obermayer, IEEE Trans. Signal Processing 54, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.separation import joint_diagonalize
    >>> A = np.array([[1.0, 0.5], [0.2, 1.0]])
    >>> matrices = [A @ np.diag(d) @ A.T for d in ([1, 1], [1, 3], [2, 1])]
    >>> found = joint_diagonalize(matrices, constraint=matrices[0])
    >>> np.abs(found.transform @ A).round(6)
    array([[0., 1.],
           [1., 0.]])
    """
    C = _checked(matrices)
    if method not in (*METHODS, FOR_POSITIVE_DEFINITE):
        names = ", ".join((*METHODS, FOR_POSITIVE_DEFINITE))
        raise ValueError(f"method={method!r} is not known; choose one of {names}")
    if method == FOR_POSITIVE_DEFINITE:
        _require_definite(C)
    alpha = _checked_weights(weights, len(C))
    scale = float(np.abs(C).max()) or 1.0
    C = C / scale
    base = _first_definite(C) if constraint is None else _checked([constraint])[0] / scale
    whitening = sphere(base)
    if len(whitening) < len(base):
        raise ValueError(
            "no positive definite matrix to measure by: constraint (or what stands for it) is singular; "
            "leave out directions in which all matrices vanish, or give constraint="
        )
    with one_blas_thread():
        found = solve(C, whitening, method=method, weights=alpha, max_iter=max_iter, tol=tol)
    W = found.transform / np.sqrt(np.sum((found.transform @ base) * found.transform, axis=1))[:, None]
    each = diagonals(change_coordinates(stack(C), W)).T
    order = np.argsort(-np.square(each).sum(0), kind="stable")
    W = W[order] / np.sqrt(scale)
    W *= np.where(W[np.arange(len(W)), np.abs(W).argmax(1)] < 0, -1.0, 1.0)[:, None]
    return JointDiagonalization(W, each[:, order], found.cost, found.iteration, found.converged)


def _checked(matrices):
    C = np.asarray(matrices, dtype=np.float64)
    if C.ndim != 3 or C.shape[1] != C.shape[2] or C.shape[0] == 0:
        raise ValueError(f"matrices has shape {C.shape}; give at least one square matrix, as an array (m, d, d)")
    if not np.isfinite(C).all():
        raise ValueError("matrices hold NaN or infinity; estimate them from complete data first")
    return (C + C.transpose(0, 2, 1)) / 2


def _checked_weights(weights, m):
    if weights is None:
        return None
    alpha = np.asarray(weights, np.float64)
    if alpha.shape != (m,) or not (alpha >= 0).all() or not alpha.any():
        raise ValueError(f"weights must be {m} numbers from 0 up, one a matrix and not all 0; got shape {alpha.shape}")
    return alpha


def _require_definite(C):
    for number, values in enumerate(np.linalg.eigvalsh(C)):
        if values[0] <= 0:
            raise ValueError(
                f"matrices[{number}] is not positive definite (smallest eigenvalue {values[0]:.3g}), as "
                "method='likelihood' needs; use 'ffdiag', or leave it out"
            )


def _first_definite(C):
    for candidate in (C.mean(0), C[0], (C @ C).mean(0)):
        if (np.diag(candidate) > 0).all() and len(sphere(candidate, least=1e-10)) == len(candidate):
            break
    return candidate
