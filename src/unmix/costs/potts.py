"""The Potts cost: a field for every object, and a price for every link between different labels.

    R(c) = Σ_i h_i,c(i) + ½ Σ_ij J_ij [c(i) ≠ c(j)]

With squared distances to prototypes as the field and λ for neighbouring pixels it is the spatial coupling of smooth
K-means; with two labels it is the Ising model. It is linear in each object's share, so mean fields are exact means.
Reference: Potts, Proc. Cambridge Phil. Soc. 48 (1952).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.costs.links import Links


class Couplings(NamedTuple):
    """The data: links J and the field h (n, k)."""

    links: Links
    field: np.ndarray

    @property
    def n_objects(self) -> int:
        return len(self.field)


class State(NamedTuple):
    dense: np.ndarray
    starts: np.ndarray
    neighbours: np.ndarray
    weights: np.ndarray
    field: np.ndarray  # (n, k)
    pull: np.ndarray  # (k, n), the clusters of an object together
    rows: np.ndarray  # (n, d) where clusters have prototypes (smooth_means.py), else without columns
    sums: np.ndarray  # (k, d)
    mass: np.ndarray  # (k,)


class Potts:
    """The energy of a Potts model with a field. Data are `Couplings`."""

    named_clusters = True  # each has a field of its own
    mean_is_bound = True  # `expected` is linear in the share of each object

    def total(self, data: Couplings, labels: np.ndarray) -> float:
        pairs = data.links.matrix()
        if hasattr(pairs, "tocoo"):
            pairs = pairs.tocoo()
            cut = pairs.data[labels[pairs.row] != labels[pairs.col]].sum()
        else:
            cut = pairs[labels[:, None] != labels].sum()
        return float(data.field[np.arange(len(labels)), labels].sum() + cut / 2)

    def fields(self, data: Couplings, q: np.ndarray) -> np.ndarray:
        return data.field - data.links.pull(q)

    def expected(self, data: Couplings, q: np.ndarray) -> float:
        inside = float((q * data.links.pull(q)).sum())
        return float((q * data.field).sum()) + (float(data.links.degrees().sum()) - inside) / 2

    def state(self, data: Couplings, q: np.ndarray) -> State:
        from unmix.costs.move_kernels import potts as potts_moves  # noqa: F401  registers the kernels

        (n, k), field = q.shape, np.ascontiguousarray(data.field, np.float64)
        return State(*data.links, field, near_pull(data.links, q), np.empty((n, 0)), np.empty((k, 0)), q.sum(axis=0))


def turned_pull(links: Links, q: np.ndarray) -> np.ndarray:
    """(k, n) in float64, a row a cluster, because a move changes one row for all neighbours."""
    return np.ascontiguousarray(links.pull(q).T, np.float64)


def near_pull(links: Links, q: np.ndarray) -> np.ndarray:
    """(k, n) in float64, a column an object: with few neighbours each, all clusters of an object are in one place."""
    return np.ascontiguousarray(links.pull(q), np.float64).T
