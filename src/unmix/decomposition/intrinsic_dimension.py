"""In how many dimensions do the rows of a table really spread?"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_array, check_random_state

from unmix.algorithms.dimension.distances import concentration
from unmix.algorithms.dimension.neighbors import Dimension, maximum_likelihood, two_nearest
from unmix.algorithms.principal.parallel_analysis import parallel_analysis
from unmix.core.arguments import whole_number
from unmix.core.linalg import power_of_two

METHODS = ("two_nn", "maximum_likelihood", "distances", "parallel_analysis")
LARGEST_DISTANCE = 1e140  # from most rows, in their unit: its square is still a number


class IntrinsicDimension(NamedTuple):
    """An estimate of the dimension.

    Attributes
    ----------
    dimension : float
        The estimate; round it if a whole number is wanted.
    error : float
        Its standard error over parts of the data; 0 for "parallel_analysis". It does not know of the bias of a method.
    method : str
    n_rows : int
        Rows it rests on: repeated rows count once, and large tables are sampled.
    """

    dimension: float
    error: float
    method: str
    n_rows: int


def intrinsic_dimension(
    X: Any, method: str = "two_nn", *, n_neighbors: int = 20, max_rows: int = 5000, random_state: Any = None
) -> IntrinsicDimension:
    """The number of dimensions in which the rows of X spread, however many columns there are.

    Parameters
    ----------
    X : (n, d) array
    method : {"two_nn", "maximum_likelihood", "distances", "parallel_analysis"}
        From the ratio of the distances to the two nearest rows (local, follows curved surfaces; needs no setting);
        from the distances to `n_neighbors` rows (local, less variable, more biased by curvature, edges and high
        dimension); from how much all distances vary (global: the effective number of equal directions, ``2 mean² /
        variance`` of squared distances); or the number of principal components beyond chance (global, linear).
    n_neighbors : int
        Of "maximum_likelihood".
    max_rows : int
        Larger tables are judged on so many random rows; neighbours are still sought among all.
    random_state : int, RandomState or None

    Notes
    -----
    Local methods need about 10^(D/2) rows or more and see noise as dimensions at the scale of the nearest neighbours.
    Columns are taken as they are: distances depend on their units.

    References
    ----------
    Facco et al., Scientific Reports 7, 2017; Levina & Bickel, NIPS 2004; Horn, Psychometrika 30, 1965.

    Examples
    --------
    A curved strip, two-dimensional, in space:

    >>> import numpy as np
    >>> from unmix.decomposition import intrinsic_dimension
    >>> rng = np.random.default_rng(0)
    >>> angle, height = rng.uniform(0, 6, 2000), rng.uniform(0, 5, 2000)
    >>> found = intrinsic_dimension(np.column_stack([angle * np.cos(angle), angle * np.sin(angle), height]))
    >>> round(found.dimension), found.error < 0.1
    (2, True)
    """
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not known; give one of {', '.join(map(repr, METHODS))}")
    table = check_array(X, dtype=np.float64, ensure_min_samples=2)
    table = _in_safe_unit(table, local=method in ("two_nn", "maximum_likelihood"))
    seed = check_random_state(random_state).randint(2**31 - 1)
    rng = np.random.default_rng(seed)
    if method == "parallel_analysis":
        count = parallel_analysis(table, 100, 0.95, rng).n_real
        return IntrinsicDimension(float(count), 0.0, method, len(table))
    rows = np.unique(table, axis=0)
    if len(rows) == 1:
        return IntrinsicDimension(0.0, 0.0, method, 1)
    queries = np.sort(rng.choice(len(rows), min(max_rows, len(rows)), replace=False))
    found = _estimate(rows, queries, method, n_neighbors, rng)
    return IntrinsicDimension(found.value, found.error, method, len(queries))


def _in_safe_unit(table: np.ndarray, local: bool) -> np.ndarray:
    """Times a power of two, so that squares are safe; for a local method those of most rows, however far a row is."""
    sizes = np.abs(table)
    if not local or not sizes.any():
        return table * power_of_two(float(sizes.max()))
    with np.errstate(over="ignore"):
        return np.clip(table * power_of_two(float(np.median(sizes[sizes > 0]))), -LARGEST_DISTANCE, LARGEST_DISTANCE)


def _estimate(rows: np.ndarray, queries: np.ndarray, method: str, k: int, rng: np.random.Generator) -> Dimension:
    if method == "distances":
        if len(rows) < 4:
            raise ValueError(f"method='distances' needs at least 4 different rows, got {len(rows)}")
        return concentration(rows[queries], rng)
    k = 2 if method == "two_nn" else k
    whole_number("n_neighbors", k, 2)
    if len(rows) < max(k + 2, 20):
        needed = max(k + 2, 20)
        raise ValueError(f"method={method!r} needs at least {needed} different rows, got {len(rows)}; use 'distances'")
    return two_nearest(rows, queries) if method == "two_nn" else maximum_likelihood(rows, queries, int(k))
