"""The alternating direction method of multipliers: two blocks, tied by a linear constraint, minimised in turn.

    minimise f(x) + g(z)   subject to   A x = B z + c

    x ← argmin f(x) + ρ/2 ‖A x - (B z + c - u)‖²
    h = α A x + (1 - α)(B z + c)                       over-relaxation
    z ← argmin g(z) + ρ/2 ‖B z - (h - c + u)‖²
    u ← u + h - B z - c                                scaled multipliers, y = ρ u

The textbook's B is -B here, so that for x = z (A = B = I, c = 0) both steps are proximal operators. It stops when
‖A x - B z - c‖ and what is left of the gradient in x, ρ ‖Aᵀ(B Δz + (1 - α)(A x - B z_old - c))‖, are both small: as
shares of ‖A x‖ and ‖Aᵀy‖, or, where an answer or its prices go to 0, of the largest met on the way, provided that the
answer (or the prices) no longer move. All of these are in the units of the problem.
Boyd, Parikh, Chu, Peleato & Eckstein, Foundations and Trends in Machine Learning 3, 2011.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.core.iteration.loop import iterate
from unmix.optimize.arguments import checked_size, floats, positive
from unmix.optimize.balance import Balance, balanced
from unmix.optimize.solution import Solution

Step = Callable[[np.ndarray, float], np.ndarray]


class _State(NamedTuple):
    x: np.ndarray
    z: np.ndarray
    u: np.ndarray
    rho: float
    changes: int
    largest: float  # ‖A x‖ and
    steepest: float  # ‖Aᵀ y‖ met so far
    primal: float
    dual: float
    iteration: int
    done: bool


class _Identity:
    """What stands for a matrix that was not given."""

    @property
    def T(self) -> _Identity:
        return self

    def __matmul__(self, v: np.ndarray) -> np.ndarray:
        return v


def admm(
    x_step: Step,
    z_step: Step,
    z: Any,
    *,
    A: Any = None,
    B: Any = None,
    c: Any = 0.0,
    dual: Any = None,
    rho: float = 1.0,
    adaptive: bool = True,
    relaxation: float = 1.6,
    eps_abs: float = 0.0,
    eps_rel: float = 1e-8,
    max_iter: int = 10_000,
) -> Solution:
    """Minimise f(x) + g(z) subject to A x = B z + c, given the two minimisers of the blocks.

    Parameters
    ----------
    x_step, z_step : callables (v, rho) -> array
        ``argmin f(x) + ρ/2 ‖A x - v‖²`` and ``argmin g(z) + ρ/2 ‖B z - v‖²``. Without A and B these are the proximal
        operators of f and g with step 1/ρ.
    z : array
        Where the second block starts; the first needs no start.
    A, B : matrix or None
        Anything with ``@`` and ``.T``: an array, a sparse matrix, a linear operator. None is the identity.
    c : array or float
    dual : array or None
        Multipliers to start from, as in `Solution.dual`: a warm start.
    rho : float
        The penalty at the start.
    adaptive : bool
        Move ρ where one residual is far below its tolerance and the other far above: at most every tenth iteration and
        ever more rarely, so that the method still converges.
    relaxation : float
        α, between 0 and 2; 1 is the plain method.
    eps_abs, eps_rel : float
        Tolerances: ``√p eps_abs + eps_rel max(‖A x‖, ‖B z‖, ‖c‖)`` and ``√n eps_abs + eps_rel ‖Aᵀ y‖``. eps_abs is
        in the units of the problem.
    max_iter : int

    Examples
    --------
    The point of a box nearest to the plane's point (2, -1), the constraint held by the second block:

    >>> import numpy as np
    >>> from unmix.optimize import admm, project_box
    >>> target = np.array([2.0, -1.0])
    >>> found = admm(lambda v, rho: (target + rho * v) / (1 + rho), lambda v, rho: project_box(v), np.zeros(2))
    >>> found.z.round(6) + 0.0, found.converged
    (array([1., 0.]), True)
    """
    rho, max_iter = positive(rho, "rho"), int(positive(max_iter, "max_iter"))
    if not 0 < relaxation < 2:
        raise ValueError(f"relaxation={relaxation!r} must lie between 0 and 2; 1 is the plain method")
    checked_size([eps_abs, eps_rel], "eps_abs, eps_rel")
    left, right = _Identity() if A is None else A, _Identity() if B is None else B
    offset, z = np.asarray(c, dtype=np.float64), floats(z, "z")
    trace: list[dict[str, float]] = []
    y = np.zeros(np.shape(right @ z + offset)) if dual is None else np.array(dual, dtype=np.float64)

    def advance(state: _State) -> tuple[_State, dict[str, float]]:
        target = right @ state.z + offset
        x = np.asarray(x_step(target - state.u, state.rho))
        Ax = left @ x
        relaxed = relaxation * Ax + (1 - relaxation) * target
        z = np.asarray(z_step(relaxed - offset + state.u, state.rho))
        Bz = right @ z
        u = state.u + relaxed - Bz - offset
        left_over = Bz + offset - target + (1 - relaxation) * (Ax - target)
        primal, dual = _norm(Ax - Bz - offset), state.rho * _norm(left.T @ left_over)
        size, slope = max(_norm(Ax), _norm(Bz), _norm(offset)), state.rho * _norm(left.T @ u)
        largest, steepest = max(state.largest, size), max(state.steepest, slope, dual)
        primal_scale = max(size, min(largest, _norm(u)))
        dual_scale = max(slope, min(steepest, state.rho * _norm(left.T @ Bz)))
        primal_limit = np.sqrt(u.size) * eps_abs + eps_rel * primal_scale
        dual_limit = np.sqrt(x.size) * eps_abs + eps_rel * dual_scale
        done = bool(primal <= primal_limit and dual <= dual_limit)
        measured = {"primal": primal, "primal_limit": primal_limit, "dual": dual, "dual_limit": dual_limit,
                    "rho": state.rho}  # fmt: skip
        trace.append(measured)
        iteration, scale = state.iteration + 1, Balance(state.rho, state.changes)
        if adaptive and not done:
            scale = balanced(scale, iteration, measured)
        u = u * (state.rho / scale.rho)  # y = ρ u stays
        grown = (scale.rho, scale.changes, largest, steepest)
        return _State(x, z, u, *grown, primal, dual, iteration, done), measured

    start = _State(np.zeros(0), z, y / rho, rho, 0, 0.0, 0.0, np.inf, np.inf, 0, False)
    end = iterate(advance, start, max_iter=max_iter, name="admm")
    residuals = (end.primal, end.dual, end.done, end.iteration, end.rho)
    return Solution(end.x, end.z, end.rho * end.u, *residuals, trace)


def _norm(v: np.ndarray) -> float:
    return float(np.linalg.norm(np.ravel(v)))
