"""Tables without clusters that share size and covariance with the data: what chance alone looks like.

x_ref = mean + Σ_j sqrt(λ_j) ε_j v_j,   (λ_j, v_j) the principal variances and axes of X, ε of unit variance and

uniform    in the cube or in the ball, by turns
gaussian   standard normal

λ are those of Ledoit and Wolf's covariance, which spreads part of it evenly, because n points of n dimensions or more
look less crowded than the law they came from; where features outnumber rows, that part is Gaussian noise in the
directions the rows leave open.

The flat density is the one-mode density in which chance makes the deepest valleys (Hartigan and Hartigan 1985), and the
principal axes give it the shape of the data (Tibshirani, Walther and Hastie 2001).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unmix.algorithms.rounded_values.cells import column_widths

Reference = Callable[[np.random.Generator], np.ndarray]
ReferenceMaker = Callable[[np.ndarray], Reference]


def uniform_reference(X: np.ndarray) -> Reference:
    """A function that draws a table like X in shape and covariance, flat in a box or an ellipsoid along its axes."""

    def flat(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
        if rng.random() < 0.5:
            return rng.uniform(-np.sqrt(3), np.sqrt(3), (n, d))
        direction = rng.standard_normal((n, d))
        radius = np.sqrt(d + 2) * rng.random((n, 1)) ** (1 / d)
        return radius * direction / np.linalg.norm(direction, axis=1, keepdims=True)

    return reference_like(X, flat)


def gaussian_reference(X: np.ndarray) -> Reference:
    """A function that draws a table from the Gaussian with mean and covariance of X."""
    return reference_like(X, lambda rng, n, d: rng.standard_normal((n, d)))


def reference_like(X: np.ndarray, draw: Callable[[np.random.Generator, int, int], np.ndarray]) -> Reference:
    """A function that draws tables with mean and covariance of X from coordinates (n, r) of unit variance."""
    mean = X.mean(axis=0, dtype=np.float64)
    centred = np.asarray(X, dtype=np.float64) - mean
    size = np.abs(centred).max(initial=0.0) or 1.0
    _, scale, axes = np.linalg.svd(centred / size, full_matrices=False)
    shrinkage = even_share(centred / size, scale)
    even = shrinkage * (scale**2).sum() / X.size
    sides = np.sqrt((1 - shrinkage) * scale[:, None] ** 2 / len(X) + even) * axes

    def table(rng: np.random.Generator) -> np.ndarray:
        rows = draw(rng, len(X), len(scale)) @ sides
        if len(axes) < X.shape[1]:
            noise = np.sqrt(even) * rng.standard_normal(X.shape)
            rows += noise - (noise @ axes.T) @ axes
        return (size * rows + mean).astype(X.dtype, copy=False)

    return table


def even_share(centred: np.ndarray, scale: np.ndarray) -> float:
    """Ledoit and Wolf's shrinkage of the covariance of centred rows, from their singular values.

    Σ_jk E[x_j² x_k²] is the mean of ||x||⁴, and ||XᵀX / n||² the sum of the squared variances.   (Ledoit & Wolf 2004)
    """
    n, d = centred.shape
    squares = float(((scale**2 / n) ** 2).sum())
    spread = squares - float((scale**2).sum() / n) ** 2 / d
    noise = (float(((centred**2).sum(axis=1) ** 2).mean()) - squares) / n
    if d == 1 or noise <= 0 or spread <= 0:  # all rows on a line, or a covariance that is even already
        return 0.0
    return min(noise / spread, 1.0)


def is_simplex(X: np.ndarray) -> bool:
    """Whether few distinct rows come back again and again: two or more, but at most one plus the columns that vary."""
    most = min(1 + int((X[:1] != X).any(axis=0).sum()), len(X) // 2)
    if any(len(np.unique(column)) > most for column in X.T):
        return False
    return 1 < len(np.unique(X, axis=0)) <= most


def undo_rounding(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Columns recorded on a coarse lattice, spread evenly over the cells of that lattice.

    Counts, grades and readings of few digits leave gaps that no clustering should be credited with. At most d + 1
    distinct rows in d columns, the corners of a simplex, are no lattice: they stay the points they are.
    """
    X = np.array(X, dtype=np.float64)
    if is_simplex(X):
        return X
    for j in range(X.shape[1]):
        widths = column_widths(X[:, j])
        if widths is not None:
            X[:, j] += widths * rng.uniform(-0.5, 0.5, len(X))
    return X
