"""Compiled first fit: each entry goes into the first role that can take it."""

from typing import Any

from unmix.core.compiled.kernel import kernel
from unmix.roles.access.bit_kernel import has


@kernel
def first_fit(
    rows: Any,
    columns: Any,
    user: Any,
    permission: Any,
    order: Any,
    group: Any,
    room_users: Any,
    room_permissions: Any,
    n_groups: int,
    first: int,
    last: int,
) -> int:
    """Places entries order[first:last]; returns the number of groups, −1 − n if one more than there is room for.

    room_permissions[g] is what all users of g hold, room_users[g] who holds all permissions of g: the span of g and
    (u, p) is a rectangle of ones iff p and u are in them.
    """
    for k in range(first, last):
        e = order[k]
        u, p = user[e], permission[e]
        place = n_groups
        for g in range(n_groups):
            if has(room_permissions[g], p) and has(room_users[g], u):
                place = g
                break
        if place == n_groups:
            if n_groups == room_users.shape[0]:
                return -1 - n_groups
            room_permissions[place] = rows[u]
            room_users[place] = columns[p]
            n_groups += 1
        else:
            for w in range(rows.shape[1]):
                room_permissions[place, w] &= rows[u, w]
            for w in range(columns.shape[1]):
                room_users[place, w] &= columns[p, w]
        group[e] = place
    return n_groups


@kernel
def fooling(rows: Any, user: Any, permission: Any, order: Any, chosen: Any) -> int:
    """Greedy set of entries of which no two fit into one rectangle, in the given order; returns their number."""
    count = 0
    for k in range(order.size):
        e = order[k]
        u, p = user[e], permission[e]
        free = True
        for c in range(count):
            v, q = user[chosen[c]], permission[chosen[c]]
            if has(rows[u], q) and has(rows[v], p):
                free = False
                break
        if free:
            chosen[count] = e
            count += 1
    return count


@kernel
def degrees(rows: Any, user: Any, permission: Any, subset: Any, out: Any) -> None:
    """How many other entries of ``subset`` each one fits with."""
    for a in range(subset.size):
        u, p = user[subset[a]], permission[subset[a]]
        for b in range(a):
            v, q = user[subset[b]], permission[subset[b]]
            if has(rows[u], q) and has(rows[v], p):
                out[a] += 1
                out[b] += 1


@kernel
def cover_matrix(extents: Any, intents: Any, user: Any, permission: Any, subset: Any, out: Any) -> None:
    """out[r, a] = rectangle r holds entry subset[a]."""
    for r in range(extents.shape[0]):
        for a in range(subset.size):
            out[r, a] = has(extents[r], user[subset[a]]) and has(intents[r], permission[subset[a]])
