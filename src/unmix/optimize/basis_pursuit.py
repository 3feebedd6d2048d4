"""Basis pursuit: of all exact solutions, the one whose entries are smallest in sum, which is often the sparsest.

    minimise ‖x‖₁   subject to   A x = b

By ADMM: the nearest point of the plane A x = b (one factorisation) and a soft threshold; at the end A_S x_S = b is
solved on the support found. Chen, Donoho & Saunders, SIAM Review 43, 2001.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.admm import admm
from unmix.optimize.arguments import system
from unmix.optimize.soft_threshold import prox_l1
from unmix.optimize.solution import Solution

NEGLIGIBLE = 1e-10  # singular values and misfits below this share of the largest count as none


def basis_pursuit(A: Any, b: Any, *, polish: bool = True, **settings: Any) -> Solution:
    """The solution of A x = b with the least sum of absolute values; ``.z`` holds it.

    Parameters
    ----------
    A : (n, d) array
        Fewer equations than unknowns, as a rule.
    b : (n,) array
    polish : bool
        Solve exactly on the support found.
    **settings
        Of `admm`.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.optimize import basis_pursuit
    >>> A = np.array([[1.0, 2.0, 0.5], [0.0, 1.0, 3.0]])
    >>> basis_pursuit(A, [2.0, 1.0]).z   # one entry will do
    array([0., 1., 0.])
    """
    A, b = system(A, b)
    size = float(np.abs(b).max())
    scale = size if size > 0 else 1.0
    left, values, right = np.linalg.svd(A, full_matrices=False)
    kept = values > NEGLIGIBLE * max(values[0], np.finfo(float).tiny)
    right = right[kept]
    least = right.T @ ((left[:, kept].T @ (b / scale)) / values[kept])  # the solution of least Euclidean norm
    if np.abs(A @ least - b / scale).max() > 1e-8:
        raise ValueError("A x = b has no solution; use lasso, which allows for an error, or drop equations")

    def nearest(v: np.ndarray, rho: float) -> np.ndarray:
        return least + v - right.T @ (right @ v)

    settings.setdefault("rho", 1.0 / max(float(np.abs(least).max()), np.finfo(float).tiny))
    found = admm(nearest, lambda v, rho: prox_l1(v, 1 / rho), least, **settings)
    exact = _on_support(A, b / scale, found.z) if polish else None
    x, z = (found.x, found.z) if exact is None else (exact, exact)
    return found._replace(x=x * scale, z=z * scale)


def _on_support(A: np.ndarray, b: np.ndarray, z: np.ndarray) -> np.ndarray | None:
    """The exact solution with the support of ``z``, or None where there is none with its signs."""
    support = np.flatnonzero(np.abs(z) > 1e-6 * np.abs(z).max(initial=0.0))
    if len(support) > len(A):
        return None
    exact = np.zeros(len(z))
    exact[support] = np.linalg.lstsq(A[:, support], b, rcond=None)[0]
    same = (np.sign(exact[support]) == np.sign(z[support])).all()
    return exact if same and np.abs(A @ exact - b).max(initial=0.0) <= 1e-10 else None
