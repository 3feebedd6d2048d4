"""The exact ground state of a ferromagnetic Ising model (J ≥ 0) as a minimum cut.

    E(s) = const + Σ_i<j 2 J_ij [s_i ≠ s_j] + Σ_i 2 |h_i| [s_i against h_i]

A source stands for +1, a sink for -1; fields tie spins to them and couplings to each other. The cheapest way to
separate source and sink is the ground state, found by maximum flow. The solver takes whole numbers, so the flow is
found in rounds: what is left of the capacities is rounded down to a step of 2^-29 of a bound on what can still flow,
which the last cut gives; more than that bound is as good as infinite. A round leaves at most a step an edge of its
cut, and spins tied to a terminal by more than can flow are decided. It is over when nothing that is left leads from
source to sink: then the cut is the smallest, to the rounding of sums. Where all capacities are small multiples of one
number, as in a grid with one coupling, one round is enough.

Greig, Porteous & Seheult, Journal of the Royal Statistical Society B 51, 1989; Gabow, Journal of Computer and System
Sciences 31, 1985 (scaling).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from unmix.costs.ising import IsingData

BITS = 29  # of the whole numbers in a round: both ways of an edge together fit 31
SAMPLE, DISTINCT, MULTIPLES = 4096, 16, 256  # sizes looked at, different ones among them, and parts of the least
ROUNDING = 1e-14
ROUNDS = 200  # more than double precision has bits for


def minimum_cut_state(data: IsingData) -> np.ndarray:
    """The spins of least energy; a spin that may point either way points down."""
    graph = sp.coo_array(data.J)
    if graph.data.min(initial=0.0) < 0:
        raise ValueError(
            "inference='graph_cut' needs couplings of 0 or more, and some are negative; use 'simulated_annealing'"
        )
    unit = float(np.ldexp(1.0, int(np.frexp(np.abs(data.h).max(initial=0.0))[1])))  # so that no sum overflows
    field = data.h / unit
    bound = min(float(np.maximum(field, 0.0).sum()), float(np.maximum(-field, 0.0).sum()))
    # a coupling beyond all that can flow acts as infinite
    couplings = np.minimum(graph.data, 4.0 * max(bound, 1.0) * unit) / unit
    measure = _common_measure(np.concatenate([couplings, np.abs(field)]))
    if measure > 0:
        field, couplings, bound = np.rint(field / measure), np.rint(couplings / measure), np.rint(bound / measure)
    return _smallest_cut(_network(graph, couplings, field), float(bound))


def _smallest_cut(left: Any, bound: float) -> np.ndarray:
    """1 for the nodes that every smallest cut leaves at the source, -1 for the others."""
    n = left.shape[0] - 2
    spins, open_ = np.full(n, -1, np.int8), np.arange(n)
    for _ in range(ROUNDS):
        reached = _reached(left)
        if not reached[-1] or bound == 0:
            spins[open_[reached[:-2]]] = 1
            break
        left, bound = _round(left, bound)
        left, sides = _decided(left, bound)
        spins[open_[sides > 0]] = 1
        open_ = open_[sides == 0]
    return spins


def _common_measure(sizes: np.ndarray) -> float:
    """What all sizes are whole multiples of, as with one field and one coupling, to rounding; 0 if it is not seen."""
    few = np.unique(np.concatenate([sizes[:SAMPLE], sizes[-SAMPLE:]]))
    few = few[few > 0]
    if not 0 < len(few) <= DISTINCT:
        return 0.0
    measures = few[0] / np.arange(1, MULTIPLES + 1)
    fits = (np.abs(few / measures[:, None] - np.rint(few / measures[:, None])) <= ROUNDING * few / few[0]).all(axis=1)
    if not fits.any():
        return 0.0
    measure = float(measures[np.argmax(fits)])
    share = sizes / measure
    whole = (np.abs(share - np.rint(share)) <= ROUNDING * share).all()
    return measure if whole and share.sum() < 2.0**BITS else 0.0


def _network(graph: Any, couplings: np.ndarray, field: np.ndarray) -> Any:
    """Capacities (n + 2, n + 2) between spins, from the source n and to the sink n + 1."""
    n = len(field)
    spins = np.arange(n)
    begin = np.concatenate([graph.row, np.full(n, n), spins]).astype(np.int32)
    end = np.concatenate([graph.col, spins, np.full(n, n + 1)]).astype(np.int32)
    entries = np.concatenate([couplings, np.maximum(field, 0.0), np.maximum(-field, 0.0)])
    network: Any = sp.csr_matrix((entries, (begin, end)), shape=(n + 2, n + 2))
    network.eliminate_zeros()
    return network


def _round(left: Any, bound: float) -> tuple[Any, float]:
    """What is left of the capacities after the flow in whole steps, and a bound on what can flow through that."""
    n = left.shape[0] - 2
    step = float(np.ldexp(1.0, int(np.frexp(bound)[1]) - BITS))
    whole = left.copy()
    whole.data = np.floor(np.minimum(left.data, bound) / step).astype(np.int32)
    whole.eliminate_zeros()
    flow = maximum_flow(whole, n, n + 1).flow
    side = _reached(whole - flow)
    left = sp.csr_matrix(left - step * flow)
    left.data = np.maximum(left.data, 0.0)
    left.eliminate_zeros()
    edges = left.tocoo()
    return left, float(edges.data[side[edges.row] & ~side[edges.col]].sum())


def _decided(left: Any, bound: float) -> tuple[Any, np.ndarray]:
    """The network of the spins that are still open, and the sides of all: 1 and -1, and 0 for the open ones.

    What more than can flow ties to a terminal stays with it, and its edges become those of the terminal.
    """
    strong = left.copy()
    strong.data = np.where(strong.data > bound, strong.data, 0.0)
    up = _reached(strong)
    down = _reached(strong.T, -1) & ~up
    place = np.cumsum(~(up | down)) - 1
    n = int(place[-1]) + 1
    place[up], place[down] = n, n + 1
    edges = left.tocoo()
    begin, end = place[edges.row], place[edges.col]
    kept = (begin != end) & (begin != n + 1) & (end != n) & ~((begin == n) & (end == n + 1))
    rest = sp.csr_matrix((edges.data[kept], (begin[kept], end[kept])), shape=(n + 2, n + 2))
    return rest, (up.astype(np.int8) - down)[:-2]


def _reached(left: Any, source: int = -2) -> np.ndarray:
    """Which nodes have a way from the source along which something is left."""
    left = sp.csr_matrix(left)
    left.eliminate_zeros()
    reached = np.zeros(left.shape[0], dtype=bool)
    reached[breadth_first_order(left, left.shape[0] + source, return_predecessors=False)] = True
    return reached
