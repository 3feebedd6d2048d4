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

from unmix.core.compiled.kernel import kernel
from unmix.costs.moves import move_costs, shift
from unmix.inference.local.sweeps import weigh

DRAWS = 8  # random numbers a disturbance takes: its kind, its size or cluster, an object, where to go on, new labels
MOST_ROUNDS = 200  # of single moves, should rounding lead them in circles
ROUNDING = 1e-12  # of what a move may gain, as a share of what its clusters cost the object
STEEP = 700.0  # beta times a rise of the cost that no heat bath accepts; its exponential is still finite
# what an object does, the last three with a cluster; NumPy's integers, for each plain one would be compiled by itself
STAY, CHEAPEST, LEAVE, DRAW, JOIN, METROPOLIS, HEAT_BATH = np.arange(7)
COLD = np.inf
# what a walk does with the objects, each after the one before it: a disturbance scatters, or founds a cluster anew
SWEEP, SCATTER, DISSOLVE, BEFORE, FOUND, AFTER, FOLLOW, DESCEND, UNDO, END = range(10)
FIRST, ONCE_GONE, ONCE_FOUND, FEW, CLUSTER, FOUNDER, BEGIN, JUMPS = range(8)  # of a disturbance; four jumps


def sample(state: Any, labels: np.ndarray, order: np.ndarray, sweeps: Any, k: int) -> tuple[int, float]:
    """Sweeps of sampling in place, given by (rule, labels proposed, uniform (sweeps, n), betas): moved, change."""
    _, moved, change = walk(state, labels, labels, order, *sweeps, np.empty((0, 0), np.int64), 0.0, *_rooms(labels, k))
    return int(moved), float(change)


def search(state: Any, labels: np.ndarray, order: np.ndarray, draws: np.ndarray, tolerance: float, k: int) -> int:
    """Descend in place, then disturb and descend once for every row of `draws`; how many objects were looked at."""
    none, plan = (STAY, order, np.empty((0, 0)), np.empty(0)), disturbances(draws, len(labels), k)
    return int(walk(state, labels, labels.copy(), order, *none, plan, tolerance, *_rooms(labels, k))[0])


def disturbances(draws: np.ndarray, n: int, k: int) -> np.ndarray:
    """Whole numbers, a row a disturbance, made of as many uniform ones."""
    founding, alone = draws[:, 0] >= 0.5, draws[:, 0] < 0.75
    first, after_found = np.where(founding, DISSOLVE, SCATTER), np.where(alone, DESCEND, AFTER)
    few = np.minimum(2 + (draws[:, 1] * (n // 16 if n > 64 else 4)).astype(np.int64), n)
    places = (draws[:, 1:4] * [k, n, n]).astype(np.int64)
    jumps = 1 + ((k - 1) * draws[:, 4:]).astype(np.int64)
    return np.column_stack([first, np.where(alone, FOUND, BEFORE), after_found, few, places, jumps])


def _rooms(labels: np.ndarray, k: int) -> tuple[np.ndarray, ...]:
    return np.empty(len(labels)), np.zeros(k), np.empty(k), np.empty(k)


@kernel(no_cpython_wrapper=True)
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


@kernel(makes_arrays=False)
def walk(
    state: Any,
    labels: Any,
    kept: Any,
    order: Any,
    rule: int,
    proposed: Any,
    uniform: Any,
    betas: Any,
    plan: Any,
    tolerance: float,
    apart: Any,
    share: Any,
    h: Any,
    weights: Any,
) -> Any:
    """A sweep by the rule at each beta, then the search if there is a plan: objects searched, those moved, the change.

    `kept` begins as a copy of `labels`; `apart` (n,), `share` (k,), which is zero, `h` and `weights` are room. Objects
    look at their clusters in one place: with every other one the moves of the cost would be compiled again.
    """
    n, k = labels.size, h.size
    seen = moved = turn = quiet = begin = founder = gone = parent = count = 0
    change = rise = fall = mean = 0.0
    worse = False
    phase = SWEEP if betas.size else DESCEND
    while phase != END:
        steps = MOST_ROUNDS * n if phase == DESCEND else plan[turn - 1, FEW] if phase == SCATTER else n
        for t in range(steps):
            i = t
            act: Any = JOIN
            cluster = gone
            beta = COLD
            chance = 0.0
            if phase == DESCEND:
                if quiet == n:
                    break
                i, act = order[(begin + t) % n], CHEAPEST
            elif phase == SWEEP:
                i = order[t]
                act = rule
                cluster = proposed[t]
                beta = betas[turn]
                chance = uniform[turn, t]
            elif phase == UNDO:
                if not worse:
                    kept[i] = labels[i]
                cluster = kept[i]
            elif phase == SCATTER:
                i = order[(founder + t) % n]
                cluster = (labels[i] + plan[turn - 1, JUMPS + t % 4]) % k
            elif phase == FOUND:
                if i != founder:
                    continue
            elif labels[i] != parent or (phase == FOLLOW and apart[i] * count >= mean):
                continue
            elif phase < FOLLOW:
                act = LEAVE if phase == DISSOLVE else STAY
            own = labels[i]
            if act >= JOIN and cluster == own:
                continue
            share[own] = 1.0
            move_costs(state, i, share, h)
            share[own] = 0.0
            new = choose(h, weights, own, act, cluster, beta, chance)
            gain = h[new] - h[own]
            if new != own:
                moved += 1
                for side in range(2):  # out, then in, by one call: what it calls is compiled into each
                    shift(state, i, labels[i], 2.0 * side - 1.0)
                    labels[i] = new
            if phase == DESCEND:
                fall += gain
                quiet = quiet + 1 if gain == 0.0 else 0
                seen += 1
            elif phase == SWEEP:
                change += gain
            else:
                rise += gain
                if phase == BEFORE:
                    apart[i] = -h[gone]
                elif phase == AFTER:  # what the founder alone makes of it
                    apart[i] += h[gone]
                    mean += apart[i]
                    count += 1
        if phase == SWEEP:
            turn += 1
            if turn == betas.size:
                turn, phase = 0, DESCEND if plan.shape[0] else END
        elif phase == DESCEND:
            worse, phase = turn > 0 and rise + fall > tolerance, UNDO
        elif phase == UNDO:
            turn += 1
            phase = END
            if turn <= plan.shape[0]:
                phase, gone = plan[turn - 1, FIRST], plan[turn - 1, CLUSTER]
                founder, begin = plan[turn - 1, FOUNDER], plan[turn - 1, BEGIN]
                parent = gone
                quiet = count = 0
                rise = fall = mean = 0.0
        elif phase == DISSOLVE:
            phase, parent = plan[turn - 1, ONCE_GONE], labels[founder]
        elif phase == FOUND:
            phase = plan[turn - 1, ONCE_FOUND]
        else:
            phase = DESCEND if phase == SCATTER else phase + 1
    return seen, moved, change
