"""How deep a valley in the density lies between two clusters: a test of one mode against two that knows no shape.

Project the rows of both clusters on the direction that tells them apart and cut where it confuses fewest labels. If
the projected density has one mode, then on at least one side of the cut it falls monotonically, and its distribution
function F is concave in the distance t from the cut (Grenander 1956). So

    depth(a, b) = min over sides of  sqrt(n_side) · max_t (least concave majorant of F_n - F_n)(t)

stays of order one for every unimodal density whatever its tails or skewness (the flat one is the worst case), and
grows as sqrt(n) where there is a valley. It is Hartigan's dip at a given cut, normalised by the smaller evidence.

The direction is Fisher's, pooled within-covariance shrunk towards the identity: W⁻¹ (u_b - u_a).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from unmix.validation.distance import numbered

FEWEST_ROWS = 5  # on a side, to speak of a valley at all
MOST_FEATURES = 64  # up to which covariances are worth their cost; beyond, the direction is u_b - u_a


def valley_depths(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The depth between every two clusters, symmetric, in the order of their labels; -1 is left out."""
    from unmix.validation.valley_kernel import pair_depths, project

    (names, of_row), rows = numbered(labels[labels >= 0]), np.asarray(X[labels >= 0], dtype=np.float64)
    k = len(names)
    depths = np.zeros((k, k))
    if k > 1:
        starts = np.append(0, np.cumsum(np.bincount(of_row)))
        positions = np.empty(k * len(rows))
        project(np.ascontiguousarray(rows), of_row, starts, MOST_FEATURES, positions)
        for first, last in pairwise(k * starts):
            positions[first:last].reshape(k, -1).sort(axis=1)  # NumPy's sort, many times as fast as a compiled loop
        pair_depths(positions, starts, FEWEST_ROWS, depths)
    return depths


def spanning_valleys(depths: np.ndarray) -> np.ndarray:
    """The k - 1 valleys on the shallowest ways that join all clusters, deepest first: rows (depth, cluster, cluster).

    One plus how many of them exceed a level is the number of groups left when clusters without a valley of that depth
    between them are merged.
    """
    from unmix.validation.valley_kernel import spanning_tree

    tree = np.zeros((max(len(depths) - 1, 0), 3))
    if len(tree):
        spanning_tree(depths, tree)
    return tree[np.argsort(-tree[:, 0], kind="stable")]


def merged(labels: np.ndarray, valleys: np.ndarray, n_groups: int) -> np.ndarray:
    """Labels 0 … n_groups - 1 after joining all clusters but across the n_groups - 1 deepest spanning valleys."""
    k = len(valleys) + 1
    joined = valleys[n_groups - 1 :, 1:].astype(int)
    _, group = connected_components(coo_array((np.ones(len(joined)), joined.T), shape=(k, k)), directed=False)
    names = np.unique(labels[labels >= 0])
    return np.where(labels >= 0, group[np.searchsorted(names, np.maximum(labels, names[0]))], -1)
