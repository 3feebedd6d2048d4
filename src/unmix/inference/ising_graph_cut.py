"""The exact ground state of a ferromagnetic Ising model (J ≥ 0) as a minimum cut.

    E(s) = const + Σ_i<j 2 J_ij [s_i ≠ s_j] + Σ_i 2 |h_i| [s_i against h_i]

A source stands for +1, a sink for -1; fields tie spins to them and couplings to each other. The cheapest way to
separate source and sink is the ground state, found by maximum flow. Capacities are whole numbers: fields and couplings
are rounded to a part in 2^20 of the largest, or more coarsely where their sum would not fit 31 bits.

Greig, Porteous & Seheult, Journal of the Royal Statistical Society B 51, 1989.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from unmix.costs.ising import IsingData


def minimum_cut_state(data: IsingData) -> np.ndarray:
    """The spins of least energy; a spin that may point either way points down."""
    n, graph = len(data.h), sp.coo_array(data.J)
    if graph.data.min(initial=0.0) < 0:
        raise ValueError(
            "inference='graph_cut' needs couplings of 0 or more, and some are negative; use 'simulated_annealing'"
        )
    largest = max(graph.data.max(initial=0.0), np.abs(data.h).max(initial=0.0))
    if largest == 0:
        return np.full(n, -1, np.int8)
    # The flow is at most the capacity of all fields, an edge at most its own.
    step = max(largest / 2**20, np.abs(data.h).sum() / 2**30)
    field, coupling = np.rint(data.h / step).astype(np.int32), np.rint(graph.data / step).astype(np.int32)
    source, sink, spins = n, n + 1, np.arange(n)
    up, down = np.maximum(field, 0), np.maximum(-field, 0)
    begin = np.concatenate([graph.row, np.full(n, source), spins]).astype(np.int32)
    end = np.concatenate([graph.col, spins, np.full(n, sink)]).astype(np.int32)
    entries: Any = np.concatenate([coupling, up, down])
    capacity: Any = sp.csr_matrix((entries, (begin, end)), shape=(n + 2, n + 2))
    capacity.eliminate_zeros()
    left: Any = sp.csr_matrix(capacity - maximum_flow(capacity, source, sink).flow)
    left.eliminate_zeros()
    reached = breadth_first_order(left, source, return_predecessors=False)
    state = np.full(n + 2, -1, np.int8)
    state[reached] = 1
    return state[:n]
