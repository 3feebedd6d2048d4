"""Do exact roles fit, or are there errors? Roles of some users predict what others have, of whom half is shown.

Both kinds of roles are mined from the same users, and both are given to users left out in the same way, by the shown
permissions alone. Errors of the data make exact roles small and many: they then predict worse.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.core.random import spawn
from unmix.roles.access.access import Access
from unmix.roles.access.read import read
from unmix.roles.description.assignment import assign, granted_by
from unmix.roles.description.code_length import Rates
from unmix.roles.description.infer import DescribedRoles, infer_by_description
from unmix.roles.description.membership import plain_prices
from unmix.roles.held_out import some_users
from unmix.roles.problem.budget import Budget

MOST_USERS = 3000  # that are mined or predicted
LEAST_USERS, LEAST_PERMISSIONS = 30, 4
LEFT_OUT = 1 / 3
REPEATS = 3  # draws of the permissions shown
SECONDS = 60.0
SURE = 2.0  # standard errors of the difference


class HeldOutFit(NamedTuple):
    """Wrong entries for 100 hidden grants of users left out, the standard error of the difference, and what fits."""

    cover: float
    infer: float
    error: float
    better: str
    n_users: int

    @property
    def sentence(self) -> str:
        numbers = f"{self.infer:.1f} wrong entries for 100 hidden grants with them, {self.cover:.1f} with exact ones"
        if self.better != "infer":
            numbers = (
                f"{self.cover:.1f} wrong entries for 100 hidden grants with exact ones, {self.infer:.1f} with inferred"
            )
        words = {
            "infer": "Inferred roles fit better", "cover": "Exact roles fit better",
            "either": "Exact and inferred roles fit alike",
        }  # fmt: skip
        return f"{words[self.better]} by prediction of {self.n_users} users left out: {numbers}."


def which_fits(
    upa: Any, *, time_limit: float | None = None, random_state: int = 0, budget: Budget | None = None
) -> HeldOutFit | None:
    """Whether exact roles or inferred ones predict users left out better; None for few users or where time is short.

    Parameters
    ----------
    upa : Access, pairs, table or path
        Who has what; anything :func:`read` takes. Of many users, 3,000 are drawn.
    time_limit : float, optional
        Seconds, a minute unless said otherwise.
    random_state : int

    Returns
    -------
    HeldOutFit or None
        ``better`` is "infer" or "cover" where the errors differ by two standard errors (over users), else "either".
    """
    from unmix.roles.mine import mine

    access = upa if isinstance(upa, Access) else read(upa)
    budget = budget or Budget(SECONDS if time_limit is None else time_limit)
    learn, rest = split(access, random_state)
    if len(access.users) < LEAST_USERS or len(access.permissions) < LEAST_PERMISSIONS or not rest.nnz:
        return None
    inferred = infer_by_description(learn, budget.part(0.4), random_state, steer=False)
    if budget.over or inferred.rates is None:
        return None
    exact = mine(learn, time_limit=None if budget.left is None else max(budget.left, 1e-3), random_state=random_state)
    if exact.interrupted or budget.interrupted:
        return None
    kinds = [csr_array(found.role_permissions.astype(np.float64)) for found in (exact, inferred)]
    users = [np.bincount(found.user_roles.indices, minlength=len(found.names)) for found in (exact, inferred)]
    wrong = predicted(rest, kinds, users, inferred, len(learn.users), random_state)
    return verdict(*wrong)


def split(access: Access, seed: int) -> tuple[Access, csr_array]:
    """Users to learn from, and the rows of others."""
    order = spawn(seed, 10**6).permutation(len(access.users))[:MOST_USERS]
    out = order[: round(LEFT_OUT * len(order))]
    return some_users(access, np.sort(order[len(out) :])), csr_array(access.matrix[np.sort(out)].astype(np.float64))


def predicted(
    rest: csr_array, kinds: list[csr_array], users: list[np.ndarray], inferred: DescribedRoles, n: int, seed: int
) -> tuple[np.ndarray, np.ndarray, float]:
    """Wrong hidden entries of each user, with exact and with inferred roles, and hidden grants in all."""
    assert inferred.rates is not None
    wrong, hidden_grants, d = [np.zeros(rest.shape[0]) for _ in kinds], 0.0, rest.shape[1]
    for repeat in range(REPEATS):
        order = spawn(seed, 7, repeat).permutation(d)
        shown, hidden = np.sort(order[: d // 2]), np.sort(order[d // 2 :])
        truth = csr_array(rest[:, hidden])
        hidden_grants += float(truth.nnz)
        for roles, held_by, counts in zip(kinds, users, wrong):
            guess = complete(csr_array(rest[:, shown]), roles, held_by, shown, hidden, inferred.rates, n)
            counts += np.diff(truth.indptr) + np.diff(guess.indptr) - 2 * np.asarray(truth.multiply(guess).sum(axis=1))
    return wrong[0], wrong[1], hidden_grants


def complete(
    rows: csr_array, roles: csr_array, users: np.ndarray, shown: np.ndarray, hidden: np.ndarray, rates: Rates, n: int
) -> csr_array:
    """What roles that were given by the shown permissions say of the hidden ones."""
    if not roles.shape[0]:
        return csr_array((rows.shape[0], len(hidden)))
    held = assign(rows, csr_array(roles[:, shown]), rates, plain_prices(users, n, rows.shape[0]))
    return granted_by(held, csr_array(roles[:, hidden]))


def verdict(exact: np.ndarray, inferred: np.ndarray, grants: float) -> HeldOutFit | None:
    if not grants:
        return None
    scale, n = 100 / grants, len(exact)
    difference = (exact - inferred) * scale * n
    error = float(difference.std(ddof=1) / np.sqrt(n))
    gain = float(difference.mean())
    better = "infer" if gain > SURE * error else "cover" if gain < -SURE * error else "either"
    return HeldOutFit(float(exact.sum() * scale), float(inferred.sum() * scale), error, better, n)
