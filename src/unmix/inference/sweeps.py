"""Compiled sweeps over all objects, for any cost with moves (costs/moves.py).

Every sweep takes its random numbers as arrays, so that its result depends on nothing else. An infinite beta is zero
temperature: an object goes to its cheapest cluster and stays where it is among equals.
"""

from typing import Any

import numpy as np
from numba import njit

from unmix.costs.moves import move_costs, shift

NEGLIGIBLE = 41.0  # a share below exp(-41) of the largest changes no sum in float64; as zero it costs no move


@njit(cache=True, nogil=True)
def weigh(h: Any, beta: float, own: int) -> None:
    """h[c] <- exp(-beta (h[c] - min h)), not normalised; at zero temperature one for the cheapest, ties staying."""
    low = h[own]
    for c in range(h.size):
        low = min(low, h[c])
    if beta == np.inf:
        chosen = own
        if h[own] > low:
            for c in range(h.size - 1, -1, -1):
                if h[c] == low:
                    chosen = c
        for c in range(h.size):
            h[c] = 1.0 if c == chosen else 0.0
        return
    for c in range(h.size):
        x = beta * (h[c] - low)
        h[c] = np.exp(-x) if x < NEGLIGIBLE else 0.0


@njit(cache=True, nogil=True)
def relocate(state: Any, labels: Any, i: int, new: int) -> None:
    shift(state, i, labels[i], -1.0)
    shift(state, i, new, 1.0)
    labels[i] = new


@njit(cache=True, nogil=True)
def gibbs_sweep(state: Any, labels: Any, order: Any, uniform: Any, beta: float, k: int) -> Any:
    """Draw every object's label from its conditional law; returns how many moved and the change of the cost."""
    moved, change = 0, 0.0
    share, h, price = np.zeros(k), np.empty(k), np.empty(k)
    for step in range(order.size):
        i = order[step]
        own = labels[i]
        share[own] = 1.0
        move_costs(state, i, share, h)
        share[own] = 0.0
        price[:] = h
        weigh(h, beta, own)
        left = uniform[step] * h.sum()
        new = 0
        while new < k - 1 and left >= h[new]:
            left -= h[new]
            new += 1
        if new != own and h[new] > 0:
            change += price[new] - price[own]
            moved += 1
            relocate(state, labels, i, new)
    return moved, change


@njit(cache=True, nogil=True)
def metropolis_sweep(
    state: Any, labels: Any, order: Any, proposed: Any, uniform: Any, beta: float, k: int, heat_bath: bool
) -> Any:
    """Propose a label for every object and accept it with min(1, e^-βΔ), or with 1 / (1 + e^βΔ)."""
    moved, change = 0, 0.0
    share, h = np.zeros(k), np.empty(k)
    for step in range(order.size):
        i, new = order[step], proposed[step]
        own = labels[i]
        if new == own:
            continue
        share[own] = 1.0
        move_costs(state, i, share, h)
        share[own] = 0.0
        rise = h[new] - h[own]
        if beta == np.inf:
            accepted = rise < 0
        elif heat_bath:
            accepted = uniform[step] < 1.0 / (1.0 + np.exp(min(beta * rise, 700.0)))
        else:
            accepted = rise <= 0 or uniform[step] < np.exp(-beta * rise)
        if accepted:
            change += rise
            moved += 1
            relocate(state, labels, i, new)
    return moved, change


@njit(cache=True, nogil=True)
def mean_field_sweep(state: Any, q: Any, order: Any, beta: float, damping: float) -> float:
    """Set every object's shares to its Gibbs law in the field of the others, one after another; the largest change."""
    k, largest = q.shape[1], 0.0
    h = np.empty(k)
    for step in range(order.size):
        i = order[step]
        move_costs(state, i, q[i], h)
        own = 0
        for c in range(k):
            if q[i, c] > q[i, own]:
                own = c
        weigh(h, beta, own)
        total = h.sum()
        for c in range(k):
            change = (1.0 - damping) * (h[c] / total - q[i, c])
            if change != 0.0:
                shift(state, i, c, change)
                q[i, c] += change
                largest = max(largest, abs(change))
    return largest


@njit(cache=True, nogil=True)
def price_moves(state: Any, labels: Any, objects: Any, out: Any) -> None:
    """out (objects, k) <- what each label costs each object, all others as they are."""
    share = np.zeros(out.shape[1])
    for row in range(objects.size):
        i = objects[row]
        share[labels[i]] = 1.0
        move_costs(state, i, share, out[row])
        share[labels[i]] = 0.0


@njit(cache=True, nogil=True)
def weigh_moves(state: Any, labels: Any, beta: float, out: Any) -> None:
    """out (n, k) <- the law of each object's label, all others as they are."""
    share = np.zeros(out.shape[1])
    for i in range(labels.size):
        share[labels[i]] = 1.0
        move_costs(state, i, share, out[i])
        share[labels[i]] = 0.0
        weigh(out[i], beta, labels[i])
        out[i] /= out[i].sum()
