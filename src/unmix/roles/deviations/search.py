"""Roles that may deviate: K roles with the fewest wrong entries ‖X − UA ⊗ PA‖₁, or the fewest roles with at most δ.

Given all other roles, entry (u, p) is open if none of them gives it; then role r is best for user u iff
Σ_{p in r, open} (2 x_up − 1) > 0, and permission p belongs to it iff Σ_{u with r, open} (2 x_up − 1) > 0. The two are
taken in turn, role by role; roles are dropped by least harm, and replaced by new ones grown on what is missing.

Reference: P. Miettinen et al., The discrete basis problem, IEEE TKDE 20, 2008.
"""

from __future__ import annotations

import numpy as np

from unmix.core.random import spawn
from unmix.roles.problem.budget import Budget


class Fit:
    """A state of K roles on a dense matrix of distinct rows and columns with weights (how many each stands for)."""

    def __init__(self, matrix: np.ndarray, weight: np.ndarray, roles: np.ndarray, assignment: np.ndarray):
        self.matrix, self.weight = matrix, weight  # weight (n, m) of each entry
        self.signed = np.where(matrix, weight, -weight).astype(np.float32)
        self.roles, self.assignment = roles.astype(bool), assignment.astype(bool)
        self.count = self.assignment.astype(np.float32) @ self.roles.astype(np.float32)

    @property
    def error(self) -> float:
        return float(self.weight[(self.count > 0) != self.matrix].sum())

    def copy(self) -> Fit:
        return Fit(self.matrix, self.weight, self.roles.copy(), self.assignment.copy())

    def polish(self, rounds: int, budget: Budget) -> Fit:
        """Takes users and permissions of each role in turn until nothing changes."""
        before = self.error
        for _ in range(rounds):
            for r in range(self.roles.shape[0]):
                if budget.over:
                    return self
                self.refit(r)
            if self.error >= before:
                break
            before = self.error
        return self

    def refit(self, r: int, permissions: np.ndarray | None = None) -> None:
        self.count -= np.outer(self.assignment[:, r], self.roles[r])
        open_ = np.where(self.count < 0.5, self.signed, 0.0)
        role = self.roles[r] if permissions is None else permissions
        users = self.users_of(r, open_ @ role.astype(np.float32))
        for _ in range(20):
            role = self.permissions_of(r, users.astype(np.float32) @ open_)
            again = self.users_of(r, open_ @ role.astype(np.float32))
            if (again == users).all():
                break
            users = again
        self.store_role(r, users, role, open_)

    def users_of(self, r: int, gain: np.ndarray) -> np.ndarray:
        """Who gets role r, given how many entries each user would have right by it."""
        return gain > 0

    def permissions_of(self, r: int, gain: np.ndarray) -> np.ndarray:
        return gain > 0

    def store_role(self, r: int, users: np.ndarray, role: np.ndarray, open_: np.ndarray) -> None:
        self.roles[r], self.assignment[:, r] = role, users
        self.count += np.outer(users, role)

    def clear(self, r: int) -> None:
        """A role of nothing for nobody; the counts are the caller's."""
        self.roles[r], self.assignment[:, r] = False, False

    def harm(self) -> np.ndarray:
        """Change of the error when a role goes; infinite where it must not."""
        alone = np.where((self.count > 0.5) & (self.count < 1.5), self.signed, 0.0)
        return np.einsum("ur,up,rp->r", self.assignment, alone, self.roles, optimize=True)

    def drop(self, r: int) -> None:
        self.count -= np.outer(self.assignment[:, r], self.roles[r])
        self.roles = np.delete(self.roles, r, axis=0)
        self.assignment = np.delete(self.assignment, r, axis=1)


def fewest_within(fit: Fit, delta: float, budget: Budget, *, least: int = 0, rounds: int = 20, seed: int = 0) -> Fit:
    """Drops roles while the error stays within ``delta``, polishing and shaking after each drop."""
    best = fit.copy()
    while best.roles.shape[0] > least and not budget.over:
        trial = drop_least(best)
        trial.polish(rounds, budget)
        if trial.error > delta:
            trial = perturbed(trial, budget, target=delta, tries=4 * max(4, trial.roles.shape[0]), seed=seed)
        if trial.error > delta:
            break
        best = trial
    return best


def least_noise(fit: Fit, n_roles: int, budget: Budget, *, rounds: int = 20, tries: int = 60, seed: int = 0) -> Fit:
    """K roles with few wrong entries: down from many roles, then roles replaced one by one."""
    while fit.roles.shape[0] > n_roles:
        if budget.over:
            return drop_down(fit, n_roles)
        fit = drop_least(fit)
        if fit.roles.shape[0] < 4 * n_roles:
            fit.polish(2, budget)
    return perturbed(fit.polish(rounds, budget), budget, target=0.0, tries=tries, seed=seed)


def drop_least(fit: Fit) -> Fit:
    """A copy without the role that is missed least."""
    smaller = fit.copy()
    smaller.drop(int(np.argmin(smaller.harm())))
    return smaller


def drop_down(fit: Fit, n_roles: int) -> Fit:
    """A copy with only the roles that would be missed most, all others dropped at once."""
    smaller = fit.copy()
    for r in np.sort(np.argsort(smaller.harm(), kind="stable")[: fit.roles.shape[0] - n_roles])[::-1]:
        smaller.drop(int(r))
    return smaller


def perturbed(fit: Fit, budget: Budget, *, target: float, tries: int, seed: int) -> Fit:
    """Replaces a role by one grown from a user's missing permissions, and keeps what is better."""
    best, error = fit, fit.error
    rng = spawn(seed, fit.roles.shape[0])
    for turn in range(tries):
        if error <= target or budget.over or not best.roles.shape[0]:
            break
        trial = best.copy()
        harm = trial.harm()
        free = np.flatnonzero(np.isfinite(harm))
        if not free.size:
            break
        r = int(np.argmin(harm)) if turn % 2 == 0 else int(free[rng.integers(free.size)])
        trial.clear(r)
        trial.count = trial.assignment.astype(np.float32) @ trial.roles.astype(np.float32)
        missing = trial.matrix & (trial.count < 0.5)
        rows = np.flatnonzero(missing.any(axis=1))
        if not rows.size:
            break
        start = missing[rng.choice(rows)]
        if rows.size > 1 and rng.random() < 0.5:
            meet = start & trial.matrix[rng.choice(rows)]
            start = meet if meet.any() else start
        trial.refit(r, start)
        trial.polish(10, budget)
        if trial.error < error or (trial.error == error and turn % 3 == 0):
            best, error = trial, trial.error
    return best
