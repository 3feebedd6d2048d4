"""Basis pursuit: of all exact solutions, the one whose entries are smallest in sum, which is often the sparsest.

    minimise ‖x‖₁   subject to   A x = b

By ADMM: the nearest point of the plane A x = b (one factorisation) and a soft threshold; at the end A_S x_S = b is
solved on the support found, or on the one it leads to (active_set.py). An answer is optimal if prices of the equations
prove that no other is less:

    λ·b ≤ ‖x‖₁   for all λ with |Aᵀλ| ≤ 1,   with equality at the optimum

Chen, Donoho & Saunders, SIAM Review 43, 2001.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from unmix.optimize.admm import admm
from unmix.optimize.arguments import system
from unmix.optimize.soft_threshold import prox_l1
from unmix.optimize.solution import Solution
from unmix.optimize.sparse_regression.active_set import from_near
from unmix.optimize.sparse_regression.certified import certified
from unmix.optimize.units import Units, column_units, power_of_two

NEGLIGIBLE = 1e-10  # singular values and misfits below this share of the largest count as none
PRICE = 1e-6  # of an entry, beside a right-hand side of size 1, that no longer decides which entries are used


def basis_pursuit(A: Any, b: Any, *, polish: bool = True, **settings: Any) -> Solution:
    """The solution of A x = b with the least sum of absolute values; ``.z`` holds it.

    It is solved in units in which equations, columns and the answer have size about 1, so nothing depends on those of
    A and b, nor on those of single equations.

    Parameters
    ----------
    A : (n, d) array
        Fewer equations than unknowns, as a rule.
    b : (n,) array
    polish : bool
        Solve exactly on the support found.
    **settings
        Of `admm`; eps_abs (1e-8) is meant in the units above.

    Returns
    -------
    Solution
        ``converged`` says that the sum is within 1e-6 of the least possible, or 100 times the tolerances.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.optimize import basis_pursuit
    >>> A = np.array([[1.0, 2.0, 0.5], [0.0, 1.0, 3.0]])
    >>> basis_pursuit(A, [2.0, 1.0]).z   # one entry will do
    array([0., 1., 0.])
    """
    problem = _BasisPursuit(*system(A, b))
    settings = {"rho": 1.0, **problem.units.inside(settings)}
    return problem.units.outside(certified(problem, settings, polish))


class _BasisPursuit:
    """The problem in its own units: minimise Σ weights |w| subject to A w = b."""

    def __init__(self, A: np.ndarray, b: np.ndarray) -> None:
        equations = power_of_two(np.abs(A).max(axis=1))
        A, b = A / equations[:, None], b / equations
        columns, common = column_units(A)
        again = power_of_two(np.abs(A * columns).max(axis=1))  # a column in larger units hid the others
        self.A, b = A * columns / again[:, None], b / again
        largest = float(power_of_two(np.abs(b).max()))
        left, values, right = np.linalg.svd(self.A, full_matrices=False)
        kept = values > NEGLIGIBLE * max(values[0], np.finfo(float).tiny)
        self._right = right[kept]
        least = self._right.T @ ((left[:, kept].T @ (b / largest)) / values[kept])  # of least Euclidean norm
        if np.abs(self.A @ least - b / largest).max() > 1e-8:
            raise ValueError("A x = b has no solution; use lasso, which allows for an error, or drop equations")
        size = float(power_of_two(np.abs(least).max()))
        self.least, self.b = least / size, b / largest / size
        self.weights = columns / common
        self.units = Units(columns * (largest * size), common * largest * size, common * largest * size)

    def run(self, settings: dict[str, Any]) -> Solution:
        start = settings.get("z", self.least)
        others = {name: value for name, value in settings.items() if name != "z"}
        return admm(self._nearest, lambda v, rho: prox_l1(v, self.weights / rho), start, **others)

    def _nearest(self, v: np.ndarray, rho: float) -> np.ndarray:
        return np.asarray(self.least + v - self._right.T @ (self._right @ v))

    def optimal(self, found: Solution, room: float) -> bool:
        """Whether z solves the equations, and no other solution can be smaller by more than its ``room``."""
        largest, value = float(np.abs(found.z).max(initial=0.0)), float(self.weights @ np.abs(found.z))
        slope = self._right.T @ (self._right @ found.dual)  # Aᵀλ for the λ nearest to these prices
        excess = max(1.0, float((np.abs(slope) / self.weights).max()))
        bound = float(slope @ self.least) / excess  # = λ·b
        misfit = float(np.abs(self.A @ found.z - self.b).max())
        return misfit <= room * largest and value - bound <= room * value

    def exact(self, found: Solution) -> Iterator[Solution]:
        """The equations solved on the support found, then on that of the lasso with a price that is all but nothing."""
        x = self._on_support(found.z)
        if x is not None:
            yield found._replace(x=x, z=x)
        near = from_near(self.A, self.b, PRICE * self.weights, found.z)
        x = None if near is None else self._on_support(near)
        if near is not None and x is not None:
            yield found._replace(x=x, z=x, dual=self.A.T @ (self.b - self.A @ near) / PRICE)

    def _on_support(self, z: np.ndarray) -> np.ndarray | None:
        """The exact solution with the support of ``z``, or None where there is none with its signs."""
        support = np.flatnonzero(np.abs(z) > 1e-6 * np.abs(z).max(initial=0.0))
        if len(support) > len(self.A):
            return None
        exact = np.zeros(len(z))
        exact[support] = np.linalg.lstsq(self.A[:, support], self.b, rcond=None)[0]
        same = (np.sign(exact[support]) == np.sign(z[support])).all()
        solved = np.abs(self.A @ exact - self.b).max() <= NEGLIGIBLE * np.abs(exact).max(initial=0.0)
        return exact if same and solved else None
