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

FEWEST_ROWS = 5  # on a side, to speak of a valley at all
MOST_FEATURES = 64  # up to which covariances are worth their cost; beyond, the direction is u_b - u_a


def valley_depths(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The depth between every two clusters, symmetric, in the order of their labels; -1 is left out."""
    from unmix.validation.valley_kernel import pair_depths

    order = np.argsort(labels, kind="stable")
    order = order[np.searchsorted(labels[order], 0) :]
    rows = _unit_scale(np.asarray(X[order], dtype=np.float64))
    _, first = np.unique(labels[order], return_index=True)
    starts, k = np.append(first, len(rows)), len(first)
    pairs = np.stack(np.triu_indices(k, 1), axis=1)
    depths = np.zeros(len(pairs))
    if len(pairs):
        positions = sorted_positions(rows, starts, pairs, fisher_directions(rows, starts, pairs))
        pair_depths(positions, starts, pairs, FEWEST_ROWS, depths)
    table = np.zeros((k, k))
    table[pairs[:, 0], pairs[:, 1]] = table[pairs[:, 1], pairs[:, 0]] = depths
    return table


def spanning_valleys(depths: np.ndarray) -> np.ndarray:
    """The k - 1 valleys on the shallowest ways that join all clusters, deepest first: rows (depth, cluster, cluster).

    One plus how many of them exceed a level is the number of groups left when clusters without a valley of that depth
    between them are merged.
    """
    k = len(depths)
    if k < 2:
        return np.zeros((0, 3))
    # Prim's way: of all clusters not yet joined, the one behind the shallowest valley is next.
    depth, joined_to, left = depths[0].copy(), np.zeros(k, dtype=int), np.arange(1, k)
    tree = np.empty((k - 1, 3))
    for line in tree:
        place = int(np.argmin(depth[left]))
        nearest, left = left[place], np.delete(left, place)
        line[:] = depth[nearest], joined_to[nearest], nearest
        nearer = depths[nearest] < depth
        depth[nearer], joined_to[nearer] = depths[nearest][nearer], nearest
    return tree[np.argsort(-tree[:, 0], kind="stable")]


def merged(labels: np.ndarray, valleys: np.ndarray, n_groups: int) -> np.ndarray:
    """Labels 0 … n_groups - 1 after joining all clusters but across the n_groups - 1 deepest spanning valleys."""
    k = len(valleys) + 1
    joined = valleys[n_groups - 1 :, 1:].astype(int)
    _, group = connected_components(coo_array((np.ones(len(joined)), joined.T), shape=(k, k)), directed=False)
    names = np.unique(labels[labels >= 0])
    return np.where(labels >= 0, group[np.searchsorted(names, np.maximum(labels, names[0]))], -1)


def fisher_directions(X: np.ndarray, starts: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """W⁻¹ (u_b - u_a) for each pair, W shrunk the more the fewer rows there are for each feature."""
    d = X.shape[1]
    counts = np.diff(starts)
    means = np.add.reduceat(X, starts[:-1]) / counts[:, None]
    difference = means[pairs[:, 1]] - means[pairs[:, 0]]
    if d > MOST_FEATURES:
        return difference
    centred = X - np.repeat(means, counts, axis=0)
    scatters = np.stack([centred[i:j].T @ centred[i:j] for i, j in pairwise(starts)])
    scatter = scatters[pairs[:, 0]] + scatters[pairs[:, 1]]
    level = np.trace(scatter, axis1=1, axis2=2) / d
    shrinkage = np.where(level > 0, np.minimum(1.0, 0.1 + d / counts[pairs].sum(axis=1)), 1.0)
    weight = (1 - shrinkage) / np.where(level > 0, level, 1.0)
    within = weight[:, None, None] * scatter + shrinkage[:, None, None] * np.eye(d)
    return np.linalg.solve(within, difference[:, :, None])[:, :, 0]


def sorted_positions(X: np.ndarray, starts: np.ndarray, pairs: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Line b holds, cluster by cluster and rising, where the rows of each cluster lie on its direction to cluster b."""
    k, d = len(starts) - 1, X.shape[1]
    between = np.zeros((k, k, d))
    between[pairs[:, 0], pairs[:, 1]] = between[pairs[:, 1], pairs[:, 0]] = directions
    positions = np.empty((k, len(X)))
    for c, (i, j) in enumerate(pairwise(starts)):
        positions[:, i:j] = np.sort(between[c] @ X[i:j].T, axis=1)
    return positions


def _unit_scale(X: np.ndarray) -> np.ndarray:
    """Depths do not depend on the scale of the data; squares of 1e300 would."""
    largest = np.abs(X).max(initial=0.0)
    X = X / largest if largest > 0 else X
    return np.ascontiguousarray(X - X.mean(axis=0))
