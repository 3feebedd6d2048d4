"""What a splitting method hands back: both blocks, the prices, how far from optimal, and how it got there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Solution(NamedTuple):
    """The answer of `admm`.

    Attributes
    ----------
    x, z : arrays
        The two blocks. Where the constraint is x = z, ``z`` satisfies g's side exactly (zeros of a lasso are zeros).
    dual : array
        Lagrange multipliers y of the constraint.
    primal_residual, dual_residual : float
        ``‖A x - B z - c‖`` and the distance of 0 from the gradient in x that the last step left.
    converged : bool
        Both residuals are below their tolerances.
    n_iter : int
    rho : float
        The penalty at the end.
    trace : list of dict
        Residuals, tolerances and rho of every iteration.
    """

    x: np.ndarray
    z: np.ndarray
    dual: np.ndarray
    primal_residual: float
    dual_residual: float
    converged: bool
    n_iter: int
    rho: float
    trace: list[dict[str, float]]
