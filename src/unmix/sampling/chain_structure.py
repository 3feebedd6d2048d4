"""What the graph of a chain says: which states reach each other, where a walk ends up, and with which period.

The period of a class is the greatest common divisor of level(i) + 1 - level(j) over its edges i → j, with levels from
any search in breadth. Reference: Denardo, Periods of connected networks and powers of nonnegative matrices, Mathematics
of Operations Research 2 (1977).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components


def classes(P: csr_array) -> tuple[int, np.ndarray]:
    """The number of classes of states that reach each other, and the class of each state."""
    count, labels = connected_components(P, directed=True, connection="strong")
    return int(count), labels


def closed_classes(P: csr_array) -> list[np.ndarray]:
    """The states of each class that is never left; in the order of their first states."""
    count, labels = classes(P)
    start, end = _edges(P)
    open_ = np.zeros(count, dtype=bool)
    open_[labels[start[labels[start] != labels[end]]]] = True
    closed = [np.flatnonzero(labels == c) for c in np.flatnonzero(~open_)]
    return sorted(closed, key=lambda states: int(states[0]))


def periods(P: csr_array) -> np.ndarray:
    """The period of each state; 0 where a state is never seen again."""
    _, labels = classes(P)
    start, end = _edges(P)
    inside = labels[start] == labels[end]
    start, end = start[inside], end[inside]
    inner = csr_array((np.ones(len(start)), (start, end)), shape=P.shape)
    out = np.zeros(P.shape[0], dtype=np.int64)
    for c in np.unique(labels[start]):
        members = np.flatnonzero(labels == c)
        level = _levels(inner, int(members[0]))
        edges = labels[start] == c
        out[members] = np.gcd.reduce(level[start[edges]] + 1 - level[end[edges]])
    return out


def _levels(graph: csr_array, root: int) -> np.ndarray:
    order, before = breadth_first_order(graph, root, directed=True)
    level = np.zeros(graph.shape[0], dtype=np.int64)
    for state in order[1:]:
        level[state] = level[before[state]] + 1
    return level


def _edges(P: csr_array) -> tuple[np.ndarray, np.ndarray]:
    start, end = P.tocoo().coords
    return start.astype(np.int64), end.astype(np.int64)
