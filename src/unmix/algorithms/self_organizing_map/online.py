"""The online self-organising map: rows one by one, the winner and its neighbours follow each.

    u_r += ε_t h_cr (x - u_r),   h_cr = H_cr / H_cc,   c the nearest node, or the one of least Σ_r H_cr ||x - u_r||²

Both the rate ε and the width σ of the neighbourhood fall from the first to the last presentation; ε with every row,
σ with every thousand.

Kohonen, Self-organized formation of topologically correct feature maps, Biological Cybernetics 43 (1982).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.rows.presentation import ShownRows
from unmix.algorithms.self_organizing_map.batch import State
from unmix.algorithms.self_organizing_map.grid import neighborhood
from unmix.core.iteration.loop import iterate
from unmix.costs.nearest.centers import Frame

CHUNK = 1000


class Course(NamedTuple):
    """The grid, and how width and rate fall over `n_epochs`."""

    distances: np.ndarray
    kind: str
    exact: bool
    sigma: tuple[float, float]
    rate: tuple[float, float]
    decay: str
    n_epochs: int


def decayed(ends: tuple[float, float], share: np.ndarray, decay: str) -> np.ndarray:
    """Between first and last at the shares of the way, straight or by equal ratios."""
    first, last = ends
    share = np.minimum(share, 1.0)
    if decay == "linear":
        return first + (last - first) * share
    return np.asarray(first * (last / first) ** share) if first > 0 else np.zeros_like(share)


def train_online(shown: ShownRows, frame: Frame, centers: np.ndarray, course: Course) -> State:
    """All epochs, from nodes in a frame without shift."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        new, objective = epoch(shown, frame, state.centers, course, state.iteration)
        done = state.iteration + 1 >= course.n_epochs
        return State(state.iteration + 1, done, new, objective), {"objective": frame.cost(objective)}

    return iterate(advance, State(0, False, centers, np.inf), max_iter=course.n_epochs, name="map")


def epoch(shown: ShownRows, frame: Frame, centers: np.ndarray, course: Course, number: int) -> tuple[np.ndarray, float]:
    """The nodes after one more epoch, and the sum over rows of the squared distance to the winner of the moment."""
    from unmix.algorithms.kmeans.online_kernel import learn_map

    turned, total = np.ascontiguousarray(centers.T), 0.0
    squares, pooled = np.empty(len(centers)), np.empty(len(centers))
    m = shown.showings
    for start, rows in shown.in_chunks(number * m, m, frame.scale, CHUNK):
        share = (number + (start + np.arange(len(rows))) / m) / course.n_epochs
        sigma = float(decayed(course.sigma, share[:1], course.decay)[0])
        H = neighborhood(course.distances, sigma, course.kind)
        rates = decayed(course.rate, share, course.decay)
        total += learn_map(rows, turned, H, course.exact, rates, squares, pooled)
    return np.ascontiguousarray(turned.T), total
