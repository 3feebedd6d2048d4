"""Compiled walks over labels, for any cost with moves (costs/moves.py): sampling, and a local search.

A sweep of sampling draws or proposes a label for every object at some temperature, zero included (beta = inf). The
search descends by single moves, disturbs, descends, keeps or undoes. A disturbance is one of three: a few objects
change to other clusters; a cluster is dissolved and founded anew by one object, which those near it then join, or by an
object and the nearer half of its cluster. What the next descent makes of it is kept unless it costs more than before;
otherwise every object goes back to where it was, so that no sums are copied. A move of the search must gain more than
rounding errors, so that these do not decide among equals.

Random numbers and room to work in come as arrays, so that a walk depends on nothing else. Sampling and search are one
kernel, because every cost compiles it for itself and most fits need both.
"""

import math
from typing import Any

import numpy as np

from unmix.core.kernel import kernel
from unmix.costs.moves import move_costs
from unmix.inference.sweeps import relocate, weigh

DRAWS = 8  # random numbers a disturbance takes: its kind, its size or cluster, an object, where to go on, new labels
MOST_ROUNDS = 200  # of single moves, should rounding lead them in circles
ROUNDING = 1e-12  # of what a move may gain, as a share of what its clusters cost the object
STEEP = 700.0  # beta times a rise of the cost that no heat bath accepts; its exponential is still finite
# what an object does, the last three with a cluster; NumPy's integers, for each plain one would be compiled by itself
STAY, CHEAPEST, LEAVE, DRAW, JOIN, METROPOLIS, HEAT_BATH = np.arange(7)
ANY, COLD = np.int64(-1), np.inf
SCATTER, DISSOLVE, BEFORE, FOUND, AFTER, FOLLOW, END = range(7)  # one for few objects, five to found a cluster anew


def sample(state: Any, labels: np.ndarray, order: np.ndarray, sweeps: Any, k: int) -> tuple[int, float]:
    """Sweeps of sampling in place, given by (rule, labels proposed, uniform (sweeps, n), betas): moved, change."""
    _, moved, change = walk(state, labels, labels, order, *sweeps, np.empty((0, DRAWS)), 0.0, *_rooms(labels, k))
    return int(moved), float(change)


def search(state: Any, labels: np.ndarray, order: np.ndarray, draws: np.ndarray, tolerance: float, k: int) -> int:
    """Descend in place, then disturb and descend once for every row of `draws`; how many objects were looked at."""
    none = STAY, order, np.empty((0, 0)), np.empty(0)
    return int(walk(state, labels, labels.copy(), order, *none, draws, tolerance, *_rooms(labels, k))[0])


def _rooms(labels: np.ndarray, k: int) -> tuple[np.ndarray, ...]:
    return np.empty(len(labels)), np.zeros(k), np.empty(k), np.empty(k)


@kernel
def choose(h: Any, weights: Any, own: int, rule: int, cluster: int, beta: float, chance: float) -> int:
    """The label an object goes to, by what all of them cost it; `chance` is uniform on [0, 1)."""
    new = own
    if rule == DRAW:
        left = chance * weigh(h, weights, beta, own)
        new = 0
        while new < h.size - 1 and left >= weights[new]:
            left -= weights[new]
            new += 1
        return new if weights[new] > 0.0 else own
    if rule >= JOIN:
        rise = h[cluster] - h[own]
        accepted = rule == JOIN or (rise < 0.0 and (rule == METROPOLIS or beta == COLD))
        if not accepted and beta < COLD and beta * rise < STEEP:
            odds = math.exp(beta * rise)
            accepted = chance < 1.0 / (odds if rule == METROPOLIS else 1.0 + odds)
        return cluster if accepted else own
    if rule != STAY:
        new = 1 if own == 0 else 0
        for c in range(new + 1, h.size):
            if c != own and h[c] < h[new]:
                new = c
        if rule == CHEAPEST and h[new] >= h[own] - ROUNDING * (abs(h[own]) + abs(h[new])):
            new = own
    return new


