"""The lasso: least squares with a price on every coefficient's size, so that few are used.

    minimise ½ ‖A x - b‖² + penalty ‖x‖₁

By ADMM: a ridge step (one factorisation for all iterations) and a soft threshold. From the support and signs it finds
the exact answer is reached in a few turns (active_set.py), and kept if it is optimal:

    |A_jᵀ(b - A x)| ≤ penalty,   with equality and the sign of x_j where x_j ≠ 0

Tibshirani, JRSS B 58, 1996.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from unmix.optimize.admm import admm
from unmix.optimize.arguments import checked_size, system
from unmix.optimize.ridge import RidgeStep
from unmix.optimize.soft_threshold import prox_l1
from unmix.optimize.solution import Solution
from unmix.optimize.sparse_regression.active_set import from_near
from unmix.optimize.sparse_regression.certified import certified
from unmix.optimize.units import Units, column_units, power_of_two

NEGLIGIBLE_PENALTY = 1e-10  # as a share of the one that leaves no coefficient: less costs nothing that can be seen
ROUNDING = 1e-12  # of A_jᵀ(b - A x), as a share of ‖A_j‖ ‖b‖


def lasso(A: Any, b: Any, penalty: float, *, polish: bool = True, **settings: Any) -> Solution:
    """Few coefficients that explain b by the columns of A; ``.z`` holds them, zeros exact.

    It is solved in units in which columns have length and the penalty has size about 1, so nothing depends on those
    of A, b and the penalty.

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
        Of `admm`: rho, relaxation, eps_abs, eps_rel, max_iter, …; eps_abs (1e-8) is meant in the units above.

    Returns
    -------
    Solution
        ``converged`` says that the optimality conditions hold, to 1e-6 of the penalty or 100 times the tolerances.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.optimize import lasso
    >>> lasso(np.eye(3), [3.0, 0.5, -2.0], penalty=1.0).z
    array([ 2.,  0., -1.])
    """
    A, b = system(A, b)
    price = float(checked_size(penalty, "penalty"))
    if not np.isfinite(price):
        raise ValueError(f"penalty={penalty!r} must be a finite number; from max |Aᵀ b| on all coefficients are zero")
    problem = _Lasso(A, b, price)
    settings = {"rho": problem.curvature, **problem.units.inside(settings)}
    return problem.units.outside(certified(problem, settings, polish))


class _Lasso:
    """The problem in its own units."""

    def __init__(self, A: np.ndarray, b: np.ndarray, price: float) -> None:
        columns, common = column_units(A)
        self.A = A * columns
        size = float(power_of_two(np.abs(b).max()))
        most = float(np.abs(self.A.T @ (b / size)).max()) * size
        free = price * common <= NEGLIGIBLE_PENALTY * most
        right = float(power_of_two(most if free else price * common))
        self.b, self.prices = b / right, columns * (price / right)
        self.units = Units(columns * right, common * right, right**2)
        n, d = A.shape  # the fewer equations there are for a coefficient, the less they hold it
        self.curvature = max(float(np.square(self.A).sum()) / d * min(1.0, n / d), np.finfo(float).tiny)
        self._step = RidgeStep(self.A, self.b)
        self._rounding = (1e-8 if free else ROUNDING) * float(np.linalg.norm(self.b))

    def run(self, settings: dict[str, Any]) -> Solution:
        start = settings.get("z", np.zeros(self.A.shape[1]))
        others = {name: value for name, value in settings.items() if name != "z"}
        return admm(self._step, lambda v, rho: prox_l1(v, self.prices / rho), start, **others)

    def slopes(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(self.A.T @ (self.b - self.A @ x))

    def optimal(self, found: Solution, room: float) -> bool:
        slopes, signs = self.slopes(found.z), np.sign(found.z)
        wrong = np.where(signs != 0, np.abs(slopes - self.prices * signs), np.abs(slopes) - self.prices)
        return bool((wrong <= room * self.prices + self._rounding).all())

    def exact(self, found: Solution) -> Iterator[Solution]:
        """The minimiser that the support and signs found lead to, where it is not far."""
        x = from_near(self.A, self.b, self.prices, found.z)
        if x is not None:
            yield found._replace(x=x, z=x, dual=self.slopes(x))
