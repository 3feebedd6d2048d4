"""Compiled search for cheap roles: nodes (users, then roles) are unions of roles inside them and single grants.

A node is written greedily: the role that saves most, until none saves; then roles that others made needless go.
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.roles.access.bit_kernel import inside, popcount

NO_ROLE = np.int64(-1)  # to leave out; a plain integer would have `express` compiled once more


@kernel
def shared(a: Any, b: Any) -> int:
    total = 0
    for w in range(a.size):
        total += popcount(a[w] & b[w])
    return total


@kernel
def copy(source: Any, target: Any) -> None:
    """By a loop: an assignment of slices is compiled for seconds."""
    for w in range(target.size):
        target[w] = source[w]


@kernel
def express(
    v: int, nodes: Any, n_users: int, live: Any, skip: int, edge: float, direct: float, used: Any, left: Any
) -> float:
    """Cost of node v; ``used`` becomes its roles, ``left`` what it is granted singly."""
    copy(nodes[v], left)
    inner = np.empty(nodes.shape[0] - n_users, np.int64)
    n_inner = 0
    for r in range(nodes.shape[0] - n_users):
        at = n_users + r
        used[r] = False
        if live[at] and r != skip and at != v and inside(nodes[at], nodes[v]):
            inner[n_inner] = r
            n_inner += 1
    count = 0
    while n_inner:
        best = -1
        best_gain = 0.0
        k = 0
        while k < n_inner:
            gain = direct * shared(left, nodes[n_users + inner[k]]) - edge
            if gain <= 0.0:  # what is left only shrinks: this role will not be useful again
                n_inner -= 1
                inner[k] = inner[n_inner]
                continue
            if gain > best_gain:
                best = k
                best_gain = gain
            k += 1
        if best < 0:
            break
        r = inner[best]
        used[r] = True
        count += 1
        for w in range(left.size):
            left[w] &= ~nodes[n_users + r, w]
        n_inner -= 1
        inner[best] = inner[n_inner]
    if count > 1:
        prune(v, nodes, n_users, edge, direct, used, left)
    count = 0
    for r in range(used.size):
        count += used[r]
    total = 0
    for w in range(left.size):
        total += popcount(left[w])
    return count * edge + (direct * total if total else 0.0)


@kernel
def prune(v: int, nodes: Any, n_users: int, edge: float, direct: float, used: Any, left: Any) -> None:
    """Takes away roles whose private share costs no more when granted singly."""
    rest = np.empty(left.size, np.uint64)
    for r in range(used.size):
        if not used[r]:
            continue
        copy(nodes[n_users + r], rest)
        for s in range(used.size):
            if used[s] and s != r:
                for w in range(rest.size):
                    rest[w] &= ~nodes[n_users + s, w]
        private = 0
        for w in range(rest.size):
            private += popcount(rest[w])
        if private == 0 or direct * private <= edge:
            used[r] = False
            for w in range(rest.size):
                left[w] |= rest[w]


@kernel
def estimate(c: Any, nodes: Any, n_users: int, live: Any, times: Any, left: Any, edges: Any, directs: Any) -> float:
    """What single grants a role ``c`` would save, before its own cost."""
    total = 0.0
    for v in range(nodes.shape[0]):
        if live[v] and inside(c, nodes[v]):
            kind = 1 if v >= n_users else 0
            gain = directs[kind] * shared(left[v], c) - edges[kind]
            if gain > 0.0:
                total += times[v] * gain
    return total


@kernel
def estimates(
    pool: Any, nodes: Any, n_users: int, live: Any, times: Any, left: Any, edges: Any, directs: Any, out: Any
) -> None:
    for k in range(pool.shape[0]):
        out[k] = estimate(pool[k], nodes, n_users, live, times, left, edges, directs)


@kernel
def try_add(
    c: Any, nodes: Any, n_users: int, live: Any, times: Any, left: Any, used: Any, cost: Any, edges: Any,
    directs: Any, role_cost: float, slack: float,
) -> float:  # fmt: skip
    """Adds role ``c`` if the total then rises by less than ``slack``; returns the change."""
    slot = -1
    for r in range(nodes.shape[0] - n_users):
        at = n_users + r
        if live[at]:
            if inside(c, nodes[at]) and inside(nodes[at], c):
                return 0.0
        elif slot < 0:
            slot = r
    if slot < 0:
        return 0.0
    new = n_users + slot
    copy(c, nodes[new])
    live[new] = True
    touched = np.empty(nodes.shape[0], np.int64)
    costs = np.empty(nodes.shape[0])
    n_touched = 0
    own_used, own_left = np.empty(used.shape[1], np.bool_), np.empty(nodes.shape[1], np.uint64)
    change = role_cost + express(new, nodes, n_users, live, NO_ROLE, edges[1], directs[1], own_used, own_left)
    own_cost = change - role_cost
    trial_used, trial_left = np.empty(used.shape[1], np.bool_), np.empty(nodes.shape[1], np.uint64)
    for v in range(nodes.shape[0]):
        if v == new or not live[v] or not inside(c, nodes[v]):
            continue
        kind = 1 if v >= n_users else 0
        price = express(v, nodes, n_users, live, NO_ROLE, edges[kind], directs[kind], trial_used, trial_left)
        if price < cost[v] - 1e-9:
            touched[n_touched] = v
            costs[n_touched] = price
            n_touched += 1
            change += times[v] * (price - cost[v])
    if change >= slack - 1e-9:
        live[new] = False
        return 0.0
    for k in range(n_touched):
        v = touched[k]
        kind = 1 if v >= n_users else 0
        cost[v] = express(v, nodes, n_users, live, NO_ROLE, edges[kind], directs[kind], used[v], left[v])
    copy(own_used, used[new])
    copy(own_left, left[new])
    cost[new] = own_cost
    return change


@kernel
def try_drop(
    r: int, nodes: Any, n_users: int, live: Any, times: Any, left: Any, used: Any, cost: Any, edges: Any,
    directs: Any, role_cost: float,
) -> float:  # fmt: skip
    """Drops role r if that does not raise the total; returns the change (−1e-12 for none)."""
    at = n_users + r
    change = -role_cost - cost[at]
    trial_used, trial_left = np.empty(used.shape[1], np.bool_), np.empty(nodes.shape[1], np.uint64)
    for v in range(nodes.shape[0]):
        if live[v] and v != at and used[v, r]:
            kind = 1 if v >= n_users else 0
            price = express(v, nodes, n_users, live, r, edges[kind], directs[kind], trial_used, trial_left)
            change += times[v] * (price - cost[v])
    if change > 1e-9:
        return 0.0
    live[at] = False
    for v in range(nodes.shape[0]):
        if live[v] and used[v, r]:
            kind = 1 if v >= n_users else 0
            cost[v] = express(v, nodes, n_users, live, r, edges[kind], directs[kind], used[v], left[v])
    return change - 1e-12


@kernel
def refresh(nodes: Any, n_users: int, live: Any, left: Any, used: Any, cost: Any, edges: Any, directs: Any) -> None:
    """Writes every node anew, keeping the old way where it is cheaper."""
    trial_used, trial_left = np.empty(used.shape[1], np.bool_), np.empty(nodes.shape[1], np.uint64)
    for v in range(nodes.shape[0]):
        if not live[v]:
            continue
        kind = 1 if v >= n_users else 0
        price = express(v, nodes, n_users, live, NO_ROLE, edges[kind], directs[kind], trial_used, trial_left)
        if price < cost[v]:
            cost[v] = price
            copy(trial_used, used[v])
            copy(trial_left, left[v])


@kernel
def greedy(
    pool: Any, gains: Any, nodes: Any, n_users: int, live: Any, times: Any, left: Any, used: Any, cost: Any,
    edges: Any, directs: Any, role_cost: float, least: float, most: int,
) -> float:  # fmt: skip
    """Lazy greedy over a pool of candidate roles: gains are upper estimates, looked at again when they lead."""
    total = 0.0
    for _ in range(most):
        k = 0
        for other in range(gains.size):
            if gains[other] > gains[k]:
                k = other
        if gains[k] <= least:
            break
        fresh = estimate(pool[k], nodes, n_users, live, times, left, edges, directs)
        if fresh < gains[k] - 1e-9:
            gains[k] = fresh
            continue
        gains[k] = -1.0
        total += try_add(pool[k], nodes, n_users, live, times, left, used, cost, edges, directs, role_cost, 0.0)
    return total