@kernel
def look(state: Any, labels: Any, i: int, rule: int, cluster: int, share: Any, h: Any) -> float:
    """h[c] <- what cluster c costs object i, which then does as the rule says; returns the change of the cost."""
    own = labels[i]
    share[own] = 1.0
    move_costs(state, i, share, h)
    share[own] = 0.0
    new = choose(h, h, own, rule, cluster, COLD, 0.0)
    if new == own:
        return 0.0
    relocate(state, labels, i, new)
    return h[new] - h[own]


@kernel
def disturb(state: Any, labels: Any, order: Any, draw: Any, apart: Any, share: Any, h: Any) -> float:
    """A few objects change clusters, or a cluster is dissolved and founded anew by one, alone or with those nearer."""
    n = labels.size
    k = h.size
    change = mean = 0.0
    count = 0
    founder = int(n * draw[2])
    gone = parent = int(k * draw[1])
    few = 2 + int(draw[1] * (n // 16 if n > 64 else 4))
    scattered = draw[0] < 0.5
    alone = draw[0] < 0.75
    for phase in range(SCATTER if scattered else DISSOLVE, DISSOLVE if scattered else END):
        for t in range(few if scattered and few < n else n):
            i = t
            rule = JOIN
            cluster = gone
            if scattered:
                i = order[(founder + t) % n]
                cluster = (labels[i] + 1 + int((k - 1) * draw[4 + t % 4])) % k
            elif phase == FOUND:
                if i != founder:
                    continue
            elif labels[i] != parent or (alone and phase > DISSOLVE) or (phase == FOLLOW and apart[i] * count >= mean):
                continue
            elif phase < FOLLOW:
                rule = LEAVE if phase == DISSOLVE else STAY
            change += look(state, labels, i, rule, cluster, share, h)
            if phase == BEFORE:
                apart[i] = -h[gone]
            elif phase == AFTER:  # what the founder alone makes of it
                apart[i] += h[gone]
                mean += apart[i]
                count += 1
        parent = labels[founder] if phase == DISSOLVE else parent
    return change


@kernel
def walk(
    state: Any,
    labels: Any,
    kept: Any,
    order: Any,
    rule: int,
    proposed: Any,
    uniform: Any,
    betas: Any,
    draws: Any,
    tolerance: float,
    apart: Any,
    share: Any,
    h: Any,
    weights: Any,
) -> Any:
    """A sweep by the rule at each beta, then the search if there are draws: objects searched, those moved, the change.

    `kept` begins as a copy of `labels`; `apart` (n,), `share` (k,), which is zero, `h` and `weights` are room.
    """
    n = labels.size
    seen = moved = 0
    change = 0.0
    for turn in range(betas.size):
        for step in range(n):  # as `look`, without the price of a call
            i = order[step]
            own = labels[i]
            if rule >= JOIN and proposed[step] == own:
                continue
            share[own] = 1.0
            move_costs(state, i, share, h)
            share[own] = 0.0
            new = choose(h, weights, own, rule, proposed[step], betas[turn], uniform[turn, step])
            if new != own:
                change += h[new] - h[own]
                moved += 1
                relocate(state, labels, i, new)
    for turn in range(draws.shape[0] + 1 if draws.shape[0] else 0):
        draw = draws[turn - 1]
        rise = fall = 0.0
        quiet = looked = begin = 0
        if turn > 0:
            rise = disturb(state, labels, order, draw, apart, share, h)
            begin = int(n * draw[3])
        while quiet < n and looked < MOST_ROUNDS * n:
            gain = look(state, labels, order[(begin + looked) % n], CHEAPEST, ANY, share, h)
            fall += gain
            quiet = quiet + 1 if gain == 0.0 else 0
            looked += 1
        seen += looked
        worse = turn > 0 and rise + fall > tolerance
        for i in range(n):
            if worse and labels[i] != kept[i]:
                look(state, labels, i, JOIN, kept[i], share, h)
            kept[i] = labels[i]
    return seen, moved, change
