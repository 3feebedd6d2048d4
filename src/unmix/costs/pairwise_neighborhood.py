"""The cost of a self-organising map of objects known only by dissimilarities.

    R(c) = ½ Σ_r (Σ_ij s_ir s_jr D_ij) / (Σ_i s_ir),   s_ir = H_c(i)r

Every object belongs to the nodes around its own by the shares H. For squared Euclidean D this is the cost of a map of
vectors (neighborhood.py); with H the identity it is pairwise clustering.

An object that comes to node c adds x = H_cr to the size S of node r, where the others pull with p and have inside I:

    (I + 2 x p) / (2 (S + x)) - I / (2 S) = x g / (S + x),   g = p - I / (2 S)

Narrow neighbourhoods have few such terms; of wide ones 1 / (S + x) is a short series, each term a product of matrices.
Reference: Graepel & Obermayer, Neural Computation 11 (1999).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_array

from unmix.costs.pairwise import NEGLIGIBLE_SIZE, Dissimilarities
from unmix.costs.potts import turned_pull

NEGLIGIBLE_SHARE = 1e-12  # of a node's largest share: neighbours that get less get nothing
ROUNDING = 1e-14  # of what an object adds: the series ends there
PRODUCTS_PER_NODE = 64  # products of a series for one number that is worked out by itself


class State(NamedTuple):
    dense: np.ndarray
    starts: np.ndarray
    neighbours: np.ndarray
    weights: np.ndarray
    H: np.ndarray  # (k, k)
    near_starts: np.ndarray  # (k + 1,)
    near: np.ndarray  # the nodes whose objects reach a node, one node after another
    pull: np.ndarray  # (k, n) Σ_j D_ij s_jr
    size: np.ndarray  # (k,) Σ_i s_ir
    inside: np.ndarray  # (k,) Σ_ij s_ir s_jr D_ij


class PairwiseNeighborhood:
    """Data are `Dissimilarities` without gaps; H (k, k) has rows that sum to one."""

    named_clusters = True  # nodes have neighbours

    def __init__(self, H: np.ndarray) -> None:
        felt = NEGLIGIBLE_SHARE * H.max(axis=1, keepdims=True)
        H = np.where(felt < H, H, 0.0)
        self.H = np.ascontiguousarray(H / H.sum(axis=1, keepdims=True), np.float64)

    def total(self, data: Dissimilarities, labels: np.ndarray) -> float:
        return self._mean(data, self.H[labels])

    def expected(self, data: Dissimilarities, q: np.ndarray) -> float:
        return self._mean(data, q @ self.H)

    def _mean(self, data: Dissimilarities, shares: np.ndarray) -> float:
        inside = (shares * data.links.pull(shares)).sum(axis=0)
        return float(price(shares.sum(axis=0), inside).sum())

    def fields(self, data: Dissimilarities, q: np.ndarray) -> np.ndarray:
        shares = q @ self.H
        pull = data.links.pull(shares)
        size = shares.sum(axis=0) - shares
        inside = (shares * pull).sum(axis=0) - 2 * shares * pull
        return rises(self.H, size, inside, pull)

    def state(self, data: Dissimilarities, q: np.ndarray) -> State:
        from unmix.costs.move_kernels import pairwise_neighborhood as pairwise_neighborhood_moves  # noqa: F401  registers the kernels

        shares = q @ self.H
        pull = turned_pull(data.links, shares)
        near = csc_array(self.H)
        reach = self.H, near.indptr.astype(np.int64), near.indices.astype(np.int64)
        return State(*data.links, *reach, pull, shares.sum(axis=0), np.einsum("ci,ic->c", pull, shares))


def price(size: np.ndarray, inside: np.ndarray) -> np.ndarray:
    return np.where(size > NEGLIGIBLE_SIZE, inside / np.maximum(2 * size, NEGLIGIBLE_SIZE), 0.0)


def rises(H: np.ndarray, size: np.ndarray, inside: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """(n, k): what each node costs each object, for sizes and insides (n, k) without it."""
    gain, middle = pull - price(size, inside), H.max(axis=0) / 2
    base = np.maximum(size + middle, NEGLIGIBLE_SIZE)  # S + x = base - (middle - x), |middle - x| ≤ middle
    ratio = np.clip(middle / base.min(axis=0), NEGLIGIBLE_SIZE, 1 - NEGLIGIBLE_SIZE)
    terms = np.ceil(np.log(ROUNDING) / np.log(ratio))
    few = terms * H.size <= PRODUCTS_PER_NODE * np.count_nonzero(H)
    rise, rest = one_by_one(H, size, gain, np.flatnonzero(~few)), gain[:, few] / base[:, few]
    power = H[:, few]
    for _ in range(int(terms.max(initial=0, where=few))):
        rise += rest @ power.T
        rest, power = rest / base[:, few], power * (middle - H)[:, few]
    return rise


def one_by_one(H: np.ndarray, size: np.ndarray, gain: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """The terms of some nodes, one at a time, and only of those whose objects reach it: no (n, k, k) array."""
    rise = np.zeros(gain.shape[::-1])  # a row a node
    size, gain = np.ascontiguousarray(size[:, nodes].T), np.ascontiguousarray(gain[:, nodes].T)
    for r, own, felt in zip(nodes, size, gain, strict=True):
        near = np.flatnonzero(H[:, r])
        share = H[near, r][:, None]
        joined = own + share
        rise[near] += np.divide(share * felt, np.maximum(joined, NEGLIGIBLE_SIZE, out=joined), out=joined)
    return rise.T
