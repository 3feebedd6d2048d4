"""Roles that may deviate, under limits, exactly on small matrices: one integer programme over K places for roles.

x_k = place used, y_uk = user u has it, z_kp = it holds p, e_up = wrong entry (`noise_program`):
y_uk, z_kp ≤ x_k, Σ_u y_uk ≥ s x_k, Σ_p z_kp ≥ t x_k, Σ_k y_uk ≤ most roles a user, z_ka + z_kb ≤ 1 for forbidden pairs.
Least Σ e_up; or with Σ e_up − o ≤ δ the fewest single grants o, and with those the fewest roles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.roles.deviations.limited_fit import Rules
from unmix.roles.deviations.program import wrong_entries
from unmix.roles.limits.constrained import Model, unless_out_of_time
from unmix.roles.problem.budget import Budget


class Answer(NamedTuple):
    """Roles with the kept ones first, their assignment, and the proven least value of what was made small."""

    roles: np.ndarray
    assignment: np.ndarray
    bound: float
    proven: bool


@unless_out_of_time
def exact_within_limits(
    matrix: np.ndarray, weight: np.ndarray, n_roles: int, rules: Rules, budget: Budget, delta: int | None = None
) -> Answer | None:
    """The least weighted number of wrong entries, or with ``delta`` the fewest single grants and then roles."""
    n, m = matrix.shape
    model = Model(budget)
    x = model.table(1, n_roles, 0.0 if delta is None else 1.0)[0]
    y, z = model.table(n, n_roles), model.table(n_roles, m)
    wrong = wrong_entries(model, matrix, weight if delta is None else np.zeros_like(weight), y, z)
    if delta is not None:
        count_deviations(model, matrix, weight, wrong, delta, float(n_roles + 1))
    places(model, x, y, z, rules)
    limits_of_users(model, y, rules)
    n_kept = rules.keep.shape[0]
    answer = model.solve([*x[:n_kept].tolist(), *z[:n_kept][rules.keep].tolist()])
    if answer.x is None:
        return None
    value = answer.x > 0.5
    used = np.flatnonzero(value[x])
    return Answer(value[z][used], value[y][:, used], answer.bound, answer.proven)


def count_deviations(
    model: Model, matrix: np.ndarray, weight: np.ndarray, wrong: np.ndarray, delta: int, price: float
) -> None:
    """Wrong entries beyond ``delta`` are granted singly, at a price above that of all roles; extra ones cannot be."""
    digits = [2.0**j for j in range(int(weight[matrix].sum()).bit_length())]
    singles = [(model.variable(price * digit), -digit) for digit in digits]
    entries = [(int(e), float(w)) for e, w in zip(wrong.ravel(), weight.ravel())]
    model.row(entries + singles, -np.inf, float(delta))
    model.row([entry for entry, one in zip(entries, matrix.ravel()) if not one], -np.inf, float(delta))


def places(model: Model, x: np.ndarray, y: np.ndarray, z: np.ndarray, rules: Rules) -> None:
    """What holds for each role: kept ones are as they were given, new ones large enough and without forbidden pairs."""
    n_kept = rules.keep.shape[0]
    for k in range(x.size):
        for variable in (*y[:, k], *z[k]):
            model.row([(x[k], 1.0), (variable, -1.0)], 0.0)
        if k < n_kept:
            model.row([(variable, 1.0) for variable in z[k][~rules.keep[k]]], 0.0, 0.0)
            continue
        model.row([(variable, 1.0) for variable in y[:, k]] + [(x[k], -float(rules.min_users))], 0.0)
        model.row([(variable, 1.0) for variable in z[k]] + [(x[k], -float(rules.min_permissions))], 0.0)
        for a, b in rules.forbidden:
            model.row([(z[k, a], 1.0), (z[k, b], 1.0)], 0.0, 1.0)
        if k > n_kept:  # places are filled from the first, or the search would see every order of the roles
            model.row([(x[k - 1], 1.0), (x[k], -1.0)], 0.0)


def limits_of_users(model: Model, y: np.ndarray, rules: Rules) -> None:
    for mine in y:
        if rules.max_roles_per_user is not None:
            model.row([(variable, 1.0) for variable in mine], 0.0, float(rules.max_roles_per_user))
        for a, b in rules.conflicts:
            model.row([(mine[a], 1.0), (mine[b], 1.0)], 0.0, 1.0)
