"""Online K-means: rows one by one, the nearest centre moves a part ε of the way towards each.

    u_c += ε_t (x - u_c),   c = argmin_c ||x - u_c||²,   t = rows that centre c has won, this one included

    constant  ε = rate                             follows data that drift, never settles
    inverse   ε = 1 / (t + 1)                      every centre is the mean of its start and all it won (MacQueen)
    power     ε = rate ((1 + τ) / (t + τ))^κ       forgets the start; settles for 1/2 < κ <= 1 (Robbins & Monro)

MacQueen, Some methods for classification and analysis of multivariate observations, 5th Berkeley Symposium 1967;
Bottou & Bengio, Convergence properties of the K-means algorithms, NIPS 1994.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.rows.presentation import ShownRows, in_chunks, presentation
from unmix.core.loop import iterate
from unmix.costs.nearest.centers import Frame

CHUNK = 1000


class Rate(NamedTuple):
    """The schedule of ε."""

    schedule: str
    rate: float
    tau: float
    kappa: float


class State(NamedTuple):
    """Centres in the frame, and the rows each has won."""

    iteration: int
    done: bool
    centers: np.ndarray
    wins: np.ndarray
    objective: float


def learn_epochs(shown: ShownRows, frame: Frame, state: State, rate: Rate, n_epochs: int, seed: int) -> State:
    """So many epochs more, in a frame without shift; `objective` is the cost of the rows as they were met."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        state = epoch(shown, frame, state, rate, seed)
        return state, {"objective": frame.cost(state.objective)}

    return iterate(advance, state, max_iter=state.iteration + n_epochs, name="online")


def epoch(shown: ShownRows, frame: Frame, state: State, rate: Rate, seed: int) -> State:
    from unmix.algorithms.kmeans.online_kernel import learn_means

    turned, wins, total = np.ascontiguousarray(state.centers.T), state.wins.copy(), 0.0
    squares, power = np.empty(len(wins)), 0.0 if rate.schedule == "constant" else rate.kappa
    for _, rows in in_chunks(shown, presentation(shown, seed, state.iteration), frame.scale, CHUNK):
        inverse = rate.schedule == "inverse"
        total += learn_means(rows, turned, wins, inverse, rate.rate, rate.tau, power, squares)
    return State(state.iteration + 1, False, np.ascontiguousarray(turned.T), wins, total)
