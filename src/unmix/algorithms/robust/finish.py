"""From rank and likely support to the exact solution, with its proof, or the news that it is not there yet."""

from __future__ import annotations

import numpy as np

from unmix.algorithms.robust.certificate import certify
from unmix.algorithms.robust.completion import complete
from unmix.algorithms.robust.problem import Problem, Split

LARGEST_MISFIT = 1e-12  # of ‖X‖ off the support, that the completed matrix may have
NEGLIGIBLE_ENTRY = 1e-9  # entries of S below this share of the largest entry of L are rounding


def is_determined(problem: Problem, rank: int, support: int) -> bool:
    """There are no more unknowns in a matrix of that rank than entries that fix it."""
    n, d = problem.X.shape
    fixed = n * d - support
    if problem.observed is not None:
        fixed -= problem.observed.size - int(np.count_nonzero(problem.observed))
    return rank * (n + d - rank) <= fixed


def finish(problem: Problem, L: np.ndarray, V: np.ndarray, Y: np.ndarray, *, tol: float) -> tuple[Split, float] | None:
    """The split of the rank of ``L`` with its support where ``Y`` is at its bounds, and its duality gap."""
    if not is_determined(problem, len(V), int(np.count_nonzero(np.abs(Y) >= problem.price[:, None]))):
        return None
    free = np.abs(Y) >= problem.price[:, None] * (1 - 1e-9)
    if problem.observed is not None:
        free |= ~problem.observed
    misfit = max(LARGEST_MISFIT, 2 * problem.precision)
    if len(V):
        factors = complete(problem.X, free, L, V, tol=misfit, max_iter=60)
    else:
        factors, free = (L[:, :0], V), np.ones_like(free)  # nothing but S is left to be X
    if factors is None:
        return None
    split = split_by(problem, free, *factors)
    return split, certify(problem, split, Y, tol=tol, max_iter=60)


def split_by(problem: Problem, free: np.ndarray, Q: np.ndarray, V: np.ndarray) -> Split:
    """Singular vectors of L = Q V, and S = X - L where it is free and observed."""
    left, values, right = np.linalg.svd(V, full_matrices=False)
    L = Q @ V
    S = np.where(free, problem.X - L, 0.0)
    if problem.observed is not None:
        S *= problem.observed
    S[np.abs(S) <= max(NEGLIGIBLE_ENTRY, 10 * problem.precision) * np.abs(L).max(initial=0.0)] = 0.0
    return Split(Q @ left, values, right, S)
