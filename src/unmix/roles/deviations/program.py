"""The exact least noise of K roles on small matrices, as an integer programme over every role's users and permissions.

min Σ e_up with w_upk = y_uk z_kp: for a one, e_up ≥ 1 − Σ_k w_upk; for a zero, e_up ≥ y_uk + z_kp − 1 for every k.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.roles.limits.constrained import Model, unless_out_of_time
from unmix.roles.problem.budget import Budget


class LeastError(NamedTuple):
    """The best roles found, their assignment, the error, and the proven least error."""

    roles: np.ndarray
    assignment: np.ndarray
    error: float
    bound: float


def small_enough(matrix: np.ndarray, n_roles: int) -> bool:
    """Whether the programme is worth trying: beyond this, symmetry between roles makes it hopeless."""
    return matrix.size * n_roles <= 240


@unless_out_of_time
def exact_noise(matrix: np.ndarray, weight: np.ndarray, n_roles: int, budget: Budget) -> LeastError | None:
    """The least weighted number of wrong entries with K roles."""
    n, m = matrix.shape
    model = Model(budget)
    y, z = model.table(n, n_roles), model.table(n_roles, m)
    wrong_entries(model, matrix, weight, y, z)
    answer = model.solve([])
    if answer.x is None:
        return None
    value = answer.x > 0.5
    roles, assignment = value[z], value[y]
    product = (assignment.astype(int) @ roles.astype(int)) > 0
    return LeastError(roles, assignment, float(weight[product != matrix].sum()), answer.bound)


def wrong_entries(model: Model, matrix: np.ndarray, price: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Variables e_up, one where the product of users y (n, K) and permissions z (K, m) differs from the matrix."""
    wrong = np.zeros(matrix.shape, int)
    for (u, p), cost in np.ndenumerate(price):
        e = wrong[u, p] = model.variable(float(cost))
        if matrix[u, p]:
            terms = [(e, 1.0)]
            for k in range(y.shape[1]):
                both = model.variable(0.0)
                model.row([(y[u, k], 1.0), (both, -1.0)], 0.0)
                model.row([(z[k, p], 1.0), (both, -1.0)], 0.0)
                terms.append((both, 1.0))
            model.row(terms, 1.0)
        else:
            for k in range(y.shape[1]):
                model.row([(e, 1.0), (y[u, k], -1.0), (z[k, p], -1.0)], -1.0)
    return wrong
