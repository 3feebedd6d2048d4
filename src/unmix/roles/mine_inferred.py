"""Problem "infer": by a model of each entry where the table is small, else (or with limits, attributes) in few bits."""

from __future__ import annotations

from typing import Any

from unmix.roles.access.access import Access, Name
from unmix.roles.description.infer import infer_by_description
from unmix.roles.description.kept import NOTHING_KEPT, KeptRoles
from unmix.roles.description.limits import MOST_PER_USER, Limits
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.request import split_forbidden
from unmix.roles.problem.result import Roles

MOST_ENTRIES = 2**17  # users × permissions: beyond, the shortest description says how many roles there are
OF_BOTH = ("observe", "most_roles")  # options that are no parameters of the model


def mine_inferred(
    access: Access,
    budget: Budget,
    seed: int,
    forbidden: list[tuple[Name, Name]],
    asked: dict[str, int | None],
    options: dict[str, Any],
    kept: KeptRoles = NOTHING_KEPT,
) -> Roles:
    """Roles under noise within the limits ``asked``, which are whole numbers or None; ``options`` are of the model.

    Roles that exist already are continued by the description alone.
    """
    from unmix.roles.noise.infer import infer_roles

    limits = checked_limits(access, forbidden, asked)
    of_model = [name for name in options if name not in OF_BOTH]
    n_roles, free = asked["n_roles"], limits._replace(most_roles=None) == Limits()
    large = access.matrix.shape[0] * access.matrix.shape[1] > MOST_ENTRIES
    if of_model and kept.sets.shape[0]:
        raise ValueError(
            f"{of_model[0]} is a parameter of MultiAssignmentClustering, which keeps no roles; leave out one of them."
        )
    if of_model and not free:
        raise ValueError(
            f"{of_model[0]} is a parameter of MultiAssignmentClustering, which takes no limits on roles; leave out one."
        )
    by_number = n_roles is not None or options.get("most_roles") is not None
    described = not free or bool(access.user_attributes) or kept.sets.shape[0] > 0 or (large and not by_number)
    if not of_model and described:
        most = n_roles if n_roles is not None else options.get("most_roles")
        limits = limits._replace(most_roles=most)
        return infer_by_description(access, budget, seed, options.get("observe"), limits=limits, kept=kept)
    return infer_roles(access, budget, n_roles=n_roles, random_state=seed, **options)


def checked_limits(access: Access, forbidden: list[tuple[Name, Name]], asked: dict[str, Any]) -> Limits:
    """The limits, refused where no role can keep them."""
    least, most, n = asked["min_permissions"], asked["max_permissions"], len(access.users)
    if most is not None and least > most:
        raise ValueError(f"min_permissions is {least} and max_permissions {most}: no role can be both; change one.")
    if asked["min_users"] > max(n, 1):
        raise ValueError(f"min_users is {asked['min_users']}, but there are {n} users; give at most that.")
    if least > max(len(access.permissions), 1):
        raise ValueError(
            f"min_permissions is {least}, but there are {len(access.permissions)} permissions; give fewer."
        )
    pairs, _ = split_forbidden(access, forbidden, [])
    return Limits(
        max_permissions=most,
        max_roles_per_user=asked["max_roles_per_user"] or MOST_PER_USER,
        min_users=asked["min_users"],
        min_permissions=least,
        forbidden=tuple(pairs),
    )
