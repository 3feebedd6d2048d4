"""Consensus: parts that each know a share of the problem agree on one answer.

    minimise Σ_i f_i(x_i) + g(z)   subject to   x_i = z for all i

Every part solves its own step, the answers are averaged, and each part's price for disagreeing is updated: ADMM with
the copies of z as B. Boyd et al., Foundations and Trends in Machine Learning 3, 2011, chapter 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unmix.optimize.admm import Step, admm
from unmix.optimize.arguments import finite, system
from unmix.optimize.ridge import RidgeStep
from unmix.optimize.solution import Solution


class _Copies:
    """The matrix that writes z once for every part; its transpose adds the parts up."""

    def __init__(self, n_parts: int) -> None:
        self.n_parts = n_parts

    def __matmul__(self, z: np.ndarray) -> np.ndarray:
        return np.broadcast_to(z, (self.n_parts, *z.shape))


def consensus(parts: Sequence[Step], start: Any, *, regularizer: Step | None = None, **settings: Any) -> Solution:
    """The common minimiser of several functions, each known by its proximal step alone; ``.z`` holds it.

    Parameters
    ----------
    parts : sequence of callables (v, rho) -> array
        ``argmin f_i(x) + ρ/2 ‖x - v‖²`` each; `least_squares_part` makes one from a share of a regression.
    start : (d,) array
        Where the common answer starts.
    regularizer : callable (v, rho) -> array or None
        ``argmin g(z) + ρ/2 ‖z - v‖²``; None where there is no g.
    **settings
        Of `admm`; rho starts at the mean curvature of the parts where these tell it, as least squares do.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.optimize import consensus, least_squares_part
    >>> A, b = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), np.array([1.0, 2.0, 3.0])
    >>> shares = [least_squares_part(A[:2], b[:2]), least_squares_part(A[2:], b[2:])]
    >>> consensus(shares, np.zeros(2)).z.round(6)
    array([1., 1.])
    """
    if len(parts) == 0:
        raise ValueError("parts is empty; give at least one")
    n_parts = len(parts)

    def solve_parts(v: np.ndarray, rho: float) -> np.ndarray:
        return np.stack([part(row, rho) for part, row in zip(parts, v)])

    def agree(v: np.ndarray, rho: float) -> np.ndarray:
        mean = v.mean(axis=0)
        return mean if regularizer is None else np.asarray(regularizer(mean, n_parts * rho))

    curvatures = [getattr(part, "curvature", 0.0) for part in parts]
    if min(curvatures) > 0:  # so that the way there does not depend on the units of the parts
        settings.setdefault("rho", float(np.mean(curvatures)))
    return admm(solve_parts, agree, finite(start, "start", 1), B=_Copies(n_parts), **settings)


def least_squares_part(A: Any, b: Any) -> Step:
    """The proximal step of ½ ‖A x - b‖², with the factorisation kept."""
    return RidgeStep(*system(A, b))
