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

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

FEWEST_ROWS = 5  # on a side, to speak of a valley at all
MOST_FEATURES = 64  # up to which covariances are worth their cost; beyond, the direction is u_b - u_a


def valley_depths(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The depth between every two clusters, symmetric, in the order of their labels; -1 is left out."""
    return depths_of_all(X, [labels])[0]


def depths_of_all(X: np.ndarray, labellings: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The depths for each of several labellings of the same rows."""
    rows = unit_scale(np.asarray(X, dtype=np.float64))
    return [_depths(rows, labels) for labels in labellings]


def _depths(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    from unmix.validation.evidence.valley_kernel import LINES, pair_depths

    order = np.argsort(labels, kind="stable")
    order = order[np.searchsorted(labels[order], 0) :]
    starts = np.concatenate([[0], np.flatnonzero(np.diff(labels[order])) + 1, [len(order)]])
    k = len(starts) - 1 if len(order) else 0
    depths = np.zeros((k, k))
    if k > 1:
        rows = X[order]
        positions = sorted_positions(rows, starts, fisher_directions(rows, starts))
        pair_depths(positions, starts, FEWEST_ROWS, np.empty((LINES, len(rows) + 1)), depths)
    return depths


def spanning_valleys(depths: np.ndarray) -> np.ndarray:
    """The k - 1 valleys on the shallowest ways that join all clusters, deepest first: rows (depth, cluster, cluster).

    One plus how many of them exceed a level is the number of groups left when clusters without a valley of that depth
    between them are merged.
    """
    depth, outside = depths.tolist(), list(range(1, len(depths)))
    joined_to, tree = dict.fromkeys(outside, 0), []
    while outside:  # Prim's way: of all clusters not yet joined, the one behind the shallowest valley is next
        nearest = min(outside, key=lambda c: depth[joined_to[c]][c])
        outside.remove(nearest)
        tree.append((depth[joined_to[nearest]][nearest], joined_to[nearest], nearest))
        for c in outside:
            if depth[nearest][c] < depth[joined_to[c]][c]:
                joined_to[c] = nearest
    return np.array(sorted(tree, key=lambda line: -line[0]), dtype=np.float64).reshape(-1, 3)


def merged(labels: np.ndarray, valleys: np.ndarray, n_groups: int) -> np.ndarray:
    """Labels 0 … n_groups - 1 after joining all clusters but across the n_groups - 1 deepest spanning valleys."""
    k = len(valleys) + 1
    joined = valleys[n_groups - 1 :, 1:].astype(int)
    _, group = connected_components(coo_array((np.ones(len(joined)), joined.T), shape=(k, k)), directed=False)
    names = np.unique(labels[labels >= 0])
    return np.where(labels >= 0, group[np.searchsorted(names, np.maximum(labels, names[0]))], -1)


def fisher_directions(X: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """W⁻¹ (u_b - u_a) for each pair, (k, k, d), W shrunk the more the fewer rows there are for each feature."""
    counts, d = np.diff(starts), X.shape[1]
    means = np.add.reduceat(X, starts[:-1]) / counts[:, None]
    a, b = pairs_of(len(counts))
    direction = means[b] - means[a]
    if d <= MOST_FEATURES:
        centred = X - np.repeat(means, counts, axis=0)
        scatters = np.stack([centred[i:j].T @ centred[i:j] for i, j in pairwise(starts)])
        within = scatters[a] + scatters[b]
        level = np.trace(within, axis1=1, axis2=2) / d
        shrinkage = np.where(level > 0, np.minimum(1.0, 0.1 + d / (counts[a] + counts[b])), 1.0)
        within *= ((1 - shrinkage) / np.where(level > 0, level, 1.0))[:, None, None]
        within[:, range(d), range(d)] += shrinkage[:, None]
        direction = np.linalg.solve(within, direction[:, :, None])[:, :, 0]
    directions = np.zeros((len(counts), len(counts), d))
    directions[a, b] = directions[b, a] = direction
    return directions


def sorted_positions(X: np.ndarray, starts: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Where the rows of each cluster lie on its direction to each cluster, rising: k lines for each, one by one."""
    positions = np.empty(len(directions) * len(X))
    for direction, first, last in zip(directions, starts, starts[1:]):
        seen = direction @ X[first:last].T
        seen.sort(axis=1)
        positions[len(directions) * first : len(directions) * last] = seen.reshape(-1)
    return positions


@cache
def pairs_of(k: int) -> tuple[np.ndarray, np.ndarray]:
    return np.triu_indices(k, 1)


def unit_scale(X: np.ndarray) -> np.ndarray:
    """Depths do not depend on the scale of the data; squares of 1e300 would."""
    largest = np.abs(X).max(initial=0.0)
    X = X / largest if largest > 0 else X
    return X - X.mean(axis=0)
