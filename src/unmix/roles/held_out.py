"""How well mined roles serve users who were not mined: left out in turn, half of what they have shown, half guessed.

Reference: M. Frank, J. M. Buhmann, D. Basin, On the definition of role mining, SACMAT 2010.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.roles.access.access import Access
from unmix.roles.access.grants import is_sparse
from unmix.roles.classical.best_assignment import best_role_sets, boolean_product
from unmix.roles.evaluation.generalization import Generalization, generalization
from unmix.roles.problem.budget import Budget

N_FOLDS = 3
MOST_ENTRIES = 2 * 10**7


class GivenRoles:
    """Roles that predict: of those a user could have by what is shown, the set that fits it best."""

    def __init__(self, roles: Any):
        self.roles = np.asarray(roles.toarray() if is_sparse(roles) else roles, dtype=np.float64)

    def complete(self, X: Any, shown: np.ndarray) -> np.ndarray:
        if not len(self.roles):
            return np.zeros(X.shape)
        return boolean_product(best_role_sets(X, self.roles, shown), self.roles)


def held_out(access: Access, budget: Budget, *, random_state: int = 0, **options: Any) -> Generalization | None:
    """Mean over folds of users; None where there are too few of them, too much data, or no time.

    ``options`` are those of :func:`mine`, with which each fold is mined again.
    """
    from unmix.roles.mine import mine

    n, d = access.matrix.shape
    if n < 2 * N_FOLDS or d < 2 or n * d > MOST_ENTRIES:
        return None
    fold = spawn(random_state, 10**6).permutation(np.arange(n) % N_FOLDS)
    parts = []
    with budget:
        for f in range(N_FOLDS):
            if budget.over:
                return None
            rest = some_users(access, np.flatnonzero(fold != f))
            limit = {} if budget.left is None else {"time_limit": max(1e-3, budget.left / (N_FOLDS - f))}
            found = mine(rest, random_state=random_state, **{**options, **limit})
            model = getattr(found, "model", None) or GivenRoles(found.role_permissions)
            new = access.matrix[np.flatnonzero(fold == f)].astype(np.float64)
            parts.append(generalization(model, new, random_state=random_state + f))
    return Generalization(*np.mean(parts, axis=0).tolist()) if len(parts) == N_FOLDS else None


def some_users(access: Access, which: np.ndarray) -> Access:
    """The access of some of the users, all permissions kept."""
    return Access([access.users[i] for i in which], access.permissions, access.matrix[which])
