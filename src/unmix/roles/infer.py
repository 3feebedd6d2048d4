"""Problem "infer": the roles behind noisy access data, their number chosen by how well they predict users left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.core.random import spawn
from unmix.roles.access import Access
from unmix.roles.bits import structure
from unmix.roles.budget import Budget
from unmix.roles.generalization import Generalization, generalization
from unmix.roles.multi_assignment_clustering import MultiAssignmentClustering
from unmix.roles.request import named
from unmix.roles.result import Roles

MOST_ROLES = 10  # tried where the number is not given
PATIENCE = 2  # numbers without an improvement before larger ones are left
N_FOLDS = 3


@dataclass
class InferredRoles(Roles):
    """Roles under noise: never a proof, but a model that says how probable each grant is.

    Attributes beside those of :class:`Roles`
    -----------------------------------------
    model : the fitted `MultiAssignmentClustering`
    tried : dict of number of roles to `Generalization` on users left out; empty where the number was given
    """

    model: Any = field(default=None, repr=False)
    tried: dict[int, Generalization] = field(default_factory=dict, repr=False)

    @property
    def proven(self) -> bool:
        return False

    @property
    def certificate(self) -> str:
        stop = "interrupted, " if self.interrupted else ""
        return (
            f"{stop}inferred, not proven: {self.value:g} of {self.access.matrix.nnz} grants deviate, "
            f"{100 * self.model.noise_:.1f} % of the entries are taken for noise"
        )


def infer_roles(
    access: Access,
    *,
    n_roles: int | None = None,
    time_limit: float | None = None,
    random_state: int = 0,
    most_roles: int = MOST_ROLES,
    **options: Any,
) -> InferredRoles:
    """Roles by `MultiAssignmentClustering`; ``options`` are its parameters.

    Without ``n_roles`` the numbers 1, 2, … up to ``most_roles`` are compared by `generalization` on users left out,
    as long as there is time and larger numbers help; Ctrl-C ends the comparison, not the answer.
    """
    X = access.matrix.astype(np.float64)
    n, budget = X.shape[0], Budget(time_limit)
    tried: dict[int, Generalization] = {}
    if n_roles is None:
        if n < 2 * N_FOLDS or X.shape[1] < 2:
            n_roles = 1
        else:
            with budget:
                compare_numbers(X, min(most_roles, n // 2), budget, random_state, options, tried)
            n_roles = chosen(tried)
    model = MultiAssignmentClustering(n_roles, random_state=random_state, **options).fit(X)
    kept = np.flatnonzero(model.roles_.any(axis=1))
    roles, users = structure(model.roles_[kept]), structure(model.assignments_[:, kept])
    found = InferredRoles(
        access=access,
        names=named([], len(kept)),
        role_permissions=roles,
        user_roles=users,
        direct=sp.csr_array(access.matrix.shape, dtype=bool),
        value=0.0,
        lower_bound=0.0,
        what="deviations",
        deviating=True,
        interrupted=budget.interrupted,
        model=model,
        tried=tried,
    )
    found.value = float(len(found.exceptions))
    return found


def compare_numbers(
    X: sp.csr_array,
    most: int,
    budget: Budget,
    seed: int,
    options: dict[str, Any],
    tried: dict[int, Generalization],
) -> None:
    """Fills ``tried``; a number is entered when all of its folds are done."""
    fold = spawn(seed, 10**6).permutation(np.arange(X.shape[0]) % N_FOLDS)
    for number in range(1, most + 1):
        parts = []
        for f in range(N_FOLDS):
            model = MultiAssignmentClustering(number, random_state=seed, **options).fit(X[fold != f])
            parts.append(generalization(model, X[fold == f], random_state=seed + f))
        tried[number] = Generalization(*np.mean(parts, axis=0).tolist())
        best = min(tried, key=lambda k: tried[k].error)
        if budget.over or number - best > PATIENCE:
            return


def chosen(tried: dict[int, Generalization]) -> int:
    """The smallest number within a twentieth of the least error; 1 where nothing was tried."""
    if not tried:
        return 1
    least = min(part.error for part in tried.values())
    return min(number for number, part in tried.items() if part.error <= 1.05 * least + 1e-12)
