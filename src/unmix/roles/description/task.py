"""What a search for the shortest description is held to: how assignments are written, limits, time, existing roles."""

from __future__ import annotations

from typing import NamedTuple

from unmix.roles.description.kept import NOTHING_KEPT, KeptRoles
from unmix.roles.description.limits import Limits
from unmix.roles.description.membership import Memberships
from unmix.roles.problem.budget import Budget


class Task(NamedTuple):
    """The code of assignments, the limits on roles, the budget, and roles that exist already."""

    code: Memberships
    limits: Limits
    budget: Budget
    kept: KeptRoles = NOTHING_KEPT
