"""Role mining by looking at everything: slow, plain, and independent of the library."""

from itertools import combinations, product

import numpy as np

NOTHING = 10**9  # costs more than any answer


def subsets(items, least=0, most=None):
    items = list(items)
    for size in range(least, (len(items) if most is None else most) + 1):
        yield from combinations(items, size)


def user_sets(matrix):
    return [frozenset(np.flatnonzero(row)) for row in np.asarray(matrix)]


def all_roles(n_permissions):
    return [frozenset(role) for role in subsets(range(n_permissions), 1)]


def allowed_roles(matrix, least, forbidden):
    return [
        role
        for role in all_roles(np.asarray(matrix).shape[1])
        if len(role) >= least and not any(a in role and b in role for a, b in forbidden)
    ]


def best_limited(matrix, *, min_users=1, min_permissions=1, most=None, forbidden=(), keep=(), conflicts=()):
    """(single grants, roles) of the best answer: fewest single grants first, then fewest roles."""
    users = user_sets(matrix)
    new = allowed_roles(matrix, min_permissions, forbidden)
    best = (NOTHING, NOTHING)
    for chosen in subsets(new, 0, 4):
        roles = [*keep, *chosen]
        if len(roles) >= best[1] and best[0] == 0:
            continue
        singles = fewest_singles(users, roles, len(keep), min_users, most, conflicts)
        if singles is not None:
            best = min(best, (singles, len(roles)))
    return best


def options(held, roles, most, conflicts):
    fitting = [r for r, role in enumerate(roles) if role <= held]
    for mine in subsets(fitting, 0, None if most is None else min(most, len(fitting))):
        if not any(a in mine and b in mine for a, b in conflicts):
            yield mine


def fewest_singles(users, roles, n_kept, min_users, most, conflicts):
    """Over all assignments that give every new role enough users."""
    if most is None and not conflicts:
        choices = [[tuple(r for r, role in enumerate(roles) if role <= held)] for held in users]
    else:
        choices = [list(options(held, roles, most, conflicts)) for held in users]
    if min_users == 1:
        return sum(min(left(held, mine, roles) for mine in some) for held, some in zip(users, choices))
    best = None
    for answer in product(*choices):
        counts = [sum(r in mine for mine in answer) for r in range(n_kept, len(roles))]
        if all(count >= min_users for count in counts):
            singles = sum(left(held, mine, roles) for held, mine in zip(users, answer))
            best = singles if best is None else min(best, singles)
    return best


def left(held, mine, roles):
    return len(held - frozenset().union(*(roles[r] for r in mine)))


def fewest_edges(matrix):
    """Least |UA| + |PA| of an exact cover without single grants."""
    users = user_sets(matrix)
    best = NOTHING
    for roles in subsets(all_roles(np.asarray(matrix).shape[1]), 0, 4):
        cost = sum(map(len, roles))
        for held in users:
            if cost >= best:
                break
            sizes = [len(mine) for mine in options(held, roles, None, ()) if left(held, mine, roles) == 0]
            cost += min(sizes) if sizes else NOTHING
        best = min(best, cost)
    return best


def least_noise(matrix, n_roles):
    """Least number of wrong entries with so many roles."""
    users = user_sets(matrix)
    best = NOTHING
    for roles in subsets(all_roles(np.asarray(matrix).shape[1]), 0, n_roles):
        unions = [frozenset().union(*mine) for mine in subsets(roles)]
        best = min(best, sum(min(len(held ^ given) for given in unions) for held in users))
    return best


def deviations(users, roles, n_kept, min_users, most, conflicts):
    """All (missing, extra) of an assignment that gives every new role enough users."""
    places = range(len(roles))
    own = [mine for mine in subsets(places, 0, most) if not any(a in mine and b in mine for a, b in conflicts)]
    for answer in product(own, repeat=len(users)):
        if all(sum(r in mine for mine in answer) >= min_users for r in places[n_kept:]):
            given = [frozenset().union(*(roles[r] for r in mine)) for mine in answer]
            yield (
                sum(len(held - got) for held, got in zip(users, given)),
                sum(len(got - held) for held, got in zip(users, given)),
            )


def limited_answers(
    matrix, *, most_roles, min_users=1, min_permissions=1, most=None, forbidden=(), keep=(), conflicts=()
):
    """(roles, missing, extra) of everything the limits allow, with so many roles at most."""
    users = user_sets(matrix)
    new = allowed_roles(matrix, min_permissions, forbidden)
    for chosen in subsets(new, 0, most_roles - len(keep)):
        roles = [*keep, *chosen]
        for missing, extra in deviations(users, roles, len(keep), min_users, most, conflicts):
            yield len(roles), missing, extra


def fewest_limited(matrix, delta, **limits):
    """(single grants, roles): deviations beyond delta are granted singly, which extra ones cannot be."""
    answers = limited_answers(matrix, **limits)
    return min((max(0, missing + extra - delta), roles) for roles, missing, extra in answers if extra <= delta)


def least_complexity(matrix, weights):
    """Least weighted structural complexity with inheritance and single grants, over all sets of up to three roles."""
    w_r, w_u, w_p, w_h, w_d = weights
    users = user_sets(matrix)
    best = NOTHING
    for roles in subsets(all_roles(np.asarray(matrix).shape[1]), 0, 3):
        cost = w_r * len(roles)
        for role in roles:
            below = [other for other in roles if other < role]
            cost += min(w_h * len(mine) + w_p * len(role - frozenset().union(*mine)) for mine in subsets(below))
        for held in users:
            inside = [role for role in roles if role <= held]
            cost += min(w_u * len(mine) + w_d * len(held - frozenset().union(*mine)) for mine in subsets(inside))
        best = min(best, cost)
    return best


def least_complexity_limited(
    matrix, weights, *, min_users=1, min_permissions=1, most=None, forbidden=(), keep=(), conflicts=(), most_new=3
):
    """(single grants, complexity) if these may not be, else (0, complexity), over all sets of so many new roles."""
    w_r, w_u, w_p, w_h, w_d = weights
    never, users = np.isinf(w_d), user_sets(matrix)
    excluded = {r for pair in conflicts for r in pair}
    best = (NOTHING, NOTHING)
    for chosen in subsets([r for r in allowed_roles(matrix, min_permissions, forbidden) if r not in keep], 0, most_new):
        roles = [*keep, *chosen]
        fixed = w_r * len(roles)
        for role in roles:
            below = [other for k, other in enumerate(roles) if other < role and k not in excluded]
            below = [] if np.isinf(w_h) else below
            fixed += min(
                w_p * len(role - frozenset().union(*mine)) + len(mine) * (w_h if mine else 0) for mine in subsets(below)
            )
        choices = [
            [(left(held, mine, roles), w_u * len(mine), mine) for mine in options(held, roles, most, conflicts)]
            for held in users
        ]
        price = 1000.0 if never else w_d
        for answer in (
            product(*choices) if min_users > 1 else [[min(c, key=lambda o: price * o[0] + o[1]) for c in choices]]
        ):
            counts = [sum(r in mine for _, _, mine in answer) for r in range(len(keep), len(roles))]
            if min_users > 1 and not all(count >= min_users for count in counts):
                continue
            singles, assigned = sum(o[0] for o in answer), sum(o[1] for o in answer)
            best = min(best, (singles, fixed + assigned) if never else (0, fixed + assigned + w_d * singles))
    return best
