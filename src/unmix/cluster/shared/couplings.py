"""Symmetric matrices between objects, checked: couplings of spins, weights of graphs, neighbours on a grid."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.core.canonical import canonical


def check_symmetric(W: Any, name: str) -> Any:
    """W in float64 as an ndarray or CSR without stored zeros; one sentence says what is wrong with it."""
    if hasattr(W, "tocsr"):
        W = canonical(W).astype(np.float64)
    else:
        W = np.array(W, dtype=np.float64)
    if W.ndim != 2 or W.shape[0] != W.shape[1] or W.shape[0] == 0:
        raise ValueError(f"{name} has shape {W.shape}; give a square matrix, one row and one column an object")
    entries = W.data if hasattr(W, "tocsr") else W
    if not np.isfinite(entries).all():
        raise ValueError(f"{name} holds NaN or infinity; every entry must be a finite number, 0 where there is no edge")
    difference, size = abs(W - W.T), abs(W)
    largest = np.asarray(size.max(axis=1).toarray() if hasattr(W, "tocsr") else size.max(axis=1)).ravel()
    i, j = difference.nonzero()
    wrong = np.asarray(difference[i, j]).ravel() > 1e-10 * np.minimum(largest[i], largest[j])  # by the rows' own size
    if wrong.any():
        raise ValueError(
            f"{name} is not symmetric: entries (i, j) and (j, i) differ by up to {difference.max():.3g}; "
            f"give ({name} + {name}.T) / 2 if both directions are meant"
        )
    return W


def without_diagonal(W: Any) -> Any:
    """W with zeros on its diagonal."""
    if hasattr(W, "tocsr"):
        return sp.csr_array(W - sp.diags_array(W.diagonal())) if W.diagonal().any() else W
    return W - np.diag(W.diagonal())


def grid_couplings(shape: tuple[int, ...], coupling: float = 1.0, *, periodic: bool = False) -> Any:
    """Couplings of a grid of any dimension: each point and its next neighbours along the axes.

    Parameters
    ----------
    shape : tuple of int
    coupling : float, default=1.0
    periodic : bool, default=False
        Whether opposite borders are neighbours.

    Returns
    -------
    J : csr_array of shape (n, n)
        Points in C order.

    Examples
    --------
    >>> from unmix.cluster.shared.couplings import grid_couplings
    >>> grid_couplings((2, 2)).toarray().astype(int)
    array([[0, 1, 1, 0],
           [1, 0, 0, 1],
           [1, 0, 0, 1],
           [0, 1, 1, 0]])
    """
    points = np.arange(int(np.prod(shape))).reshape(shape)
    pairs = []
    for axis, length in enumerate(shape):
        next_points = np.roll(points, -1, axis)
        kept = slice(None) if periodic and length > 1 else slice(length - 1)
        where = (slice(None),) * axis + (kept,)
        pairs.append(np.stack([points[where].ravel(), next_points[where].ravel()]))
    i, j = np.concatenate(pairs, axis=1)
    half = sp.coo_array((np.full(len(i), float(coupling)), (i, j)), shape=(points.size, points.size)).tocsr()
    return sp.csr_array(half + half.T)
