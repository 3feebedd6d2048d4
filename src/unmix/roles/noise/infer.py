"""Problem "infer": the roles behind noisy access data, their number chosen by how well they predict users left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.core.random import spawn
from unmix.roles.access.access import Access
from unmix.roles.access.bits import structure
from unmix.roles.description.infer import infer_by_description
from unmix.roles.description.limits import Limits
from unmix.roles.evaluation.generalization import Generalization, generalization
from unmix.roles.noise.multi_assignment_clustering import MultiAssignmentClustering
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.patience import TimeOver, check_time, ending
from unmix.roles.problem.request import named
from unmix.roles.problem.result import Roles

FIRST_NUMBERS = 8  # numbers up to here are tried in any case; beyond, only while doubling still helps
IMPROVED = 0.99  # of the error at most: less of an improvement is none
CHOICE_TOLERANCE = 1.05  # of the least error: the smallest number so near to it is chosen
N_FOLDS = 3
SHARE_OF_COMPARISON = 0.5  # of the time; the model of all users takes about as long as one of the last numbers tried
SHARE_OF_MODEL = 0.8  # of the time; what is left is for an answer without it
SECONDS_AFTER_INTERRUPT = 3.0


@dataclass(repr=False)
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
        # where nothing deviates, noise that is as often right as not cannot be told from none
        noise = f", {100 * self.model.noise_:.1f} % of the entries are taken for noise" if self.value else ""
        return f"{stop}inferred, not proven: {self.deviations}{noise}"


def infer_roles(
    access: Access,
    budget: Budget,
    *,
    n_roles: int | None = None,
    random_state: int = 0,
    most_roles: int | None = None,
    observe: Callable[[str], None] | None = None,
    **options: Any,
) -> Roles:
    """Roles by `MultiAssignmentClustering`; ``options`` are its parameters.

    Without ``n_roles`` the numbers 1, 2, 4, 8, … up to ``most_roles`` (if not given, half the users or the permissions)
    are compared by `generalization` on users left out as long as larger numbers help; then those around the best.
    Where the time or Ctrl-C ends that, the shortest description says how many roles there are. ``observe`` is called
    with a sentence at each step.
    """
    X = access.matrix.astype(np.float64)
    tried: dict[int, Generalization] = {}
    try:
        with ending(budget.part(SHARE_OF_MODEL)):
            if n_roles is None:
                n_roles = best_number(
                    X, most_roles, budget.part(SHARE_OF_COMPARISON), random_state, options, tried, observe
                )
            model = MultiAssignmentClustering(n_roles, random_state=random_state, **options).fit(X)
    except TimeOver:
        return soon(access, budget, random_state, most_roles if n_roles is None else n_roles)
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


def soon(access: Access, budget: Budget, seed: int, n_roles: int | None) -> Roles:
    """Where the model is not ready in time, roles by the shortest description, at most as many as were asked for."""
    left = Budget(SECONDS_AFTER_INTERRUPT) if budget.interrupted else budget
    found = infer_by_description(access, left, seed, limits=Limits(most_roles=n_roles))
    found.interrupted = budget.interrupted
    return found


def best_number(
    X: sp.csr_array,
    most_roles: int | None,
    budget: Budget,
    seed: int,
    options: dict[str, Any],
    tried: dict[int, Generalization],
    observe: Callable[[str], None] | None,
) -> int:
    """The number of roles that predicts users left out best; small numbers alone, tried first, do not say that."""
    n, d = X.shape
    if n < 2 * N_FOLDS or d < 2:
        return 1
    most = min(n // 2, d) if most_roles is None else min(most_roles, n // 2)
    with budget, ending(budget):
        compare_numbers(X, most, budget, seed, options, tried, observe)
    if budget.interrupted:
        raise TimeOver
    return chosen(tried)


def compare_numbers(
    X: sp.csr_array,
    most: int,
    budget: Budget,
    seed: int,
    options: dict[str, Any],
    tried: dict[int, Generalization],
    observe: Callable[[str], None] | None = None,
) -> None:
    """Fills ``tried``, to the end or until `TimeOver`; a number is entered when all of its folds are done."""
    fold = spawn(seed, 10**6).permutation(np.arange(X.shape[0]) % N_FOLDS)
    number: int | None = 1
    while number is not None:
        if observe is not None:
            observe(f"predicting users left out with {number} role{'' if number == 1 else 's'}{so_far(tried)}")
        parts = []
        for f in range(N_FOLDS):
            check_time()
            model = MultiAssignmentClustering(number, random_state=seed, **options).fit(X[fold != f])
            parts.append(generalization(model, X[fold == f], random_state=seed + f))
        tried[number] = Generalization(*np.mean(parts, axis=0).tolist())
        number = next_n_roles({k: part.error for k, part in tried.items()}, most)


def so_far(tried: dict[int, Generalization]) -> str:
    if not tried:
        return ""
    best = chosen(tried)
    return f" (best so far {best}: {100 * tried[best].error:.1f} % wrong)"


def next_n_roles(errors: dict[int, float], most: int) -> int | None:
    """Twice the largest number while that helps, then the middle between the best and its neighbours, then one less.

    >>> next_n_roles({1: 0.4, 2: 0.3, 4: 0.1, 8: 0.05}, 100), next_n_roles({1: 0.4, 2: 0.3, 4: 0.1, 8: 0.1}, 100)
    (16, 3)
    """
    largest = max(errors)
    before = min((error for number, error in errors.items() if number < largest), default=np.inf)
    if largest < most and min(errors.values()) > 0 and (largest < FIRST_NUMBERS or errors[largest] < IMPROVED * before):
        return min(2 * largest, most)
    for number in (min(errors, key=lambda k: (errors[k], k)), smallest_near(errors)):
        below = max((k for k in errors if k < number), default=number - 1)
        above = min((k for k in errors if k > number), default=number + 1)
        for a, b in ((below, number), (number, above)):
            if b - a > 1:
                return (a + b) // 2
    return None


def smallest_near(errors: dict[int, float]) -> int:
    least = min(errors.values())
    return min(number for number, error in errors.items() if error <= CHOICE_TOLERANCE * least + 1e-12)


def chosen(tried: dict[int, Generalization]) -> int:
    """The smallest number within a twentieth of the least error; 1 where nothing was tried."""
    return smallest_near({number: part.error for number, part in tried.items()}) if tried else 1
