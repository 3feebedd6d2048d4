"""The batch self-organising map: every row to its node, every node to the mean of its neighbourhood's rows.

    c(i) = argmin_c ||x_i - u_c||²                    (nearest)
    c(i) = argmin_c Σ_r H_cr ||x_i - u_r||²           (exact: lowers the cost of costs/neighborhood.py at every step)
    u_r  = Σ_c h_cr Σ_{i in c} w_i x_i / Σ_c h_cr Σ_{i in c} w_i,   h = H (exact),  h_cr = H_cr / H_cc (nearest)

A pass adds up k sums, as K-means does; neighbours share them afterwards in one k x k product. The neighbourhood H
narrows from epoch to epoch.

Sharing by H, as the exact cost asks, gives the rows at the edge of the map, where there are fewer neighbours to share
with, more say; Kohonen's own rule gives every row a full share at its winner, and tears the map less.

Kohonen, Self-Organizing Maps, Springer 2001, section 3.6; Heskes, Energy functions for self-organizing maps (1999).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.self_organizing_map.grid import neighborhood
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.costs.nearest.centers import JIT_DISABLED, Frame, nearest
from unmix.costs.neighborhood import Neighborhood
from unmix.costs.squared_distance import Stats

NO_WEIGHTS = np.empty(0)
# On a map with more nodes than rows many nodes differ by rounding only, which must not decide: of nodes whose distances
# differ by less than this share of the length of the row the first wins.
LEAN = 2.0**-46


class Lattice(NamedTuple):
    """What stays fixed of a map: distances on the grid, the kind of neighbourhood, its width by epoch, the rule."""

    distances: np.ndarray
    kind: str
    sigmas: np.ndarray
    exact: bool


class State(NamedTuple):
    """Nodes in the frame, and the cost of the nodes one step before."""

    iteration: int
    done: bool
    centers: np.ndarray
    objective: float


class Winners(NamedTuple):
    """Sums of the rows by node, and Σ w ||x||²."""

    stats: Stats
    squares: float


def train(X: RowBlocks, weights: np.ndarray | None, frame: Frame, centers: np.ndarray, lattice: Lattice) -> State:
    """As many epochs as there are widths; fewer if the width stays and nothing moves any more."""
    sigmas = lattice.sigmas

    @np.errstate(over="ignore", invalid="ignore")  # nodes that are given may be farther away than squares reach
    def advance(state: State) -> tuple[State, dict[str, float]]:
        sigma = float(sigmas[state.iteration])
        cost = Neighborhood(neighborhood(lattice.distances, sigma, lattice.kind))
        points, offsets = cost.smooth(state.centers) if lattice.exact else (state.centers, None)
        found = X.reduce(gather_rows, frame, points, offsets, rows=weights)
        shares = found.stats if lattice.exact else at_winner(found.stats, cost.H)
        new = cost.prototypes(shares, state.centers)
        objective = max(cost.expected(found.stats, found.squares, state.centers), 0.0)
        settled = bool((sigmas[state.iteration :] == sigma).all()) and np.array_equal(new, state.centers)
        state = State(state.iteration + 1, settled, new, objective)
        return state, {"objective": frame.cost(objective), "sigma": sigma}

    return iterate(advance, State(0, False, centers, np.inf), max_iter=len(sigmas), name="map")


def at_winner(stats: Stats, H: np.ndarray) -> Stats:
    """Statistics which, shared by H, count fully at the winner: H_cr / H_cc."""
    own = np.diagonal(H)
    return Stats(stats.sums / own[:, None], stats.mass / own)


def gather_rows(
    block: Any, weights: np.ndarray | None, frame: Frame, centers: np.ndarray, offsets: np.ndarray | None
) -> Winners:
    """Every row to its nearest centre, and the sums by centre."""
    labels = nearest(block, frame, centers, offsets, lean=LEAN).label
    k, d = centers.shape
    if JIT_DISABLED or hasattr(block, "tocsr"):
        return gather_plain(block, weights, frame, labels, k)
    from unmix.algorithms.self_organizing_map.node_sums_kernel import add_rows

    sums, mass = np.zeros((k, d)), np.zeros(k)
    given = NO_WEIGHTS if weights is None else weights
    squares = add_rows(block, given, labels, frame.scale, frame.shift, sums, mass)
    return Winners(Stats(sums, mass), squares)


def gather_plain(block: Any, weights: np.ndarray | None, frame: Frame, labels: np.ndarray, k: int) -> Winners:
    """The same in array operations, for sparse rows and where nothing is compiled."""
    from scipy.sparse import csr_array

    n = len(labels)
    weight = np.ones(n) if weights is None else weights
    members = csr_array((weight, (labels, np.arange(n))), shape=(k, n))
    rows = block.astype(np.float64) * frame.scale
    sparse = hasattr(rows, "tocsr")
    rows = rows if sparse else rows - frame.shift
    sums = members @ rows
    squares = (rows.multiply(rows) if sparse else rows * rows).sum(axis=1)
    stats = Stats(sums.toarray() if sparse else sums, np.bincount(labels, weight, minlength=k))
    return Winners(stats, float(weight @ np.asarray(squares).ravel()))
