"""Role mining as one call: access in, roles with a certificate out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unmix.roles.access.access import Access, Name
from unmix.roles.access.read import read
from unmix.roles.continuation.existing import existing_roles, of_sets
from unmix.roles.mine_one import Asked, mine_one
from unmix.roles.problem.arguments import limit, one_of
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.patience import listening
from unmix.roles.problem.request import kept_roles
from unmix.roles.problem.result import Roles

PROBLEMS = ("auto", "cover", "fewest", "infer")
OBJECTIVES = ("roles", "edges", "wsc")


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
        role that changed but is the same by overlap. With ``"infer"`` a role that exists need not be written down
        again, so that it stays unless the data speak for another.
    decisions : Decisions or path, optional
        What reviewers decided (see :func:`decide_role`): accepted roles stay as long as somebody can hold them, sets
        that were rejected are not proposed again, given names are used.
    change_cost : float, optional
        With roles that exist a cover makes least ``|R| + change_cost · (existing roles given up)``; 1 by default: as
        few new roles as possible. Smaller, and roles are given up where that saves others; larger, and roles stay
        also where nobody needs them. With ``"infer"`` the same in bits. With it a plain mapping or list, too, is kept
        only where it serves.
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
    budget = Budget(limit(time_limit))
    access = upa if isinstance(upa, Access) and attributes is None else read(upa, attributes=attributes)
    existing = existing_roles(keep, decisions, change_cost is not None)
    if existing is None and problem == "infer" and keep:
        kept_roles(access, keep)  # refuses what no role can be
        existing = of_sets(keep, must=True)
    asked = Asked(
        problem=problem, delta=delta, n_roles=n_roles, objective=objective, weights=weights, min_users=min_users,
        min_permissions=min_permissions, max_roles_per_user=max_roles_per_user, forbidden=list(forbidden),
        keep=keep if existing is None else (), max_permissions=max_permissions, random_state=random_state,
        options=options,
    )  # fmt: skip
    with listening(budget):
        if existing is None:
            return mine_one(access, asked, budget)
        from unmix.roles.mine_again import mine_again

        return mine_again(access, asked, budget, existing, 1.0 if change_cost is None else change_cost)
