"""The end of a search for the labels of least cost: disturb and descend, heat and cool again.

Every annealed run ends in a state that no single move betters, and costs without prototypes have many such states. So
the labels are disturbed and descended from again and again (local_moves.py); then they are heated, cooled, and
disturbed in the same way, more slowly after each turn that ended in a worse place. Clusters stay apart meanwhile and
only objects change; once that led back to the best labels they are forgotten, as else another return would show
nothing, and what then leads back to them is not disturbed again. The search ends when it has come back to the best cost
three times, after a few turns in vain, or when it has looked at objects often enough: never by time, so that the result
depends on the seed alone.
Reference: Lourenço, Martin & Stützle, Iterated local search, Handbook of Metaheuristics (2003).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn
from unmix.core.schedule import geometric

REHEATED, COLD = (0.5, 1.2), 0.02  # of the first temperature: where clusters stay, where all is forgotten
SWEEPS = 100  # of a cooling, times the turns that have ended worse
STILL = 10  # sweeps of a cooling without a move: what is frozen stays so, as it only grows colder
FEWEST, MOST, GLANCES = 8, 200, 10_000  # disturbances a turn: as many as there are objects in so many, within limits
AGREED, VAIN = 3, 8  # turns that came back to the best cost, and turns without a better one
LONG, ROUNDS = 8_000_000, 200  # prices of labels looked at, or all of them so many times, whichever is more,
MOST_MOVES = 400_000  # but objects no more often than this,
MANY_OBJECTS = 3000  # and beyond so many ever less: among very many of them annealing is what counts
SAME_COST = 1e-10  # costs that differ by this share are the same


class Found(NamedTuple):
    iteration: int
    done: bool
    labels: np.ndarray
    cost: float
    agreed: int
    vain: int
    seen: int


def refine(
    cost: Any, data: Any, labels: np.ndarray, k: int, first_temperature: float, seed: int, most: int | None = None
) -> np.ndarray:
    """Labels that cost no more than those given, for any cost with moves; objects are looked at `most` times in all."""
    enough = budget(k, len(labels)) if most is None else most
    if k < 2 or too_long(1 + FEWEST, len(labels), enough):
        return labels

    def advance(state: Found) -> tuple[Found, dict[str, float]]:
        rng = spawn(seed, state.iteration)
        slowness = 1 + state.vain - state.agreed
        heat = REHEATED[state.agreed > 0]
        cooling = geometric(heat * first_temperature, COLD * first_temperature, SWEEPS * slowness)
        betas = 1 / cooling if state.iteration else cooling[:0]  # the labels that were given come first
        new = _accepted(state, *_perturbed(cost, data, state, k, betas, rng), enough)
        return new, {"temperature": 0.0, "cost": new.cost}

    start = Found(0, False, labels.astype(np.int64), float(cost.total(data, labels)), 0, 0, 0)
    return iterate(advance, start, max_iter=1000, name="search").labels


def budget(k: int, n: int) -> int:
    """How often objects are looked at, all k labels each time: each of n often where they are few."""
    return int(max(LONG // k, min(ROUNDS * n, MOST_MOVES)) * min(1.0, MANY_OBJECTS / n) ** 3)


def too_long(sweeps: int, n: int, left: int) -> bool:
    """Whether so many sweeps over very many objects are more than what is left."""
    return n > MANY_OBJECTS and sweeps * n > left


def _perturbed(
    cost: Any, data: Any, state: Found, k: int, betas: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, float, int]:
    """Heat and cool, descend, disturb unless that led to labels disturbed twice: labels, cost, objects looked at."""
    from unmix.costs.moves import packed
    from unmix.inference.local.local_moves import DRAWS, search

    labels, n, same = state.labels.copy(), len(state.labels), SAME_COST * abs(state.cost)
    seen = _cooled(packed(cost.state(data, np.eye(k)[labels])), labels, betas, rng, k) if len(betas) else 0
    running = packed(cost.state(data, np.eye(k)[labels]))  # anew, so that rounding errors cannot pile up
    draws = rng.random((min(MOST, max(FEWEST, GLANCES // n)), DRAWS))
    order = rng.permutation(n)
    if state.agreed:
        seen += search(running, labels, order, draws[:0], same, k)
        value = float(cost.total(data, labels))
        if abs(value - state.cost) <= same:
            return labels, value, seen
    seen += search(running, labels, order, draws, same, k)
    return labels, float(cost.total(data, labels)), seen


def _cooled(state: Any, labels: np.ndarray, betas: np.ndarray, rng: np.random.Generator, k: int) -> int:
    """A sweep of sampling in place at each beta until nothing moves any more; how many objects were looked at."""
    from unmix.inference.local.local_moves import DRAW, sample

    order, n, done = rng.permutation(len(labels)), len(labels), 0
    for done in range(STILL, len(betas) + STILL, STILL):
        some = betas[done - STILL : done]
        if not sample(state, labels, order, (DRAW, order, rng.random((len(some), n)), some), k)[0]:
            break
    return min(done, len(betas)) * n


def _accepted(state: Found, labels: np.ndarray, value: float, seen: int, most: int) -> Found:
    """The better of what was and what came, and whether to go on."""
    near, seen = SAME_COST * abs(state.cost), state.seen + seen
    better, same = value < state.cost - near, state.iteration > 0 and abs(value - state.cost) <= near
    agreed, vain = (0, 0) if better else (state.agreed + same, state.vain + (state.iteration > 0))
    done = agreed == AGREED or vain == VAIN or seen > most or too_long(SWEEPS, len(labels), most - seen)
    kept = (labels, value) if better else (state.labels, state.cost)
    return Found(state.iteration + 1, done, *kept, agreed, vain, seen)
