"""Compiled local search over labels, for any cost with moves (costs/moves.py): descend, disturb, descend, keep or undo.

A disturbance is one of three: a few objects change to other clusters; a cluster is dissolved and founded anew by one
object, which those near it then join, or by an object and the nearer half of its cluster. What the next descent makes
of it is kept unless it costs more than before; otherwise every object goes back to where it was, so that no sums are
copied. Random numbers come as arrays. A move must gain more than rounding errors, so that these do not decide among
equals.
"""

from typing import Any

import numpy as np
from numba import njit

from unmix.costs.moves import move_costs
from unmix.inference.sweeps import gibbs_sweep, relocate

DRAWS = 8  # random numbers a disturbance takes: its kind, its size or cluster, an object, where to go on, new labels
MOST_ROUNDS = 200  # of single moves, should rounding lead them in circles
ROUNDING = 1e-12  # of what a move may gain, as a share of what its clusters cost the object


@njit(cache=True, nogil=True)
def prices(state: Any, labels: Any, i: int, share: Any, h: Any) -> int:
    """h[c] <- what cluster c costs object i; returns its own cluster."""
    own = labels[i]
    share[own] = 1.0
    move_costs(state, i, share, h)
    share[own] = 0.0
    return own


@njit(cache=True, nogil=True)
def move_to_cheapest(state: Any, labels: Any, i: int, barred: int, share: Any, h: Any) -> float:
    """Move object i where it costs least, and in any case out of the barred cluster; returns the change of the cost."""
    own = prices(state, labels, i, share, h)
    new = -1
    for c in range(h.size):
        if c != barred and c != own and (new < 0 or h[c] < h[new]):
            new = c
    if new < 0 or (own != barred and h[new] >= h[own] - ROUNDING * (abs(h[own]) + abs(h[new]))):
        return 0.0
    change = h[new] - h[own]
    relocate(state, labels, i, new)
    return change


@njit(cache=True, nogil=True)
def move(state: Any, labels: Any, i: int, new: int, share: Any, h: Any) -> float:
    """Move object i to cluster `new`; returns the change of the cost."""
    own = prices(state, labels, i, share, h)
    if new == own:
        return 0.0
    change = h[new] - h[own]
    relocate(state, labels, i, new)
    return change


@njit(cache=True, nogil=True)
def descend_by_moves(state: Any, labels: Any, order: Any, begin: int, share: Any, h: Any) -> Any:
    """Move single objects in turn until nobody gains: the change of the cost, and how many objects were looked at."""
    n, change, quiet, seen = labels.size, 0.0, 0, 0
    while quiet < n and seen < MOST_ROUNDS * n:
        gain = move_to_cheapest(state, labels, order[(begin + seen) % n], -1, share, h)
        change += gain
        quiet = quiet + 1 if gain == 0.0 else 0
        seen += 1
    return change, seen


@njit(cache=True, nogil=True)
def scatter(state: Any, labels: Any, order: Any, draw: Any, share: Any, h: Any) -> float:
    """A few objects change to other clusters."""
    n, k, change, first = labels.size, h.size, 0.0, int(labels.size * draw[2])
    for t in range(min(n, 2 + int(draw[1] * max(4, n // 16)))):
        i = order[(first + t) % n]
        change += move(state, labels, i, (labels[i] + 1 + int((k - 1) * draw[4 + t % 4])) % k, share, h)
    return change


@njit(cache=True, nogil=True)
def found(state: Any, labels: Any, draw: Any, share: Any, h: Any) -> float:
    """A cluster is dissolved and founded anew by an object, alone or with the nearer ones of its cluster."""
    n, founder, gone, change = labels.size, int(labels.size * draw[2]), int(h.size * draw[1]), 0.0
    for t in range(n):
        if labels[t] == gone:
            change += move_to_cheapest(state, labels, t, gone, share, h)
    parent, apart, mean, count = labels[founder], np.zeros(n), 0.0, 0
    if draw[0] < 0.75:
        return change + move(state, labels, founder, gone, share, h)
    for t in range(n):
        if labels[t] == parent:
            prices(state, labels, t, share, h)
            apart[t] = -h[gone]
    change += move(state, labels, founder, gone, share, h)
    for t in range(n):
        if labels[t] == parent:
            prices(state, labels, t, share, h)
            apart[t] += h[gone]  # what the founder alone makes of it
            mean, count = mean + apart[t], count + 1
    for t in range(n):
        if labels[t] == parent and apart[t] * count < mean:
            change += move(state, labels, t, gone, share, h)
    return change


@njit(cache=True, nogil=True)
def search(state: Any, labels: Any, order: Any, draws: Any, tolerance: float, k: int) -> int:
    """Descend, then disturb and descend once for every row of `draws`; returns how many objects were looked at."""
    n, share, h = labels.size, np.zeros(k), np.empty(k)
    seen = descend_by_moves(state, labels, order, 0, share, h)[1]
    kept = labels.copy()
    for turn in range(draws.shape[0]):
        draw = draws[turn]
        few = draw[0] < 0.5
        change = scatter(state, labels, order, draw, share, h) if few else found(state, labels, draw, share, h)
        fall, looked = descend_by_moves(state, labels, order, int(n * draw[3]), share, h)
        seen += looked
        if change + fall <= tolerance:
            kept[:] = labels
        else:
            for i in range(n):
                if labels[i] != kept[i]:
                    relocate(state, labels, i, kept[i])
    return seen


@njit(cache=True, nogil=True)
def reheat(state: Any, labels: Any, order: Any, uniform: Any, betas: Any, k: int) -> None:
    """A sweep of Gibbs sampling at each beta, with the row of `uniform` that belongs to it."""
    for turn in range(betas.size):
        gibbs_sweep(state, labels, order, uniform[turn], betas[turn], k)
