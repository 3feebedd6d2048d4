"""The nearest point of the simplex, x ≥ 0 with Σ x = total: a common shift, then negative entries set to zero.

    x = max(v - θ, 0),   θ = (v_(1) + … + v_(m) - total) / m   for the m largest entries, m the most that stay positive

Held, Wolfe & Crowder, Mathematical Programming 6, 1974; Duchi et al., ICML 2008. Cost: one sort.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.arguments import finite, floats


def project_simplex(v: Any, total: float = 1.0) -> np.ndarray:
    """The nearest probabilities to ``v``, or shares of ``total``; each row of a matrix for itself.

    Examples
    --------
    >>> project_simplex([0.5, 1.2, -3.0])
    array([0.15, 0.85, 0.  ])
    """
    point = floats(v, "v")
    if point.ndim not in (1, 2) or point.shape[-1] == 0:
        raise ValueError(f"v has shape {point.shape}; give a vector, or a matrix whose rows are projected")
    if not (total > 0 and np.isfinite(total)):
        raise ValueError(f"total={total!r} must be a positive number")
    rows = finite(np.atleast_2d(point), "v", 2)
    falling = np.sort(rows, axis=1)[:, ::-1]
    largest, counts = falling[:, :1], np.arange(1, rows.shape[1] + 1)
    with np.errstate(over="ignore"):  # a shift changes nothing; what is below by the total is 0; so sums stay small
        rows, falling = rows - largest, np.maximum(falling - largest, -total)
    shifts = (np.cumsum(falling, axis=1) - total) / counts
    last = np.count_nonzero(falling > shifts, axis=1, keepdims=True) - 1
    nearest = np.maximum(rows - np.take_along_axis(shifts, last, axis=1), 0.0)
    return nearest.reshape(point.shape).astype(point.dtype, copy=False)
