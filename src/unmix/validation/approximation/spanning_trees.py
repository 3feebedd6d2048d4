"""The spanning trees of a graph that contain some edges and avoid others, counted without naming them.

    number of trees = det of the Laplacian without its last row and column

of the graph in which ends of accepted edges are one node (parallel edges stay) and rejected edges are gone.
Reference: Kirchhoff, Annalen der Physik 72 (1847); n^{n-2} for complete graphs, Cayley (1889).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes 0 … n_nodes - 1 and undirected edges; parallel edges are different edges.

    Parameters
    ----------
    n_nodes : int
    edges : (m, 2) whole numbers
        The two ends of each edge. Together they connect all nodes.

    Examples
    --------
    >>> Graph.complete(4).edges.shape
    (6, 2)
    """

    n_nodes: int
    edges: np.ndarray

    def __post_init__(self) -> None:
        edges = np.asarray(self.edges)
        edges = edges.reshape(0, 2).astype(np.intp) if edges.size == 0 else edges
        if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
            raise ValueError(f"edges has shape {edges.shape} and type {edges.dtype}; give pairs of whole numbers")
        if edges.size and (edges.min() < 0 or edges.max() >= self.n_nodes):
            raise ValueError(f"edges name nodes outside 0 to {self.n_nodes - 1}; set n_nodes higher")
        if (edges[:, 0] == edges[:, 1]).any():
            raise ValueError("edges hold a loop from a node to itself; drop it, no tree has one")
        parts = connected_parts(self.n_nodes, edges)[0]
        if parts != 1:
            raise ValueError(f"the graph falls into {parts} parts, so no tree spans it; give one part at a time")
        object.__setattr__(self, "edges", edges)

    @classmethod
    def complete(cls, n_nodes: int) -> Graph:
        """Every pair of nodes once, in the order of `numpy.triu_indices`."""
        return cls(n_nodes, np.stack(np.triu_indices(n_nodes, 1), axis=1))


@dataclass(frozen=True, eq=False)
class SpanningTrees:
    """Trees of a graph that contain all accepted edges and no rejected one, counted by Kirchhoff's theorem.

    Counting costs O(n³) for n nodes, less those that accepted edges join.

    Parameters
    ----------
    graph : Graph
    accepted, rejected : (m,) bool
        Masks over its edges.

    References
    ----------
    Kirchhoff, Annalen der Physik 72, 1847.

    Examples
    --------
    >>> float(np.exp(SpanningTrees.all(Graph.complete(5)).log_size).round())
    125.0
    """

    graph: Graph
    accepted: np.ndarray
    rejected: np.ndarray

    @classmethod
    def all(cls, graph: Graph) -> SpanningTrees:
        none = np.zeros(len(graph.edges), dtype=bool)
        return cls(graph, none, none)

    @cached_property
    def log_size(self) -> float:
        """Natural logarithm of the number of trees; -inf if there is none."""
        edges, n = self.graph.edges, self.graph.n_nodes
        parts, part = connected_parts(n, edges[self.accepted])
        closed = int(self.accepted.sum()) > n - parts  # accepted edges close a cycle
        if closed or (self.accepted & self.rejected).any():
            return float("-inf")
        return log_tree_count(parts, part[edges[~(self.accepted | self.rejected)]])

    def intersection(self, other: SpanningTrees) -> SpanningTrees:
        """Trees in both sets."""
        return SpanningTrees(self.graph, self.accepted | other.accepted, self.rejected | other.rejected)

    def contains(self, tree: Any) -> bool:
        """Whether a spanning tree, given as a mask over edges or their numbers, is in the set."""
        chosen = np.zeros(len(self.graph.edges), dtype=bool)
        chosen[np.asarray(tree)] = True
        spans = chosen.sum() == self.graph.n_nodes - 1
        spans = spans and connected_parts(self.graph.n_nodes, self.graph.edges[chosen])[0] == 1
        return bool(spans and not (self.accepted & ~chosen).any() and not (self.rejected & chosen).any())

    def sample(self, rng: np.random.Generator) -> np.ndarray:
        """One of the trees, each as likely as any other: the numbers of its edges (Wilson 1996).

        >>> SpanningTrees.all(Graph.complete(3)).sample(np.random.default_rng(0)).shape
        (2,)
        """
        if self.log_size == float("-inf"):
            raise ValueError("no tree contains all accepted edges and avoids the rejected ones; widen the set")
        edges = self.graph.edges
        parts, part = connected_parts(self.graph.n_nodes, edges[self.accepted])
        free = np.flatnonzero(~(self.accepted | self.rejected))
        free = free[part[edges[free, 0]] != part[edges[free, 1]]]
        chosen = random_tree(parts, part[edges[free]], rng)
        return np.sort(np.concatenate([np.flatnonzero(self.accepted), free[chosen]]))


def random_tree(n_nodes: int, edges: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Numbers of the edges of a spanning tree, all trees alike: walks, their loops erased, until they meet the tree.

    Reference: Wilson, Generating random spanning trees more quickly than the cover time, STOC 1996.
    """
    ends = np.concatenate([edges, edges[:, ::-1]])
    order = np.argsort(ends[:, 0], kind="stable")
    first = np.searchsorted(ends[order, 0], np.arange(n_nodes + 1))
    inside, leaving = np.zeros(n_nodes, dtype=bool), np.full(n_nodes, -1)
    inside[0] = True
    for node in range(n_nodes):
        at = node
        while not inside[at]:  # the last way out of a place is the one without loops
            leaving[at] = order[rng.integers(first[at], first[at + 1])]
            at = ends[leaving[at], 1]
        at = node
        while not inside[at]:
            inside[at] = True
            at = ends[leaving[at], 1]
    return np.asarray(leaving[1:] % max(len(edges), 1))


def log_tree_count(n_nodes: int, edges: np.ndarray) -> float:
    """log of the number of spanning trees; loops do not matter, parallel edges are different, -inf if unconnected.

    Parameters
    ----------
    n_nodes : int
    edges : (m, 2) whole numbers, the two ends of each

    Notes
    -----
    The logarithm of a determinant of the Laplacian (Kirchhoff 1847), O(n³).

    Examples
    --------
    >>> round(float(np.exp(log_tree_count(3, np.array([[0, 1], [1, 2], [2, 0]])))))
    3
    """
    if connected_parts(n_nodes, edges)[0] != 1:
        return float("-inf")
    laplacian = np.zeros((n_nodes, n_nodes))
    a, b = edges[edges[:, 0] != edges[:, 1]].T
    np.add.at(laplacian, (a, b), -1.0)
    np.add.at(laplacian, (b, a), -1.0)
    laplacian[np.diag_indices(n_nodes)] = -laplacian.sum(axis=1)
    return float(2 * np.log(np.diagonal(np.linalg.cholesky(laplacian[:-1, :-1]))).sum())


def connected_parts(n_nodes: int, edges: np.ndarray) -> tuple[int, np.ndarray]:
    """How many parts edges leave the nodes in, and the part of each node."""
    links = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n_nodes, n_nodes))
    count, part = connected_components(links, directed=False)
    return int(count), part
