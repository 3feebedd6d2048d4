"""Role mining as one call: access in, roles with a certificate out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from unmix.roles.access.access import Access, Name
from unmix.roles.access.read import read
from unmix.roles.continuation.existing import Existing, existing_roles
from unmix.roles.description.comparison import compare_fits
from unmix.roles.description.infer import infer_by_description
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.patience import listening
from unmix.roles.problem.request import Request, kept_roles, split_forbidden
from unmix.roles.problem.result import Roles

PROBLEMS = ("auto", "cover", "fewest", "infer")
SHARE_OF_INFERENCE = 0.3  # of the time, where both are tried
SECONDS_TO_COMPARE = 60.0  # where both are tried and no limit is given: exact roles of noisy data may take hours
LEAST_SECONDS = 1e-3  # for exact roles, where inference took all the time
NO_LIMITS = {"min_users": 1, "min_permissions": 1, "max_roles_per_user": None}
OBJECTIVES = ("roles", "edges", "wsc")
NOT_FOR_INFERENCE = (
    'problem="infer" takes no delta, kept roles or objectives; use problem="fewest" for delta, "cover" or "fewest" for '
    'kept roles, and "cover" for other objectives.'
)


def mine(
    upa: Any,
    problem: str = "cover",
    *,
    delta: float = 0,
    n_roles: int | None = None,
    objective: str = "roles",
    weights: Sequence[float] = (1, 1, 1, 1, 1),
    min_users: int = 1,
    min_permissions: int = 1,
    max_roles_per_user: int | None = None,
    forbidden: Iterable[tuple[Name, Name]] = (),
    keep: Any = (),
    decisions: Any = None,
    change_cost: float | None = None,
    max_permissions: int | None = None,
    attributes: Any = None,
    time_limit: float | None = None,
    random_state: int = 0,
    **options: Any,
) -> Roles:
    """Finds roles in access data.

    Parameters
    ----------
    upa : Access, pairs, table or path
        Who has what; anything :func:`read` takes.
    problem : {"auto", "cover", "fewest", "infer"}
        ``"cover"``: everybody gets exactly what they have. ``"fewest"``: the fewest roles with at most ``delta``
        deviating entries, or with ``n_roles`` the fewest deviating entries. ``"infer"``: the structure under noise.
        ``"auto"``: of a cover and inference the one that describes the data in fewer bits; limits are for the cover,
        so that with limits it is the cover. Without a time limit it takes a minute at most.
    delta : int or float
        Deviating entries allowed with ``"fewest"``; below 1, a share of all grants.
    n_roles : int, optional
        Number of roles, for ``"fewest"`` (then ``delta`` is not used) and ``"infer"``.
    objective : {"roles", "edges", "wsc"}
        For ``"cover"``: the number of roles; of assignments |UA| + |PA|; or weighted structural complexity
        ``w_r|R| + w_u|UA| + w_p|PA| + w_h|RH| + w_d|direct grants|``, where roles may inherit from roles they contain.
    weights : five numbers
        Weights of the complexity; an infinite one forbids the thing (the last: single grants, the fourth: hierarchy).
    min_users, min_permissions : int
        Least size of a role. Grants that no such role can cover are listed as direct exceptions, those beyond
        ``delta`` with ``"fewest"``. As few of them as possible come before few roles; with ``"wsc"`` they count by
        their weight, if that is finite. Users are those a role is assigned to, not those who inherit it.
    max_roles_per_user : int, optional
    max_permissions : int, optional
        Most permissions of a role, for ``"infer"``.
    forbidden : pairs of permissions, or of names of kept roles
        No role holds both permissions; no user gets both roles.
    keep : mapping of name to permissions, list of sets of permissions, Roles, document or path
        A mapping or list: roles that must be in the answer. An earlier result (or its folder, or a table of role and
        permission, or a decision file): roles to be kept where they still serve; they keep their ids, and so does a
        role that changed but is the same by overlap.
    decisions : Decisions or path, optional
        What reviewers decided (see :func:`decide_role`): accepted roles stay as long as somebody can hold them, sets
        that were rejected are not proposed again, given names are used.
    change_cost : float, optional
        With roles that exist a cover makes least ``|R| + change_cost · (existing roles given up)``; 1 by default: as
        few new roles as possible. Smaller, and roles are given up where that saves others; larger, and roles stay
        also where nobody needs them. With it a plain mapping or list, too, is kept only where it serves.
    attributes : path, frame or mapping of user to mapping, optional
        What is known of users (department, title, site, …), beside what ``upa`` knows. With ``"infer"`` it steers: who
        holds a role may be said by a rule on attributes, and roles for which that is short are preferred.
    time_limit : float, optional
        Seconds; then the best answer so far is returned with the gap. Ctrl-C does the same.
    random_state : int

    Returns
    -------
    Roles

    References
    ----------
    Ene et al., Fast exact and heuristic methods for role minimization problems, SACMAT 2008.
    Vaidya, Atluri, Guo, The role mining problem: finding a minimal descriptive set of roles, SACMAT 2007.
    Molloy et al., Mining roles with semantic meanings, SACMAT 2008.

    Examples
    --------
    >>> found = mine([("ann", "a"), ("ann", "b"), ("bob", "b"), ("bob", "c"), ("eve", "a"), ("eve", "b"), ("eve", "c")])
    >>> sorted(map(sorted, found.roles.values())), found.certificate, found.verify()
    ([['a', 'b'], ['b', 'c']], 'minimal', True)
    """
    one_of("problem", problem, PROBLEMS)
    one_of("objective", objective, OBJECTIVES)
    access = upa if isinstance(upa, Access) and attributes is None else read(upa, attributes=attributes)
    existing = existing_roles(keep, decisions, change_cost is not None)
    if existing is not None:
        wanted = {**options, "delta": delta, "n_roles": n_roles, "objective": objective, "weights": weights}
        wanted |= {"min_users": min_users, "min_permissions": min_permissions, "forbidden": list(forbidden)}
        wanted |= {"max_roles_per_user": max_roles_per_user, "time_limit": time_limit, "random_state": random_state}
        wanted |= {} if max_permissions is None else {"max_permissions": max_permissions}
        return mine_from(access, problem, existing, 1.0 if change_cost is None else change_cost, wanted)
    pairs = list(forbidden)
    limits = {"min_users": min_users, "min_permissions": min_permissions, "max_roles_per_user": max_roles_per_user}
    asked: dict[str, Any] = {**limits, "objective": objective, "weights": weights, "forbidden": pairs, "keep": keep}
    if options and problem != "infer":
        raise TypeError(f"mine() got an unknown option {next(iter(options))!r} for problem={problem!r}.")
    if max_permissions is not None and problem != "infer":
        raise ValueError(f'max_permissions is a limit of problem="infer"; problem={problem!r} does not take it.')
    if problem == "auto":
        asked |= {"delta": delta, "n_roles": n_roles}
        limited = limits != NO_LIMITS or objective != "roles" or bool(delta or pairs or keep) or n_roles is not None
        return mine_what_fits(access, limited, time_limit, random_state, asked)
    budget, seed = Budget(limit(time_limit)), whole("random_state", random_state, 0)
    checked = {
        "min_users": whole("min_users", min_users, 1),
        "min_permissions": whole("min_permissions", min_permissions, 1),
        "max_roles_per_user": optional("max_roles_per_user", max_roles_per_user),
    }
    if problem == "infer":
        from unmix.roles.mine_inferred import mine_inferred

        if delta or objective != "roles" or keep:
            raise ValueError(NOT_FOR_INFERENCE)
        number = {
            "n_roles": optional("n_roles", n_roles),
            "max_permissions": optional("max_permissions", max_permissions),
        }
        with listening(budget):
            return mine_inferred(access, budget, seed, pairs, {**checked, **number}, options)
    names, keep_matrix = kept_roles(access, keep)
    permission_pairs, role_pairs = split_forbidden(access, pairs, names)
    request = Request(
        access=access,
        names=names,
        keep=keep_matrix,
        forbidden=permission_pairs,
        conflicts=role_pairs,
        **checked,
        weights=check_weights(weights),
        budget=budget,
        seed=seed,
    )
    with listening(budget):
        return solve(request, problem, objective, delta, n_roles)


def mine_from(access: Access, problem: str, existing: Existing, change_cost: float, asked: dict[str, Any]) -> Roles:
    """Roles that continue existing ones."""
    from unmix.roles.mine_again import continued, with_kept

    if not change_cost >= 0:
        raise ValueError(f"change_cost is {change_cost!r}; it must be a number of at least 0.")
    if problem in ("auto", "infer"):  # inference takes no roles as given; what it finds keeps the ids
        return continued(mine(access, problem, **asked), existing)
    plain = {key: asked[key] for key in NO_LIMITS} == NO_LIMITS and not asked["forbidden"]
    if problem == "cover" and plain and asked["objective"] == "roles" and not (asked["delta"] or asked["n_roles"]):
        from unmix.roles.continuation.cover import cover_again

        names, nothing = kept_roles(access, ())
        request = Request(
            access, names, nothing, [], [], 1, 1, None, (1.0,) * 5, Budget(limit(asked["time_limit"])),
            whole("random_state", asked["random_state"], 0),
        )  # fmt: skip
        return continued(cover_again(request, existing, change_cost), existing)
    return continued(with_kept(access, existing, lambda sets: mine(access, problem, keep=sets, **asked)), existing)


def mine_what_fits(
    access: Access, limited: bool, time_limit: float | None, random_state: int, asked: dict[str, Any]
) -> Roles:
    """Exact roles or inferred ones, whichever describe the data in fewer bits; with limits, exact ones."""
    if limited:
        return mine(access, time_limit=time_limit, random_state=random_state, **asked)
    budget = Budget(limit(SECONDS_TO_COMPARE if time_limit is None else time_limit))
    inferred = infer_by_description(access, budget.part(SHARE_OF_INFERENCE), whole("random_state", random_state, 0))
    left = max(budget.left or 0.0, LEAST_SECONDS)
    cover = mine(access, time_limit=left, random_state=random_state, **asked)
    return inferred if compare_fits(cover, inferred).better == "infer" else cover


def solve(request: Request, problem: str, objective: str, delta: float, n_roles: int | None) -> Roles:
    """The answer to a checked request, by the solver of its problem, which is imported only now."""
    if problem == "fewest":
        from unmix.roles.deviations.mine import mine_fewest

        return mine_fewest(request, objective, allowed(request.access, delta), n_roles)
    if delta or n_roles is not None:
        raise ValueError('delta and n_roles belong to problem="fewest"; problem="cover" deviates nowhere.')
    from unmix.roles.mine_cover import mine_cover

    return mine_cover(request, objective)


def one_of(name: str, value: Any, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, choices))}.")


def whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} is {value!r}; it must be a whole number of at least {least}.")
    return int(value)


def optional(name: str, value: Any) -> int | None:
    return None if value is None else whole(name, value, 1)


def check_weights(weights: Sequence[float]) -> tuple[float, ...]:
    values = tuple(float(w) for w in weights)
    if len(values) != 5 or not all(w >= 0 for w in values):
        raise ValueError(f"weights is {weights!r}; give five numbers of at least 0: roles, UA, PA, hierarchy, direct.")
    return values


def limit(seconds: float | None) -> float | None:
    if seconds is not None and not seconds > 0:
        raise ValueError(f"time_limit is {seconds!r}; it must be a positive number of seconds, or None.")
    return seconds


def allowed(access: Access, delta: float) -> int:
    """Number of entries that may deviate."""
    if not delta >= 0:
        raise ValueError(f"delta is {delta!r}; it must be a number of entries, or a share of all grants below 1.")
    # The share as it was written: 0.29 of 100 is 29, though the nearest number of the machine is a little less.
    return int(Fraction(repr(float(delta))) * access.matrix.nnz) if 0 < delta < 1 else int(delta)
