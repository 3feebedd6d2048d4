"""Better components from the sums of a pass: every column of the model a quadratic problem in its k entries.

    ½ u·H_j u - p_j·u + penalty,     H_j = Σ w bend z zᵀ,   p_j = Σ w (bend m - slope) z

A constraint on entries is met column by column, exactly or by coordinate descent, the intercept together with them.
Constraints on whole components take proximal steps, one component after the other with the steepest of its columns
(exact where all columns are alike: hierarchical alternating least squares), those on the whole matrix all at once.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.factorization.limits import limits_of
from unmix.algorithms.factorization.problem import Problem, Statistics
from unmix.algorithms.factorization.quadratic import within
from unmix.algorithms.principal.latent_gaussian import unpack
from unmix.constraints.base import Constraint

ROUNDS = 5  # over all components


def update_components(problem: Problem, found: Statistics, components: np.ndarray, damping: float) -> np.ndarray:
    """The components after a step from ``components``, at which the sums were taken; ``damping`` shortens it."""
    rules, K = problem.rules, len(components)
    if K == 0:
        return components
    grams, pull, old = unpack(found.products, K), found.pull.T, components.T.astype(np.float64)
    if rules.full:
        factors = rules.design.factors
        if not (factors == 1).all():
            grams = grams * factors[:, None, None]
    if damping != 1:
        pull = pull + (damping - 1) * np.matmul(grams, old[:, :, None])[:, :, 0]
        grams = grams * damping
    free = int(rules.intercept)
    limits = limits_of(problem.components, K - free, free)
    if limits is not None:
        new = within(limits, grams, pull, old).T
    else:
        new = whole_components(problem.components, grams, pull.T, old.T, free)
    return np.ascontiguousarray(new, dtype=components.dtype)


def whole_components(
    constraint: Constraint, grams: np.ndarray, pull: np.ndarray, U: np.ndarray, free: int
) -> np.ndarray:
    U, k = U.copy(), len(U) - free
    for _ in range(ROUNDS):
        for c in range(k, k + free):
            bend = grams[:, c, c]
            U[c] += np.divide(slope(grams, pull, U, c), bend, out=np.zeros(U.shape[1]), where=bend > 0)
        if constraint.scope == "matrix":
            top = float(np.abs(grams[:, :k, :k]).sum(axis=2).max())
            if top > 0:
                U[:k] = constraint.prox(U[:k] + all_slopes(grams, pull, U)[:k] / top, 1 / top)
        else:
            for c in range(k):
                top = float(grams[:, c, c].max())
                if top > 0:
                    U[c] = constraint.prox((U[c] + slope(grams, pull, U, c) / top)[None], 1 / top)[0]
    return U


def slope(grams: np.ndarray, pull: np.ndarray, U: np.ndarray, c: int) -> np.ndarray:
    """Where row c of the components is pulled to: p - H u."""
    if len(grams) == 1:
        down: np.ndarray = pull[c] - grams[0, c] @ U
        return down
    return pull[c] - np.einsum("jc,cj->j", grams[:, c], U)


def all_slopes(grams: np.ndarray, pull: np.ndarray, U: np.ndarray) -> np.ndarray:
    return np.stack([slope(grams, pull, U, c) for c in range(len(U))])
