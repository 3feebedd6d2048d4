"""Do users have exactly what roles give, or are there errors? The shorter description says.

An exact cover has no errors to write down, but every error of the data makes it larger: roles of few users, or single
grants. Roles that were inferred are few, and the errors are written down beside them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.roles.description.code_length import description_length
from unmix.roles.description.infer import infer_by_description
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.result import Roles

RARE_ROLES = 0.1  # of the exact roles held by one or two users: fewer, and errors are not looked for


class Fit(NamedTuple):
    """Bits that each description takes, and the better fitting problem, ``"cover"`` or ``"infer"``."""

    cover: float
    infer: float
    better: str
    sentence: str


def bits_of(found: Roles) -> float:
    """Bits of roles, assignments and what deviates from them; single grants count as deviations.

    >>> from unmix.roles import mine
    >>> found = mine([(user, permission) for user in range(40) for permission in range(8 * (user % 2), 8 + user % 2)])
    >>> bits_of(found) < 0.5 * bits_without_roles(found)
    True
    """
    given, held = found.given.astype(np.int8), found.access.matrix.astype(np.int8)
    agreed = _explained(found)
    sizes = np.diff(found.role_permissions.indptr)
    users = np.bincount(found.user_roles.indices, minlength=len(sizes))
    n, d = held.shape
    return description_length(held.nnz, given.nnz, agreed, float(n) * d, sizes, users, (n, d))


def bits_without_roles(found: Roles) -> float:
    """Bits of the same data, every grant by itself."""
    n, d = found.access.matrix.shape
    return description_length(found.access.matrix.nnz, 0, 0, float(n) * d, np.empty(0), np.empty(0), (n, d))


def compare_fits(cover: Roles, inferred: Roles) -> Fit:
    """Which of the two describes the data in fewer bits.

    Roles without errors are a cover, and that is proven. Where roles explain fewer grants than would be called errors,
    these are what single users have, and no errors.
    """
    bits = bits_of(cover), bits_of(inferred)
    comparable = bool(inferred.value and inferred.names and inferred.value < _explained(inferred))
    better = "infer" if comparable and bits[1] < bits[0] else "cover"
    shorter = 100 * (1 - min(bits) / max(*bits, 1e-300))
    errors = f"{_counted(len(inferred.names), 'role')} and {_counted(inferred.value, 'error')}"
    exact = _counted(len(cover.names), "exact role")
    if better == "infer":
        words = f"The data seem to hold errors: {errors} describe them in {shorter:.0f} % fewer bits than {exact}."
    elif comparable:
        words = f"Exact roles fit: {exact} describe the data in {shorter:.0f} % fewer bits than {errors}."
    else:
        words = "Exact roles fit: no errors can be told from the rest."
    return Fit(*bits, better, words)


def _explained(found: Roles) -> float:
    """Grants that users have by their roles."""
    return float(found.given.astype(np.int8).multiply(found.access.matrix.astype(np.int8)).sum())


def _counted(n: float, noun: str) -> str:
    return f"{n:g} {noun}" + "s" * (n != 1)


def seen_errors(cover: Roles, budget: Budget, seed: int = 0) -> str:
    """A sentence if inferred roles describe the data better than an exact cover does, else nothing."""
    users = cover.user_roles.sum(axis=0)
    if not users.size or (users <= 2).mean() < RARE_ROLES:
        return ""
    fit = compare_fits(cover, infer_by_description(cover.access, budget, seed))
    return fit.sentence if fit.better == "infer" else ""
