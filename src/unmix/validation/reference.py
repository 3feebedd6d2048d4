"""Tables without clusters that share size and covariance with the data: what chance alone looks like.

x_ref = mean + Σ_j sqrt(3 λ_j) ε_j v_j,   ε_j uniform on (-1, 1),   (λ_j, v_j) the principal variances and axes of X

The flat density is the one-mode density in which chance makes the deepest valleys (Hartigan and Hartigan 1985), and the
principal axes give it the shape of the data (Tibshirani, Walther and Hastie 2001).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Reference = Callable[[np.random.Generator], np.ndarray]


def uniform_reference(X: np.ndarray) -> Reference:
    """A function that draws a table of the same shape, uniform in a box along the principal axes of X."""
    mean = X.mean(axis=0, dtype=np.float64)
    _, scale, axes = np.linalg.svd(np.asarray(X - mean, dtype=np.float64), full_matrices=False)
    sides = np.sqrt(3.0 / len(X)) * scale[:, None] * axes

    def draw(rng: np.random.Generator) -> np.ndarray:
        return (rng.uniform(-1.0, 1.0, (len(X), len(scale))) @ sides + mean).astype(X.dtype, copy=False)

    return draw


def undo_rounding(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Columns recorded on a coarse lattice, spread evenly over the cells of that lattice.

    Counts, grades and readings of few digits leave gaps that no clustering should be credited with.
    """
    X = np.array(X, dtype=np.float64)
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        if 1 < len(values) <= len(X) // 2:
            X[:, j] += np.diff(values).min() * rng.uniform(-0.5, 0.5, len(X))
    return X
