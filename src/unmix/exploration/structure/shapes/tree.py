"""A tree of the density: its cuts are the saddles between modes, the most prominent first.

r_i = distance of row i to its m-th neighbour, small where rows are dense. The tree joins all rows on the shortest ways
by the distance max(r_i, r_j, ||x_i - x_j||). Rows grow together along it, and where two groups of at least m rows meet
at distance w the younger of them, whose densest row has radius r, has the prominence log(w / r).

Chaudhuri and Dasgupta, Rates of convergence for the cluster tree, NIPS 2010; the elder rule is that of persistence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

NEIGHBORS = (5, 10)  # rows that tell a density, and the fewest of a group: few follow thin groups, many smooth noise


class Tree(NamedTuple):
    """Edges of the tree (n - 1, 2), and which of them part two groups, the most prominent first."""

    edges: np.ndarray
    cuts: list[int]
    radius: np.ndarray  # of each row: small where rows are dense

    def groups(self, k: int) -> np.ndarray:
        """Labels 0 … after cutting at the k - 1 most prominent saddles; fewer where the tree has not so many."""
        n = len(self.radius)
        kept = np.delete(self.edges, self.cuts[: k - 1], axis=0)
        joined = coo_array((np.ones(len(kept)), kept.T), shape=(n, n))
        return np.asarray(connected_components(joined, directed=False)[1])


def density_trees(distances: np.ndarray) -> list[Tree]:
    """A tree for each number of neighbours."""
    return [density_tree(distances, number) for number in NEIGHBORS]


def density_tree(distances: np.ndarray, neighbors: int) -> Tree:
    """The tree of rows whose distances to each other are given, (n, n); no two rows are equal, and n > neighbors."""
    radius = np.partition(distances, neighbors, axis=1)[:, neighbors]
    edges, lengths = shortest_ways(distances, radius)
    return Tree(edges, saddles(edges, lengths, radius, neighbors), radius)


def shortest_ways(distances: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges and lengths of the smallest tree that spans all rows (Prim 1957)."""
    n = len(radius)
    nearest, joined_to = np.full(n, np.inf), np.zeros(n, dtype=int)
    edges, lengths = np.empty((n - 1, 2), dtype=int), np.empty(n - 1)
    outside, last = np.ones(n, dtype=bool), 0
    for step in range(n - 1):
        outside[last] = False
        nearest[last] = np.inf
        length = np.maximum(np.maximum(distances[last], radius), radius[last])
        closer = outside & (length < nearest)
        nearest[closer], joined_to[closer] = length[closer], last
        last = int(np.argmin(nearest))
        edges[step], lengths[step] = (joined_to[last], last), nearest[last]
    return edges, lengths


def saddles(edges: np.ndarray, lengths: np.ndarray, radius: np.ndarray, fewest: int) -> list[int]:
    """Edges at which two groups of at least `fewest` rows meet, by falling prominence of the younger one."""
    root, size, peak = list(range(len(radius))), [1] * len(radius), radius.tolist()

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = i = root[root[i]]
        return i

    found = []
    for edge in np.argsort(lengths, kind="stable").tolist():
        old, young = sorted((find(int(end)) for end in edges[edge]), key=lambda group: peak[group])
        if min(size[old], size[young]) >= fewest:
            found.append((float(np.log(lengths[edge] / peak[young])), edge))
        root[young] = old
        size[old] += size[young]
    return [edge for _, edge in sorted(found, key=lambda one: (-one[0], one[1]))]
