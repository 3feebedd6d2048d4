"""Nearest neighbours by descent: the neighbours of neighbours are likely neighbours.

From a forest of random projection trees the lists of neighbours are improved until hardly anything changes, at a cost
that grows little faster than the number of points, whatever their dimension. A few neighbours in a hundred are missed.
The search is pynndescent's, which is imported when it is asked for.
Reference: Dong, Moses & Li, Efficient k-nearest neighbor graph construction for generic similarity measures, WWW 2011.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

EXTRA_NEIGHBORS = 4  # neighbours beyond k: longer lists are searched better


def is_installed() -> bool:
    return find_spec("pynndescent") is not None


def search_candidates(points: np.ndarray, k: int) -> np.ndarray:
    """At least k other points for every point (n, d), most of the nearest among them."""
    found = _descend(points.astype(np.float32), k + 1 + EXTRA_NEIGHBORS)
    n = len(points)
    own = found == np.arange(n)[:, None]
    bad = own | (found < 0) | (found >= n)
    order = np.argsort(bad, axis=1, kind="stable")  # good ones first, nearest first
    found = np.take_along_axis(found, order, axis=1)[:, : found.shape[1] - 1]
    short = np.flatnonzero((~bad).sum(axis=1) < found.shape[1])
    for row in short:  # lists that were not filled: points that nothing led to
        missing = int(bad[row].sum()) - 1
        others = np.setdiff1d(np.arange(n), np.append(found[row, : found.shape[1] - missing], row))
        squares = ((points[others] - points[row]) ** 2).sum(axis=1)
        found[row, found.shape[1] - missing :] = others[np.argsort(squares)[:missing]]
    return found


def _descend(points: np.ndarray, k: int) -> np.ndarray:
    try:
        from pynndescent import NNDescent
    except ImportError as error:
        raise ImportError(
            "neighbors_algorithm='approximate' needs pynndescent: pip install 'unmix[neighbors]', or choose 'brute'"
        ) from error
    import numba

    from unmix.core.execution import current_execution

    threads = min(current_execution().n_threads, numba.config.NUMBA_NUM_THREADS)
    index: Any = NNDescent(points, n_neighbors=min(k, len(points)), random_state=0, n_jobs=threads)
    return np.asarray(index.neighbor_graph[0], dtype=np.intp)
