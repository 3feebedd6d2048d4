"""The lasso: least squares with a price on every coefficient's size, so that few are used.

    minimise ½ ‖A x - b‖² + penalty ‖x‖₁

By ADMM: a ridge step (one factorisation for all iterations) and a soft threshold. The support and signs it finds are
then solved for exactly, A_Sᵀ(A_S x - b) = -penalty sign(x_S), and that answer is kept if it is optimal.
Tibshirani, JRSS B 58, 1996.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.admm import admm
from unmix.optimize.arguments import checked_size, system
from unmix.optimize.ridge import RidgeStep
from unmix.optimize.soft_threshold import prox_l1
from unmix.optimize.solution import Solution


def lasso(A: Any, b: Any, penalty: float, *, polish: bool = True, **settings: Any) -> Solution:
    """Few coefficients that explain b by the columns of A; ``.z`` holds them, zeros exact.

    Parameters
    ----------
    A : (n, d) array
    b : (n,) array
    penalty : float
        Price of a coefficient's absolute value, 0 or more; from ``max |Aᵀ b|`` on all are zero. scikit-learn's
        ``alpha`` is ``penalty / n``.
    polish : bool
        Solve exactly on the support found.
    **settings
        Of `admm`: rho, relaxation, eps_abs, eps_rel, max_iter, …

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.optimize import lasso
    >>> lasso(np.eye(3), [3.0, 0.5, -2.0], penalty=1.0).z
    array([ 2.,  0., -1.])
    """
    A, b = system(A, b)
    price = float(checked_size(penalty, "penalty"))
    settings.setdefault("rho", max(float(np.square(A).sum()) / min(A.shape), np.finfo(float).tiny))
    found = admm(RidgeStep(A, b), lambda v, rho: prox_l1(v, price / rho), np.zeros(A.shape[1]), **settings)
    if not polish:
        return found
    exact = _on_support(A, b, price, found.z)
    return found if exact is None else found._replace(x=exact, z=exact, dual=A.T @ (b - A @ exact))


def _on_support(A: np.ndarray, b: np.ndarray, price: float, z: np.ndarray) -> np.ndarray | None:
    """The exact answer with the support and signs of ``z``, or None where they are not the right ones."""
    support, signs = np.flatnonzero(z), np.sign(z[z != 0])
    columns = A[:, support]
    if len(support) > len(A) or np.linalg.matrix_rank(columns) < len(support):
        return None  # the answer is not unique
    exact = np.zeros(len(z))
    orthonormal, triangle = np.linalg.qr(columns)
    exact[support] = np.linalg.solve(triangle, orthonormal.T @ b - price * np.linalg.solve(triangle.T, signs))
    slope = A.T @ (b - A @ exact)
    room = 1e-10 * max(float(np.abs(A.T @ b).max(initial=0.0)), price)
    optimal = (np.sign(exact[support]) == signs).all() and (np.abs(slope) <= price + room).all()
    return exact if optimal else None
