"""How far to trust a map, row by row: neighbours that are shown and are none, and neighbours that are not shown."""

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import check_array

from unmix.algorithms.neighbors.intrusion import intruder_excess, intruder_share
from unmix.algorithms.neighbors.space import Points, Space, Table
from unmix.core.arguments import whole_number
from unmix.core.canonical import canonical
from unmix.core.random import spawn

FLOATS = [np.float64, np.float32]


def distortion(X, embedding, *, n_neighbors=10, metric="euclidean", rows=None):
    """The share of each row's nearest rows on a map that are not among its nearest in the data.

    0 where the map shows the neighbourhood as it is, 1 where none of the rows shown near is. Rows at equal distances
    are taken together: the rows on one node of a self-organising map are compared with as many nearest in the data.

    With up to 12 columns neighbours come from k-d trees; otherwise all distances are computed, some rows at a time,
    O(n² d). No (n, n) table is made. For tens of thousands of rows give ``rows=2000``: O(2000 n d).

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d), or dissimilarities of shape (n, n)
    embedding : array-like of shape (n, m)
        The place of each row on any map.
    n_neighbors : int, default=10
    metric : str or callable, default="euclidean"
        Of the data: "precomputed" for dissimilarities (their symmetric part counts), or what scikit-learn's
        `pairwise_distances` takes. The map is looked at, so its distances are Euclidean.
    rows : array-like of int, or int, optional
        Compute the answer for these rows only; neighbours are looked for among all. A single number m stands for m
        rows drawn at random, the same in every call. Their mean is that of all rows to within 1.36 / √m (0.03 for
        2000) in 19 of 20 draws, whatever the map, and mostly to within 2 std / √m, which is less.

    Returns
    -------
    ndarray of shape (n,), or one number for each of the rows asked for

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.embedding import distortion
    >>> square = np.random.default_rng(0).uniform(size=(500, 2))
    >>> distortion(square, 3 * square[:, ::-1]).max()  # turned and enlarged
    np.float64(0.0)
    >>> bool(distortion(square, square[:, :1]).mean() > 0.7)  # pressed onto a line
    True
    """
    true, shown, rows = _check(X, embedding, n_neighbors, metric, rows)
    return intruder_share(shown, true, int(n_neighbors), rows)


def false_neighbors(X, embedding, *, n_neighbors=10, metric="euclidean", rows=None):
    """How far those rows truly are that a map shows among the nearest, row by row.

    By how many ranks they are further than the nearest, summed and divided by the largest such sum: 0 where all rows
    shown near are near, 1 where they are the furthest of all. 1 minus the mean is the trustworthiness of the map.
    High values are tears glued together: a group on the map that may be none. O(n² d) where any are false.

    Parameters
    ----------
    X, embedding, n_neighbors, metric, rows
        As in `distortion`.

    Returns
    -------
    ndarray of shape (n,), or (len(rows),)

    References
    ----------
    Venna & Kaski, Neighborhood preservation in nonlinear projection methods, ICANN 2001.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.embedding import false_neighbors, lost_neighbors
    >>> angle = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    >>> circle = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> pressed, cut = circle[:, :1], angle[:, None]
    >>> bool(false_neighbors(circle, pressed).mean() > lost_neighbors(circle, pressed).mean())
    True
    >>> bool(false_neighbors(circle, cut).mean() < lost_neighbors(circle, cut).mean())
    True
    """
    true, shown, rows = _check(X, embedding, n_neighbors, metric, rows)
    return intruder_excess(shown, true, int(n_neighbors), rows)


def lost_neighbors(X, embedding, *, n_neighbors=10, metric="euclidean", rows=None):
    """How far away a map shows those rows that are nearest in the data, row by row.

    By how many ranks they are further on the map than the nearest, summed and divided by the largest such sum: 0 where
    all near rows are shown near, 1 where they are shown furthest of all. 1 minus the mean is the continuity of the map.
    High values are tears: a gap on the map that may be none. O(n² m) where any are lost.

    Parameters
    ----------
    X, embedding, n_neighbors, metric, rows
        As in `distortion`.

    Returns
    -------
    ndarray of shape (n,), or (len(rows),)

    References
    ----------
    Venna & Kaski, Neighborhood preservation in nonlinear projection methods, ICANN 2001.
    """
    true, shown, rows = _check(X, embedding, n_neighbors, metric, rows)
    return intruder_excess(true, shown, int(n_neighbors), rows)


def _check(X: Any, embedding: Any, n_neighbors: Any, metric: Any, rows: Any) -> tuple[Space, Space, np.ndarray]:
    X = check_array(X, accept_sparse="csr", dtype=FLOATS, input_name="X")
    X = canonical(X) if hasattr(X, "tocsr") else X
    places = check_array(embedding, dtype=FLOATS, input_name="embedding")
    n = X.shape[0]
    if len(places) != n:
        raise ValueError(f"embedding has {len(places)} row(s) and X has {n}; give the place of every row of X")
    whole_number("n_neighbors", n_neighbors, 1)
    if n_neighbors >= n:
        raise ValueError(f"n_neighbors={n_neighbors} of n_samples={n}: give at most {n - 1}, or more rows")
    if isinstance(rows, Integral) and not isinstance(rows, bool):
        if not 1 <= rows <= n:
            raise ValueError(f"rows={rows}: give from 1 to n_samples={n} to be drawn, or a list of row numbers")
        rows = np.sort(spawn(0).choice(n, int(rows), replace=False))
    chosen = np.arange(n) if rows is None else np.asarray(rows)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or (len(chosen) and not 0 <= chosen.min() <= chosen.max() < n):
        raise ValueError(f"rows must be whole numbers from 0 to n - 1 = {n - 1}, in one list")
    return _space(X, metric), Points(places), chosen


def _space(X: Any, metric: Any) -> Space:
    if isinstance(metric, str) and metric in ("euclidean", "l2", "sqeuclidean"):
        return Points(X)
    if isinstance(metric, str) and metric == "precomputed":
        if X.shape[0] != X.shape[1]:
            raise ValueError(f"X has shape {X.shape}; dissimilarities between all pairs make a square matrix")
        D = X.toarray() if hasattr(X, "tocsr") else X
        return Table(len(D), lambda rows: 0.5 * D[rows] + 0.5 * D[:, rows].T)
    return Table(X.shape[0], lambda rows: pairwise_distances(X[rows], X, metric=metric))
