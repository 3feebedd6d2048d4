"""What is asked of role mining, checked and handed to the solver of its problem, which is imported only then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from unmix.roles.access.access import Access, Name
from unmix.roles.description.kept import NOTHING_KEPT, KeptRoles
from unmix.roles.problem.arguments import allowed, check_weights, optional, whole
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.request import Request, kept_roles, split_forbidden
from unmix.roles.problem.result import Roles

SHARE_OF_INFERENCE = 0.3  # of the time, where both are tried
SHARE_OF_COVER = 0.85  # of what is then left; the rest is for the comparison
SECONDS_TO_COMPARE = 60.0  # where both are tried and no limit is given: exact roles of noisy data may take hours
NOT_FOR_INFERENCE = 'problem="infer" takes no delta or objectives; use problem="fewest" for delta, "cover" for others.'


class Asked(NamedTuple):
    """The parameters of :func:`mine` that say which roles are wanted."""

    problem: str
    delta: float
    n_roles: int | None
    objective: str
    weights: Sequence[float]
    min_users: int
    min_permissions: int
    max_roles_per_user: int | None
    forbidden: list[tuple[Name, Name]]
    keep: Any
    max_permissions: int | None
    random_state: int
    options: dict[str, Any]

    @property
    def limited(self) -> bool:
        """Whether roles are limited in size, number for a user or what they may hold together."""
        return (self.min_users, self.min_permissions, self.max_roles_per_user) != (1, 1, None) or bool(self.forbidden)

    @property
    def plain(self) -> bool:
        """Whether nothing but the fewest roles is asked."""
        return not (self.limited or self.delta or self.keep) and self.objective == "roles" and self.n_roles is None


def mine_one(access: Access, asked: Asked, budget: Budget) -> Roles:
    """Roles of one problem."""
    if asked.options and asked.problem != "infer":
        raise TypeError(f"mine() got an unknown option {next(iter(asked.options))!r} for problem={asked.problem!r}.")
    if asked.max_permissions is not None and asked.problem != "infer":
        raise ValueError(f'max_permissions is a limit of problem="infer"; problem={asked.problem!r} does not take it.')
    if asked.problem == "auto":
        return mine_what_fits(access, asked, budget)
    if asked.problem == "infer":
        return mine_noisy(access, asked, budget)
    request = request_of(access, asked, budget)
    if asked.problem == "fewest":
        from unmix.roles.deviations.mine import mine_fewest

        return mine_fewest(request, asked.objective, allowed(access, asked.delta), asked.n_roles)
    if asked.n_roles is not None:
        raise ValueError('problem="cover" finds the number of roles; n_roles belongs to problem="fewest" and "infer".')
    if asked.delta:
        raise ValueError('problem="cover" deviates nowhere; delta belongs to problem="fewest".')
    from unmix.roles.mine_cover import mine_cover

    return mine_cover(request, asked.objective)


def request_of(access: Access, asked: Asked, budget: Budget) -> Request:
    """The same in numbers instead of names."""
    names, keep = kept_roles(access, asked.keep)
    permission_pairs, role_pairs = split_forbidden(access, asked.forbidden, names)
    return Request(
        access=access, names=names, keep=keep, forbidden=permission_pairs, conflicts=role_pairs, **sizes(asked),
        weights=check_weights(asked.weights), budget=budget, seed=whole("random_state", asked.random_state, 0),
    )  # fmt: skip


def sizes(asked: Asked) -> dict[str, Any]:
    return {
        "min_users": whole("min_users", asked.min_users, 1),
        "min_permissions": whole("min_permissions", asked.min_permissions, 1),
        "max_roles_per_user": optional("max_roles_per_user", asked.max_roles_per_user),
    }


def mine_noisy(access: Access, asked: Asked, budget: Budget, kept: KeptRoles = NOTHING_KEPT) -> Roles:
    """Roles under noise, those that exist already where they serve."""
    from unmix.roles.mine_inferred import mine_inferred

    seed, limits = whole("random_state", asked.random_state, 0), sizes(asked)
    if asked.delta or asked.objective != "roles":
        raise ValueError(NOT_FOR_INFERENCE)
    limits["n_roles"] = optional("n_roles", asked.n_roles)
    limits["max_permissions"] = optional("max_permissions", asked.max_permissions)
    return mine_inferred(access, budget, seed, asked.forbidden, limits, asked.options, kept)


def mine_what_fits(
    access: Access,
    asked: Asked,
    budget: Budget,
    kept: KeptRoles = NOTHING_KEPT,
    solve: Callable[[Asked, Budget], Roles] | None = None,
) -> Roles:
    """Exact roles or inferred ones, whichever describe the data in fewer bits; with limits, exact ones.

    Exact ones are those of ``solve``, the call that asks for them; ``kept`` exist already.
    """
    exact = asked._replace(problem="cover")
    solve = solve or (lambda asked, budget: mine_one(access, asked, budget))
    if not asked.plain:
        return solve(exact, budget)
    from unmix.roles.description.comparison import compare_fits
    from unmix.roles.description.infer import infer_by_description

    both = budget if budget.left is not None else Budget(SECONDS_TO_COMPARE, budget)
    seed = whole("random_state", asked.random_state, 0)
    inferred = infer_by_description(access, both.part(SHARE_OF_INFERENCE), seed, kept=kept)
    cover = solve(exact, both.part(SHARE_OF_COVER))
    return inferred if compare_fits(cover, inferred).better == "infer" else cover
