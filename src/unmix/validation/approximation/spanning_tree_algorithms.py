"""Minimum spanning trees by four algorithms that end alike and narrow down their candidates differently.

    kruskal          accept the lightest edge that closes no cycle
    prim             accept the lightest edge that leaves the tree grown so far from a root
    boruvka          accept, at once, the lightest edge that leaves each part
    reverse_delete   reject the heaviest edge that the graph can miss

Every step yields the trees still possible: those with all accepted edges and without the rejected ones. Of equal
weights the edge named first counts as lighter. References: Borůvka (1926); Kruskal, Proc. AMS 7 (1956), also for the
last one; Prim, Bell System Technical Journal 36 (1957).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from unmix.validation.approximation.spanning_trees import Graph, SpanningTrees, connected_parts


def kruskal(graph: Graph, weights: Any) -> Iterator[SpanningTrees]:
    """Candidates after each accepted edge, lightest first, anywhere in the graph.

    Parameters
    ----------
    graph : Graph
    weights : (m,) numbers, one for each edge

    Yields
    ------
    SpanningTrees
        The trees still possible, all of them before the first step.

    Notes
    -----
    Time O(m log m + n m) for n nodes and m edges. Kruskal, Proc. AMS 7, 1956.

    Examples
    --------
    >>> triangle = Graph.complete(3)                    # edges 0-1, 0-2, 1-2
    >>> [round(float(np.exp(trees.log_size))) for trees in kruskal(triangle, [1, 2, 3])]
    [3, 2, 1]
    """
    order, accepted = _order(graph, weights), np.zeros(len(graph.edges), dtype=bool)
    yield _containing(graph, accepted)
    part = np.arange(graph.n_nodes)
    for edge in order:
        a, b = part[graph.edges[edge]]
        if a != b:
            part[part == a] = b
            accepted[edge] = True
            yield _containing(graph, accepted)


def prim(graph: Graph, weights: Any, root: int = 0) -> Iterator[SpanningTrees]:
    """Candidates after each accepted edge, as a tree grows from ``root``.

    Parameters
    ----------
    graph : Graph
    weights : (m,) numbers, one for each edge
    root : int, default=0
        The node to begin at.

    Yields
    ------
    SpanningTrees
        The trees still possible, all of them before the first step.

    Notes
    -----
    Time O(m log m + n m) for n nodes and m edges. Prim, Bell System Technical Journal 36, 1957.

    Examples
    --------
    >>> triangle = Graph.complete(3)                    # edges 0-1, 0-2, 1-2
    >>> [round(float(np.exp(trees.log_size))) for trees in prim(triangle, [1, 2, 3])]
    [3, 2, 1]
    """
    order, accepted = _order(graph, weights), np.zeros(len(graph.edges), dtype=bool)
    if not 0 <= root < graph.n_nodes:
        raise ValueError(f"root={root!r}: give a node of the graph, 0 to {graph.n_nodes - 1}")
    yield _containing(graph, accepted)
    reached = np.zeros(graph.n_nodes, dtype=bool)
    reached[root] = True
    while not reached.all():
        inside = reached[graph.edges[order]]
        edge = order[(inside[:, 0] != inside[:, 1]).argmax()]
        reached[graph.edges[edge]] = accepted[edge] = True
        yield _containing(graph, accepted)


def boruvka(graph: Graph, weights: Any) -> Iterator[SpanningTrees]:
    """Candidates after each round, in which every part accepts the lightest edge that leaves it.

    Parameters
    ----------
    graph : Graph
    weights : (m,) numbers, one for each edge

    Yields
    ------
    SpanningTrees
        The trees still possible, all of them before the first step.

    Notes
    -----
    Time O(m log m + m log n) for n nodes and m edges. Borůvka, 1926.

    Examples
    --------
    >>> triangle = Graph.complete(3)                    # edges 0-1, 0-2, 1-2
    >>> [round(float(np.exp(trees.log_size))) for trees in boruvka(triangle, [1, 2, 3])]
    [3, 1]
    """
    order, accepted = _order(graph, weights), np.zeros(len(graph.edges), dtype=bool)
    yield _containing(graph, accepted)
    parts, part = connected_parts(graph.n_nodes, graph.edges[accepted])
    while parts > 1:
        ends = part[graph.edges[order]]
        leaving = np.flatnonzero(ends[:, 0] != ends[:, 1])
        # every leaving edge at both of its ends, from light to heavy: the first one a part is named at is its lightest
        _, first = np.unique(ends[leaving].ravel(), return_index=True)
        accepted[order[leaving[first // 2]]] = True
        yield _containing(graph, accepted)
        parts, part = connected_parts(graph.n_nodes, graph.edges[accepted])


def reverse_delete(graph: Graph, weights: Any) -> Iterator[SpanningTrees]:
    """Candidates after each rejected edge, heaviest first; edges that hold the graph together stay.

    Parameters
    ----------
    graph : Graph
    weights : (m,) numbers, one for each edge

    Yields
    ------
    SpanningTrees
        The trees still possible, all of them before the first step.

    Notes
    -----
    Time O(m log m + m²) for n nodes and m edges. Kruskal, Proc. AMS 7, 1956.

    Examples
    --------
    >>> triangle = Graph.complete(3)                    # edges 0-1, 0-2, 1-2
    >>> [round(float(np.exp(trees.log_size))) for trees in reverse_delete(triangle, [1, 2, 3])]
    [3, 1]
    """
    order, rejected = _order(graph, weights), np.zeros(len(graph.edges), dtype=bool)
    none = np.zeros_like(rejected)
    yield SpanningTrees(graph, none, rejected.copy())
    for edge in order[::-1]:
        rejected[edge] = True
        if connected_parts(graph.n_nodes, graph.edges[~rejected])[0] == 1:
            yield SpanningTrees(graph, none, rejected.copy())
        else:
            rejected[edge] = False


def _containing(graph: Graph, accepted: np.ndarray) -> SpanningTrees:
    return SpanningTrees(graph, accepted.copy(), np.zeros_like(accepted))


def _order(graph: Graph, weights: Any) -> np.ndarray:
    """Edges from light to heavy."""
    values = np.asarray(weights, dtype=np.float64)
    if values.shape != (len(graph.edges),) or not np.isfinite(values).all():
        raise ValueError(f"weights has shape {values.shape}; give a finite number for each of {len(graph.edges)} edges")
    return np.argsort(values, kind="stable")
