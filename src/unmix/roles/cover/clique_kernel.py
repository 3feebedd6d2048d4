"""Compiled search for the heaviest rectangle: a clique of entries that fit with each other, by branch and bound.

Entries come by falling weight. A colour class holds entries of which no two fit, so a rectangle takes one of each at
most: the sum of the heaviest of every class bounds what can still be reached. Sets of entries are copied word by word:
an array assigned to a slice takes two seconds to compile, most of it for the text of its errors.

Reference: L. Babel, A fast algorithm for the maximum weight clique problem, Computing 52 (1994).
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.roles.access.bit_kernel import ONE, has, popcount, put


@kernel
def link_fitting(rows: Any, user: Any, permission: Any, fits: Any) -> None:
    """fits[a] = the entries b ≠ a for which (u_a, p_b) and (u_b, p_a) are ones."""
    for a in range(user.size):
        for b in range(a):
            if has(rows[user[a]], permission[b]) and has(rows[user[b]], permission[a]):
                put(fits[a], b)
                put(fits[b], a)


@kernel
def grow(fits: Any, weight: Any, starts: Any, room: Any, chosen: Any, worth: Any) -> None:
    """From each start, the entries in their order as far as they fit: chosen[s] is a rectangle of weight worth[s]."""
    for s in range(starts.size):
        v = starts[s]
        put(chosen[s], v)
        worth[s] = weight[v]
        for w in range(room.size):
            room[w] = fits[v, w]
        for w in range(room.size):
            while room[w] != np.uint64(0):
                low = room[w] & (~room[w] + ONE) if room[w] != ONE else ONE
                v = (w << 6) + popcount(low - ONE)
                put(chosen[s], v)
                worth[s] += weight[v]
                for k in range(w, room.size):
                    room[k] &= fits[v, k]


@kernel
def colour(candidates: Any, fits: Any, weight: Any, left: Any, room: Any, order: Any, bound: Any) -> int:
    """Lists candidates class by class; bound[i] is what a rectangle of order[: i + 1] weighs at most."""
    count, total = 0, 0.0
    for w in range(left.size):
        left[w] = candidates[w]
    for start in range(left.size):
        while left[start] != np.uint64(0):
            for w in range(room.size):
                room[w] = left[w]
            heaviest = -1.0
            for w in range(start, room.size):
                while room[w] != np.uint64(0):
                    low = room[w] & (~room[w] + ONE) if room[w] != ONE else ONE
                    v = (w << 6) + popcount(low - ONE)
                    if heaviest < 0.0:
                        heaviest = weight[v]
                    left[w] &= ~low
                    room[w] &= ~low
                    for k in range(w, room.size):
                        room[k] &= ~fits[v, k]
                    order[count], bound[count] = v, total + heaviest
                    count += 1
            total += heaviest
    return count


@kernel
def heaviest(fits: Any, weight: Any, best: float, work: int, clique: Any) -> float:
    """Branch and bound for a clique heavier than ``best``, into ``clique`` if there is one.

    Returns a proven upper bound of the weight: that of the best clique, or more if ``work`` word operations were spent.
    """
    n, n_words = fits.shape
    candidates = np.zeros((n + 1, n_words), np.uint64)
    order, bound = np.zeros((n + 1, n), np.int64), np.zeros((n + 1, n))
    left, room, taken = np.zeros(n_words, np.uint64), np.zeros(n_words, np.uint64), np.zeros(n + 1, np.int64)
    position, held = np.zeros(n + 1, np.int64), np.zeros(n + 1)
    for v in range(n):
        put(candidates[0], v)
    level = 0
    position[0] = colour(candidates[0], fits, weight, left, room, order[0], bound[0])
    while level >= 0:
        i = position[level] - 1
        if i < 0 or held[level] + bound[level, i] <= best + 1e-12:
            level -= 1
            continue
        if work <= 0:
            break
        position[level] = i
        v = order[level, i]
        candidates[level, v >> 6] &= ~(ONE << np.uint64(v & 63))
        some = False
        for w in range(n_words):
            candidates[level + 1, w] = candidates[level, w] & fits[v, w]
            some = some or candidates[level + 1, w] != np.uint64(0)
        held[level + 1], taken[level] = held[level] + weight[v], v
        if held[level + 1] > best:
            best = held[level + 1]
            clique[:] = np.uint64(0)
            for k in range(level + 1):
                put(clique, taken[k])
        if some:
            level += 1
            position[level] = colour(candidates[level], fits, weight, left, room, order[level], bound[level])
            work -= n_words * (1 + position[level])
    upper = best
    for k in range(level + 1):
        if position[k] > 0:
            upper = max(upper, held[k] + bound[k, position[k] - 1])
    return upper
