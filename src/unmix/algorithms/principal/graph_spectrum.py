"""Parts of a graph by the eigenvectors of its Laplacian: balanced cuts with labels relaxed to any numbers.

    ratio        min Σ_c y_cᵀ L y_c                    y_c orthonormal,  L = diag(d) - W,  d_i = Σ_j W_ij
    normalized   min Σ_c z_cᵀ L z_c,  Σ_i d_i z_ci² = 1    z = y / √d,   y of  d^-½ L d^-½

are solved by the eigenvectors of the k least eigenvalues (the largest for dissimilarities, which should be cut). Labels
are read off by K-means of the rows: the best of a few by the cut itself. Single moves go on from there. They see the
large parts of a graph at once, where labels that are cooled meet them only after single objects have taken the places.
Reference: von Luxburg, A tutorial on spectral clustering, Statistics and Computing 17 (2007).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.costs.cut import Cut
from unmix.costs.links import Links

DENSE = 400  # objects up to which all eigenvectors are computed
PRECISION, RESTARTS = 1e-3, 20  # of Lanczos' iteration: labels need no more
MOST_PARTS = 50  # beyond, eigenvectors cost more than all moves
STARTS, ROUNDS = 8, 50  # of K-means


def spectral_labels(cost: Cut, data: Links, k: int, seed: int) -> np.ndarray | None:
    """(n,) labels; None where objects are few or parts many, or eigenvectors are not found soon."""
    if not 1 < k < min(MOST_PARTS + 1, data.n_objects - 1):
        return None
    parts = separate_parts(cost, data)
    if parts.max() + 1 >= k:
        return np.minimum(parts, k - 1)  # nothing is cut
    rows = relaxed_labels(cost, data, k, parts)
    if rows is None:
        return None
    found = [k_means(rows, k, spawn(seed, start)) for start in range(STARTS)]
    return min(found, key=lambda labels: cost.expected(data, np.eye(k)[labels]))


def separate_parts(cost: Cut, data: Links) -> np.ndarray:
    """(n,): which part of the graph an object is in, largest first; one without links is put into the largest.

    Dissimilarities should be cut: there all is one part.
    """
    if cost.sign < 0:
        return np.zeros(data.n_objects, np.intp)
    from scipy.sparse.csgraph import connected_components

    count, parts = connected_components(data.matrix(), directed=False)
    sizes = np.bincount(parts, minlength=count)
    order = np.argsort(-sizes, kind="stable")
    ranks = np.empty(count, np.intp)
    ranks[order] = np.where(sizes[order] > 1, np.arange(count), 0)
    return ranks[parts]


def relaxed_labels(cost: Cut, data: Links, k: int, parts: np.ndarray | None = None) -> np.ndarray | None:
    """(n, k): an object a row.

    Each separate part of the graph has a vector of eigenvalue 0, and an iteration finds one mixture of them all: they
    are written down, and put below all others where the rest is looked for. So are objects without links.
    """
    parts = separate_parts(cost, data) if parts is None else parts
    degrees = data.degrees()
    linked = np.where(degrees > 0, degrees, 1.0)
    root = 1 / np.sqrt(linked) if cost.balance == "normalized" else np.ones(len(degrees))
    below = 4 * float((root * linked * root).max())
    own = np.where(degrees > 0, cost.sign * root * degrees * root, below)
    known = np.eye(parts.max() + 1)[parts] * (np.where(degrees > 0, 1 / root, 0.0))[:, None]
    known = known / np.linalg.norm(known, axis=0) if parts.any() else known[:, :0]

    def product(v: np.ndarray) -> np.ndarray:
        moved = cost.sign * root * data.pull((root * v)[:, None])[:, 0] - own * v
        return np.asarray(moved - below * (known @ (known.T @ v)))

    vectors = leading_vectors(product, len(own), k - known.shape[1])
    return None if vectors is None else np.hstack([known, vectors]) * root[:, None]


def leading_vectors(product: Any, n: int, k: int) -> np.ndarray | None:
    """(n, k): eigenvectors of the largest eigenvalues of the symmetric matrix behind ``product``."""
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

    if n <= DENSE:
        return np.asarray(np.linalg.eigh(np.stack([product(unit) for unit in np.eye(n)]))[1][:, -k:])
    operator = LinearOperator((n, n), matvec=lambda v: product(np.ravel(v)), dtype=np.float64)
    start = spawn(0).standard_normal(n)
    try:
        return np.asarray(eigsh(operator, k=k, which="LA", v0=start, tol=PRECISION, maxiter=RESTARTS)[1])
    except ArpackError:  # what does not converge soon is no start
        return None


def k_means(rows: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Labels by Lloyd's iteration from rows drawn far from each other, by squared distance."""
    distance = np.full(len(rows), np.inf)
    centers = np.empty((k, rows.shape[1]))
    for c in range(k):
        far = distance.sum()
        chances = distance / far if 0 < far < np.inf else None
        centers[c] = rows[rng.choice(len(rows), p=chances)]
        distance = np.minimum(distance, ((rows - centers[c]) ** 2).sum(axis=1))
    labels = nearest(rows, centers)
    for _ in range(ROUNDS):
        held = np.bincount(labels, minlength=k)[:, None]
        sums = np.stack([np.bincount(labels, column, minlength=k) for column in rows.T], axis=1)
        centers = np.where(held > 0, sums / np.maximum(held, 1), centers)
        before, labels = labels, nearest(rows, centers)
        if np.array_equal(before, labels):
            break
    return labels


def nearest(rows: np.ndarray, centers: np.ndarray) -> np.ndarray:
    return np.asarray(((centers**2).sum(axis=1) - 2 * rows @ centers.T).argmin(axis=1))
