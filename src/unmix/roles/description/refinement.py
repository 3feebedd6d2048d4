"""Users, roles and rates of errors in turn, as long as the description becomes shorter; needless roles go."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.description.assignment import Assigned, assign, granted_by, measured
from unmix.roles.description.code_length import Rates, membership_cost, role_cost
from unmix.roles.description.lists import of_lists, row_lists
from unmix.roles.description.membership import Prices
from unmix.roles.description.task import Task

ROUNDS = 8
USER_ROUNDS = 4
LEAST_GAIN = 1e-5  # of the bits: what another round must save


def refine(X: csr_array, roles: csr_array, prices: Prices, rates: Rates, task: Task) -> Assigned:
    """The shortest description that users, roles and rates reach in turn from these roles."""
    best = fitted_users(X, roles, prices, rates, task)
    for _ in range(ROUNDS):
        if task.budget.over:
            break
        rates = best.rates(X)
        refitted = refit_roles(X, best, rates, task)
        held = assign(X, refitted, rates, task.code.prices(best.held), most=task.limits.max_roles_per_user)
        trial = without_needless(X, measured(X, refitted, held, task.code, task.kept), rates, task)
        if trial.bits(X) > (1 - LEAST_GAIN) * best.bits(X):
            return trial if trial.bits(X) < best.bits(X) else best
        best = trial
    return best


def fitted_users(X: csr_array, roles: csr_array, prices: Prices, rates: Rates, task: Task) -> Assigned:
    """Users and rates in turn: roles are refitted only to users who were given them at the rates of these data."""
    most = task.limits.max_roles_per_user
    found = measured(X, roles, assign(X, roles, rates, prices, most=most), task.code, task.kept)
    for _ in range(USER_ROUNDS):
        if task.budget.over:
            break
        held = assign(X, roles, found.rates(X), task.code.prices(found.held), most=most)
        trial = measured(X, roles, held, task.code, task.kept)
        if trial.bits(X) >= found.bits(X):
            break
        found = trial
    return found


def refit_roles(X: csr_array, found: Assigned, rates: Rates, task: Task) -> csr_array:
    """Each role in turn with the permissions that save bits where no other role of its holders gives them."""
    d = X.shape[1]
    lists, price = row_lists(found.roles), task.kept.discount(found.roles)
    holders = csr_array(found.held.T)
    for k in range(len(lists)):
        users = holders.indices[holders.indptr[k] : holders.indptr[k + 1]]
        if task.budget.over:
            break
        if not len(users):
            continue
        others = csr_array(found.held[users] @ of_lists([*lists[:k], lists[k][:0], *lists[k + 1 :]], d))
        others.data[:] = 1.0
        rows = X[users]
        ones = column_sums(rows) - column_sums(csr_array(rows.multiply(others)))
        free = len(users) - column_sums(others)
        value = rates.reward * ones - rates.penalty * (free - ones)
        saved = value - membership_cost(len(lists[k]), d)
        paying = np.flatnonzero(saved > 0)
        new = task.limits.best(paying, saved[paying])
        # a role that exists stays as it is, unless another set saves more than the change costs
        if price[k] and worth_of(value, new, d) - price[k] <= worth_of(value, lists[k], d):
            continue
        lists[k] = new
    return of_lists(lists, d)


def worth_of(value: np.ndarray, permissions: np.ndarray, d: int) -> float:
    """Bits that a role of these permissions saves, what it takes to write them down subtracted."""
    return float(value[permissions].sum() - role_cost(len(permissions), d))


def column_sums(matrix: csr_array) -> np.ndarray:
    return np.bincount(matrix.indices, weights=matrix.data, minlength=matrix.shape[1])


def without_needless(X: csr_array, found: Assigned, rates: Rates, task: Task) -> Assigned:
    """Without the roles whose holders are described as shortly by others, those with fewest holders asked first."""
    roles, held = found.roles, found.held.copy()
    gone, rule = np.zeros(roles.shape[0], dtype=bool), task.code.rules(held)
    price = role_cost(np.diff(roles.indptr), X.shape[1]) - task.kept.discount(roles)
    for k in np.argsort(found.users * np.diff(roles.indptr), kind="stable"):
        if task.budget.over:
            break
        by_role = held.tocsc()
        users = by_role.indices[by_role.indptr[k] : by_role.indptr[k + 1]]
        now, rows = held[users], X[users]
        prices = task.code.prices(held, rule).of(users)
        most = task.limits.max_roles_per_user
        without = assign(rows, blanked(roles, gone), rates, prices, barred=int(k), most=most)
        lost = worth(rows, now, roles, rates, prices) - worth(rows, without, roles, rates, prices)
        if lost <= price[k]:
            gone[k] = True
            held = replaced(held, users, without)
    kept = np.flatnonzero(~gone)
    return measured(X, csr_array(roles[kept]), csr_array(held[:, kept]), task.code, task.kept)


def blanked(roles: csr_array, gone: np.ndarray) -> csr_array:
    """The roles, those that are gone without permissions: nobody is given them."""
    left = roles.copy()
    left.data[np.repeat(gone, np.diff(roles.indptr))] = 0.0
    left.eliminate_zeros()
    return left


def worth(rows: csr_array, held: csr_array, roles: csr_array, rates: Rates, prices: Prices) -> float:
    """Bits that the roles held save these users."""
    given = granted_by(held, roles)
    agreed = float(rows.multiply(given).sum())
    within = csr_array(held.multiply(prices.meets))
    paid = prices.outside[held.indices].sum() + (prices.inside - prices.outside)[within.indices].sum()
    return rates.reward * agreed - rates.penalty * (given.nnz - agreed) - float(paid)


def replaced(held: csr_array, users: np.ndarray, new: csr_array) -> csr_array:
    """``held`` with other rows for these users."""
    lists = row_lists(held)
    for user, row in zip(users, row_lists(new)):
        lists[user] = row
    return of_lists(lists, held.shape[1])
